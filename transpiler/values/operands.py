"""The operands of a primitive: the types and sizes in them, and small arrays and numbers in place of these."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from transpiler.values.dims import Dim, Symbol
from transpiler.values.fit import Run
from transpiler.values.types import Array, Scalar, Type, Unknown

MANY = 10**6   # items of an array that is made to see what NumPy gives; of more, one item stands for all
MOST = 10**8   # items of which NumPy may make a copy


class TooLarge(Exception):
    """There is no small array of so many axes."""


def dummies(value: Any, run: Run, ones: bool = False) -> Any:
    """`value` with small arrays and numbers in place of types."""
    match value:
        case tuple() | list():
            return type(value)(dummies(v, run, ones) for v in value)
        case dict():
            return {k: dummies(v, run, ones) for k, v in value.items()}
        case Array(dtype, dims):
            shape = [1 if ones else run.size(d) for d in dims]
            if math.prod(shape) > MOST:
                raise TooLarge(f'an array of {len(shape)} axes is too large to try what gives its type')
            return np.ones(shape, dtype) if math.prod(shape) <= MANY else np.broadcast_to(dtype.type(1), shape)
        case Scalar(dtype, weak, size):
            number = run.size(size) if size is not None and run.knows(size) else run.number(dtype)
            return dtype.type(number).item() if weak else dtype.type(number)
    return value


def types_in(value: Any) -> Iterator[Type]:
    match value:
        case tuple() | list():
            for item in value:
                yield from types_in(item)
        case dict():
            yield from types_in(tuple(value.values()))
        case Scalar() | Array() | Unknown():
            yield value


def sizes_in(operands: tuple) -> list[Dim | None]:
    """The sizes of arrays, as they come, and the lengths of sequences that stand beside arrays."""
    sizes = [dim for t in types_in(operands) if isinstance(t, Array) for dim in t.dims or ()]
    return sizes + [Dim.of(length) for operand in operands if isinstance(operand, (tuple, list)) for length in _beside(operand)]


def _beside(parts: tuple | list) -> Iterator[int]:
    """The lengths of sequences among the items of one that holds arrays, too.

    >>> list(_beside([Array(np.dtype(float), (Dim.of(2),)), [1.0, 2.0, 3.0]])), list(_beside([1.0, [2.0]]))
    ([3], [])
    """
    if any(isinstance(part, Array) for part in parts):
        yield from (len(part) for part in parts if isinstance(part, (tuple, list)))


def symbols_in(value: Any) -> list[Symbol]:
    """The symbols in the types of `value`, each once, as they come."""
    dims = [dim for t in types_in(value) for dim in (t.dims if isinstance(t, Array) else (getattr(t, 'size', None),))]
    return list(dict.fromkeys(symbol for dim in dims if dim is not None for symbol, _ in dim.terms))


def frozen(value: Any) -> Any:
    match value:
        case tuple() | list():
            return type(value).__name__, tuple(map(frozen, value))
        case dict():
            return tuple((k, frozen(v)) for k, v in value.items())
        case np.ndarray():
            return value.dtype, value.shape, value.tobytes()
        case slice():
            return 'slice', frozen((value.start, value.stop, value.step))
    return type(value).__name__, value
