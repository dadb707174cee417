"""What an index does: arrays of integers or flags in it make a copy, and integers may name one place several times."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from transpiler.core.helpers import Fact, holds_of
from transpiler.core.links import links
from transpiler.core.query import names, primitive

NUMBERS = ('python.int', 'python.len')


def entries_of(index: gast.expr) -> list[gast.expr]:
    """The entries of an index, one or several.

    >>> from transpiler.core.text import expression
    >>> [len(entries_of(expression(text).slice)) for text in ('x[i]', 'x[i, :]', 'x[...]')]
    [1, 2, 1]
    """
    return list(index.elts) if isinstance(index, gast.Tuple) else [index]


def is_new(entry: Any) -> bool:
    """Whether an entry of an index makes an axis of one item."""
    return isinstance(entry, gast.Constant) and entry.value is None


def is_dots(entry: Any) -> bool:
    return isinstance(entry, gast.Constant) and entry.value is Ellipsis


def dots_spelled_out(entries: Sequence[gast.expr], ndim: int) -> list[gast.expr]:
    """The entries of an index of an array of `ndim` axes, with a slice for each axis that is not written there.

    >>> from transpiler.core.text import expression
    >>> [len(dots_spelled_out(entries_of(expression(text).slice), 3)) for text in ('x[i]', 'x[..., i]', 'x[None, :]')]
    [3, 3, 4]
    """
    dots = next((k for k, entry in enumerate(entries) if is_dots(entry)), len(entries))
    missing = ndim - sum(1 for entry in entries if not is_new(entry) and not is_dots(entry))
    whole: list[gast.expr] = [gast.Slice(lower=None, upper=None, step=None)] * missing
    return [*entries[:dots], *whole, *entries[dots + 1:]]


def integer(node: gast.expr | None, default: int | None = None) -> int | None:
    """The integer that is written there, `default` where nothing is, None for anything else."""
    match node:
        case None | gast.Constant(value=None):
            return default
        case gast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
            return -value
    return None


def counted(loop: gast.stmt) -> range | None:
    """The values of the counter of a loop, where all bounds are written as integers; None for any other statement.

    >>> from transpiler.core.text import parse
    >>> [counted(s) for s in parse('for i in range(5, -1, -2): y = x\\nfor i in range(n): y = x\\nreturn y').body]
    [range(5, -1, -2), None, None]
    """
    match loop:
        case gast.For(iter=gast.Call(args=bounds)):
            start, stop, step = map(integer, bounds)
            return range(start, stop, step) if None not in (start, stop) and step else None
    return None


def has_iterations(loop: gast.stmt) -> bool:
    """Whether a loop certainly has an iteration; it is left, if early, at the end of one."""
    match loop:
        case gast.While(test=gast.Constant(value=True)):
            return True
    return bool(counted(loop))


def copies(index: gast.expr, types: Mapping[str, Any]) -> bool:
    """Whether `base[index]` is a copy for certain: an array stands in the index, `k[..., 0]` say."""
    return any(_is_array(types.get(entry.id)) if isinstance(entry, gast.Name) else _has_dots(entry)
               for entry in entries_of(index))


def _has_dots(entry: gast.expr) -> bool:
    """Whether this is an item of an array that is itself an array, be it one without axes."""
    return isinstance(entry, gast.Subscript) and any(map(is_dots, entries_of(entry.slice)))


def may_repeat(index: gast.expr, types: Mapping[str, Any]) -> bool:
    """Whether the index may name one place several times; a mask, numbers and slices do not.

    Of a name that `types` does not list nothing is feared: such programs have no arrays of indices.

    >>> from transpiler.core.text import expression
    >>> from transpiler.values.types import INT, Array, Unknown
    >>> import numpy as np
    >>> rows, flags = (Array(np.dtype(kind), (None,)) for kind in (int, bool))
    >>> types = dict(i=INT, rows=rows, flags=flags, a=Unknown())
    >>> [may_repeat(expression(text).slice, types) for text in ('x[i, 1:]', 'x[rows]', 'x[flags]', 'x[rows[i]]', 'x[a]', 'x[a:]',
    ...                                                                'x[np.array([0, 0])]', 'x[-1]')]
    [False, True, False, False, True, False, True, False]
    """
    return any(_repeats(entry, types) for entry in entries_of(index))


def _is_array(type_: Any) -> bool:
    return hasattr(type_, 'dims')


def _repeats(entry: gast.expr, types: Mapping[str, Any]) -> bool:
    if isinstance(entry, gast.Slice):
        return False
    if isinstance(entry, gast.Name):
        type_ = types.get(entry.id)
        flags = _is_array(type_) and type_.dtype.kind == 'b'
        return type_ is not None and not flags and getattr(type_, 'ndim', None) != 0
    listed = [name in types for name in names(entry)]
    return (any(listed) or not listed) and not _is_number(entry, types)


def _is_number(node: gast.expr, types: Mapping[str, Any]) -> bool:
    """An expression that is one number for certain."""
    if links(node).number:
        return True
    match node:
        case gast.Constant() | gast.Attribute(attr='size' | 'ndim') | gast.Subscript(value=gast.Attribute(attr='shape')):
            return True
        case gast.Name(id=name):
            return getattr(types.get(name), 'ndim', None) == 0
        case gast.BinOp(left=left, right=right):
            return _is_number(left, types) and _is_number(right, types)
        case gast.UnaryOp(operand=operand):
            return _is_number(operand, types)
        case gast.IfExp(body=body, orelse=orelse):
            return _is_number(body, types) and _is_number(orelse, types)
        case gast.Subscript(value=gast.Name(id=base), slice=index):
            entries = entries_of(index)
            return len(entries) == getattr(types.get(base), 'ndim', None) and all(_is_number(e, types) for e in entries)
        case gast.Call(func=gast.Name(id=name), args=[test, chosen, other]) if holds_of(name, Fact.SELECTS):
            asked = [test.left, *test.comparators] if isinstance(test, gast.Compare) else [test]
            return all(_is_number(part, types) for part in (*asked, chosen, other))
        case gast.Call(args=args, keywords=[]):
            name = primitive(node) or ''
            return name in NUMBERS or _keeps_numbers(name) and all(_is_number(a, types) for a in args)
    return False


def _keeps_numbers(name: str) -> bool:
    """Whether a primitive makes a number of numbers: a ufunc, or a cast."""
    found = getattr(np, name.removeprefix('numpy.'), None) if name.startswith('numpy.') else None
    return isinstance(found, np.ufunc) or isinstance(found, type) and issubclass(found, np.generic)
