"""Lists that certainly have an item."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from transpiler.analyses.aliases import tape_of
from transpiler.core.indices import integer
from transpiler.core.query import primitive, walk, without_exit
from transpiler.values.dims import Dim


def is_filled(block: Sequence[gast.stmt], tape: str, types: Mapping[str, Any]) -> bool:
    """Whether a list that a block makes, or puts items on, certainly has one at its end.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT, Scalar
    >>> types = dict(k=INT, n=Scalar(INT.dtype, True, Dim.symbol('n', large=True)))
    >>> text = 't = tape.list()\\nfor i in range({}, {}, 1): tape.push(t, x)\\nreturn t'
    >>> [is_filled(parse(text.format(*bounds)).body[:-1], 't', types) for bounds in ('0k', '0n', '1n', '2n')]
    [False, True, True, False]
    """
    for place, statement in reversed(list(enumerate(block))):
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push'), args=[gast.Name(id=name), _])) if name == tape:
                return True
            case gast.For(iter=gast.Call(args=bounds), body=body) if _runs(block[:place], bounds, types):
                if is_filled(without_exit(body)[0], tape, types):
                    return True
            case gast.If(body=body, orelse=orelse) if all(is_filled(arm, tape, types) for arm in (body, orelse)):
                return True
        if any(primitive(getattr(one, 'value', None)) == 'tape.pop' and tape_of(one) == tape for one in walk([statement])):
            return False
    return False


def _runs(block: Sequence[gast.stmt], bounds: Sequence[gast.expr], types: Mapping[str, Any]) -> bool:
    """Whether a loop with these bounds, behind the statements of `block`, certainly has a turn."""
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
