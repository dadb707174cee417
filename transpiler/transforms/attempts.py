"""Trying a loop or a branch until all the cotangents that it needs are set up before it."""

from __future__ import annotations

from dataclasses import dataclass, field

import gast

from transpiler.transforms.cotangents import Bar
from transpiler.transforms.statements import StatementPullbacks


@dataclass
class Attempt:
    """What one more try at a loop or branch must set up first: zero cotangents, owned ones, and those that change."""

    wanted: dict[str, None] = field(default_factory=dict)
    owned: dict[str, None] = field(default_factory=dict)
    changing: dict[str, None] = field(default_factory=dict)
    again: bool = False

    def want(self, group: str, name: str) -> None:
        self.again = self.again or name not in getattr(self, group)
        getattr(self, group)[name] = None


class Attempts(StatementPullbacks):
    """What loops and branches share: starting an attempt, and writing the pullback of one block."""

    def pull_block(self, body: list[gast.stmt]) -> None:
        """Write the pullback of `body`, last statement first; `Sweep` knows all kinds of statements."""
        raise TypeError('only the whole sweep pulls blocks')

    def _arm(self, body: list[gast.stmt], start: dict[str, Bar]) -> tuple[list[gast.stmt], dict[str, Bar]]:
        self.live = dict(start)
        with self.run.builder.nested() as block:
            self.pull_block(body)
        return block, self.live

    def _cell_value(self, name: str, bar: Bar) -> gast.expr:
        """The atom of a cotangent on its way into a variable that other paths assign too."""
        return self.run.operand(self.whole(name, bar).value)[0]

    def _prepare(self, entry: dict[str, Bar], attempt: Attempt) -> None:
        """Start from the cotangents at entry, with those set up that earlier attempts found missing."""
        self.live, self.to_own = dict(entry), set()
        for name in attempt.wanted:
            if name not in self.live:
                self.live[name] = self.zero(name)
                self.call_after(name)
        for name in attempt.owned:
            self.own(name)
        self.to_own = set()
