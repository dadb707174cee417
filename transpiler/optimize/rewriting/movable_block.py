"""A block whose statements move: who reads a name next, and what stands between, without looking at all of them."""
from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence

import gast

from transpiler.analyses.memory.aliases import NOTHING, Memory
from transpiler.analyses.memory.effects import may_raise, memory_reads
from transpiler.core.language import Core
from transpiler.core.query import blocks, contents, defined, names, reads
from transpiler.optimize.rewriting.available_expressions import effects_of

Index = dict[str, list[int]]


class Doings:
    """What a statement and those inside it do to others, put together once for each: the memory written, whether it may end."""

    def __init__(self, core: Core, memory: Memory):
        self.types, self.memory = core.types, memory
        self._found: dict[gast.stmt, tuple[frozenset[str], bool]] = {}

    def of(self, statement: gast.stmt) -> tuple[frozenset[str], bool]:
        """The roots of memory that may be written, and whether it may raise, speak or leave a loop."""
        if statement not in self._found:
            inner = [self.of(one) for block in blocks(statement) for one in block]
            roots = NOTHING.union(effects_of(statement, self.memory), *(found for found, _ in inner))
            ends = isinstance(statement, (gast.Raise, gast.Expr, gast.Break)) or any(end for _, end in inner)
            self._found[statement] = roots, ends
        return self._found[statement]


class Line:
    """The statements of a block, each at a place that it keeps; those that are taken away leave theirs empty.

    is_long: whether a statement takes more room than there is, asked only where it matters
    """

    def __init__(self, body: Sequence[gast.stmt], doings: Doings, is_long: Callable[[gast.stmt], bool]):
        self.places: list[gast.stmt | None] = list(body)
        self.doings, self.is_long = doings, is_long
        self.readers: Index = {}
        self.givers: Index = {}
        self.writers: Index = {}
        self.compound: list[int] = []
        self.ending: list[int] = []
        self.derived: list[int] = []
        self._long: list[int] | None = None
        for place in range(len(self.places)):
            self._enter(place)

    def statements(self) -> list[gast.stmt]:
        return [statement for statement in self.places if statement is not None]

    def __getitem__(self, place: int) -> gast.stmt:
        statement = self.places[place]
        assert statement is not None
        return statement

    def replace(self, place: int, new: gast.stmt | None) -> None:
        for where in self._entries(place):
            del where[bisect_left(where, place)]
        self.places[place] = new
        if new is not None:
            self._enter(place)

    def _enter(self, place: int) -> None:
        for where in self._entries(place):
            insort(where, place)

    def _entries(self, place: int) -> Iterator[list[int]]:
        """The lists of places that this one is in."""
        statement = self[place]
        for name in reads(statement):
            yield self.readers.setdefault(name, [])
        if statement.role != 'primal':
            yield self.derived
        if self._long is not None and self.is_long(statement):
            yield self._long
        if blocks(statement):
            yield self.compound
            return
        roots, ends = self.doings.of(statement)
        if (name := defined(statement)) is not None:
            yield self.givers.setdefault(name, [])
        for root in roots:
            yield self.writers.setdefault(root, [])
        if ends:
            yield self.ending

    def next_reader(self, name: str, place: int) -> int | None:
        """The next place where a statement itself reads a name."""
        found = self.readers.get(name, [])
        position = bisect_right(found, place)
        return found[position] if position < len(found) else None

    def all_readers(self, name: str, place: int) -> list[int]:
        """The later places where a name is read, by statements or inside them."""
        found, inner = self.readers.get(name, []), self.compound[bisect_right(self.compound, place):]
        deeper = [other for other in inner if name in contents(self[other]).reads]
        return sorted({*found[bisect_right(found, place):], *deeper})

    def conflict(self, value: gast.expr, start: int, stop: int) -> bool:
        """Whether evaluating `value` at the place `stop` instead of at `start` might give something else."""
        used, roots = set(names(value)), self.doings.memory.of(*memory_reads(value))
        if any(_within(self.givers.get(name), start, stop) for name in used):
            return True
        if any(_within(self.writers.get(root), start, stop) for root in roots):
            return True
        ends = _within(self.ending, start, stop)
        for place in self.compound[bisect_right(self.compound, start):bisect_left(self.compound, stop)]:
            written, inner_ends = self.doings.of(self[place])
            if contents(self[place]).defined & used or written & roots:
                return True
            ends = ends or inner_ends
        return ends and may_raise(value, self.doings.types)

    def is_next(self, place: int, other: int) -> bool:
        """Whether nothing stands between two places."""
        return all(self.places[between] is None for between in range(place + 1, other))

    def all_primal(self, start: int, stop: int) -> bool:
        """Whether the statements from `start` to before `stop` are all of the primal."""
        return not _within(self.derived, start - 1, stop)

    def long_between(self, start: int, stop: int) -> list[int]:
        """The places between two others whose statements take too much room, or some inside them."""
        if self._long is None:
            self._long = [place for place, one in enumerate(self.places) if one is not None and self.is_long(one)]
        return self._long[bisect_right(self._long, start):bisect_left(self._long, stop)]

    def last(self) -> int:
        """The place of the last statement."""
        return next(place for place in reversed(range(len(self.places))) if self.places[place] is not None)


def _within(places: list[int] | None, start: int, stop: int) -> bool:
    """Whether some place lies between two others."""
    if not places:
        return False
    position = bisect_right(places, start)
    return position < len(places) and places[position] < stop
