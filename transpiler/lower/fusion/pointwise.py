"""Expressions that are computed place by place, with numbers as NumPy does it with arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.mathematics import OPERATORS, ufunc_of
from transpiler.lower.target.target import Target
from transpiler.values.types import Type

Types = Mapping[str, Type]
Rebuilt = Callable[[Sequence[gast.expr]], gast.expr]

# with integers others raise, or wrap around, otherwise in loops of numbers than in loops of NumPy's
_SAFE_FOR_INTEGERS = (np.add, np.subtract, np.multiply, np.negative, np.positive, np.absolute)
# the others are loops of scalar code that nothing vectorises, or differ at infinity
_OF_COMPLEX = (np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.positive, np.absolute, np.conjugate)
_OF_FLAGS = (np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.logical_and, np.logical_or, np.logical_xor, np.logical_not)
_LEFT_OUT = (np.matmul, np.floor_divide, np.remainder, np.fmod, np.invert, np.left_shift, np.right_shift)


def is_elementwise(value: gast.expr) -> bool:
    """Whether it goes through its operands place by place, whatever their sizes; a product of matrices does not."""
    found = parts(value)
    return found is not None and (found[2] is None or found[2].signature is None)


def takes_long(statement: gast.stmt, types: Types, target: Target = CPU) -> bool:
    """Whether it gives a name what a function gives with which loops are vectorised.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> row = Array(np.dtype(float), (None,))
    >>> core = parse('y = np.exp(x); y = x ** x; y = x ** 2; y = x * x; return y', types={'x': row, 'y': row})
    >>> [takes_long(statement, core.types) for statement in core.body]
    [True, True, False, False, False]
    """
    match statement:
        case gast.Assign(value=gast.BinOp(op=gast.Pow(), right=gast.Constant(value=int() | float() as power))) \
                if float(power).is_integer():
            return False
        case gast.Assign(targets=[gast.Name(id=name)], value=value):
            found, dtype = parts(value), getattr(types.get(name), 'dtype', np.dtype(bool))
            is_function = found is not None and found[2] is not None and dtype.kind == 'f'
            return is_function and target.mathematics.in_vectors(found[2], dtype) is not None
    return False


def is_one_by_one(statement: gast.stmt, target: Target) -> bool:
    """Whether it calls a function that no loop is vectorised with."""
    found = parts(statement.value) if isinstance(statement, gast.Assign) else None
    return found is not None and found[2] is not None and target.mathematics.one_by_one(found[2])


def parts(value: gast.expr) -> tuple[list[gast.expr], Rebuilt, np.ufunc | None] | None:
    """The operands of an operation, how it is written with others, and its ufunc."""
    match value:
        case gast.BinOp(left=left, op=operator, right=right):
            return [left, right], lambda atoms: build.like(value, left=atoms[0], right=atoms[1]), OPERATORS[type(operator)]
        case gast.UnaryOp(op=operator, operand=operand) if not isinstance(operator, gast.Not):
            return [operand], lambda atoms: build.like(value, operand=atoms[0]), OPERATORS[type(operator)]
        case gast.Compare(left=left, ops=[operator], comparators=[right]):
            rebuilt: Rebuilt = lambda atoms: build.like(value, left=atoms[0], comparators=[atoms[1]])
            return [left, right], rebuilt, OPERATORS[type(operator)]
        case gast.Call(func=gast.Name(id='numpy.where'), args=[_, _, _], keywords=[]):
            return value.args, lambda atoms: build.like(value, args=list(atoms)), None
        case gast.Call(func=gast.Name(id='numpy.astype'), args=[operand, kind], keywords=[]):
            return [operand], lambda atoms: build.like(value, args=[atoms[0], kind]), None
        case gast.Call(func=gast.Name(id='numpy.copy'), args=[operand]):
            return [operand], as_it_is, None
        case gast.Call(func=gast.Name(id=name), args=operands, keywords=[]) if ufunc := ufunc_of(name):
            return operands, lambda atoms: build.like(value, args=list(atoms)), ufunc
    return None


def is_plain(ufunc: np.ufunc, dtype: np.dtype, operands: Sequence[gast.expr], types: Types) -> bool:
    """Whether Numba computes it with numbers as NumPy does with arrays."""
    kinds = {dtype_kind(operand, types) for operand in operands}
    if ufunc in _LEFT_OUT or ufunc.nout != 1:
        return False
    if 'c' in kinds:
        return ufunc in _OF_COMPLEX
    if dtype.kind == 'i':
        return ufunc in _SAFE_FOR_INTEGERS and kinds == {'i'}
    if dtype.kind == 'b':
        return 'f' in kinds or kinds == {'i'} or ufunc in _OF_FLAGS and kinds == {'b'}
    return ufunc is not np.power or 'f' in kinds


def dtype_kind(operand: gast.expr, types: Types) -> str:
    if isinstance(operand, gast.Constant):
        return np.asarray(operand.value).dtype.kind
    return getattr(types.get(getattr(operand, 'id', '')), 'dtype', np.dtype(object)).kind


def as_it_is(atoms: Sequence[gast.expr]) -> gast.expr:
    return atoms[0]
