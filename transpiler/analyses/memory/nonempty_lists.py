"""What certainly is so at the end of a block: that a list has an item, that an array has been made in it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from transpiler.analyses.memory.aliases import tape_of
from transpiler.analyses.memory.effects import is_fresh
from transpiler.core.indices import integer
from transpiler.core.query import all_defined, primitive, walk, without_exit
from transpiler.values.dims import Dim
from transpiler.values.types import Scalar


def is_filled(block: Sequence[gast.stmt], tape: str, types: Mapping[str, Any], dtype: np.dtype | None = None) -> bool:
    """Whether a list that a block makes, or puts items on, certainly has one at its end: of a `dtype`, if that is asked for.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT, Scalar
    >>> types = dict(k=INT, n=Scalar(INT.dtype, True, Dim.symbol('n', large=True)))
    >>> text = 't = tape.list()\\nfor i in range({}, {}, 1): tape.push(t, x)\\nreturn t'
    >>> [is_filled(parse(text.format(*bounds)).body[:-1], 't', types) for bounds in ('0k', '0n', '1n', '2n')]
    [False, True, True, False]
    """
    for place, statement in reversed(list(enumerate(block))):
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push'), args=[gast.Name(id=name), item])) if (
                    name == tape and (dtype is None or _is_of(dtype, item, types))):
                return True
            case gast.For(iter=gast.Call(args=bounds), body=body) if _runs(block[:place], bounds, types):
                if is_filled(without_exit(body)[0], tape, types, dtype):
                    return True
            case gast.If(body=body, orelse=orelse) if all(is_filled(arm, tape, types, dtype) for arm in (body, orelse)):
                return True
        taken = ('tape.pop',) if dtype is None else ('tape.pop', 'tape.put')
        if any(primitive(getattr(one, 'value', None)) in taken and tape_of(one) == tape for one in walk([statement])):
            return False
    return False


def is_made(block: Sequence[gast.stmt], name: str, types: Mapping[str, Any]) -> bool:
    """Whether what a name stands for at the end of a block has certainly been made in it.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT
    >>> text = 'y = x\\nfor i in range(0, {}, 1):\\n    z = y + 1\\n    y = z\\nreturn y'
    >>> [is_made(parse(text.format(bound)).body[:-1], 'y', dict(k=INT)) for bound in '3k']
    [True, False]
    """
    for place, statement in reversed(list(enumerate(block))):
        if name not in all_defined([statement]):
            continue
        match statement:
            case gast.Assign(value=gast.Name(id=other)):
                return is_made(block[:place], other, types)
            case gast.Assign(value=value):
                return is_fresh(value)
            case gast.If(body=body, orelse=orelse):
                return all(is_made([*block[:place], *arm], name, types) for arm in (body, orelse))
            case gast.For(iter=gast.Call(args=bounds), body=body):
                return _runs(block[:place], bounds, types) and is_made(without_exit(body)[0], name, types)
        return False
    return False


def _is_of(dtype: np.dtype, item: gast.expr, types: Mapping[str, Any]) -> bool:
    """Whether an array with this item has that dtype for certain, which holds all others; Python's integers are floats there."""
    constant = isinstance(item, gast.Constant)
    type_ = Scalar(np.asarray(item.value).dtype, True) if constant else types.get(item.id)
    if not isinstance(type_, Scalar) or type_.kinds is not None:
        return False
    return type_.dtype == dtype or type_.weak and type_.dtype.kind == 'i' and dtype == np.float64


def _runs(block: Sequence[gast.stmt], bounds: Sequence[gast.expr], types: Mapping[str, Any]) -> bool:
    """Whether a loop with these bounds, behind the statements of `block`, certainly has an iteration."""
    start, stop, step = bounds
    by = integer(step)
    match start, stop:
        case gast.Constant(value=0), gast.Name(id=length) if by == 1 and (of := _counted(block, length)):
            return is_filled(block, of, types)
    first, last = _size(start, types), _size(stop, types)
    if by is None or first is None or last is None:
        return False
    return (last - first if by > 0 else first - last).is_at_least(1)


def _counted(block: Sequence[gast.stmt], name: str) -> str | None:
    """The list whose length a name is."""
    for statement in reversed(block):
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if target == name:
                return value.args[0].id if primitive(value) == 'python.len' else None
    return None


def _size(atom: gast.expr, types: Mapping[str, Any]) -> Dim | None:
    number = integer(atom)
    if number is not None:
        return Dim.of(number)
    return getattr(types.get(atom.id), 'size', None) if isinstance(atom, gast.Name) else None
