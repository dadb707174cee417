"""Primitives that pick items or put them back, and sorting."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context import Context, Value, array_type, dtype_name
from transpiler.lower.indexing import add_at, load
from transpiler.lower.registry import Call, lowers
from transpiler.lower.shapes import WHOLE, reshaped
from transpiler.values.types import Type


@lowers('numpy.take')
def take(context: Context, call: Call, type_: Type) -> Value:
    a, indices, axis, *_ = call.bind('a', 'indices', 'axis', 'out', 'mode')
    base = context.named(context.value(a), 'x')
    axis = context.literal(axis, 'axis')
    if axis is None and base.ndim > 1:
        base = context.named(Value(build.call('numpy.ravel', base.node), array_type(base.dtype, 1)), 'flat')
    return load(context, base, along((axis or 0) % base.ndim, indices))


def along(axis: int, indices: gast.expr) -> gast.expr:
    return build.expression((*[WHOLE] * axis, indices))


@lowers('kernels.put_back')
def put_back(context: Context, call: Call, type_: Type) -> Value:
    """Zeros to which the values are added, in a loop: indices that repeat add up."""
    values, like, indices, axis = call.bind('values', 'like', 'indices', 'axis')
    value, model, axis = context.value(values), context.named(context.value(like), 'like'), context.literal(axis, 'axis')
    shape = tuple(context.shape(model)) if axis is not None or model.ndim == 1 else (build.attribute(model.node, 'size'),)
    type_ = array_type(value.dtype, len(shape))
    total = context.named(Value(build.call('numpy.zeros', shape, dtype_name(value.dtype)), type_), 'total')
    add_at(context, total, along((axis or 0) % len(shape), indices), value)
    return total if len(shape) == model.ndim else reshaped(total, context.shape(model))


@lowers('numpy.take_along_axis', 'kernels.put_back_along_axis')
def along_axis(context: Context, call: Call, type_: Type) -> Value:
    names = ('arr',) if call.name == 'numpy.take_along_axis' else ('values', 'like')
    *sources, indices, axis = call.bind(*names, 'indices', 'axis')
    values = [context.named(context.value(v), 'x') for v in sources]
    places, axis = context.named(context.value(indices), 'indices'), context.literal(axis, 'axis')
    if axis is None:
        flat = [Value(build.call('numpy.ravel', v.node), array_type(v.dtype, 1)) for v in values]
        if len(flat) == 1:
            return load(context, flat[0], places.node)
        return put_back(context, Call(build.call('kernels.put_back', flat[0].node, values[1].node, places.node)), type_)
    axis %= places.ndim
    if len(values) == 1:
        node = build.call('kernels.shapes.take_along', values[0].node, places.node, axis)
        return reshaped(Value(node, array_type(values[0].dtype, 3)), context.shape(places))
    node = build.call('kernels.shapes.put_along', values[0].node, places.node, axis, context.shape(values[1])[axis])
    return reshaped(Value(node, array_type(values[0].dtype, 3)), context.shape(values[1]))


@lowers('numpy.sort', 'numpy.argsort')
def sort(context: Context, call: Call, type_: Type) -> Value:
    a, axis, *_ = call.bind('a', 'axis', 'kind', 'order', 'stable')
    value = context.named(context.value(a), 'x')
    axis = -1 if axis is None else context.literal(axis, 'axis')
    if axis is None:
        value = context.named(Value(build.call('numpy.ravel', value.node), array_type(value.dtype, 1)), 'flat')
    node = build.call(f'kernels.shapes.{call.name.removeprefix("numpy.")}_axis', value.node, (axis or 0) % value.ndim)
    return reshaped(Value(node, array_type(type_.dtype, 3)), context.shape(value))


@lowers('numpy.searchsorted')
def searchsorted(context: Context, call: Call, type_: Type) -> Value:
    a, v, side, _ = call.bind('a', 'v', 'side', 'sorter')
    values = [context.value(part) for part in (a, v)]
    wide = np.result_type(*(p.dtype for p in values))
    nodes = [context.cast(p, wide).node for p in values]
    return Value(build.call('numpy.searchsorted', *nodes, build.constant(context.literal(side) or 'left')), type_)


@lowers('numpy.flatnonzero')
def flatnonzero(context: Context, call: Call, type_: Type) -> Value:
    value = context.value(call.args[0])
    return Value(build.subscript(build.call('numpy.nonzero', build.call('numpy.ravel', value.node)), 0), array_type('int64', 1))
