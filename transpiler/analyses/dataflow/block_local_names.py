"""Passing names: what is given a value at one place, and read after it in the same block only."""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import gast

from transpiler.core.language import Core
from transpiler.core.query import blocks, changed_by, defined, reads


class Places:
    """Where statements stand in the order of the text, where names get values, and which names are passing.

    A passing name means nothing outside of the arm or body that it stands in, nor in another iteration of a loop: whoever joins
    two paths need not look at it. Branches in each other have many names in them, and few that are not passing.

    >>> from transpiler.core.text import parse
    >>> places = Places(parse('''
    ... if c:
    ...     t = x * x
    ...     y = t + 1
    ... else:
    ...     y = x
    ... return y'''))
    >>> sorted(places.passing)
    ['t']
    """

    def __init__(self, core: Core):
        self.at: dict[int, int] = {}
        self.given: dict[str, list[int]] = {}
        self._first: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._ends: dict[str, int] = {}
        self._repeated = set(core.inputs)
        self._until: dict[int, int] = {}
        self._block(core.body, False)
        self.passing = frozenset(name for name in self.given if self._passes(name)).difference(core.inputs)

    def given_in(self, statement: gast.stmt, name: str) -> int:
        """The first place in a statement, or inside it, where a name gets a value."""
        given = self.given[name]
        return given[bisect_left(given, self.at[id(statement)])]

    def only_in(self, statement: gast.stmt, name: str) -> bool:
        """Whether a name gets its values in one statement, or inside it, and not in loops, nor with the arguments."""
        given = self.given[name]
        return name not in self._repeated and self.at[id(statement)] <= given[0] and given[-1] < self._until[id(statement)]

    def _block(self, body: Sequence[gast.stmt], repeated: bool) -> None:
        own = []
        for statement in body:
            here = self.at[id(statement)] = len(self.at)
            for name in (*reads(statement), *changed_by(statement)):
                self._first.setdefault(name, here)
                self._last[name] = here
            name = defined(statement)
            if name is not None:
                self.given.setdefault(name, []).append(here)
                own.append(name)
            for inner in blocks(statement):
                self._block(inner, repeated or isinstance(statement, (gast.For, gast.While)))
            self._until[id(statement)] = len(self.at)
        self._repeated.update(own if repeated else ())
        self._ends.update(dict.fromkeys(own, len(self.at)))

    def _passes(self, name: str) -> bool:
        given = self.given[name]
        return len(given) == 1 and given[0] < self._first.get(name, len(self.at)) and self._last.get(name, 0) < self._ends[name]
