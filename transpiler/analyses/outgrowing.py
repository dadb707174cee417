"""Integers that may grow without bounds: what multiplies, or adds up, what it gave the turn before, or the call inside it."""
from __future__ import annotations

from collections import defaultdict

import gast

from transpiler.analyses.memo import memoised
from transpiler.core.fixpoint import closure, reached
from transpiler.core.language import Core
from transpiler.core.query import call_of, defined, gives, names, walk
from transpiler.values.types import Scalar

MULTIPLY = gast.Mult, gast.Pow, gast.LShift
ADD = gast.Add, gast.Sub


@memoised
def outgrowing(core: Core) -> frozenset[str]:
    """The names of integers of Python's that may get too long for compiled code, as a product of all numbers does.

    Counters and sums of counters do not, in the time that anybody waits. What a function of the program gives may: it calls
    itself, or is called with what it gave.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT
    >>> text = 'for k in range(n):\\n    p = p * k\\n    s = s + k\\n    t = a + b\\n    a = b\\n    b = t\\nq = p + 1\\nreturn q'
    >>> core = parse(text, types=dict.fromkeys('pkstabq', INT))
    >>> ''.join(sorted(outgrowing(core)))
    'abpqt'
    """
    integers = {name for name, type_ in core.types.items()
                if isinstance(type_, Scalar) and type_.weak and type_.dtype is not None and type_.dtype.kind == 'i'}
    calls = {defined(s) for s in walk(core.body) if call_of(s) is not None} - {None}
    found = calls | (integers.intersection(core.inputs) if calls else set())
    for loop in walk(core.body):
        if isinstance(loop, (gast.For, gast.While)):
            found |= _grown_in(_assigned(loop.body, integers))
    everywhere = _assigned(core.body, integers)
    return frozenset(closure(found, lambda found: {
        name for name, values in everywhere.items() if any(found.intersection(names(v)) for v in values)}))


def _assigned(body: list[gast.stmt], integers: set[str]) -> dict[str, list[gast.expr]]:
    found: defaultdict[str, list[gast.expr]] = defaultdict(list)
    for statement in walk(body):
        for name, value in gives(statement):
            if name in integers:
                found[name].append(value)
    return found


def _grown_in(assigned: dict[str, list[gast.expr]]) -> set[str]:
    """What grows by more than a number a turn, in a loop that assigns these values."""
    read = {name: {n for v in values for n in names(v) if n in assigned} for name, values in assigned.items()}
    reached = {name: _reached(name, read) for name in assigned}
    found = set()
    for name, values in assigned.items():
        own = {n for n in reached[name] if name in reached[n]}      # those that it comes back from
        for operation in (part for v in values for part in gast.walk(v) if isinstance(part, gast.BinOp)):
            fed = [bool(own.intersection(names(side))) for side in (operation.left, operation.right)]
            if any(fed) and isinstance(operation.op, MULTIPLY) or all(fed) and isinstance(operation.op, ADD):
                found.add(name)
    return found


def _reached(name: str, read: dict[str, set[str]]) -> set[str]:
    return reached(read[name], read.__getitem__)
