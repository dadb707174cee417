"""The type of a variable that different paths give different values."""
from __future__ import annotations

import functools

import numpy as np

from transpiler.values.types import Array, Scalar, Tape, Type, Unknown


def join_types(left: Type, right: Type) -> Type:
    """The type of a variable that is `left` on one path and `right` on another.

    >>> from transpiler.values.types import FLOAT, INT
    >>> str(join_types(INT, FLOAT)), str(join_types(FLOAT, Scalar(np.dtype('float32'))))
    ('float', 'float32')
    """
    if left == right:
        return left
    match left, right:
        case Scalar(), Scalar():
            return _join_scalars(left, right)
        case Array(), Array():
            dtype = np.result_type(left.dtype, right.dtype)
            if left.dims is None or right.dims is None or len(left.dims) != len(right.dims):
                return Array(dtype, None)
            return Array(dtype, tuple(a if a == b else None for a, b in zip(left.dims, right.dims, strict=True)))
        case Tape(), Tape():
            elements = [t.element for t in (left, right) if t.element is not None]
            return Tape(functools.reduce(_join_items, elements), left.lasting) if elements else left
    return Unknown()


def _join_items(left: Type, right: Type) -> Type:
    """What is on one list: an array of such numbers has a dtype that is wide enough for a Python number among them."""
    if isinstance(left, Scalar) and isinstance(right, Scalar) and left.weak != right.weak:
        return Scalar(np.result_type(left.dtype, right.dtype))
    return join_types(left, right)


def _join_scalars(left: Scalar, right: Scalar) -> Scalar:
    size = left.size if left.size == right.size else None
    if left.weak == right.weak:
        return Scalar(np.result_type(left.dtype, right.dtype), left.weak, size)
    strong, weak = (right, left) if left.weak else (left, right)
    order = 'biufc'
    if order.index(weak.dtype.kind) <= max(order.index(strong.dtype.kind), 2 if strong.dtype.kind == 'i' else 0):
        return Scalar(strong.dtype, False, size)
    return Scalar(np.result_type(left.dtype, right.dtype), False, size)
