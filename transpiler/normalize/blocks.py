"""Compound statements with other statements inside."""
from __future__ import annotations

from collections.abc import Callable

import gast

from transpiler.core import build

Block = list[gast.stmt]


def with_blocks(statement: gast.stmt, rewrite: Callable[[Block], Block]) -> gast.stmt:
    """A statement with the blocks in it rewritten, those of nested functions left alone.

    >>> tree = gast.parse('match k:\\n    case 1:\\n        a\\n        b').body[0]
    >>> print(gast.unparse(with_blocks(tree, lambda block: block[1:])))
    match k:
        case 1:
            b
    """
    if isinstance(statement, gast.FunctionDef):
        return statement
    if isinstance(statement, gast.Match):
        return build.like(statement, cases=[build.like(case, body=rewrite(case.body)) for case in statement.cases])
    inner = {field: rewrite(getattr(statement, field)) for field in ('body', 'orelse') if hasattr(statement, field)}
    return build.like(statement, **inner) if inner else statement
