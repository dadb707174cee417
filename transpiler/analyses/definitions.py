"""Where names are defined: how often, and under which tests alone."""

from __future__ import annotations

from collections.abc import Iterable

import gast

from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, walk

Outcome = tuple[str, int]


class Definitions:
    """Counts of the assignments to each name (an argument counts as one), and the branches that all of them stand in.

    >>> from transpiler.core.text import parse
    >>> core = parse('''
    ... if c:
    ...     y = x
    ... return x''')
    >>> found, branch = Definitions(core), core.body[0]
    >>> found.only_with('y', branch, 0), found.outside('y', branch), found.outside('x', branch)
    (True, False, True)
    """

    def __init__(self, core: Core):
        self.core = core
        self.conditions: dict[str, frozenset[Outcome]] = {}
        self._collect(core.body, frozenset())
        self.total: dict[str, int] = {}
        for name in (*core.inputs, *(defined(s) for s in walk(core.body))):
            if name is not None:
                self.total[name] = self.total.get(name, 0) + 1
        self.conditions |= {name: frozenset() for name in core.inputs}

    def _collect(self, body: Iterable[gast.stmt], around: frozenset[Outcome]) -> None:
        for statement in body:
            name = defined(statement)
            if name is not None:
                self.conditions[name] = self.conditions.get(name, around) & around
            for arm, inner in enumerate(blocks(statement)):
                test = statement.test if isinstance(statement, gast.If) else None
                taken = {(test.id, arm)} if isinstance(test, gast.Name) else set()
                self._collect(inner, around | taken)

    def outside(self, name: str, statement: gast.stmt) -> bool:
        """Whether `name` is (also) defined outside `statement`; a name that the program does not have is not."""
        inside = count([statement], name)
        return self.total.get(name, inside) > inside

    def only_with(self, name: str, statement: gast.If, arm: int) -> bool:
        """Whether `name` is defined only where the test of `statement` came out as for that arm (0 or 1)."""
        return isinstance(statement.test, gast.Name) and (statement.test.id, arm) in self.conditions.get(name, ())


def count(body: Iterable[gast.stmt], name: str) -> int:
    """How many statements in `body` define `name`."""
    return sum(1 for statement in walk(body) if defined(statement) == name)
