"""Numbers that become integers, where Python and NumPy raise for those that none is: `int(x)`, `a[0] = x`, `np.int8(x)`."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.integer_overflow import unless_held
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, called, dtype_name
from transpiler.values.intervals import TOO_LONG, holds, is_asked, is_inside, of_dtype
from transpiler.values.types import INT, Scalar, Type

LONG = np.dtype(np.int64)


def whole(context: Context, value: Value) -> Value:
    """`int` of a float, or of an unsigned integer of 64 bits: Python raises where it is none; its integers have no end."""
    if value.dtype == np.uint64:    # Numba compares it with integers as floats
        value = context.named(context.cast(value, LONG), 'number')
        unless_held(context, build.compare(value.node, gast.Lt, 0))
        return value
    return _of_float(context, value, LONG, build.call('python.OverflowError', build.constant(TOO_LONG)))


def held(context: Context, value: Value, dtype: np.dtype, alone: bool) -> Value:
    """A number as an array of that dtype holds it, behind a test of whether it does: `cast` does not ask.

    alone: whether it is put into a place of its own

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT
    >>> x, asked = Value(build.name('x'), Scalar(np.dtype(float))), []
    >>> for dtype, alone in (('int8', True), ('int8', False), ('uint8', True), ('float32', True)):
    ...     context = Context(parse('return x', types={'x': x.type}), {})
    ...     made = held(context, x, np.dtype(dtype), alone)
    ...     asked.append(len(context.builder.block))
    >>> asked
    [1, 0, 0, 0]
    """
    if not value.is_scalar or not is_asked(value.dtype, value.is_weak, dtype, alone):
        return context.cast(value, dtype)
    if value.dtype.kind == 'c':
        value = context.real(value, 'int')
    if value.dtype.kind == 'f':
        return _of_float(context, value, dtype)
    if not is_inside(context.guards.integers(value), of_dtype(dtype)) and not (value.is_weak and value.dtype.kind == 'i'):
        value = context.named(value, 'number')
        if value.dtype == np.uint64:    # NumPy makes a C integer of it first
            context.guards.refuse_too_long(value)
        if value.dtype != np.uint64 or dtype != LONG:
            context.guards.refuse_outside(value, dtype)
    return context.cast(value, dtype)   # which asks of Python's integers wherever they meet a dtype


@lowers('kernels.as_items')
def items(context: Context, call: Call, type_: Type) -> Value:
    return each_held(context, context.value(call.args[0]), type_.dtype)


def each_held(context: Context, values: Value, dtype: np.dtype, weak: bool = True) -> Value:
    """An array of numbers, of Python's if they are `weak`, each of which an array of that dtype is to hold."""
    values = context.named(values, 'values')
    made = context.named(called(dtype, values.ndim, 'numpy.empty', tuple(context.shape(values)), dtype_name(dtype)))
    counters = [context.builder.fresh('k', INT).name for _ in range(values.ndim)]
    place = tuple(map(build.name, counters)) if len(counters) > 1 else build.name(counters[0])
    with context.builder.nested() as body:
        item = Value(build.subscript(values.node, place), Scalar(values.dtype, weak))
        context.builder.assign(build.subscript(made.node, place), held(context, item, dtype, alone=True).node)
    for counter, size in reversed([*zip(counters, context.shape(values), strict=True)]):
        body = [build.counted(counter, 0, size, 1, body, context.origin, context.builder.role)]
    context.builder.append(body[0])
    return made


def _of_float(context: Context, value: Value, dtype: np.dtype, error: gast.expr | None = None) -> Value:
    """The integer that is left of a float without its fraction, behind a test of whether the dtype has it."""
    low, high = of_dtype(dtype)
    if value.constant is not None and holds(dtype, value.constant):
        return context.cast(Value(build.constant(int(value.constant)), INT), dtype)
    value = context.named(value, 'x')
    least = build.compare(value.node, gast.Gt, low - 1.0) if low - 1.0 != low else build.compare(value.node, gast.GtE, float(low))
    inside = gast.BoolOp(op=gast.And(), values=[least, build.compare(value.node, gast.Lt, high + 1.0)])
    outside = build.unary(gast.Not, inside)
    if not context.guards.gives_up(outside):
        with context.builder.nested() as failures:
            is_none, infinite = build.compare(value.node, gast.NotEq, value.node), build.call('numpy.isinf', value.node)
            context.guards.require(is_none, 'ValueError', 'cannot convert float NaN to integer')
            context.guards.require(infinite, 'OverflowError', 'cannot convert float infinity to integer')
            without_fraction = build.call('numpy.trunc', value.node)
            context.guards.fail(error or context.guards.out_of_bounds(dtype, without_fraction, ':.0f'))
        context.builder.append(build.branch(outside, failures, (), context.origin, context.builder.role))
    return Value(build.call(dtype_name(dtype).id, value.node), Scalar(dtype))
