"""What a first half hands to a second one: memory of its own, which no caller can change in between."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.aliases import ON_TAPES, OUTSIDE, memory
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.language import Core
from transpiler.core.query import call_of, names, walk
from transpiler.transforms.shared.copies import Copies
from transpiler.values.types import Array, Tape


class Handing:
    """`copies` of what the caller has too: results and arguments; `first` are the statements of the first half."""

    def __init__(self, core: Core, first: Sequence[gast.stmt]):
        self.first, self.types, self.found, self.copies = first, core.types, memory(core), Copies(core, 'storage')

    def apart(self, needed: Sequence[str], early: Sequence[gast.expr]) -> tuple[list[gast.expr], list[gast.expr]]:
        """The results `early`, and what is handed over of the names that are `needed`, of which no caller has the memory.

        An array that is on a list that is handed over is copied for the caller, all else for the second half.
        """
        on_lists = frozenset().union(*map(self._within, needed))
        given = {n: self.copies.of(n, '_result') for n in sorted({n for part in early for n in names(part)})
                 if isinstance(self.types.get(n), Array) and self.found.of(n) & on_lists}
        seen = {name for part in early for name in names(part)} - {*given}
        reached = self.found.of(*seen).union({OUTSIDE}, *map(self._within, seen))
        handed = [self.copies.of(name, '_') if self._memory(name) & reached else name for name in needed]
        return [rename(part, given) for part in early], list(map(build.name, handed))

    def within(self, tape: str) -> frozenset[str]:
        """The memory of a list and of the arrays on it."""
        itself, on_it = self.found.list_itself(tape), []
        for statement in walk(self.first):
            match getattr(statement, 'value', None):
                case gast.Call(func=gast.Name(id='tape.push' | 'tape.put'), args=[gast.Name(id=other), *_, value]) \
                        if other == tape or self.found.list_itself(other) & itself:
                    on_it += names(value)
            call = call_of(statement)
            on_it += [ON_TAPES] if call is not None and tape in names(call) else []
        return self.found.of(tape, *on_it)

    def _within(self, name: str) -> frozenset[str]:
        return self.within(name) if isinstance(self.types.get(name), Tape) else frozenset()

    def _memory(self, name: str) -> frozenset[str]:
        """What may change of a name: that of an array, or of a list and the arrays on it."""
        return self.found.of(name) if isinstance(self.types.get(name), Array) else self._within(name)
