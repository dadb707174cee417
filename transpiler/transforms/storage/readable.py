"""Numbers that the pullback can read again from memory, because what was written there later has been undone by then."""

from __future__ import annotations

import gast

from transpiler.core.links import links
from transpiler.core.query import all_reads, all_written, defined, names, walk
from transpiler.transforms.storage.rematerialization import Recompute


class Readable:
    """Whether a number can be read again in a reversed iteration: where it is used first, all writes after it are undone."""

    def __init__(self, primal: list[gast.stmt], pullback: list[gast.stmt], again: Recompute):
        self.again = again
        self.order = {id(s): place for place, outer in enumerate(primal) for s in walk([outer])}
        self.undos = [(place, s) for place, outer in enumerate(pullback) for s in walk([outer]) if links(s).undoes is not None]
        self.uses: dict[str, int] = {}
        seen: set[str] = set()
        for place, statement in enumerate(pullback):
            read = all_reads([statement]) | all_written([statement])
            for name in read.union(*(names(s.value) for s in again.closure(sorted(read), seen))):
                self.uses.setdefault(name, place)

    def __call__(self, statement: gast.Assign) -> bool:
        again = self.again
        first = self.uses.get(defined(statement), -1)
        if (stored := links(statement).stored) is not None:
            return all(first < place for place, undo in self.undos if links(undo).undoes is stored)
        if again.is_intact(statement):
            return True
        roots = again.read(statement)
        return all(
            place < first
            for place, undo in self.undos
            if self.order.get(id(links(undo).undoes), -1) > self.order[id(statement)]
            and again.memory.of(links(undo).array) & roots
        )
