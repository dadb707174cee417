"""Loops: run the body on abstract values until the types of what it carries settle, then write it down once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import gast

from transpiler.analyses.names import stores
from transpiler.core import build
from transpiler.errors import TranspileError, UnsupportedSyntax
from transpiler.specialize.bindings import Binding, Container, Known, Maybe, Var, flatten, fold, same_shape
from transpiler.specialize.conditions import as_expression
from transpiler.specialize.context import Frame, NeedStatic
from transpiler.specialize.control import Branches
from transpiler.specialize.iteration import Items, items_of
from transpiler.specialize.joins import in_sequence, leaf_type
from transpiler.values.joining import join_types
from transpiler.values.types import BOOL, INT, Scalar, Type


@dataclass
class Turn:
    """One trial of a loop's body: the names it carries and the types their leaves have at its start."""

    before: dict[str, Binding]
    types: dict[str, list[Type | None]]
    body: list[gast.stmt] = field(default_factory=list)
    carried: dict[str, Binding] = field(default_factory=dict)
    after: dict[str, Binding] = field(default_factory=dict)
    test: gast.expr | None = None
    node: gast.stmt | None = None


class Loops(Branches):
    """`for` and `while`."""

    def _do_for(self, frame: Frame, statement: gast.For) -> bool:
        iterator = self.evaluate(frame, statement.iter)
        items = items_of(self, iterator)
        if items is None:
            raise UnsupportedSyntax(
                f'a loop over {self.describe(iterator)} is not supported',
                self.origin,
                instead='loop over a range, an array, or a tuple or list',
            )
        if items.needs_parts:
            return any(self._unrolled_turn(frame, statement, item) for item in items.parts)
        match iterator:
            case Container('checkpointed', (_, snapshots)):
                self._counted(frame, statement, items, snapshots=snapshots)
            case _:
                self._counted(frame, statement, items)
        return False

    def _unrolled_turn(self, frame: Frame, statement: gast.For, item: Binding) -> bool:
        self.bind_target(frame, statement.target, item)
        return self.execute(frame, statement.body)

    def _counted(self, frame: Frame, statement: gast.For, items: Items, **options: Binding) -> None:
        """A loop over positions; it is unrolled if its body needs them as constants, and there are not too many."""

        def enter(index: Var) -> None:
            self.bind_target(frame, statement.target, items.at(index))

        base = self._index_name(frame, statement)
        state = self.builder.snapshot(), dict(frame.env)
        try:
            self._loop(frame, statement, items.bounds, base, enter, options)
        except NeedStatic as need:
            index_wanted = need.name not in state[0][0]
            if items.parts is None or not index_wanted:
                raise
            self.builder.restore(state[0])
            frame.env = state[1]
            for item in items.parts:
                self._unrolled_turn(frame, statement, item)

    def _index_name(self, frame: Frame, statement: gast.For) -> str:
        """What the position is called: as the program calls it, in `for i in range(n)` and `for i, v in enumerate(x)`."""
        match statement:
            case gast.For(
                target=gast.Name(id=name),
                iter=gast.Call(func=gast.Name(id='range')) | gast.Call(args=[gast.Call(func=gast.Name(id='range')), *_]),
            ):
                return self.base_of(frame, name)[0]
            case gast.For(target=gast.Tuple(elts=[gast.Name(id=name), _]), iter=gast.Call(func=gast.Name(id='enumerate'))):
                return self.base_of(frame, name)[0]
        return 'k'

    def _loop(
        self,
        frame: Frame,
        statement: gast.For,
        bounds: tuple[Binding, ...],
        base: str,
        enter: Callable[[Var], None],
        options: Mapping[str, Binding],
    ) -> None:
        atoms = []
        for bound in (*bounds, *options.values()):
            atom, type_ = self.operand(bound)
            if not (isinstance(type_, Scalar) and type_.dtype.kind not in 'iub') or not hasattr(type_, 'dtype'):
                atoms.append(atom)
                continue
            raise TranspileError(
                f'a bound of range is {type_}',
                self.origin,
                why='Python raises TypeError here',
                instead='convert it with `int(...)`',
            )

        def run(turn: Turn) -> None:
            index = self.builder.fresh(base, leaf_type(Known(0)))
            turn.test = build.name(index.name)
            enter(index)
            self.execute(frame, statement.body)

        turn = self._settle(frame, statement, run)
        self._finish(
            frame,
            turn,
            lambda: build.counted(
                turn.test.id, *atoms[:3], turn.body, self.origin, self.builder.role, **dict(zip(options, atoms[3:], strict=True))
            ),
            lambda run: _has_turns(run, bounds),
        )

    def _do_while(self, frame: Frame, statement: gast.While) -> bool:
        nested = [True]

        def run(turn: Turn) -> None:
            with self.builder.nested() as block:
                test = self.evaluate(frame, statement.test)
            if self.truth(test) is False:
                turn.test = build.constant(False)
                return
            if self.truth(test):
                raise UnsupportedSyntax(
                    'this loop never ends', self.origin, why='its test is always true', instead='give it a test that changes'
                )
            turn.test = as_expression(block, test.name)
            nested[0] = turn.test is not None
            self.execute(frame, statement.body)

        turn = self._settle(frame, statement, run)
        if isinstance(turn.test, gast.Constant):
            frame.env = turn.before
        elif nested[0]:
            self._finish(
                frame, turn, lambda: build.loop(turn.test, turn.body, self.origin, self.builder.role), self._entered(turn)
            )
        else:
            self._flagged(frame, statement, turn)
        return False

    def _flagged(self, frame: Frame, statement: gast.While, turn: Turn) -> None:
        """A test that is no single expression is evaluated before the loop and at the end of each turn."""
        flag = self.builder.fresh('going', BOOL, temporary=True)

        def evaluate_test() -> None:
            frame.env = {**turn.before, **turn.carried}
            self.builder.assign(flag.name, self.operand(self.evaluate(frame, statement.test))[0])

        def node() -> gast.stmt:
            with self.builder.nested() as again:
                evaluate_test()
            evaluate_test()
            return build.loop(flag.name, [*turn.body, *again], self.origin, self.builder.role)

        self._finish(frame, turn, node, self._entered(turn))

    def _settle(self, frame: Frame, statement: gast.For | gast.While, run: Callable[[Turn], None]) -> Turn:
        """Run the body until the types of the carried names no longer change."""
        before = frame.env
        live = frame.live.get(id(statement))
        stored = stores(statement.body) | stores([statement])
        if frame.function is not None:
            before = {n: self.undefined(n) if isinstance(b, Maybe) and n in stored else b for n, b in before.items()}
        types: dict[str, list[Type | None]] = {
            name: [leaf_type(leaf) for leaf in flatten(binding)]
            for name, binding in before.items()
            if name in stored and (live is None or name in live.after or name in live.head)
        }
        while True:
            state = self.builder.snapshot()
            turn = self._trial(frame, Turn(before, types), run)
            settled = self._joined_types(turn)
            if settled == types:
                return turn
            self.builder.restore(state)
            types, frame.env = settled, before

    def _trial(self, frame: Frame, turn: Turn, run: Callable[[Turn], None]) -> Turn:
        frame.env = dict(turn.before)
        for name, types in turn.types.items():
            base, temporary = self.base_of(frame, name)
            pending = iter(types)

            def variable(leaf: Binding, base=base, temporary=temporary, pending=pending) -> Binding:
                type_ = next(pending)
                return leaf if type_ is None else self.builder.fresh(base, type_, temporary)

            turn.carried[name] = frame.env[name] = fold(turn.before[name], variable)
        with self.builder.nested() as turn.body:
            run(turn)
        turn.after = frame.env
        return turn

    def _joined_types(self, turn: Turn) -> dict[str, list[Type | None]]:
        """The types of the carried leaves after the body; names that it leaves alone are not carried at all."""
        settled = {}
        for name, types in turn.types.items():
            start, end = turn.carried[name], turn.after[name]
            if start == end:
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

    def _finish(self, frame: Frame, turn: Turn, node: Callable[[], gast.stmt], ran: Callable) -> None:
        """Write the loop: start values before it, copies at the end of its body."""
        copies = []
        for name, binding in turn.carried.items():
            for variable, start, end in zip(flatten(binding), flatten(turn.before[name]), flatten(turn.after[name]), strict=True):
                if isinstance(variable, Var) and variable.type is not None and variable != start:
                    self.builder.assign(variable.name, self.converted(start, variable.type))
                    copies.append((variable.name, self.converted(end, variable.type)))
        spare = lambda name: self.builder.fresh(self.builder.hints[name].base, self.builder.types[name], True).name
        turn.body.extend(build.assign(t, s, self.origin, self.builder.role) for t, s in in_sequence(copies, spare))
        env = {**turn.before, **turn.carried}
        for name, binding in turn.after.items():
            if name not in turn.before and (not frame.live or any(name in found.after for found in frame.live.values())):
                base, temporary = self.base_of(frame, name)
                env[name] = self.perhaps(frame, self.only_here(base, binding, turn.body, temporary), ran)
        turn.node = node()
        self.builder.append(turn.node)
        frame.env = env

    def _entered(self, turn: Turn) -> Callable[..., Binding]:
        """Whether a `while` has run its body at all: a flag, set up when somebody asks."""
        place, flags = (self.builder.block, len(self.builder.block)), []

        def ran(run) -> Binding:
            if not flags:
                flags.append(self.builder.fresh('entered', BOOL, temporary=True))
                block, position = place
                block.insert(position, build.assign(flags[0].name, False, self.origin, self.builder.role))
                turn.node.body.append(build.assign(flags[0].name, True, self.origin, self.builder.role))
            return flags[0]

        return ran


def _has_turns(run, bounds: tuple[Binding, ...]) -> Binding:
    """Whether a range has any turns."""
    start, stop, step = bounds
    if isinstance(step, Known):
        return run.compare(gast.Lt if step.value > 0 else gast.Gt, start, stop)
    trips = run.builder.define('trips', build.call('python.len', build.call('range', *(run.operand(b)[0] for b in bounds))), INT)
    return run.compare(gast.Gt, trips, Known(0))
