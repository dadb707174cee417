"""Which names are read later: structured liveness, from the last statement to the first."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import gast

from transpiler.core.fixpoint import settled
from transpiler.core.language import Core
from transpiler.core.query import defined, reads, written
from transpiler.garbage import while_making

Names = frozenset[str]


def used(statement: gast.stmt) -> Names:
    """What the statement itself reads, the array that it writes into included."""
    target = written(statement)
    return reads(statement) if target is None else reads(statement) | {target}


def live_before(body: Sequence[gast.stmt], after: Iterable[str] = ()) -> Names:
    """The names live before `body`, given those live after it.

    >>> from transpiler.core.text import parse
    >>> sorted(live_before(parse('y = 2 * x; z = y + w; y = 3; return z').body))
    ['w', 'x']
    """
    live = frozenset(after)
    for statement in reversed(body):
        live = before(statement, live)
    return live


@while_making(100_000)
def before(statement: gast.stmt, after: Names) -> Names:
    """The names live before one statement; nodes are compared by identity, so a cached answer is never stale."""
    match statement:
        case gast.If(body=body, orelse=orelse):
            return used(statement) | live_before(body, after) | live_before(orelse, after)
        case gast.For() | gast.While():
            iteration = iteration_end(statement, after)
            # the bounds of a counted loop are read before it, the test of a while before every iteration
            return after | used(statement) | _entry(statement, iteration)
    target = defined(statement)
    return (after - {target}) | used(statement)


def iteration_end(loop: gast.stmt, after: Names) -> Names:
    """The names live at the end of an iteration of a loop: those live after it or at the start of the next iteration."""
    live = after | (used(loop) if isinstance(loop, gast.While) else frozenset())
    return settled(live, lambda live: live | _entry(loop, live))


def _entry(loop: gast.stmt, end: Names) -> Names:
    """The names live at the start of an iteration, before the loop's own variable is bound."""
    live = live_before(loop.body, end)
    return live - {loop.target.id} if isinstance(loop, gast.For) else live


def inside(statement: gast.stmt, after: Names) -> list[tuple[list[gast.stmt], Names]]:
    """The blocks of a compound statement, each with the names live at its end."""
    if isinstance(statement, gast.If):
        return [(statement.body, after), (statement.orelse, after)]
    if isinstance(statement, (gast.For, gast.While)):
        return [(statement.body, iteration_end(statement, after))]
    return []


@while_making(256)
def _liveness(body: tuple[gast.stmt, ...]) -> Mapping[gast.stmt, Names]:
    table: dict[gast.stmt, Names] = {}
    pending: list[tuple[Sequence[gast.stmt], Names]] = [(body, frozenset())]
    while pending:
        block, live = pending.pop()
        for statement in reversed(block):
            # a statement object that stands at two places is live where either is
            table[statement] = table[statement] | live if statement in table else live
            pending += inside(statement, live)
            live = before(statement, live)
    return MappingProxyType(table)


def live_after(core: Core) -> Mapping[gast.stmt, Names]:
    """For every statement of `core`, at any depth, the names that are live after it.

    >>> from transpiler.core.text import parse
    >>> core = parse('y = 2 * x; z = y + y; return z')
    >>> [sorted(live_after(core)[s]) for s in core.body]
    [['y'], ['z'], []]
    """
    return _liveness(core.body)
