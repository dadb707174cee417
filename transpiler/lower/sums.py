"""Sums that grow turn by turn, in loops of which no compiler makes vectors."""
from __future__ import annotations

from collections.abc import Iterable

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, walk
from transpiler.lower.quotients import FENCE
from transpiler.optimize.facts import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

LOOPS = gast.For, gast.While
Names = frozenset[str]


@rewrite('products apart', surface=True)
def multiply_apart(core: Core) -> Core:
    """Compute what `s += a * b` adds on its own, in loops that a question with an exception in it keeps from being vectors.

    Every turn waits for the sum of the one before: for an addition, if the product is there by then, and for a multiplication
    as well, if processors do both in one instruction, which takes twice as long. Sums that begin anew in every turn of a loop
    around overlap, and wait for nothing.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT
    >>> show(multiply_apart, '''
    ... for i in range(n):
    ...     if kernels.indices.is_beyond(i, n): raise python.IndexError('index out of range')
    ...     s += a * b
    ... return s''', params='nabs', types=dict(n=INT, a=FLOAT, b=FLOAT, s=FLOAT, i=INT))
    for i in range(n):
        if is_beyond(i, n):
            raise IndexError('index out of range')
        s += once(a * b)
    return s
    """
    return unchanged_or(core, _block(core.body, core, frozenset(), None))


def _block(body: Iterable[gast.stmt], core: Core, begun: Names, anew: Names | None) -> list[gast.stmt]:
    """Part of a loop whose turns begin the names `begun`; anew: those of the loop around it, if it is innermost and asks."""
    made = []
    for statement in body:
        if anew is not None and _adds_product(statement, core, anew):
            statement = build.like(statement, value=build.call(FENCE, statement.value))
        elif isinstance(statement, LOOPS):
            inner = _block(statement.body, core, _begun(statement), begun if _is_innermost_and_asks(statement) else None)
            statement = with_blocks(statement, [inner, *map(list, blocks(statement)[1:])])
        elif blocks(statement):
            statement = with_blocks(statement, [_block(block, core, begun, anew) for block in blocks(statement)])
        made.append(statement)
    return made


def _begun(loop: gast.stmt) -> Names:
    """The names that get a value in a turn which does not depend on the one before."""
    return frozenset(name for s in walk(loop.body) if isinstance(s, gast.Assign) and (name := defined(s)) is not None)


def _is_innermost_and_asks(loop: gast.stmt) -> bool:
    inside = list(walk(loop.body))
    return any(isinstance(s, gast.Raise) for s in inside) and not any(isinstance(s, LOOPS) for s in inside)


def _adds_product(statement: gast.stmt, core: Core, anew: Names) -> bool:
    match statement:
        case gast.AugAssign(target=gast.Name(id=name), op=gast.Add() | gast.Sub(), value=gast.BinOp(op=gast.Mult())):
            type_ = core.types.get(name)
            return name not in anew and isinstance(type_, Scalar) and type_.dtype.kind == 'f'
    return False
