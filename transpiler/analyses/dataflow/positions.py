"""Where every statement of a program stands, and which assignment gave a name the value that is read there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import gast

from transpiler.core.language import Core
from transpiler.core.query import blocks, defined

Block = tuple[int, int]  # the number of the statement that it is part of (-1: the function) and which of its blocks it is


@dataclass(frozen=True, eq=False)
class Position:
    """One statement: its number in the text; the loops (outermost first), blocks and arms of branches around it."""

    statement: gast.stmt
    number: int
    loops: tuple['Position', ...]
    around: tuple[Block, ...]
    arms: tuple[tuple['Position', int], ...]

    def surely_after(self, other: 'Position') -> bool:
        """Whenever this statement runs, `other` ran before it in the same iteration of all loops around `other`."""
        return other.number < self.number and other.around[-1] in self.around

    def excludes(self, other: 'Position') -> bool:
        """The two stand in different arms of one branch."""
        mine = dict(self.arms)
        return any(mine.get(branch, arm) != arm for branch, arm in other.arms)


class Positions:
    """The positions of all statements.

    >>> from transpiler.core.text import parse
    >>> core = parse('''
    ... k = 0
    ... for i in range(n):
    ...     j = i + k
    ...     k = j
    ... return k''')
    >>> found = Positions(core)
    >>> j, end = found.all[2], found.all[4]
    >>> len(found.changing('k', j)), found.giver('k', j), found.giver('i', j).number, found.giver('k', end)
    (1, None, 1, None)
    """

    def __init__(self, core: Core):
        self.all: list[Position] = []
        self.of: dict[int, list[Position]] = {}
        self.definitions: dict[str, list[Position]] = {}
        self._collect(core.body, (), ((-1, 0),), ())

    def _collect(self, body: Iterable[gast.stmt], loops, around, arms) -> None:
        for statement in body:
            here = Position(statement, len(self.all), loops, around, arms)
            self.all.append(here)
            self.of.setdefault(id(statement), []).append(here)
            name = defined(statement)
            if name is not None:
                self.definitions.setdefault(name, []).append(here)
            is_branch = isinstance(statement, gast.If)
            for arm, inner in enumerate(blocks(statement)):
                deeper = loops if is_branch else (*loops, here)
                self._collect(inner, deeper, (*around, (here.number, arm)), (*arms, (here, arm)) if is_branch else arms)

    def only(self, statement: gast.stmt) -> Position | None:
        """Where a statement stands, if it is in the text and stands there once."""
        found = self.of.get(id(statement), ())
        return found[0] if len(found) == 1 else None

    def latest(self, name: str, at: Position) -> Position | None:
        """The last assignment to `name` in the text before `at`."""
        return next((d for d in reversed(self.definitions.get(name, ())) if d.number < at.number), None)

    def changing(self, name: str, at: Position) -> tuple[Position, ...]:
        """The loops around `at` in whose iterations `name` may have different values: down to the innermost that assigns it."""
        found = self.definitions.get(name, ())
        inside = [k for k, loop in enumerate(at.loops, 1) if any(d is loop or loop in d.loops for d in found)]
        return at.loops[: inside[-1]] if inside else ()

    def is_from_iteration_before(self, name: str, at: Position) -> bool:
        """The innermost loop that assigns `name` does so only after `at`: its value is the one at the start of the iteration."""
        loops, latest = self.changing(name, at), self.latest(name, at)
        return bool(loops) and (latest is None or latest.number < loops[-1].number)

    def version(self, name: str, at: Position) -> str:
        """A text that is the same wherever `name` has the same value, within one iteration of the loops that change it."""
        if self.is_from_iteration_before(name, at):
            return f'{name} at the start of {self.changing(name, at)[-1].number}'
        latest = self.latest(name, at)
        return f'{name} from {latest.number}' if latest else f'{name} as given'

    def giver(self, name: str, at: Position) -> Position | None:
        """The assignment, or loop around `at`, that surely gave `name` the value it has at `at`."""
        latest = self.latest(name, at)
        if latest is None or self.is_from_iteration_before(name, at):
            return None
        if isinstance(latest.statement, gast.For):
            return latest if latest in at.loops else None
        return latest if at.surely_after(latest) else None
