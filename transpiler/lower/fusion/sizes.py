"""Sizes by name: which arrays certainly have the same ones, and which do if a check says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from transpiler.analyses.dataflow.memo import memoised
from transpiler.core import build
from transpiler.core.indices import dots_spelled_out, entries_of, integer, is_new
from transpiler.core.language import Core, leaves
from transpiler.core.query import all_defined
from transpiler.lower.fusion.accesses import Known, Size
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar

# ('#size', array, axis), ('#number', 3), ('#name', 'n'), ('#shorter', size, 2), ('#cut', size, first, last, step)
ONE: Size = ('#number', 1)
_LIKE = ('numpy.copy', 'numpy.zeros_like', 'numpy.ones_like', 'numpy.empty_like')
_AS_LARGE = ('numpy.roll', 'numpy.flip', 'numpy.sort', 'numpy.cumsum', 'numpy.cumprod', 'numpy.tril', 'numpy.triu')  # if as deep
_OF_SHAPE = ('numpy.zeros', 'numpy.empty', 'numpy.ones', 'numpy.full')


@dataclass(frozen=True)
class Agreement:
    """Two sizes that must be equal. forced: NumPy would raise if they were not; else one of them might be 1."""

    one: Size
    other: Size
    forced: bool


def size(known: Known, array: str, axis: int) -> Size:
    """What the size of an array along an axis is called.

    Types alone do not say it: sizes that an operation forces to be equal are one symbol in them, and it is that operation that
    raises where they are not. But versions of a program are made for which sizes of arguments are equal, and which are 1.
    """
    found = _size(known, array, axis) or ('#size', array, axis)
    if array not in known.sizes:
        known.seen.setdefault(found, (array, axis))
    return settled(known, found)


def settled(known: Known, named: Size) -> Size:
    while named in known.same:
        named = known.same[named]
    return named


def agree(known: Known, agreement: Agreement) -> None:
    """From here on both sizes are one."""
    one, other = settled(known, agreement.one), settled(known, agreement.other)
    if one != other:
        known.same[other] = one


def spelled(known: Known, named: Size) -> gast.expr:
    """A size in a program."""
    match named:
        case ('#number', value):
            return build.constant(value)
        case ('#name', name):
            return build.name(name)
        case ('#size', array, axis):
            return build.subscript(build.attribute(array, 'shape'), axis)
    array, axis = known.seen[named]
    return build.subscript(build.attribute(array, 'shape'), axis)


def can_be_spelled(known: Known, named: Size) -> bool:
    return named[0] in ('#number', '#name', '#size') or named in known.seen


def _size(known: Known, array: str, axis: int) -> Size | None:
    type_ = known.core.types.get(array)
    dims = (isinstance(type_, Array) and type_.dims) or ()
    given, letters = arguments(known.core)
    if known.keyed and array in given and axis < len(dims) and dims[axis] in letters:
        return letters[dims[axis]]
    if array in known.sizes:
        return known.sizes[array][axis]
    match known.values.get(array):
        case gast.Name(id=base):
            return size(known, base, axis)
        case gast.Call(func=gast.Name(id=name), args=[gast.Name(id=base)]) if name in _LIKE:
            return size(known, base, axis)
        case gast.Call(func=gast.Name(id=name), args=[gast.Name(id=base), *_]) if name in _AS_LARGE:
            return size(known, base, axis) if _ndim(known, base) == len(dims) else None
        case gast.Call(func=gast.Name(id=name), args=[shape, *_]) if name in _OF_SHAPE:
            return of_shape(known, shape, axis)
        case gast.Call(func=gast.Name(id='numpy.eye'), args=[shape]):
            return of_shape(known, shape, 0)
        case gast.Call(func=gast.Name(id='numpy.broadcast_to'), args=[_, shape]):
            return of_shape(known, shape, axis)
        case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name(id=base)], keywords=[]) if dims:
            return size(known, base, len(dims) - 1 - axis)
        case (
            gast.BinOp(left=gast.Name(id=left), op=gast.MatMult(), right=gast.Name(id=right))
            | gast.Call(
                func=gast.Name(id='numpy.matmul' | 'numpy.dot'), args=[gast.Name(id=left), gast.Name(id=right)], keywords=[]
            )
        ):
            return _of_product(known, left, right, axis)
        case gast.Subscript(value=gast.Name(id=base), slice=index):
            found = cut(known, base, entries_of(index))
            return found[axis] if found is not None else None
    return None


def _of_product(known: Known, left: str, right: str, axis: int) -> Size | None:
    """The size of a product of matrices, or of one and a vector."""
    match _ndim(known, left), _ndim(known, right):
        case 2, 1 | 2:
            return size(known, right, 1) if axis else size(known, left, 0)
        case 1, 2:
            return size(known, right, 1)
    return None


def _ndim(known: Known, array: str) -> int | None:
    return getattr(known.core.types.get(array), 'ndim', None)


@memoised
def arguments(core: Core) -> tuple[frozenset[str], dict[Dim, Size]]:
    """The arguments that keep their arrays, and for each of their sizes the first one that has it."""
    given = frozenset(name for param in core.params for name in leaves(param.tree)) - all_defined(core.body)
    first: dict[Dim, Size] = {}
    for name in core.inputs:
        for axis, dim in enumerate(getattr(core.types.get(name), 'dims', None) or ()):
            if name in given and is_letter(dim):
                first.setdefault(dim, ('#size', name, axis))
            elif name in given and dim is not None and dim.is_one:
                first[dim] = ONE
    return given, first


def is_letter(dim: Dim | None) -> bool:
    """Whether a size of an argument is one that others may have too."""
    return dim is not None and dim.symbol_alone is not None and not dim.is_found


def of_shape(known: Known, shape: gast.expr, axis: int) -> Size | None:
    """The size along an axis of an array of that shape."""
    match shape:
        case gast.Attribute(value=gast.Name(id=base), attr='shape'):
            return size(known, base, axis)
        case gast.Tuple(elts=parts):
            return _number(known, parts[axis])
        case gast.Name(id=name) if not isinstance(known.core.types.get(name), Scalar):
            return None
    return _number(known, shape)


def _number(known: Known, node: gast.expr) -> Size | None:
    """A number that is the size of an array, so it is not negative."""
    match known.values.get(node.id, node) if isinstance(node, gast.Name) else node:
        case gast.BinOp(left=left, op=gast.Sub(), right=gast.Constant(value=int(less))) if less > 0:
            return _shorter(_number(known, left), less)
        case gast.Constant(value=int(value)):
            return ('#number', value)
        case gast.Subscript(value=gast.Attribute(value=gast.Name(id=base), attr='shape'), slice=gast.Constant(value=int(axis))):
            return size(known, base, axis)
    return ('#name', node.id) if isinstance(node, gast.Name) else None


def cut(known: Known, base: str, entries: Sequence[gast.expr]) -> list[Size | None] | None:
    """The sizes of `base[entries]`; None for one that has no name, or if not even their number is known."""
    ndim = _ndim(known, base)
    if ndim is None:
        return None
    found: list[Size | None] = []
    inner = -1
    for entry in dots_spelled_out(entries, ndim):
        inner += not is_new(entry)
        if is_new(entry) or isinstance(entry, gast.Slice):
            found.append(ONE if is_new(entry) else _sliced(size(known, base, inner), entry))
        elif integer(entry) is None and not isinstance(known.core.types.get(getattr(entry, 'id', '')), Scalar):
            return None
    return found


def _sliced(whole: Size, entry: gast.Slice) -> Size | None:
    bounds = [entry.lower, entry.upper, entry.step]
    said = [b.id if isinstance(b, gast.Name) else integer(b) for b in bounds]
    if any(b is not None and integer(b) is None and not isinstance(b, (gast.Name, gast.Constant)) for b in bounds):
        return None
    match said:
        case [int() | None as first, int() | None as last, 1 | None] if (first or 0) >= 0 and (last is None or last < 0):
            return _shorter(whole, (first or 0) - (last or 0))
    return ('#cut', whole, *said)


def _shorter(whole: Size | None, less: int) -> Size | None:
    """So many less, or none."""
    match whole:
        case _ if not less or whole is None:
            return whole
        case ('#number', value):
            return ('#number', max(value - less, 0))
        case ('#shorter', longer, already):
            return ('#shorter', longer, already + less)
    return ('#shorter', whole, less)
