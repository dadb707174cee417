"""Loops run backwards."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.links import link
from transpiler.core.query import all_defined, without_exit
from transpiler.core.variables import Var
from transpiler.specialize.control.joins import in_sequence
from transpiler.specialize.domain.bindings import Known
from transpiler.transforms.pullback.block_retries import Attempt
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import INT, Array, Unknown


class LoopPullbacks(Part):
    """The pullback of `for` and `while`; a `while` counts its iterations in the primal sweep."""

    def pull_loop(self, statement: gast.For | gast.While) -> None:
        entry, attempt, outer_wishes = dict(self.sweep.live), self.sweep.attempts.attempt(statement), self.sweep.cotangents.to_own
        inside = all_defined([statement])
        while True:
            state = self.ev.builder.snapshot()
            self.sweep.attempts.prepare(entry, attempt)
            bounds = self._backwards(statement)
            cells = self._cells(attempt)
            wishes, self.sweep.cotangents.to_own = self.sweep.cotangents.to_own, set()
            start = dict(self.sweep.live)
            outside = self.sweep.cotangents.from_before, self.sweep.cotangents.starts
            self.sweep.cotangents.from_before = frozenset(start)
            self.sweep.cotangents.starts = start
            anew = {name: cell for name, cell in cells.items() if self._is_made_anew(name, statement)}
            block, end = self._iteration(statement, start, anew, bounds)
            self.sweep.cotangents.from_before, self.sweep.cotangents.starts = outside
            self._compare(statement, inside, start, end, attempt)
            if not attempt.again:
                break
            self.ev.builder.restore(state)
        self.sweep.cotangents.to_own = outer_wishes | wishes
        self.sweep.live = {n: b for n, b in start.items() if n not in inside or self.sweep.definitions_of.outside(n, statement)}
        if not block and not cells:
            self.sweep.live = entry
            self.ev.builder.restore(state)
            return
        for name, cell in cells.items():
            if name in self.sweep.live:
                alone = name in end and end[name].may_leave and _entry_alone(entry, name)
                self.sweep.live[name] = Bar(cell, owned=name in attempt.held, alone=alone)
        handed = {name: cell for name, cell in cells.items() if name not in anew}
        self._close(statement, block, end, handed, bounds, attempt)

    def _cells(self, attempt: Attempt) -> dict[str, Var]:
        """Variables for the cotangents that change from iteration to iteration, with their values at the start."""
        cells = {}
        for name in attempt.changing:
            if name in attempt.held:
                self.sweep.own(name)
            bar = self.sweep.live[name]
            cells[name] = cell = self.sweep.derivatives.cell(name)
            self.ev.builder.assign(cell.name, self.ev.operand(self.sweep.attempts.anywhere(name, bar).value)[0])
            self.sweep.live[name] = Bar(cell, owned=name in attempt.held)
        return cells

    def _is_made_anew(self, name: str, statement: gast.For | gast.While) -> bool:
        """Whether each iteration of a loop gives `name` an array of its own, perhaps of another size than the one before."""
        if name not in all_defined(statement.body) or self.sweep.definitions_of.outside(name, statement):
            return False
        type_ = self.type_of(name)
        if isinstance(type_, Array) and type_.dims is not None:
            return any(dim is None or dim.is_local for dim in type_.dims)
        return isinstance(type_, (Array, Unknown))

    def _iteration(
        self, statement: gast.For | gast.While, start: dict[str, Bar], anew: dict[str, Var], bounds: tuple
    ) -> tuple[list[gast.stmt], dict[str, Bar]]:
        """The pullback of one iteration; what the loop leaves in names that are made `anew` comes from the last one alone."""
        ev, (target, (last, *_)) = self.ev, bounds
        first = ev.builder.define('first', last, INT) if anew else Known(0)
        self.sweep.live = dict(start)
        with ev.sizes.perhaps_run() as block, self.sweep.attempts.in_arm(statement, 0):
            for name, cell in anew.items():
                with ev.builder.nested() as earlier:
                    ev.builder.assign(cell.name, ev.operand(self.sweep.zero(name).value)[0])
                test = ev.compare(gast.NotEq, Var(target, INT), first)
                ev.builder.append(build.branch(ev.operand(test)[0], earlier, [], statement.origin, 'pullback'))
            self.sweep.pull_block(statement.body)
        return block, self.sweep.live

    def _compare(self, statement: gast.stmt, inside: set[str], start: dict, end: dict, attempt: Attempt) -> None:
        """Find what the next attempt must set up; nothing means that this one is right."""
        attempt.again = False
        for name in end:
            if name not in start and (name not in inside or self.sweep.definitions_of.outside(name, statement)):
                attempt.want('wanted', name)
        for name, bar in start.items():
            if name not in end and bar.value == ZERO and name not in attempt.changing:
                continue
            # it may stay, once it is owned from the start
            may_stay = name in self.sweep.cotangents.to_own and name not in attempt.owned
            if end.get(name, Bar(ZERO)).value != bar.value and name not in attempt.changing and not may_stay:
                attempt.want('changing', name)
        for name in start:
            if name in self.sweep.cotangents.to_own:
                attempt.want('held' if name in attempt.changing else 'owned', name)

    def _close(
        self, statement: gast.stmt, block: list[gast.stmt], end: dict, cells: dict[str, Var], bounds: tuple, attempt: Attempt
    ) -> None:
        """The loop itself, with the changing cotangents handed over at the end of its body."""
        builder = self.ev.builder
        outer, builder.block = builder.block, block
        copies, given = [], set()
        with self.sweep.attempts.in_arm(statement, 0):
            for name, cell in cells.items():
                bar = self.sweep.whole(name, end.get(name) or self.sweep.zero(name))
                if name in attempt.held and (not bar.owned or bar.value in given):
                    bar = self.sweep.copied(name, bar)
                given.add(bar.value)
                copies.append((cell.name, self.ev.operand(bar.value)[0]))
        builder.block = outer
        spare = lambda name: builder.fresh(builder.hints[name].base, builder.types[name], True).name
        block.extend(build.assign(t, s, statement.origin, 'pullback') for t, s in in_sequence(copies, spare))
        target, (first, last, step) = bounds
        node = build.counted(target, first, last, step, block, statement.origin, 'pullback')
        builder.append(link(node, mirror=statement))

    def _backwards(self, statement: gast.For | gast.While) -> tuple[str, tuple]:
        """The variable and the range of the reversed loop."""
        ev = self.ev
        if isinstance(statement, gast.While):
            counter = self.sweep.attempts.counter(statement)
            iteration = ev.builder.fresh('turn', INT, temporary=True)
            return iteration.name, (build.constant(0), build.name(counter.name), build.constant(1))
        start, stop, step = (self.binding(node) for node in statement.iter.args)
        if without_exit(statement.body)[1] is not None:
            bounds = self.sweep.attempts.counter(statement), ev.binary(gast.Sub, start, step), ev.unary(gast.USub, step)
        elif step == Known(1):
            bounds = ev.binary(gast.Sub, stop, Known(1)), ev.binary(gast.Sub, start, Known(1)), Known(-1)
        elif step == Known(-1):
            bounds = ev.binary(gast.Add, stop, Known(1)), ev.binary(gast.Add, start, Known(1)), Known(1)
        elif all(isinstance(b, Known) for b in (start, stop, step)):
            backwards = range(start.value, stop.value, step.value)[::-1]
            bounds = Known(backwards.start), Known(backwards.stop), Known(backwards.step)
        else:
            trips = ev.builder.define('trips', build.call('python.len', statement.iter), INT)
            last = ev.binary(gast.Add, start, ev.binary(gast.Mult, ev.binary(gast.Sub, trips, Known(1)), step))
            bounds = last, ev.binary(gast.Sub, start, step), ev.unary(gast.USub, step)
        return statement.target.id, tuple(ev.operand(b)[0] for b in bounds)


def _entry_alone(entry: dict[str, Bar], name: str) -> bool:
    """Whether the cotangent with which a loop starts is nobody else's; one that the loop sets up itself is not."""
    return name not in entry or entry[name].may_leave or isinstance(entry[name].value, Known)
