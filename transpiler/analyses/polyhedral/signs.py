"""Integers that are certainly not negative: as indices, different ones mean different places."""
from __future__ import annotations

from collections.abc import Collection

import gast

from transpiler.core.fixpoint import closure
from transpiler.core.indices import integer
from transpiler.core.language import Core
from transpiler.core.query import defined, walk
from transpiler.garbage import while_making


def never_negative(core: Core) -> frozenset[str]:
    """The counters of loops that do not go below zero, lengths of lists, and sums and products of them.

    >>> from transpiler.core.text import parse
    >>> core = parse('for i in range(n): k = i * i\\nfor j in range(-2, 3): x[j] = 0.0\\nreturn x')
    >>> sorted(never_negative(core))
    ['i', 'k']
    """
    return _never_negative(tuple(core.body), tuple(core.inputs))


@while_making(64)
def _never_negative(body: tuple[gast.stmt, ...], inputs: tuple[str, ...]) -> frozenset[str]:
    given: dict[str, list[gast.stmt]] = {name: [body[-1]] for name in inputs}
    for statement in walk(body):
        if (name := defined(statement)) is not None:
            given.setdefault(name, []).append(statement)
    return frozenset(closure((), lambda found: (
        name for name, made in given.items() if name not in found and all(_is_positive(s, found) for s in made))))


def _is_positive(statement: gast.stmt, others: Collection[str]) -> bool:
    """Whether the integer that it gives a name is not negative, as those of some other names are not."""
    match statement:
        case gast.For(iter=gast.Call(args=[start, stop, step])):
            forward = (integer(step) or 0) > 0
            return is_at_least(start, 0, others) if forward else is_at_least(step, -1) and is_at_least(stop, -1, others)
        case gast.Assign(value=gast.BinOp(left=left, op=gast.Add() | gast.Mult(), right=right)):
            return is_at_least(left, 0, others) and is_at_least(right, 0, others)
        case gast.Assign(value=gast.Call(func=gast.Name(id='python.len'))):
            return True
    return False


def is_at_least(node: gast.expr, least: int, others: Collection[str] = ()) -> bool:
    """Whether a number is `least` or more; `others` are names of numbers that are not negative."""
    value = integer(node)
    return isinstance(node, gast.Name) and node.id in others if value is None else value >= least
