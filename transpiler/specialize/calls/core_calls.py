"""Calls of functions of a core program: written down, or opened up to what they do."""

from __future__ import annotations

import gast

from transpiler.analyses.dataflow.source_liveness import live_names
from transpiler.analyses.memory.call_effects import results
from transpiler.core import build
from transpiler.core.custom import Given
from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.activations import result_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Expansion, Frame
from transpiler.specialize.kinds.eithers import with_returned
from transpiler.specialize.kinds.mixtures import check_passed
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.kinds import longest
from transpiler.values.types import FLOAT, Array, Scalar, Tape, Type


class ProgramCalls(Component):
    """The types of all these functions are known."""

    def call_function(self, name: str, atoms: list, types: list[Type]) -> list[Var]:
        """`name(*atoms)`: its results, one by one."""
        node = build.call(f'call.{name}', *atoms)
        if not types:
            self.builder.effect(node)
            return []
        if len(types) == 1:
            return [self.builder.define('part', node, types[0])]
        return self.ev.operations.parts(node, tuple(types))

    def call_core(self, core: Core, args: list[Binding]) -> Binding:
        """A call of a function of a core program, whose types are known."""
        found = self.results_of(core, args)
        return found[0] if len(found) == 1 else Tuple(tuple(found)) if found else Known(None)

    def results_of(self, core: Core, args: list[Binding]) -> list[Var]:
        """The results of a call of a function of a core program, one by one."""
        atoms, types = [], []
        for a, name in zip(args, core.inputs, strict=True):
            atom, type_ = (build.name(a.name), a.type) if isinstance(a, Var) else self.ev.operand(a)
            atoms.append(atom)
            types.append(self.ev.resolve(type_))
            if self.ev.separation is not None and not self.derives:
                self._check_passed(a, type_, core.types[name])
            if isinstance(a, Var) and isinstance(a.type, Tape):     # the function knows what it pushes
                self.ev.tapes.widen(a, core.types[name])
        given = [result_type(core, part, types) for part in results(core)]
        if self.ev.separation is not None and not self.derives:
            given = [with_returned(core, part, type_) for part, type_ in zip(results(core), given, strict=True)]
        return self.call_function(core.name, atoms, given)

    def _check_passed(self, given: Binding, type_: Type, own: Type) -> None:
        """An integer that is not known may become a float of the function's if that holds it: this is asked when it runs."""
        if isinstance(given, Var) and self.ev.numbers.is_int(given) and type_.kinds is None and own in (FLOAT,
                                                                                                        Scalar(FLOAT.dtype)):
            longer = self.ev.compare(gast.Gt, self.ev.call(Known(abs), [given], {}), Known(longest(FLOAT.dtype)))
            self.ev.operations.raise_if(longer, 'an integer has more digits than a float holds: make it a float first',
                                        'OverflowError')
        else:
            check_passed(type_, getattr(given, 'value', None), own, self.origin)

    def require_shape(self, value: Var, own: Type, like: Var, message: str) -> None:
        """Raise ValueError, when the program runs, if `value`, an array of the type `own`, has not the shape of `like`."""
        dims = self.ev.resolve(like.type).dims if isinstance(like.type, Array) else None
        if not isinstance(own, Array) or own.dims is None or dims is None:
            return
        for axis, (a, b) in enumerate(zip(own.dims, dims, strict=True)):
            if a is None or a != b:
                self.ev.operations.raise_if(self.ev.compare(gast.NotEq, self.ev.expressions.size(value, axis, a),
                                                            self.ev.expressions.size(like, axis, b)), message)

    def expand(self, found: Expansion, args: list[Binding]) -> Binding:
        """Open up a call."""
        core, rule = found.core, found.core.rule
        extra = args[rule.own :] if isinstance(rule, Given) else []
        if found.how == 'inline':
            values = self.inline_core(core, args)
        elif rule.pullback is not None:
            made = self.inline_core(self.ev.functions[rule.pullback.forward], args)
            wanted, by_value = ([args[k] for k in positions] for positions in (rule.wanted, rule.by_value))
            values = self.results_of(self.ev.functions[rule.pullback.joined], [*wanted, *made, *by_value, *extra])
        else:
            by = rule.tangents
            cut = self.results_of(self.ev.functions[by.cut], args)
            seeds = self.results_of(self.ev.functions[by.seeds], [*(args[k] for k in rule.wanted), *extra])
            made = self.inline_core(self.ev.functions[by.tangents], [*cut, *seeds, *extra])
            values = self.results_of(self.ev.functions[by.paired], [*made, *extra])
        return values[0] if len(values) == 1 else Tuple(tuple(values)) if values else Known(None)

    def inline_core(self, core: Core, args: list[Binding]) -> list[Binding]:
        """Run a function of a core program where it is called; its results."""
        env = dict(zip(core.inputs, args, strict=True))
        frame = Frame(None, env, None, live_names(list(core.body)), core.hints, core.types)
        self.ev.execute(frame, list(core.body[:-1]))
        return [self.ev.evaluate(frame, part) for part in results(core)]
