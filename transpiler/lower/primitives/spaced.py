"""Numbers at equal distances: `np.arange`, `np.linspace`."""
from __future__ import annotations

from dataclasses import replace

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.conversions import each_held
from transpiler.lower.context.integer_overflow import is_held
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called, weak
from transpiler.lower.primitives import elementwise
from transpiler.lower.primitives.creation import is_none
from transpiler.lower.primitives.shapes import WHOLE, indexed
from transpiler.values.types import INT, Type

NEGATIVE = 'Number of samples, {0}, must be non-negative.'


@lowers('numpy.arange')
def arange(context: Context, call: Call, type_: Type) -> Value:
    """NumPy divides how far the ends are apart by the step, and goes on by how far the first two numbers are from each other,
    each of them in the dtype of what it is made of. Numba's function does so for integers of 64 bits alone, and asks nothing.
    """
    given = [None if v is None or is_none(v) else context.number(context.value(v))
             for v in call.bind('start_or_stop', 'stop', 'step', 'dtype')[:3]]
    start, stop, step = given if given[1] is not None else (None, given[0], given[2])
    if type_.dtype == np.int64 and _is_plain(context, start, stop, step):
        bounds = [v for v in (start, stop, step) if v is not None]
        return Value(build.call('numpy.arange', *(context.cast(v, 'int64').node for v in bounds)), type_)
    bounds = (start or weak(0), stop, step or weak(1))
    start, stop, step = (v if v.constant is not None else context.named(v, 'bound') for v in bounds)
    count = context.named(_length(context, start, stop, step), 'count')
    ends = [start, elementwise.apply(context, np.add, [_of_machine(v) for v in (start, step)])]
    kinds = [v.dtype for v in ends]
    wide = kinds[0] if kinds[0] == kinds[1] == np.uint64 else np.dtype('int64' if all(_is_long(k) for k in kinds) else 'float64')
    two = called(wide, 1, context.target.arrays.first_two, *(context.cast(v, wide).node for v in ends), count.node)
    if wide != type_.dtype:
        two = each_held(context, two, type_.dtype, start.is_weak and step.is_weak)
    return called(type_.dtype, 1, context.target.arrays.equidistant, two.node, count.node)


def _is_plain(context: Context, start: Value | None, stop: Value, step: Value | None) -> bool:
    """Whether all are long integers, between which nothing is too long, and the step is known not to be 0."""
    if not all(v is None or v.dtype == np.int64 or v.is_weak and v.dtype.kind in 'ib' for v in (start, stop, step)):
        return False
    exact = start is None or not (start.is_weak and stop.is_weak) or is_held(context, gast.Sub, [stop, start])
    return exact and (step is None or bool(step.constant))


def _is_long(dtype: np.dtype) -> bool:
    return dtype.kind in 'iub' and dtype != np.uint64


def _of_machine(number: Value) -> Value:
    """Python's integers as NumPy's, whose sums wrap: where the second number of a range would be too long, there is none."""
    return Value(number.node, INT) if number.is_weak and number.dtype.kind in 'ib' else number


def _length(context: Context, start: Value, stop: Value, step: Value) -> Value:
    """How many numbers there are, or NumPy's exception where no array is as long, or nobody knows how long it is."""
    bounds = [start, stop, step]
    if all(v.is_weak and v.dtype.kind in 'ib' for v in bounds):
        return called('int64', 0, context.target.arrays.integer_count, *(context.cast(v, 'int64').node for v in bounds))
    distance = context.named(elementwise.apply(context, np.subtract, [stop, start]), 'distance')
    steps = elementwise.apply(context, np.true_divide, [distance, step])
    return called('int64', 0, context.target.arrays.distance_count, distance.node, steps.node)


@lowers('numpy.linspace')
def linspace(context: Context, call: Call, type_: Type) -> Value:
    """`start + arange(num) * step`, and exactly `stop` at the end, as NumPy does; computed in the dtype of both ends."""
    start, stop, num, endpoint, *_ = call.bind('start', 'stop', 'num', 'endpoint', 'retstep', 'dtype', 'axis', 'device')
    first, last = (context.value(v) for v in (start, stop))
    count = _number_of(context, num)
    closed = endpoint is None or bool(context.literal(endpoint))
    wide = np.result_type(0.0, *(v.dtype.type(0).item() if v.is_weak else v.dtype for v in (first, last)))
    if first.ndim or last.ndim:
        points = _between_arrays(context, first, last, count, closed, replace(type_, dtype=wide))
    else:
        ends = [context.cast(context.number(v), wide).node for v in (first, last)]
        points = Value(build.call(context.target.arrays.between, *ends, count.node, closed), array_type(wide, 1))
    if type_.dtype.kind in 'iu':
        points = elementwise.apply(context, np.floor, [points])
    return context.cast(points, type_.dtype)


def _number_of(context: Context, num: gast.expr | None) -> Value:
    """How many samples there are to be, behind NumPy's question whether they can be."""
    if num is None or (count := context.guards.index(context.value(num))).constant is not None:
        return Value(build.constant(50 if num is None else count.constant), INT)
    count = context.named(count, 'count')
    with context.builder.nested() as failure:
        said = (build.constant(part) for part in ('builtins:ValueError', NEGATIVE, '-'))
        context.guards.fail(build.call(context.target.checks.failure, *said, count.node))
    negative = build.compare(count.node, gast.Lt, 0)
    context.builder.append(build.branch(negative, failure, (), context.origin, context.builder.role))
    return count


def _between_arrays(context: Context, first: Value, last: Value, count: Value, closed: bool, type_: Type) -> Value:
    """`start + k * step` with `k` along a new first axis, and exactly `stop` at the end."""
    first, last = (context.named(context.cast(context.number(v), type_.dtype), 'end') for v in (first, last))
    parts = build.call('python.max', build.binary(count.node, gast.Sub, int(closed)), 1)
    step = elementwise.apply(context, np.true_divide, [elementwise.apply(context, np.subtract, [last, first]), Value(parts, INT)])
    k = context.named(context.cast(Value(build.call('numpy.arange', count.node), array_type('int64', 1)), type_.dtype), 'k')
    column = indexed(k, [WHOLE, *[build.constant(None)] * (type_.ndim - 1)], type_.ndim)
    moved = elementwise.apply(context, np.multiply, [column, context.named(step, 'step')])
    points = context.named(elementwise.apply(context, np.add, [moved, first]), 'points')
    if closed:
        end = build.assign(build.subscript(points.node, -1), last.node, context.origin, context.builder.role)
        several = build.compare(context.shape(points)[0], gast.Gt, 1)
        context.builder.append(build.branch(several, [end], (), context.origin, context.builder.role))
    return points
