"""Which names hold different values that are needed at the same time, and so cannot become one name."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import gast

from transpiler.analyses.dataflow.liveness import Names, before, inside, live_before
from transpiler.core.language import Core
from transpiler.core.query import all_defined, defined


def interference(core: Core, together: Mapping[str, Names] | None = None) -> dict[str, set[str]]:
    """For every name, the names that it must stay apart from, of those that could become one with it (`together`; or all).

    A name is apart from all that is live, and may have a value, when it is bound, unless it is bound to the value of
    that very name.

    >>> from transpiler.core.text import parse
    >>> apart = interference(parse('y = x + 1; z = y * y; w = z + y; return w'))
    >>> sorted(apart['y']), sorted(apart['w'])
    (['z'], [])
    """
    apart = _Apart(together)
    inputs = frozenset(core.inputs)
    entry = inputs | live_before(core.body)
    for name in core.inputs:
        apart.separate(name, entry & inputs)
    _block(core.body, frozenset(), inputs, apart)
    return apart.found


class _Apart:
    def __init__(self, together: Mapping[str, Names] | None):
        self.together = together
        self.found: dict[str, set[str]] = defaultdict(set)

    def separate(self, name: str, others: Names) -> None:
        others = (others if self.together is None else others & self.together[name]) - {name}
        self.found[name] |= others
        for other in others:
            self.found[other].add(name)


def _bound(body: Sequence[gast.stmt], known: Names) -> list[Names]:
    """The names that may have a value when each statement is done: in a loop, also those that an earlier iteration bound."""
    found = []
    for statement in body:
        known = known | all_defined([statement])
        found.append(known)
    return found


def _block(body: Sequence[gast.stmt], live: Names, known: Names, apart: _Apart) -> None:
    bound = _bound(body, known)
    for position in range(len(body) - 1, -1, -1):
        statement, before_ = body[position], bound[position - 1] if position else known
        known_inside = before_ if isinstance(statement, gast.If) else bound[position]
        for block, after in inside(statement, live):
            _block(block, after, known_inside, apart)
        target = defined(statement)
        if isinstance(statement, gast.For):
            # the loop's variable is bound while everything is live that the body or a later iteration reads
            end = inside(statement, live)[0][1]
            apart.separate(target, (live_before(statement.body, end) | end) & bound[position])
        elif target is not None:
            apart.separate(target, (live & bound[position]) - {_copied(statement)})
        live = before(statement, live)


def _copied(statement: gast.stmt) -> str | None:
    match statement:
        case gast.Assign(value=gast.Name(id=source)):
            return source
    return None
