"""Abstract values of core variables: what is known of a number or an array before the program runs."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from transpiler.values.dims import Dim
from transpiler.values.kinds import Kinds


@dataclass(frozen=True)
class Scalar:
    """A number. `weak`: a Python number, which takes the dtype of what it meets (NEP 50).

    `size` is its value where that is an affine expression of array sizes (`n = x.shape[0]`; `n - 1`).
    `kinds` are those that it may be of, where paths meet and it matters (`kinds/mixtures.py`); the dtype holds all of them.
    """

    dtype: np.dtype
    weak: bool = False
    size: Dim | None = None
    kinds: Kinds | None = None

    @property
    def ndim(self) -> int:
        return 0

    def __str__(self) -> str:
        return {'f': 'float', 'i': 'int', 'b': 'bool', 'c': 'complex'}[self.dtype.kind] if self.weak else str(self.dtype)


@dataclass(frozen=True)
class Array:
    """An array; `dims` holds a `Dim` per axis, or None for an axis of unknown size; `dims` is None if the rank is unknown."""

    dtype: np.dtype
    dims: tuple[Dim | None, ...] | None

    @property
    def ndim(self) -> int | None:
        return None if self.dims is None else len(self.dims)

    def __str__(self) -> str:
        if self.dims is None:
            return f'{self.dtype}[...]'
        return f'{self.dtype}[{", ".join("?" if d is None else str(d) for d in self.dims)}]'


class Results(tuple):
    """The types of the results of a primitive that gives several; none shares memory with another."""


@dataclass(frozen=True)
class Unknown:
    """A number or an array of unknown dtype and rank: code generated without annotations or arguments."""

    ndim = None

    def __str__(self) -> str:
        return '?'


@dataclass(frozen=True)
class Tape:
    """A list that grows by push and shrinks by pop; `element` is the type of its items, None before the first push.

    `lasting`: a list of the program; others hold saved values, and are empty again at the end. The items come from many
    iterations of loops.
    """

    element: 'Type | None' = None
    lasting: bool = False

    def __post_init__(self):
        object.__setattr__(self, 'element', in_any_iteration(self.element))

    def __str__(self) -> str:
        return f'tape[{self.element}]'


Type = Scalar | Array | Unknown | Tape

FLOAT = Scalar(np.dtype(np.float64), weak=True)
INT = Scalar(np.dtype(np.int64), weak=True)
BOOL = Scalar(np.dtype(np.bool_), weak=True)
COMPLEX = Scalar(np.dtype(np.complex128), weak=True)
PYTHONS = {'b': bool, 'i': int, 'u': int, 'f': float, 'c': complex}  # Python's numbers for each kind of dtype


def found_in(types: 'Iterable[Type]') -> set[str]:
    """The keys of the sizes in these types that are no sizes of arguments."""
    sizes = [getattr(type_, 'dims', None) or (getattr(type_, 'size', None),) for type_ in types]
    return {symbol.key for dims in sizes for dim in dims if dim is not None for symbol, _ in dim.terms if symbol.key}


def in_any_iteration(type_: 'Type | None') -> 'Type | None':
    """What is known of a value beyond the iteration of a loop in which it was made."""
    match type_:
        case Scalar(size=Dim()):
            return replace(type_, size=None)
        case Array(dtype, dims) if dims is not None:
            return Array(dtype, tuple(None if dim is None or dim.is_local else dim for dim in dims))
    return type_


def is_real(type_: object) -> bool:
    """Whether values are numbers, or arrays of numbers, that are not complex.

    >>> is_real(BOOL), is_real(COMPLEX), is_real(Unknown())
    (True, False, False)
    """
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind != 'c'


def kind_of(type_: 'Type | None') -> tuple:
    """What compiled code takes to be one kind of value, which one variable may hold: the sort, dtype and rank, of items too.

    >>> kind_of(Array(np.dtype(float), (None,))) == kind_of(Array(np.dtype(float), (Dim.of(3),)))
    True
    >>> kind_of(Tape(FLOAT)) == kind_of(Tape(INT))
    False
    """
    item = kind_of(type_.element) if isinstance(type_, Tape) else None
    return type(type_), getattr(type_, 'dtype', None), getattr(type_, 'ndim', None), item


def is_differentiable(type_: Type) -> bool:
    """Floats and complex numbers have derivatives, so have tapes of them; an unknown type is taken to."""
    if isinstance(type_, Tape):
        return type_.element is None or is_differentiable(type_.element)
    return not isinstance(type_, (Scalar, Array)) or type_.dtype.kind in 'fc'
