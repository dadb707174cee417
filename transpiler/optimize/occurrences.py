"""How often names are read."""
from __future__ import annotations

import gast

from transpiler.core.query import names


def occurrences(statement: gast.stmt) -> list[str]:
    """The names that a statement reads itself, with repetitions; an array that it writes into counts.

    >>> from transpiler.core.text import parse
    >>> occurrences(parse('y = x * x; return y').body[0])
    ['x', 'x']
    """
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value) | gast.Return(value=value) | gast.Expr(value=value):
            return list(names(value))
        case gast.Assign(targets=[target], value=value) | gast.AugAssign(target=target, value=value):
            return [*names(target), *names(value)]
        case gast.If(test=value) | gast.While(test=value) | gast.For(iter=value) | gast.Raise(exc=value):
            return list(names(value))
    return []
