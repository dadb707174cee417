"""Tangents through calls of functions of the program."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.custom import Given
from transpiler.core.language import Core
from transpiler.core.query import call_of, callee, defined, names
from transpiler.errors import NotDifferentiable
from transpiler.specialize.bindings import Binding, Var
from transpiler.transforms.custom import check_rule_given
from transpiler.transforms.derivatives import ZERO
from transpiler.transforms.tangent_statements import Statements
from transpiler.transforms.tangents import Dot
from transpiler.transforms.transposed_rules import tangents_by_pullback
from transpiler.transforms.twins import Twins
from transpiler.values.types import Scalar, Tape


class Interleaved(Statements):
    """`twins` are the functions that give tangents too.

    items: of what calls give, the position of a result -> that of its tangent
    """

    def __init__(self, core: Core, active: frozenset[str], twins: Twins, *, apart: bool = False):
        super().__init__(core, active, apart=apart)
        self.twins = twins
        self.run.functions = dict(twins.functions)
        self.items: dict[str, dict[int, int]] = {}

    def call(self, statement: gast.stmt) -> None:
        call = call_of(statement)
        rule = self.twins.functions[str(callee(call))].rule
        if not any(name in self.active for name in names(call)):
            self.run.builder.append(statement)
        elif isinstance(rule, Given):
            self._by_rule_given(statement, rule)
        elif rule is None:
            self._by_twin(statement)
        elif getattr(rule, 'pairs', ()):
            raise NotDifferentiable(f'`{callee(call)}` has no forward mode', statement.origin)
        else:
            self.run.builder.append(statement)

    def _by_rule_given(self, statement: gast.stmt, rule: Given) -> None:
        """The rule that the user gave for forward mode, written here: it gives the results and their tangents."""
        target, args = defined(statement), [self.binding(node) for node in call_of(statement).args]
        if target is None or target not in self.active:
            self.run.builder.append(statement)
            return
        check_rule_given(self.core, statement, rule, self.active)
        seeds = [self._seed(args[k]) for k in rule.wanted]
        if rule.tangents is not None:
            given = [*args[: rule.own], *seeds, *args[rule.own :]]
            made = self.run.inline_core(self.run.functions[rule.tangents.tangents], given)
            places, count = rule.tangents.dots, len(made) - len(rule.tangents.dots)
            results, dots = made[:count], made[count:]
        elif rule.either:
            results, places, dots = tangents_by_pullback(self.run, rule, args, seeds)
        else:
            raise NotDifferentiable(
                f'`{rule.title}` has a rule for reverse mode only', statement.origin,
                instead='use reverse mode, or give the function a rule for forward mode: `custom_jvp`',
            )
        by_result = dict(zip(places, dots, strict=True))
        pairs = [(value, by_result.get(k, ZERO)) for k, value in enumerate(results)]
        if isinstance(self.core.types.get(target), tuple):
            self.opened[target] = pairs
        else:
            self.give(target, *pairs[0])

    def _seed(self, argument: Binding) -> Binding:
        """The tangent of an argument, with zeros where it has none."""
        if isinstance(argument, Var) and not isinstance(argument.type, Scalar):
            return self.whole(argument.name)
        return self.dot_of(argument)

    def _by_twin(self, statement: gast.stmt) -> None:
        """`r = f(a)`: the function that gives tangents too, called once."""
        call, target, builder = call_of(statement), defined(statement), self.run.builder
        twin = self.twins.twin(str(callee(call)))
        atoms = [*call.args, *(self._argument(call.args[k]) for k in twin.inputs)]
        node = build.call(f'call.{twin.name}', *atoms)
        given = self.core.types.get(target) if target is not None else ()
        types = given if isinstance(given, tuple) else (given,)
        both = (*types, *(self.run.resolve(types[k]) for k in twin.results))
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
                    self.assign(target, Dot(dot), fresh=False)
                builder.block.extend(block)

    def _argument(self, node: gast.expr) -> gast.expr:
        """The tangent of an argument, as an atom."""
        if not isinstance(node, gast.Name):
            return build.constant(0.0)
        if isinstance(self.type_of(node.id), Tape) and node.id not in self.dots:
            return build.name(self.run.zero_list(self.variable(node.id)).name)
        return self.atom(self.whole(node.id))

    def _item(self, base: str, index: gast.expr) -> Dot:
        if base not in self.items:
            return super()._item(base, index)
        place = self.items[base].get(index.value)
        if place is None:
            return Dot()
        return Dot(self.run.builder.define('part', build.subscript(base, place), self.run.builder.types[base][place]))
