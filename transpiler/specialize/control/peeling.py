"""Peeling: iterations written before their loop, where names become what they stay in them: a number an array, for one.

    h = 0                                  h = 0 + x[0]
    for i in range(n): h = h + x[i]        for i in range(1, n): h = h + x[i]

Whether there is a first iteration is known of the call at hand, or asked in a branch. Where an array has another rank after every
iteration, all of them are written one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import gast

from transpiler.core.query import without_exit
from transpiler.errors import TranspileError
from transpiler.specialize.control.loop_state import Place
from transpiler.specialize.control.loop_trial import Iteration, Types
from transpiler.specialize.domain.bindings import Binding, Known, flatten, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.ranks import RANKS, Unsettled, of_any_rank
from transpiler.specialize.kinds.eithers import is_either
from transpiler.specialize.structures.alternatives import EitherNumber
from transpiler.specialize.structures.container import Container

LEAST = {gast.Lt: (1, 0), gast.LtE: (1, 1), gast.Gt: (-1, 0), gast.GtE: (-1, 1)}  # `a < b`: 1 * (b - a) + 0 is positive
PEELS = 3  # iterations of one loop


class Peeled(Exception):
    """What a loop carries is one thing when it begins, and another when its first iteration ends: that is to be peeled."""


@dataclass(eq=False)
class Peeling(Component):
    """The first iterations of loops: `peels` is how many more of one may be written, None if none are to be.

    Where that does not make the rest one that carries the same things all the time, nothing is peeled.
    """

    asking: bool = False  # whether the call at hand tells what comparisons of sizes and integers give

    def settling(self, frame: Frame, run: Callable[[], bool], unroll: Callable[[TranspileError], bool]) -> bool:
        """`run` a loop, or `unroll` it where there is no end to the ranks that an array has in it."""
        state = self.ev.places.before(frame)
        try:
            return run()
        except Unsettled as found:
            error = found.error
        if frame.function is None:      # a program of ours, whose inputs are variables
            raise error
        self.ev.places.return_to(frame, state)
        return unroll(error)

    def peeling(self, frame: Frame, run: Callable[[int | None], bool], peel: Callable[[int], bool], peels: int | None) -> bool:
        """`run` a loop, or `peel` it if it has to be; these are given how many iterations may be peeled, and how many more."""
        state = self.ev.places.before(frame)
        try:
            return run(peels)
        except Peeled:
            if not peels:
                raise
        self.ev.places.return_to(frame, state)
        try:
            return peel(peels - 1)
        except Peeled:
            if peels < PEELS:
                raise
        self.ev.places.return_to(frame, state)
        return run(None)

    def levelled(self, iteration: Iteration) -> dict[Place, Binding]:
        ends = ((place, end) for place, end in iteration.after.items() if place in iteration.before)
        if iteration.peels is not None and any(_other_rank(iteration.start(place), end) for place, end in ends):
            raise Peeled
        found = self.ev.iterations.levelled(iteration)
        for place, end in iteration.after.items():
            if place in iteration.before and any(len(_ranks(part)) > RANKS for part in _within(end) if is_either(part)):
                raise Unsettled(of_any_rank(place, self.origin))
        return found

    def joined_types(self, frame: Frame, iteration: Iteration, rebuilt: frozenset[Place]) -> Types:
        try:
            return self.ev.iterations.joined_types(frame, iteration, rebuilt)
        except TranspileError:
            if iteration.peels is None:
                raise
            raise Peeled from None

    def peeled(
        self, frame: Frame, statement: gast.For | gast.While, begins: Binding, enter: Callable[[], None],
        others: Callable[[], bool],
    ) -> bool:
        """The first iteration where the loop `begins`, and then the `others`; `enter` gives the loop's own names their values."""
        body, leave = without_exit(statement.body)
        live = frame.live.get(id(statement))
        after = live.after if live else None

        known = self._of_several_kinds(frame, statement)

        def first() -> bool:
            enter()
            if self.ev.execute(frame, body):
                return True
            if self._of_several_kinds(frame, statement) - known:
                raise Peeled
            left = Known(False) if leave is None else self.ev.evaluate(frame, leave)
            return self.ev.branches.branch(frame, left, lambda: self.leave(frame, leave), others, after, statement)

        return self.ev.branches.branch(frame, begins, first, lambda: False, after, statement)

    def begins(self, frame: Frame, test: gast.expr) -> Binding:
        """Whether a test holds when a loop begins; what shows only in the call at hand is what the program is made for."""
        outer, self.asking = self.asking, True
        try:
            return self.ev.distribution.test(frame, test)
        finally:
            self.asking = outer

    def compare(self, kind: type[gast.cmpop], left: Binding, right: Binding) -> Binding:
        if self.asking and kind in LEAST:
            sizes = [self.ev.numbers.size_of(number) or self.ev.sizes.value_of(number) for number in (left, right)]
            sign, least = LEAST[kind]
            known = None if None in sizes else self.ev.sizes.is_any(sign * (sizes[1] - sizes[0]) + least)
            if known is not None:
                return Known(known)
        return self.ev.operations.compare(kind, left, right)

    def _of_several_kinds(self, frame: Frame, statement: gast.For | gast.While) -> set[Place]:
        """The places that the loop may read which hold different kinds of things on different paths."""
        live = frame.live.get(id(statement))
        names = frame.env.items() if live is None else ((name, frame.env.get(name)) for name in live.head)
        return {place for place, held in (*names, *self.ev.heap.contents.items()) if any(map(is_either, _within(held)))}

    def leave(self, frame: Frame, test: gast.expr | None) -> bool:
        """What is known where a loop is left."""
        if isinstance(test, gast.Name):
            frame.env[test.id] = Known(True)
        return False


def _within(binding: Binding | None) -> Iterator[Binding]:
    """A binding, and what is in it."""
    if binding is not None:
        yield binding
    if isinstance(binding, Container):
        for item in binding.items:
            yield from _within(item)


def _ranks(either: EitherNumber) -> set[int]:
    return {rank for *_, rank in either.sorts}


def _other_rank(start: Binding, end: Binding) -> bool:
    """Whether an array stands where a number or an array of another rank stood."""
    if is_either(end) and not is_either(start):
        return True
    leaves = flatten(start), flatten(end)
    ranks = [[getattr(leaf_type(leaf), 'ndim', None) for leaf in part] for part in leaves]
    return len(leaves[0]) == len(leaves[1]) and any(
        None not in pair and pair[0] != pair[1] for pair in zip(*ranks, strict=True))
