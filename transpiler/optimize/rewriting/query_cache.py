"""What a pass asks about the place of a statement: if the answers are the same in the next round, so is what comes of them."""
from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

import gast

from transpiler.optimize.rewriting.available_expressions import Facts, operation_key

KEPT = 20_000


class Known(NamedTuple):
    """What a name holds: the operation, and whether its value is read by nobody but the statement."""

    value: gast.expr | None
    inner: bool


class Surroundings:
    """The facts before a statement; what is asked of them is noted with the answer."""

    def __init__(self, facts: Facts, inner: Set[str]):
        self.facts, self.inner = facts, inner
        self.told: dict[str, Known] = {}
        self.held: dict[str, str | None] = {}

    def about(self, name: str) -> Known:
        answer = self.told[name] = _known(name, self.facts, self.inner)
        return answer

    def value(self, name: str) -> gast.expr | None:
        return self.about(name).value

    def holder(self, value: gast.expr) -> str | None:
        """A name that holds the value of this operation already."""
        key = operation_key(value)
        answer = self.held[key] = self.facts.names.get(key)
        return answer


class Settled:
    """The statements that were left as they are, each with the answers that led to it."""

    def __init__(self) -> None:
        self.answers: dict[gast.stmt, tuple[dict[str, Known], dict[str, str | None]]] = {}

    def holds(self, statement: gast.stmt, facts: Facts, inner: Set[str]) -> bool:
        """Whether everything that was asked about the statement would be answered alike here."""
        told, held = self.answers.get(statement, (None, None))
        return told is not None and (all(_known(name, facts, inner) == answer for name, answer in told.items())
                                     and all(facts.names.get(key) == name for key, name in held.items()))

    def add(self, statement: gast.stmt, around: Surroundings) -> None:
        if len(self.answers) >= KEPT:
            self.answers.clear()
        self.answers[statement] = around.told, around.held


def _known(name: str, facts: Facts, inner: Set[str]) -> Known:
    fact = facts.known.get(name)
    return NOTHING if fact is None else Known(fact.value, name in inner and fact.loop == facts.loop)


NOTHING = Known(None, False)
