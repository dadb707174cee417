"""`x += e` for `x = x + e`, where `x` is a number."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.core.build import stamp
from transpiler.core.language import Core
from transpiler.core.query import blocks
from transpiler.optimize.facts import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div)


@rewrite('augmented assignments', surface=True)
def augment(core: Core) -> Core:
    """Write `x += e` for numbers. For an array it would write into memory that others may see.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> show(augment, 'x = x + 2 * y; a = a + y; return x', params=['x', 'y', 'a'], types=dict(x=FLOAT, y=FLOAT, a=None))
    x += 2 * y
    a = a + y
    return x
    """
    return unchanged_or(core, _block(core.body, core))


def _block(body: Sequence[gast.stmt], core: Core) -> list[gast.stmt]:
    return [_statement(with_blocks(s, [_block(b, core) for b in blocks(s)]) if blocks(s) else s, core) for s in body]


def _statement(statement: gast.stmt, core: Core) -> gast.stmt:
    match statement:
        case gast.Assign(targets=[gast.Name(id=x) as target], value=gast.BinOp(op=operator) as value) \
                if isinstance(operator, OPERATORS) and isinstance(core.types.get(x), Scalar):
            rest = _rest(x, value)
            if rest is not None:
                return stamp(gast.AugAssign(target=target, op=operator, value=rest), statement.origin, statement.role)
    return statement


def _rest(x: str, value: gast.BinOp) -> gast.expr | None:
    """What is combined with `x`: on its right, or for + on its left too. A longer sum keeps its order of evaluation."""
    match value:
        case gast.BinOp(left=gast.Name(id=left), right=right) if left == x:
            return right
        case gast.BinOp(left=left, op=gast.Add() | gast.Mult(), right=gast.Name(id=right)) if right == x:
            return left
    return None
