"""Python's integers have no end, those of compiled code have 64 bits: where they may not do, they are checked."""
from __future__ import annotations

import math

import gast
import numpy as np

from transpiler.analyses.outgrowing import outgrowing
from transpiler.core import build
from transpiler.core.query import names
from transpiler.lower.context import Context, Value, holds
from transpiler.values.types import FLOAT, Scalar

LONGEST = 9.223372036854775e18   # the largest number with a point that is surely below 2**63
CHECKED = {np.add: 'sum', np.subtract: 'difference', np.multiply: 'product'}    # names in `kernels/integers.py` begin so
STEEP = np.power, np.left_shift    # which take no loop to get there
MESSAGE = 'an integer gets too long for the 64 bits of compiled code: make it a float'


def check_length(context: Context, ufunc: np.ufunc, operands: list[Value]) -> list[Value]:
    """The operands, named, behind a test of whether compiled code can hold the result."""
    if len(operands) != 2 or not all(v.dtype.kind == 'i' for v in operands):
        return operands
    operands = [context.cast(v, 'int64') for v in operands]
    long = outgrowing(context.core)
    grows = context.target in long or any(long.intersection(names(v.node)) for v in operands)
    if not (grows and ufunc in CHECKED or ufunc in STEEP and (grows or not _is_modest(*operands))):
        return operands
    left, right = operands = [context.named(v, 'factor') for v in operands]
    context.require(_is_too_long(ufunc, left.node, right.node), 'OverflowError', MESSAGE)
    return operands


def _is_too_long(ufunc: np.ufunc, left: gast.expr, right: gast.expr) -> gast.expr:
    if ufunc in CHECKED:
        return build.call(f'kernels.integers.{CHECKED[ufunc]}_is_too_long', left, right)
    left, right = build.call('python.float', left), build.call('python.float', right)
    if ufunc is np.power:
        size = build.binary(left, gast.Pow, right)
    else:
        size = build.binary(left, gast.Mult, build.binary(build.constant(2.0), gast.Pow, right))
    return build.compare(build.call('python.abs', size), gast.GtE, LONGEST)


def _is_modest(left: Value, right: Value) -> bool:
    """Whether a power, or a shift, is of constants, or no more than a product of counters."""
    return right.constant is not None and (left.constant is not None or right.constant <= 2)


def whole(context: Context, value: Value) -> Value:
    """`int` of a float: Python raises where it is none, and where it is infinite, and its integers have no end."""
    value = context.named(value, 'x')
    size = build.call('python.abs', value.node)
    if not context.gives_up(build.unary(gast.Not, build.compare(size, gast.Lt, LONGEST))):
        context.require(build.compare(value.node, gast.NotEq, value.node), 'ValueError', 'cannot convert float NaN to integer')
        context.require(build.compare(size, gast.GtE, LONGEST), 'OverflowError', MESSAGE)
    return context.cast(value, 'int64')


def comparable(context: Context, operands: list[Value]) -> list[Value]:
    """The two sides of a comparison: NumPy compares with Python's integers also where the dtype of the array does not hold them.

    All items are on one side of one that is known, as they are of an infinity.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT, Array
    >>> image, number = Value(build.name('x'), Array(np.dtype('uint8'), (None,))), Value(build.constant(300), INT)
    >>> [str(side.dtype) for side in comparable(Context(parse('return x'), {}), [image, number])]
    ['float64', 'float64']
    """
    weak = [v.is_weak and v.dtype.kind == 'i' for v in operands]
    if weak.count(True) != 1 or not all(v.dtype.kind in 'iu' for v in operands):
        return operands
    number, other = operands if weak[0] else reversed(operands)
    if holds(other.dtype, number.constant):
        return operands
    if number.constant is not None:
        end = Value(build.constant(math.copysign(math.inf, number.constant)), FLOAT)
        return [end if v is number else context.cast(v, 'float64') for v in operands]
    if other.dtype == np.uint64:
        return [context.cast(v, 'uint64') for v in operands]
    return [Value(v.node, Scalar(np.dtype(np.int64))) if v.is_weak else context.cast(v, 'int64') for v in operands]
