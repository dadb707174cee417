"""How often names are read."""
from __future__ import annotations

from collections import Counter

import gast

from transpiler.core.language import Core
from transpiler.core.query import defined, names


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


def read_once(core: Core) -> frozenset[str]:
    """The names that are assigned at one place and read at one place."""
    statements = core.statements
    reads = Counter(name for s in statements for name in occurrences(s))
    definitions = Counter(name for s in statements if (name := defined(s)))
    return frozenset(name for name in reads if reads[name] == 1 and definitions[name] == 1)
