"""Parts of arrays whose sizes the program's text bounds: loops over them are too short for threads, however many there are."""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.core.indices import entries_of, integer, is_dots, is_new
from transpiler.core.query import walk
from transpiler.core.text import dump

Windows = Mapping[tuple[str, int], int]


def windows(body: Iterable[gast.stmt]) -> dict[tuple[str, int], int]:
    """The most places that a view has along an axis, where slices like `a[i:i + 2]` tell.

    >>> from transpiler.core.text import parse
    >>> windows(parse('v = a[k, i:i + 2, :3, j:]; return v').body)
    {('v', 0): 2, ('v', 1): 3}
    >>> windows(parse('v = a[-4:]; w = a[n:]; v = b[:2]; w = b[:1]; return v, w').body)
    {('v', 0): 4}
    >>> windows(parse('v = a[:3:2, :2:-1]; return v').body)
    {('v', 0): 3}
    """
    shown: dict[str, list[dict[int, int]]] = {}
    times = counts(body := list(body))
    for statement in walk(body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript(slice=index)):
                shown.setdefault(name, []).append(_of_view(entries_of(index)))
    told = {name: views for name, views in shown.items() if len(views) == times[name]}
    return {(name, axis): max(view[axis] for view in views)
            for name, views in told.items() for axis in views[0] if all(axis in view for view in views)}


def _of_view(entries: Sequence[gast.expr]) -> dict[int, int]:
    if any(is_dots(entry) or is_new(entry) for entry in entries):
        return {}
    slices = [entry for entry in entries if isinstance(entry, gast.Slice)]
    return {axis: most for axis, entry in enumerate(slices) if (most := _most(entry)) is not None}


def _most(part: gast.Slice) -> int | None:
    first, most = integer(part.lower, 0), None
    if (integer(part.step, 1) or -1) > 0:
        match part.upper:
            case gast.BinOp(left=left, op=gast.Add(), right=right) if part.lower is not None and dump(left) == dump(part.lower):
                most = integer(right)
            case None:
                most = -first if first is not None and first < 0 else None
            case upper:
                most = integer(upper) if first == 0 else None
    return most if most is not None and most >= 0 else None


def at_most(number: gast.expr, bounds: Windows) -> float:
    """A number that a sum or a product of sizes is not above; infinite if nobody knows.

    >>> from transpiler.core.text import expression
    >>> at_most(expression('v.shape[0] * (3 * v.shape[1] + 2)'), {('v', 0): 2, ('v', 1): 2}), at_most(expression('2 * n'), {})
    (16, inf)
    """
    match number:
        case gast.Constant(value=int(value)):
            return value
        case gast.Subscript(value=gast.Attribute(value=gast.Name(id=name), attr='shape'), slice=axis):
            return bounds.get((name, integer(axis, -1)), math.inf)
        case gast.BinOp(left=left, op=gast.Add(), right=right):
            return at_most(left, bounds) + at_most(right, bounds)
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return at_most(left, bounds) * at_most(right, bounds)
    return math.inf
