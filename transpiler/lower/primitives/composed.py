"""Functions of elements that are made of others."""
from __future__ import annotations

import math

import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, dtype_name, retyped, weak
from transpiler.lower.primitives.elementwise import FLOATS, apply, select
from transpiler.values.types import Type


@lowers('numpy.round', 'numpy.around')
def rounded(context: Context, call: Call, type_: Type) -> Value:
    a, decimals, _ = call.bind('a', 'decimals', 'out')
    value, digits = context.value(a), context.literal(decimals, 'number of decimals') or 0
    value = context.number(value)
    if value.dtype.kind not in FLOATS:
        if digits < 0:
            raise context.unsupported(call.name, 'integers are rounded to decimals in Python only')
        return value if value.is_scalar else Value(build.call('numpy.copy', value.node), value.type)
    if digits == 0:
        return apply(context, np.rint, [value])
    # NumPy scales, rounds and scales back.
    scale = weak(power_of_ten(abs(digits)))
    there, back = (np.multiply, np.divide) if digits > 0 else (np.divide, np.multiply)
    return apply(context, back, [apply(context, np.rint, [apply(context, there, [value, scale])]), scale])


def power_of_ten(exponent: int) -> float:
    """The power as NumPy computes it: product after product, which is infinite where no float is large enough.

    >>> power_of_ten(22), power_of_ten(40), power_of_ten(400)
    (1e+22, 9.999999999999998e+39, inf)
    """
    return math.prod([10.0] * exponent)


@lowers('numpy.isneginf', 'numpy.isposinf')
def signed_infinity(context: Context, call: Call, type_: Type) -> Value:
    limit = -np.inf if call.name == 'numpy.isneginf' else np.inf
    return apply(context, np.equal, [context.value(call.args[0]), weak(limit)])


@lowers('numpy.fix')
def fix(context: Context, call: Call, type_: Type) -> Value:
    return apply(context, np.trunc, [context.value(call.args[0])])


@lowers('numpy.real', 'numpy.imag')
def part(context: Context, call: Call, type_: Type) -> Value:
    value = context.value(call.args[0])
    if value.dtype.kind == 'c':
        node = build.attribute(value.node, call.name.removeprefix('numpy.'))
        return Value(node, retyped(value.type, type_.dtype))
    if call.name == 'numpy.real':
        return value
    if not value.ndim:
        return context.cast(weak(0), value.dtype)
    shape = build.attribute(context.named(value, 'x').node, 'shape')  # 0.0 times the array is -0.0, or NaN, here and there
    return Value(build.call('numpy.zeros', shape, dtype_name(value.dtype)), array_type(value.dtype, value.ndim))


@lowers('numpy.nan_to_num')
def nan_to_num(context: Context, call: Call, type_: Type) -> Value:
    x, _, nan, positive, negative = call.bind('x', 'copy', 'nan', 'posinf', 'neginf')
    value = context.value(x)
    if value.dtype.kind != 'f':
        return value
    value = context.named(context.number(value))
    limits = np.finfo(value.dtype)
    result = value
    tests = (apply(context, np.isnan, [value]), apply(context, np.equal, [value, weak(np.inf)]),
             apply(context, np.equal, [value, weak(-np.inf)]))
    for test, replacement, default in zip(tests, (nan, positive, negative), (0.0, limits.max, limits.min), strict=True):
        given = context.literal(replacement)
        result = context.named(select(context, test, weak(float(default if given is None else given)), result, value.dtype))
    return result


@lowers('numpy.isclose')
def isclose(context: Context, call: Call, type_: Type) -> Value:
    """NumPy's definition: equal, or within `atol + rtol * |b|` of a finite `b`."""
    first, second, *limits, equal_nan = call.bind('a', 'b', 'rtol', 'atol', 'equal_nan')
    if context.literal(equal_nan):
        raise context.unsupported(call.name, '`equal_nan` is not compiled')
    rtol, atol = (d if limit is None else context.literal(limit) for limit, d in zip(limits, (1e-5, 1e-8), strict=True))
    a, b = (context.named(context.value(v)) for v in (first, second))
    bound = apply(context, np.add, [weak(atol), apply(context, np.multiply, [weak(rtol), apply(context, np.absolute, [b])])])
    near = apply(context, np.less_equal, [apply(context, np.absolute, [apply(context, np.subtract, [a, b])]), bound])
    near = apply(context, np.logical_and, [near, apply(context, np.isfinite, [b])])
    return apply(context, np.logical_or, [near, apply(context, np.equal, [a, b])])
