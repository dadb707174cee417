"""Tangents through calls of functions of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from transpiler.core import build
from transpiler.core.custom import Given
from transpiler.core.query import call_of, callee, defined, names
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable
from transpiler.specialize.domain.bindings import Binding
from transpiler.transforms.forward.primitives import Dot
from transpiler.transforms.pullback.custom_rules import check_rule_given
from transpiler.transforms.reverse.transposed_rules import tangents_by_pullback
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import Scalar, Tape

if TYPE_CHECKING:
    from transpiler.transforms.forward.sweep import TangentSweep


class TangentCalls(Part):
    """Calls of functions that give tangents too, `twins` of those of the program.

    items: of what calls give, the position of a result -> that of its tangent
    """

    def __init__(self, sweep: TangentSweep):
        super().__init__(sweep)
        self.items: dict[str, dict[int, int]] = {}

    def call(self, statement: gast.stmt) -> None:
        call = call_of(statement)
        rule = self.sweep.twins.functions[str(callee(call))].rule
        if not any(name in self.active for name in names(call)):
            self.ev.builder.append(statement)
        elif isinstance(rule, Given):
            self._by_rule_given(statement, rule)
        elif rule is None:
            self._by_twin(statement)
        elif getattr(rule, 'pairs', ()):
            raise NotDifferentiable(f'`{callee(call)}` has no forward mode', statement.origin)
        else:
            self.ev.builder.append(statement)

    def _by_rule_given(self, statement: gast.stmt, rule: Given) -> None:
        """The rule that the user gave for forward mode, written here: it gives the results and their tangents."""
        target, args = defined(statement), [self.binding(node) for node in call_of(statement).args]
        if target is None or target not in self.active:
            self.ev.builder.append(statement)
            return
        check_rule_given(self.core, statement, rule, self.active)
        seeds = [self._seed(args[k]) for k in rule.wanted]
        if rule.tangents is not None:
            given = [*args[: rule.own], *seeds, *args[rule.own :]]
            made = self.ev.programs.inline_core(self.ev.functions[rule.tangents.tangents], given)
            places, count = rule.tangents.dots, len(made) - len(rule.tangents.dots)
            results, dots = made[:count], made[count:]
        elif rule.either:
            results, places, dots = tangents_by_pullback(self.ev, rule, args, seeds)
        else:
            raise NotDifferentiable(
                f'`{rule.title}` has a rule for reverse mode only', statement.origin,
                instead='use reverse mode, or give the function a rule for forward mode: `custom_jvp`',
            )
        by_result = dict(zip(places, dots, strict=True))
        pairs = [(value, by_result.get(k, ZERO)) for k, value in enumerate(results)]
        if isinstance(self.core.types.get(target), tuple):
            self.sweep.statements.opened[target] = pairs
        else:
            self.sweep.statements.give(target, *pairs[0])

    def _seed(self, argument: Binding) -> Binding:
        """The tangent of an argument, with zeros where it has none."""
        if isinstance(argument, Var) and not isinstance(argument.type, Scalar):
            return self.sweep.whole(argument.name)
        return self.sweep.dot_of(argument)

    def _by_twin(self, statement: gast.stmt) -> None:
        """`r = f(a)`: the function that gives tangents too, called once."""
        call, target, builder = call_of(statement), defined(statement), self.ev.builder
        twin = self.sweep.twins.twin(str(callee(call)))
        atoms = [*call.args, *(self._argument(call.args[k]) for k in twin.inputs)]
        node = build.call(f'call.{twin.name}', *atoms)
        given = self.core.types.get(target) if target is not None else ()
        types = given if isinstance(given, tuple) else (given,)
        both = (*types, *(self.ev.resolve(types[k]) for k in twin.results))
        if isinstance(given, tuple) and given:
            builder.types[target] = both
            self.items[target] = dict(zip(twin.results, range(len(types), len(both)), strict=True))
            builder.append(build.like(statement, value=node))
        elif target is None or not twin.results:
            builder.append(build.like(statement, value=node))
        else:
            whole = builder.define('parts', node, both)
            builder.append(build.like(statement, value=build.subscript(whole.name, 0)))
            if target in self.active:
                with builder.nested() as block:
                    dot = builder.define('part', build.subscript(whole.name, 1), both[1])
                    self.sweep.assign(target, Dot(dot), fresh=False)
                builder.block.extend(block)

    def _argument(self, node: gast.expr) -> gast.expr:
        """The tangent of an argument, as an atom."""
        if not isinstance(node, gast.Name):
            return build.constant(0.0)
        if isinstance(self.type_of(node.id), Tape) and node.id not in self.sweep.tangents.dots:
            return build.name(self.ev.tapes.zero_list(self.variable(node.id)).name)
        return self.sweep.atom(self.sweep.whole(node.id))

    def item(self, base: str, index: gast.expr) -> Dot:
        if base not in self.items:
            return self.sweep.tangents.item(base, index)
        place = self.items[base].get(index.value)
        if place is None:
            return Dot()
        return Dot(self.ev.builder.define('part', build.subscript(base, place), self.ev.builder.types[base][place]))
