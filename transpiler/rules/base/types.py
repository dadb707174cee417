"""Types of results that probing cannot tell: those that depend on a shape given, or on which sizes are 1."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar, Type, Unknown


def reshaped(a: Type, shape: Any, **others: Any) -> Type:
    """The shape is what the caller says, as far as it is known; -1 is what is left.

    >>> n = Dim.symbol('n', large=True)
    >>> print(reshaped(Array(np.dtype(float), (n, Dim.of(6))), shape=(3, -1, 2)), reshaped(Unknown(), shape=-1))
    float64[3, n, 2] ?
    """
    if isinstance(a, Unknown):
        return a
    sizes = _sizes(shape)
    if sizes is None:
        return Array(a.dtype, None)
    dims = tuple(dim if dim is not None and (dim.is_constant or dim.is_at_least(0)) else None for dim in map(_size, sizes))
    if any(map(_is_minus_one, sizes)) and any(dim is not None and dim.is_constant and dim.constant == 0 for dim in dims):
        raise ValueError('a size cannot be found from the others where one of them is 0')
    return Array(a.dtype, tuple(_left_over(a, dims) if _is_minus_one(size) else dim for size, dim in zip(sizes, dims,
    strict=True)))


def spread(array: Type, shape: Any, **others: Any) -> Type:
    """`np.broadcast_to`: the shape is what the caller says; sizes that can never fit are refused.

    >>> print(spread(Array(np.dtype(float), (Dim.symbol('n'),)), shape=(2, Scalar(np.dtype(int), True))))
    float64[2, ?]
    """
    if isinstance(array, Unknown):
        return array
    sizes = _sizes(shape)
    if sizes is None:
        return Array(array.dtype, None)
    dims = tuple(map(_size, sizes))
    own = (array.dims or ()) if isinstance(array, Array) else ()
    fitting = [a is None or b is None or a.is_one or not (a.is_constant and b.is_constant) or a == b
               for a, b in zip(reversed(own), reversed(dims), strict=False)]
    if len(own) > len(dims) or not all(fitting):
        raise ValueError(f'{array} cannot be broadcast to ({", ".join("?" if d is None else str(d) for d in dims)})')
    return Array(array.dtype, dims)


def created(shape: Any, dtype: Any = None, **others: Any) -> Type:
    """`np.zeros` and its like: the shape is what the caller says. NumPy is not asked, for there may be many axes.

    >>> print(created((2, Scalar(np.dtype(int), True, Dim.symbol('n')))), created(3, np.float32))
    float64[2, n] float32[3]
    """
    sizes = _sizes(shape)
    if sizes is None:
        return Array(np.dtype(dtype), None)
    dims = tuple(map(_size, sizes))
    if any(dim is not None and dim.is_constant and dim.constant < 0 for dim in dims):
        raise ValueError('negative dimensions are not allowed')
    return Array(np.dtype(dtype), dims)


def triangle(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, **others: Any) -> Type:
    """`np.tri`, which takes its sides from ranges; those of numbers with fractions are rounded at one end."""
    sides = [max(side, 0) if isinstance(side, int) else side for side in (N, N if M is None else M)]
    if (k.dtype.kind if isinstance(k, Scalar) else np.asarray(k).dtype.kind) == 'f':
        raise TypeError('`k` is a float: where the triangle ends is rounded, make it an integer')
    return created(tuple(sides), dtype)


def _sizes(shape: Any) -> tuple | None:
    """The sizes of a shape; None if it is an array, of which nobody knows how many it holds."""
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    return None if any(isinstance(size, (Array, Unknown)) for size in sizes) else sizes


def _is_minus_one(size: Any) -> bool:
    return not isinstance(size, Scalar) and size == -1


def _size(size: Any) -> Dim | None:
    if not isinstance(size, Scalar):
        return Dim.of(operator.index(size))
    if size.dtype.kind not in 'iu':
        raise TypeError(f"'{size.dtype}' cannot be interpreted as an integer")
    return size.size


def _left_over(a: Type, dims: tuple[Dim | None, ...]) -> Dim | None:
    """The size that -1 stands for, if it is an affine expression."""
    have = [] if isinstance(a, Scalar) else list(a.dims or ()) if not isinstance(a, Array) or a.dims is not None else [None]
    factor = 1
    for dim in dims:
        if dim == Dim.of(-1):
            continue
        if dim in have and not (dim is not None and dim.is_constant):
            have.remove(dim)
        elif dim is None or not dim.is_constant or dim.constant == 0:
            return None
        else:
            factor *= dim.constant
    total = Dim.of(1)
    for dim in have:
        if dim is None or not (dim.is_constant or total.is_constant):
            return None
        total = dim * total.constant if total.is_constant else total * dim.constant
    parts = [total.constant, *(coefficient for _, coefficient in total.terms)]
    if any(part % factor for part in parts):
        return None
    return Dim(tuple((symbol, coefficient // factor) for symbol, coefficient in total.terms), total.constant // factor)


def squeezed(a: Type, axis: Any = None) -> Type | None:
    """Without `axis`, the rank is known only if it is known of every size whether it is 1."""
    if not isinstance(a, Array) or a.dims is None:
        return Array(a.dtype, None) if isinstance(a, Array) else a
    if axis is not None:
        axes = {k % len(a.dims) for k in (axis if isinstance(axis, tuple) else (axis,))}
        if any(a.dims[k] is not None and a.dims[k].is_large for k in axes):
            raise ValueError('cannot squeeze an axis whose size is not 1')
        return Array(a.dtype, tuple(dim for k, dim in enumerate(a.dims) if k not in axes))
    if any(dim is None or not (dim.is_one or dim.is_large) for dim in a.dims):
        return Array(a.dtype, None)
    return Array(a.dtype, tuple(dim for dim in a.dims if not dim.is_one))


def ranged(start_or_stop: Any, stop: Any = None, step: Any = 1, dtype: Any = None, **others: Any) -> Type:
    """`np.arange`: the length is known of constants, and of a single size.

    >>> n = Scalar(np.dtype(int), True, Dim.symbol('n'))
    >>> print(ranged(n), ranged(1, n), ranged(2, 9, 3), ranged(0.0, 1.0, 0.25))
    int64[n] int64[?] int64[3] float64[4]
    """
    bounds = [start_or_stop, 0 if stop is None else stop, step]
    if any(isinstance(b, Unknown) for b in bounds):
        return Unknown() if dtype is None else Array(np.dtype(dtype), (None,))
    if not any(isinstance(b, Scalar) for b in bounds):
        made = np.arange(start_or_stop, stop, step, dtype)
        return Array(made.dtype, (Dim.of(len(made)),))
    first, last, by = (_one_like(b) for b in bounds)
    made = np.arange(first, None if stop is None else last, by, dtype)
    size = start_or_stop.size if stop is None and step == 1 else None
    return Array(made.dtype, (size if size is not None and size.is_at_least(0) else None,))


def _one_like(number: Any) -> Any:
    """1 as a number of the same kind: what is long enough to be unsigned stays so."""
    dtype = number.dtype if isinstance(number, Scalar) else np.asarray(number).dtype
    of_python = number.weak if isinstance(number, Scalar) else not isinstance(number, np.generic) and dtype.kind != 'u'
    return dtype.type(1).item() if of_python else dtype.type(1)


def like_operand(position: int):
    """The type rule of a helper whose result has the shape of one operand and the dtype of the first."""
    def type_(*operands: Type, **statics: Any) -> Type:
        first, like = operands[0], operands[position]
        if isinstance(first, Unknown) or isinstance(like, Unknown):
            return Unknown()
        return Scalar(first.dtype) if isinstance(like, Scalar) else Array(first.dtype, like.dims)
    return type_


def placed(position: int):
    """The type rule of a helper whose result is a place for each item of one operand, a vector."""
    def type_(*operands: Type) -> Type:
        like = operands[position]
        return like if isinstance(like, Unknown) else Array(np.dtype(np.int64), _dims(like))
    return type_


def _known(*types: Type) -> bool:
    return all(isinstance(t, Scalar) or (isinstance(t, Array) and t.dims is not None and None not in t.dims) for t in types)


def _dims(type_: Type) -> tuple:
    return type_.dims if isinstance(type_, Array) else ()


def same_shape(first: Type, like: Type, *others: Type, **statics: Any) -> bool:
    """Whether two operands surely have one shape: fitting the first to the second changes nothing."""
    return _known(first, like) and _dims(first) == _dims(like)


def already_reshaped(a: Type, shape: Any, order: str = 'C', **others: Any) -> bool:
    """Whether `np.reshape` or `np.broadcast_to` to `shape` changes nothing."""
    if not isinstance(a, Array) or order != 'C' or not _known(a):
        return False
    return reshaped(a, shape=shape) == a


def already_flat(a: Type, order: str = 'C') -> bool:
    return isinstance(a, Array) and a.ndim == 1


def already_spread(array: Type, shape: Any, subok: bool = False) -> bool:
    return isinstance(array, Array) and _known(array) and spread(array, shape=shape) == array


def not_moved(a: Type, source: Any, destination: Any) -> bool:
    if not isinstance(a, Array) or a.ndim is None or not isinstance(source, int) or not isinstance(destination, int):
        return isinstance(a, Array) and source == destination
    return range(a.ndim)[source] == range(a.ndim)[destination]


def too_flat_to_transpose(a: Type, axes: Any = None) -> bool:
    return a.ndim is not None and a.ndim < 2


def cast(x: Type, dtype: Any, **others: Any) -> Type:
    """`astype` of a number is a number; NumPy itself has no such method for Python's. What is not known yet stays so."""
    if not isinstance(x, (Scalar, Array)):
        return x
    return Scalar(np.dtype(dtype)) if isinstance(x, Scalar) else Array(np.dtype(dtype), x.dims)


def taken(a: Type, indices: Type, axis: Any = None, **others: Any) -> Type:
    """`np.take`: the sizes of the indices stand in the place of the axis.

    >>> n, rows = Dim.symbol('n'), Array(np.dtype(int), (Dim.symbol('k'),))
    >>> print(taken(Array(np.dtype(float), (n, Dim.of(1))), rows, axis=1), taken(Array(np.dtype(float), (n,)), rows))
    float64[n, k] float64[k]
    """
    if isinstance(a, Unknown) or isinstance(indices, Unknown):
        return Unknown()
    if indices.dtype.kind not in 'iu':
        raise TypeError('the indices must be integers')
    own, picked = (getattr(t, 'dims', ()) for t in (a, indices))
    if picked is None or (axis is not None and own is None):
        return Array(a.dtype, None)
    if axis is not None:
        place = range(len(own))[axis]
        picked = own[:place] + picked + own[place + 1:]
    return Array(a.dtype, picked) if picked else Scalar(a.dtype)


def some(*operands: Type, **others: Any) -> Type:
    """A row of indices; how many depends on the values."""
    return Array(np.dtype(np.intp), (None,))
