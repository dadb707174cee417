"""Reductions over all axes, one or some, as calls of kernels that reduce the middle one of three axes."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called, dtype_name
from transpiler.lower.fusion.reductions import PLUS
from transpiler.lower.primitives import composed, elementwise
from transpiler.lower.primitives.shapes import WHOLE, flat, indexed, product, reshaped, runs
from transpiler.values.types import BOOL, FLOAT, INT, Scalar, Type


def reduce(context: Context, kernel: str, value: Value, axes: tuple[int, ...], keepdims: bool, dtype) -> Value:
    """`kernel` over runs of neighbouring axes, the last run first; the kernel gives what lies before and after as two axes."""
    for first, last in reversed(runs(axes)):
        value = context.named(value, 'x')
        shape = context.shape(value)
        reduced = build.call(kernel, value.node, first, last)
        kept = shape[:first] + ([build.constant(1)] * (last - first + 1) if keepdims else []) + shape[last + 1:]
        if first == 0 and len(kept) == 1 and not keepdims:
            value = Value(build.subscript(reduced, 0), array_type(dtype, 1))
        elif kept:
            value = reshaped(Value(reduced, array_type(dtype, 2)), kept)
        else:
            value = Value(build.subscript(reduced, (0, 0)), Scalar(np.dtype(dtype)))
    return value


def chosen_axes(context: Context, axis: gast.expr | None, ndim: int) -> tuple[int, ...]:
    """The axes meant by `axis`, sorted, none negative."""
    axis = context.literal(axis, 'axis')
    axes = range(ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    return tuple(sorted(k % ndim for k in axes))


@lowers('math.fsum')
def fsum(context: Context, call: Call, type_: Type) -> Value:
    items, = call.bind('seq')
    return Value(build.call(context.target.reductions.exact, context.cast(context.value(items), 'float64').node), FLOAT)


@lowers('numpy.sum', 'numpy.prod', 'numpy.mean')
def arithmetic(context: Context, call: Call, type_: Type) -> Value:
    a, axis, _, _, keepdims = call.bind('a', 'axis', 'dtype', 'out', 'keepdims')
    value = context.cast(context.value(a), type_.dtype)
    if value.ndim == 0:
        return context.number(value)
    value = context.named(value, 'x')
    axes = chosen_axes(context, axis, value.ndim)
    keep = bool(context.literal(keepdims))
    if not axes:
        return value
    if call.name == 'numpy.prod':
        return reduce(context, context.target.reductions.along.format('prod'), value, axes, keep, value.dtype)
    total = sum_over(context, value, axes, keep)
    return total if call.name == 'numpy.sum' else divided(context, total, count(context, value, axes))


@lowers(PLUS)
def plus(context: Context, call: Call, type_: Type) -> Value:
    """A step of a sum that may be taken in any order."""
    total, item = (context.cast(context.value(a), type_.dtype) for a in call.args)
    return Value(build.call(context.target.loops.plus, total.node, item.node), type_)


def sum_over(context: Context, value: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    helpers = context.target.reductions
    if len(axes) == value.ndim and not keepdims:
        return Value(build.call(helpers.total, value.node), Scalar(value.dtype))
    if value.ndim == 2 and len(axes) == 1:
        value = context.named(value, 'x')
        total = called(value.dtype, 1, helpers.columns if axes[0] else helpers.rows, value.node)
        new = build.constant(None)
        return indexed(total, [WHOLE, new] if axes[0] else [new, WHOLE], 2) if keepdims else total
    return reduce(context, helpers.along.format('sum'), value, axes, keepdims, value.dtype)


def count(context: Context, value: Value, axes: tuple[int, ...]) -> gast.expr:
    """How many items are reduced to one."""
    if len(axes) == value.ndim:
        return build.attribute(value.node, 'size')
    return product([context.shape(value)[axis] for axis in axes])


def divided(context: Context, total: Value, number: gast.expr) -> Value:
    """Totals that nobody else holds, over how many items they are of."""
    if total.ndim:
        return called(total.dtype, total.ndim, context.target.reductions.mean, total.node, number)
    return elementwise.apply(context, np.true_divide, [total, context.cast(Value(number, INT), total.dtype)])


@lowers('kernels.mean_of')
def mean_of_totals(context: Context, call: Call, type_: Type) -> Value:
    total, number = call.args
    return divided(context, context.value(total), context.number_of(number))


@lowers('numpy.max', 'numpy.min', 'numpy.amax', 'numpy.amin', 'numpy.argmax', 'numpy.argmin', 'numpy.count_nonzero')
def search(context: Context, call: Call, type_: Type) -> Value:
    parameters = ('a', 'axis', 'keepdims') if call.name == 'numpy.count_nonzero' else ('a', 'axis', 'out', 'keepdims')
    a, axis, *_, keepdims = call.bind(*parameters)
    value = context.named(context.value(a), 'x')
    kind = call.name.removeprefix('numpy.').removeprefix('a' if 'arg' not in call.name else '').removesuffix('_nonzero')
    kernel = context.target.reductions.searched.format(kind)
    if 'arg' in kind and context.literal(axis) is None and value.ndim > 1:
        found = reduce(context, kernel, flat(context, value), (0,), False, 'int64')
        return found if not context.literal(keepdims) else filled_like(found, value.ndim)
    if value.ndim == 0:
        return _of_a_number(context, kind, value)
    axes = chosen_axes(context, axis, value.ndim)
    if kind == 'count':
        return nonzero(context, value, axes, bool(context.literal(keepdims)))
    dtype = 'int64' if 'arg' in kind else value.dtype
    return reduce(context, kernel, value, axes, bool(context.literal(keepdims)), dtype)


def _of_a_number(context: Context, kind: str, number: Value) -> Value:
    if 'arg' in kind:
        return context.cast(Value(build.constant(0), INT), 'int64')
    if kind == 'count':
        return context.cast(elementwise.apply(context, np.not_equal, [number, Value(build.constant(0), INT)]), 'int64')
    return context.number(number)


def nonzero(context: Context, value: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """How many items along axes are not zero."""
    if len(runs(axes)) == 1:
        return reduce(context, context.target.reductions.searched.format('count'), value, axes, keepdims, 'int64')
    flags = elementwise.apply(context, np.not_equal, [value, Value(build.constant(0), INT)])
    return sum_over(context, context.named(context.cast(flags, 'int64'), 'x'), axes, keepdims)


def filled_like(number: Value, ndim: int) -> Value:
    shape = build.expression((1,) * ndim)
    return Value(build.call('numpy.full', shape, number.node, dtype_name(number.dtype)), array_type(number.dtype, ndim))


@lowers('numpy.any', 'numpy.all')
def decide(context: Context, call: Call, type_: Type) -> Value:
    """Any: some item is not zero. All: so many are not zero as there are."""
    a, axis, _, keepdims = call.bind('a', 'axis', 'out', 'keepdims')
    value, wanted = context.value(a), Value(build.constant(0), INT)
    if not value.ndim:
        return elementwise.apply(context, np.not_equal, [value, wanted])
    value, axes = context.named(value, 'x'), chosen_axes(context, axis, value.ndim)
    found = nonzero(context, value, axes, bool(context.literal(keepdims)))
    if call.name == 'numpy.all':
        wanted = Value(count(context, value, axes), INT)
    return elementwise.apply(context, np.not_equal if call.name == 'numpy.any' else np.equal, [found, wanted])


@lowers('numpy.allclose', 'numpy.array_equal')
def agree(context: Context, call: Call, type_: Type) -> Value:
    if call.name == 'numpy.allclose':
        near = composed.isclose(context, Call(build.call('numpy.isclose', *call.args, **call.keywords)), type_)
        return decide(context, Call(build.call('numpy.all', context.named(near, 'near').node)), type_)
    first, second = (context.named(context.value(v), 'x') for v in call.bind('a1', 'a2', 'equal_nan')[:2])
    if first.ndim != second.ndim:
        return Value(build.constant(False), BOOL)
    if not first.ndim:
        return elementwise.apply(context, np.equal, [first, second])
    return Value(build.call(context.target.reductions.equal, first.node, second.node), BOOL)


@lowers('numpy.cumsum', 'numpy.cumprod')
def scan(context: Context, call: Call, type_: Type) -> Value:
    a, axis, _, _ = call.bind('a', 'axis', 'dtype', 'out')
    value = context.named(context.cast(context.value(a), type_.dtype), 'x')
    if value.ndim == 0:
        return Value(build.call('numpy.full', 1, context.number(value).node), array_type(type_.dtype, 1))
    axis = context.literal(axis, 'axis')
    if axis is None and value.ndim > 1:
        value = flat(context, value)
        value = context.named(value, 'flat')
    return running(context, value, axis or 0, call.name.removeprefix('numpy.'))


@lowers('numpy.maximum.accumulate', 'numpy.minimum.accumulate')
def extreme_so_far(context: Context, call: Call, type_: Type) -> Value:
    array, axis, _, _ = call.bind('array', 'axis', 'dtype', 'out')
    value = context.named(context.value(array), 'x')
    return running(context, value, context.literal(axis, 'axis') or 0, call.name.split('.')[1])


def running(context: Context, value: Value, axis: int, kind: str) -> Value:
    node = build.call(context.target.reductions.running.format(kind), value.node, axis % value.ndim)
    return reshaped(Value(node, array_type(value.dtype, 3)), context.shape(value))


@lowers('kernels.recurrence')
def recurrence(context: Context, call: Call, type_: Type) -> Value:
    terms, factors = (context.cast(context.value(a), type_.dtype) for a in call.args)
    return Value(build.call(context.target.reductions.recurrence, terms.node, factors.node), array_type(type_.dtype, terms.ndim))


@lowers('kernels.unbroadcast')
def unbroadcast(context: Context, call: Call, type_: Type) -> Value:
    """Sum the axes that the operand lacks, and those where it has size 1, which only the run can tell."""
    ct, x = (context.value(a) for a in call.args)
    if ct.ndim == 0:
        return context.number(ct)
    ct, x = context.named(ct, 'ct'), context.named(x, 'like')
    extra = ct.ndim - x.ndim
    if extra:
        ct = sum_over(context, ct, tuple(range(extra)), False)
    if not x.ndim:
        return ct
    return with_ones(context, ct, x)


@lowers('kernels.fitted')
def fitted(context: Context, call: Call, type_: Type) -> Value:
    """`values` in the shape of an array of the same rank: summed where that has size 1, repeated where `values` has."""
    values, like = (context.named(context.value(a), 'x') for a in call.bind('values', 'like'))
    if not values.ndim:
        return context.number(values)
    summed = with_ones(context, values, like)
    return called(values.dtype, values.ndim, 'numpy.broadcast_to', summed.node, build.attribute(like.node, 'shape'))


def with_ones(context: Context, value: Value, like: Value) -> Value:
    """`value` summed over the axes where `like`, of the same rank, has size 1; the run decides which."""
    summed = build.call(context.target.reductions.to_shape, value.node, build.attribute(like.node, 'shape'))
    return Value(summed, array_type(value.dtype, value.ndim))
