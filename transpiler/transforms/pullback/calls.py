"""The pullback of calls of functions of the program: see `forward_backward_pairs.py` for what these become."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from transpiler.analyses.memory.call_effects import own_results, results
from transpiler.analyses.memory.views import bases, is_writable
from transpiler.core import build
from transpiler.core.custom import Given, Joined, Passing
from transpiler.core.language import Core
from transpiler.core.query import call_of, callee, changed_by, defined
from transpiler.core.variables import Var
from transpiler.errors import UnsafeMutation
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.evaluation.activations import result_type
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.shared.unfollowed_writes import described
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import Array, Scalar, Tape

if TYPE_CHECKING:
    from transpiler.transforms.pullback.sweep import Sweep


class FunctionPullbacks(Part):
    """`forward` learns which calls keep values for their pullbacks, and by which name."""

    def __init__(self, sweep: Sweep):
        super().__init__(sweep)
        self.forward: dict[int, str] = {}
        self.items = {
            (s.value.value.id, s.value.slice.value): s.targets[0].id
            for s in self.core.statements
            if isinstance(s, gast.Assign) and is_item(self.core, s.value)
        }

    def pull_function(self, statement: gast.stmt) -> None:
        """`r = f(a)`: call the backward function, if anything that the call gave or changed has a cotangent."""
        call = call_of(statement)
        given = self._results(statement, call)
        bars = {k: self.sweep.live.pop(name) for k, name in given.items() if name in self.sweep.live}
        changed = [name for name in changed_by(statement) if name in self.active]
        self.forward.pop(id(statement), None)
        rule = self.sweep.split.functions[str(callee(call))].rule
        is_needed = any(bar.value != ZERO for bar in bars.values()) or any(map(self._has_cotangent, changed))
        if rule is None and (is_needed or changed):
            self._check_writes(statement, call)
        if not is_needed:
            return
        if isinstance(rule, Given):
            return  # it would have been opened up, did its arguments matter
        if rule is not None:
            with self.sweep.statements.needed(statement):
                self._pull_by_rule(rule, call, given, bars)
            return
        pair = self.sweep.split.pair(str(callee(call)))
        self.forward[id(statement)] = pair.forward
        with self.sweep.statements.needed(statement):
            atoms = list(call.args)
            for k in pair.results:
                atoms.append(self._atom_of(given[k], bars.get(k)) if k in given else self.sweep.attempts.empty(statement, k))
            buffers, apart = self._buffers([call.args[k].id for k in pair.memory])
            atoms += [build.name(buffer.name) for buffer in buffers]
            # who knows what the function reads
            self.sweep.reading.unread |= self.active.intersection(call.args[k].id for k in pair.memory)
            found = self.ev.programs.call_function(pair.backward, atoms, list(pair.types))
            for k, value in zip(pair.numbers, found, strict=True):
                if isinstance(call.args[k], gast.Name) and call.args[k].id in self.active:
                    self.sweep.add(call.args[k].id, value)
            for name, buffer in apart:
                self.sweep.add(name, buffer, owned=True)

    def answer(self, name: str) -> Binding:
        if not isinstance(self.core.types[name], tuple):
            return self.sweep.derivatives.answer(name)
        return Tuple(tuple(self.variable(self.items[name, k]) for k in range(len(self.core.types[name]))))

    def pull_several(self, name: str, call: gast.Call) -> None:
        """`r = primitive(a)` with several results; of those without cotangent the rule is given 0.0."""
        given = [self.items[name, k] for k in range(len(self.core.types[name]))]
        bars = [self.sweep.live.pop(item, Bar(ZERO)) for item in given]
        if all(bar.value == ZERO for bar in bars):
            return
        with self.sweep.statements.needed(self.sweep.mutation.defined_at[given[-1]][0]):
            pairs = zip(given, bars, strict=True)
            wholes = [self.sweep.whole(item, bar).value if bar.value != ZERO else ZERO for item, bar in pairs]
            self.sweep.operations.pull_call(name, call, Bar(Tuple(tuple(wholes))))

    def _pull_by_rule(self, rule: Passing | Joined, call: gast.Call, given: dict[int, str], bars: dict[int, Bar]) -> None:
        """Hand cotangents on, or call the function that a rule has for them."""
        if isinstance(rule, Passing):
            for argument, result in rule.pairs:
                if result in bars:
                    self._give_to(call.args[argument], bars[result].value, bars[result].owned, bars[result].small)
            return
        kept = [call.args[k] for k in rule.kept]
        cotangents = []
        for k in rule.results:
            atom = call.args[rule.outs[k]]
            name = given[k] if k in given else getattr(atom, 'id', None)
            cotangents.append(build.constant(0.0) if name is None else self._atom_of(name, bars.get(k)))
        wanted = [call.args[k] for k in rule.wanted]
        types = [self.value_type(self.binding(atom)) for atom in wanted]
        found = self.ev.programs.call_function(rule.backward, [*kept, *cotangents, *call.args[rule.own :]], types)
        self._check_shapes(rule, wanted, found)
        for atom, value, owned in zip(wanted, found, own_results(self.sweep.split.functions[rule.backward]), strict=True):
            self._give_to(atom, value, owned)

    def _check_shapes(self, rule: Joined, wanted: list[gast.expr], found: list[Var]) -> None:
        """Sizes that a rule's own code does not settle are compared when it runs."""
        backward = self.sweep.split.functions[rule.backward]
        call = next(s.value for s in reversed(self.ev.builder.block) if callee(getattr(s, 'value', None)) == rule.backward)
        types = [self.value_type(self.binding(atom)) for atom in call.args]
        for atom, value, part in zip(wanted, found, results(backward), strict=True):
            if isinstance(atom, gast.Name) and isinstance(value.type, Array):
                message = f'the rule of `{rule.title}` gives `{self.core.base(atom.id)}` a cotangent of another shape'
                self.ev.programs.require_shape(value, result_type(backward, part, types), self.variable(atom.id), message)

    def _give_to(self, atom: gast.expr, value: Binding, owned: bool = False, small: bool = False) -> None:
        if isinstance(atom, gast.Name) and atom.id in self.active:
            self.sweep.add(atom.id, value, owned, small)

    def _results(self, statement: gast.stmt, call: gast.Call) -> dict[int, str]:
        """The names of the results, by number."""
        target = defined(statement)
        if target is None:
            return {}
        if isinstance(self.core.types.get(target), tuple):
            return {k: name for (whole, k), name in self.items.items() if whole == target}
        return {0: target}

    def _atom_of(self, name: str, bar: Bar | None) -> gast.expr:
        return self.ev.operand(self.sweep.whole(name, bar if bar is not None else self.sweep.zero(name)).value)[0]

    def empty(self, statement: gast.stmt, item: int) -> gast.expr:
        """The cotangent of a result that nobody reads: zero, in the shape of what the call gives."""
        whole = defined(statement)
        type_ = self.core.types[whole][item]
        if isinstance(type_, Scalar):
            return build.constant(0.0)
        unread = self.ev.builder.fresh('unread', type_, temporary=True, lasting=True)
        read = build.assign(unread.name, build.subscript(whole, item), statement.origin, 'storage')
        self.sweep.mutation.after.setdefault(id(statement), []).append(read)
        return self.ev.operand(self.ev.operate_by_name('numpy.zeros_like', [unread]))[0]

    def _has_cotangent(self, name: str) -> bool:
        """Whether memory has a cotangent; a tape always has: what is popped from it was pushed with one."""
        if isinstance(self.core.types.get(name), Tape):
            return True
        if name in self.sweep.live and self.sweep.live[name].value != ZERO:
            return True
        return any(map(self._has_cotangent, list(bases(name, self.sweep.mutation.views))[:1]))

    def _buffers(self, arguments: list[str]) -> tuple[list[Var], list[tuple[str, Var]]]:
        """The cotangents of arrays and tapes as memory to change, no two the same; and those to be added when it has changed."""
        found: list[Var] = []
        apart: list[tuple[str, Var]] = []
        roots: set[str] = set()
        for name in arguments:
            root = [name, *bases(name, self.sweep.mutation.views)][-1]
            if name in self.active and (root in roots or not is_writable(name, self.sweep.mutation.views)):
                found.append(self.sweep.zero(name).value)
                apart.append((name, found[-1]))
            else:
                found.append(self._buffer(name))
            roots.add(root)
        return found, apart

    def _buffer(self, name: str) -> Var:
        """The cotangent of an array or tape as memory to change: that of a view is the same view of the other's."""
        if name not in self.active:
            return self.sweep.zero(name).value
        views = self.sweep.mutation.views
        for view in (name, *bases(name, views)):
            if view in views and (pending := self.sweep.live.pop(view, Bar(ZERO))).value != ZERO:
                part = self.sweep.statements.seen(view)
                self.ev.builder.accumulate(build.subscript(part.name, ...), self.ev.operand(pending.value)[0])
        return self.sweep.statements.seen(name)

    def _check_writes(self, statement: gast.stmt, call: gast.Call) -> None:
        """Refuse a call that writes into memory that other names, read later, share."""
        arguments = [a.id for a in call.args if isinstance(a, gast.Name)]
        for name in changed_by(statement):
            if not isinstance(self.core.types.get(name), Array):
                continue
            others = self.sweep.mutation.others(name, statement, arguments) - set(bases(name, self.sweep.mutation.views))
            others |= {name} if arguments.count(name) > 1 else set()
            if others:
                raise UnsafeMutation(
                    f'`{callee(call)}` writes into `{self.core.base(name)}`, which may share its memory with '
                    f'{described(self.core, min(others))}',
                    statement.origin,
                    why='the derivative would have to follow the write through the alias, which is not supported yet',
                    instead='pass a copy: `a.copy()`',
                )


def is_item(core: Core, value: gast.expr) -> bool:
    match value:
        case gast.Subscript(value=gast.Name(id=base)):
            return isinstance(core.types.get(base), tuple)
    return False
