"""What loops carry: the body is run on abstract values until the types of the names it carries settle, then written once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import gast

from transpiler.analyses.names import stores
from transpiler.core import build
from transpiler.specialize.bindings import Binding, Blank, Known, Maybe, Unbound, Var, flatten, fold, same_shape
from transpiler.specialize.context import Frame
from transpiler.specialize.control import Branches
from transpiler.specialize.joins import in_sequence
from transpiler.specialize.presence import is_absent, leaf_type
from transpiler.values.joining import join_types
from transpiler.values.types import BOOL, Type

Types = dict[str, list[Type | None]]
BOUND = '_bound!'
STAYS = Known(False)


@dataclass
class Turn:
    """One trial of a loop's body: the names it carries and the types their leaves have at its start.

    markers: names without a value before the loop, which some turn may give one
    maybe: names that may have no value at the start of some turn; a flag, carried as `presence(name)`, tells
    leave: whether the loop is left after this turn
    """

    before: dict[str, Binding]
    types: Types
    markers: dict[str, Unbound]
    maybe: frozenset[str]
    body: list[gast.stmt] = field(default_factory=list)
    carried: dict[str, Binding] = field(default_factory=dict)
    after: dict[str, Binding] = field(default_factory=dict)
    leave: Binding = STAYS
    test: gast.expr | None = None
    node: gast.stmt | None = None

    def start(self, name: str) -> Binding:
        return self.carried.get(name, self.before[name])

    def names(self) -> dict[str, Binding]:
        """What the names stand for at the start of a turn, and after the loop."""
        env = {n: b for n, b in {**self.before, **self.carried}.items() if not n.endswith(BOUND)}
        for name in self.maybe:
            flag = self.start(presence(name))
            reads = frozenset({flag.name}) if isinstance(flag, Var) else frozenset()
            env[name] = Maybe(self.start(name), lambda run, flag=flag: flag, reads, safe=True)
        return env


def presence(name: str) -> str:
    """The flag that tells whether `name` has a value."""
    return f'{name}{BOUND}'


class Turns(Branches):
    """Trials of a loop's body, and the loop that comes out."""

    def settle(self, frame: Frame, statement: gast.For | gast.While, run: Callable[[Turn], None]) -> Turn:
        """Run the body until the types of the carried names no longer change."""
        live = frame.live.get(id(statement))
        stored = stores(statement.body) | stores([statement])
        carried = {n for n in stored if live is None or n in live.after or n in live.head}
        before, types, maybe = dict(frame.env), {}, set()
        markers: dict[str, Unbound] = {}
        for name in sorted(carried) if frame.function is not None else ():
            binding = before.get(name)
            if isinstance(binding, Maybe):
                base, _ = self.base_of(frame, name)
                before[name], before[presence(name)] = self.settled(base, binding, self.builder.block)
                maybe.add(name)
            elif is_absent(binding):
                markers[name] = before[name] = Unbound(frozenset(self.builder.types), binding)
        for name in before:
            if name in carried and name not in markers:
                types[name] = [leaf_type(leaf) for leaf in flatten(before[name])]
                types |= {presence(name): [BOOL]} if name in maybe else {}
        while True:
            state = self.builder.snapshot()
            turn = self._trial(frame, Turn(before, types, markers, frozenset(maybe)), run)
            settled = self._joined_types(turn)
            found = {n: turn.after[n] for n, marker in markers.items() if n not in maybe and self._persists(turn, n, marker)}
            if settled == types and not found:
                return turn
            self.builder.restore(state)
            # code that would have read a name without a value was cut off: what it changes is not known yet
            types = {**types, **settled} if found else settled
            for name, binding in found.items():
                maybe.add(name)
                before[name], before[presence(name)] = self._blanks(before, binding), Known(False)
                types |= {name: [leaf_type(leaf) for leaf in flatten(before[name])], presence(name): [BOOL]}
            frame.env = before

    def _persists(self, turn: Turn, name: str, marker: Unbound) -> bool:
        """Whether a name without a value before the loop may get one in one turn that matters in a later one, or after it."""
        binding = turn.after.get(name)
        if isinstance(binding, Maybe):
            marker.miss(binding.reads)
        return marker.missed and not is_absent(binding)

    def _blanks(self, env: dict[str, Binding], binding: Binding) -> Binding:
        """What holds the place of a value like `binding` before the loop."""
        while isinstance(binding, Maybe):
            binding = binding.binding
        return fold(binding, lambda leaf: leaf if leaf_type(leaf) is None else Blank(self.blank_type(env, leaf_type(leaf))))

    def _trial(self, frame: Frame, turn: Turn, run: Callable[[Turn], None]) -> Turn:
        for name, types in turn.types.items():
            base, temporary = self.base_of(frame, name)
            pending = iter(types)

            def variable(leaf: Binding, base=base, temporary=temporary, pending=pending) -> Binding:
                type_ = next(pending)
                return leaf if type_ is None else self.builder.fresh(base, type_, temporary)

            turn.carried[name] = fold(turn.before[name], variable)
        frame.env = turn.names()
        with self.builder.nested() as turn.body:
            run(turn)
            turn.after = frame.env
            for name in turn.maybe:
                end, base = turn.after[name], self.base_of(frame, name)[0]
                value = self.settled(base, end, turn.body, turn.start(name)) if isinstance(end, Maybe) else (end, Known(True))
                turn.after[name], turn.after[presence(name)] = value
        return turn

    def _joined_types(self, turn: Turn) -> Types:
        """The types of the carried leaves after the body; names that it leaves alone are not carried at all."""
        settled = {}
        for name, types in turn.types.items():
            start, end = turn.carried[name], turn.after[name]
            if start == end or isinstance(end, Known) and end == turn.before[name]:
                continue
            if not same_shape(start, end):
                raise self.conflict(name, turn.before[name], end).error(self.origin)
            joined = []
            for type_, old, new in zip(types, flatten(start), flatten(end), strict=True):
                if type_ is None or leaf_type(new) is None:
                    if old != new:
                        raise self.conflict(name, old, new).error(self.origin)
                    joined.append(None)
                else:
                    joined.append(join_types(self.resolve(type_), self.resolve(leaf_type(new))))
            settled[name] = joined
        return settled

    def finish(
        self, frame: Frame, turn: Turn, node: Callable[[], gast.stmt], ran: Callable, reads: frozenset[str] | None = None
    ) -> None:
        """Write the loop: start values before it, copies and the exit at the end of its body."""
        copies = []
        for name, binding in turn.carried.items():
            for variable, start, end in zip(flatten(binding), flatten(turn.before[name]), flatten(turn.after[name]), strict=True):
                if isinstance(variable, Var) and variable.type is not None and variable != start:
                    self.builder.assign(variable.name, self.converted(start, variable.type, turn.before))
                    copies.append((variable.name, self.converted(end, variable.type)))
        if isinstance(turn.leave, Var) and turn.leave.name in [target for target, _ in copies]:
            kept = self.builder.fresh('leave', turn.leave.type, True)
            turn.body.append(build.assign(kept.name, turn.leave.name, self.origin, self.builder.role))
            turn.leave = kept
        spare = lambda name: self.builder.fresh(self.builder.hints[name].base, self.builder.types[name], True).name
        turn.body.extend(build.assign(t, s, self.origin, self.builder.role) for t, s in in_sequence(copies, spare))
        env = turn.names()
        env |= {name: marker.outer for name, marker in turn.markers.items() if name not in turn.maybe}
        for name, binding in turn.after.items():
            if name.endswith(BOUND) or is_absent(binding) or not is_absent(env.get(name)):
                continue
            if not frame.live or any(name in found.after for found in frame.live.values()):
                base, temporary = self.base_of(frame, name)
                if isinstance(env.get(name), Unbound):
                    env[name].miss(reads)
                env[name] = self.perhaps(frame, self.only_here(base, binding, turn.body, temporary), ran, reads)
        turn.node = node()
        self.builder.append(turn.node)
        frame.env = {name: binding for name, binding in env.items() if binding is not None}
