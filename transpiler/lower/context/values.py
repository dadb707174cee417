"""Lowered expressions: each with the type that Numba gives it."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.values.numbers import number_type
from transpiler.values.types import Array, Scalar, Type


@dataclass(frozen=True)
class Value:
    """An expression and the type that Numba gives it; a weak type there means Python's int, float, bool or complex."""

    node: gast.expr
    type: Type

    @property
    def dtype(self) -> np.dtype:
        return self.type.dtype

    @property
    def ndim(self) -> int:
        return self.type.ndim

    @property
    def is_scalar(self) -> bool:
        return isinstance(self.type, Scalar)

    @property
    def is_weak(self) -> bool:
        return self.is_scalar and self.type.weak

    @property
    def constant(self) -> Any:
        """The number that this is, or None."""
        return self.node.value if isinstance(self.node, gast.Constant) else None


def weak(number: float) -> Value:
    """A Python number."""
    return Value(build.constant(number), number_type(number))


def called(dtype: Any, ndim: int, function: str, *args: Any) -> Value:
    """A call that gives an array, or a number if `ndim` is 0.

    >>> called('float32', 1, 'numpy.ravel', 'x').type.ndim
    1
    """
    return Value(build.call(function, *args), array_type(dtype, ndim) if ndim else Scalar(np.dtype(dtype)))


def retyped(type_: Type, dtype: Any) -> Scalar | Array:
    """A number of NumPy's, or an array, of another dtype."""
    return Scalar(np.dtype(dtype)) if isinstance(type_, Scalar) else replace(type_, dtype=np.dtype(dtype))


def array_type(dtype: Any, ndim: int) -> Array:
    return Array(np.dtype(dtype), (None,) * ndim)


def holds(dtype: np.dtype, constant: Any) -> bool:
    """Whether an integer type surely holds a Python integer; None is one that only run time tells.

    >>> holds(np.dtype('uint8'), 200), holds(np.dtype('uint8'), -1), holds(np.dtype('int8'), None), holds(np.dtype('int64'), None)
    (True, False, False, True)
    >>> holds(np.dtype('int64'), 2 ** 63)
    False
    """
    ends = np.iinfo(dtype)
    return dtype == np.int64 if constant is None else ends.min <= constant <= ends.max


def dtype_name(dtype: Any) -> gast.Name:
    """The name that stands for a dtype in compiled code.

    >>> dtype_name('float32').id, dtype_name(bool).id
    ('numpy.float32', 'numpy.bool_')
    """
    name = np.dtype(dtype).name
    return build.name('numpy.bool_' if name == 'bool' else f'numpy.{name}')
