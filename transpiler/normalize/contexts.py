"""`with` becomes the statements inside, behind a call that says what was opened: the specialiser sees whether it may be."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.query import parts
from transpiler.normalize.blocks import with_blocks

OPEN = 'python.with'


def without_contexts(body: list[gast.stmt]) -> list[gast.stmt]:
    """Take all `with` statements in `body` apart.

    >>> tree = gast.parse('with np.errstate(all="ignore"):\\n    y = x / x')
    >>> tree.body = without_contexts(tree.body)
    >>> print(gast.unparse(tree))
    python.with(np.errstate(all='ignore'))
    y = x / x
    """
    return [new for statement in body for new in _apart(statement)]


def _apart(statement: gast.stmt) -> list[gast.stmt]:
    if not any(isinstance(part, gast.With) for part in parts(statement)):
        return [statement]
    if isinstance(statement, gast.With):
        opened = [gast.copy_location(gast.Expr(value=build.call(OPEN, item.context_expr)), statement) for item in statement.items]
        return [*opened, *without_contexts(statement.body)]
    return [with_blocks(statement, without_contexts)]
