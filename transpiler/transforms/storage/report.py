"""What a derivative keeps, where, for whom and how large: the lines that `explain` shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

import gast

from transpiler.core.language import Core
from transpiler.values.types import Array, Scalar, Type


def kept(core: Core, name: str, type_: Type, loops: Iterable[gast.stmt], where: str, origin, readers: Iterable[int]) -> str:
    """One line about a value that is kept in every iteration of some loops.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT
    >>> core = parse('for i in range(1, n): y = x * x\\nreturn x')
    >>> kept(core, 'y', FLOAT, core.body[:1], 'an array', None, [3])
    '`y` kept in an array, 8*(n - 1) bytes: read by the pullback of line 3'
    """
    lines = ', '.join(map(str, sorted(set(readers))))
    place = '' if origin is None else f' at line {origin.line}'
    read = f'read by the pullback of line{"s" if "," in lines else ""} {lines}' if lines else 'read by the pullback'
    return f'`{core.base(name)}`{place} kept in {where}, {size(core.types, type_, loops)} bytes: {read}'


def size(types: Mapping[str, Type], type_: Type, loops: Iterable[gast.stmt]) -> str:
    """The bytes of one value per iteration, as a formula of the sizes of arguments and of loop bounds."""
    factors = [iterations(types, loop) for loop in loops]
    bytes_ = 8
    if isinstance(type_, (Scalar, Array)):
        bytes_ = type_.dtype.itemsize
    if isinstance(type_, Array):
        factors += ['?'] if type_.dims is None else ['?' if dim is None else str(dim) for dim in type_.dims]
    constant = prod((int(f) for f in factors if f.isdigit()), start=bytes_)
    return '*'.join([str(constant), *(f if f.isidentifier() or f == '?' else f'({f})' for f in factors if not f.isdigit())])


def iterations(types: Mapping[str, Type], loop: gast.stmt) -> str:
    """The number of iterations of a loop.

    >>> from transpiler.core.text import parse
    >>> iterations({}, parse('for i in range(n - 2, 0, -1): y = i\\nreturn n').body[0])
    'n - 2'
    """
    if not isinstance(loop, gast.For):
        return 'iterations' if loop.origin is None else f'iterations of line {loop.origin.line}'
    start, stop, step = (_spelled(types, bound) for bound in loop.iter.args)
    if step.startswith('-'):
        start, stop, step = stop, start, step[1:]
    if start.isdigit() and stop.isdigit():
        return str(len(range(int(start), int(stop), int(step) if step.isdigit() else 1)))
    length = stop if start == '0' else f'{stop} - {start}'
    return length if step == '1' else f'({length})/{step}'


def _spelled(types: Mapping[str, Type], bound: gast.expr) -> str:
    known = getattr(types.get(getattr(bound, 'id', '')), 'size', None)
    if known is not None:
        return str(known)
    match bound:
        case gast.Constant(value=value):
            return str(value)
        case gast.Name(id=name):
            return name
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return f'-{_spelled(types, operand)}'
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, (gast.Add, gast.Sub)):
            return f'{_spelled(types, left)} {"+" if isinstance(op, gast.Add) else "-"} {_spelled(types, right)}'
    return '?'
