"""Primitives that pick items, and sorting."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called
from transpiler.lower.primitives.indexing import load
from transpiler.lower.primitives.shapes import WHOLE, flat, reshaped
from transpiler.values.types import Type


@lowers('numpy.take')
def take(context: Context, call: Call, type_: Type) -> Value:
    a, indices, axis, *_ = call.bind('a', 'indices', 'axis', 'out', 'mode')
    base = context.named(context.value(a), 'x')
    axis = context.literal(axis, 'axis')
    if axis is None and base.ndim > 1:
        base = context.named(flat(context, base), 'flat')
    return load(context, base, along((axis or 0) % base.ndim, indices))


def along(axis: int, indices: gast.expr) -> gast.expr:
    return build.expression((*[WHOLE] * axis, indices))


@lowers('numpy.sort', 'numpy.argsort')
def sort(context: Context, call: Call, type_: Type) -> Value:
    a, axis, kind, _, stable = call.bind('a', 'axis', 'kind', 'order', 'stable')
    value = context.named(context.value(a), 'x')
    axis = -1 if axis is None else context.literal(axis, 'axis')
    if axis is None:
        value = context.named(flat(context, value), 'flat')
    name = context.target.arrays.sorted.format(call.name.removeprefix('numpy.'))
    operands = [value.node, (axis or 0) % value.ndim]
    if call.name == 'numpy.argsort':
        operands.append(bool(context.literal(stable) or context.literal(kind)))
    return reshaped(Value(build.call(name, *operands), array_type(type_.dtype, 3)), context.shape(value))


@lowers('numpy.searchsorted')
def searchsorted(context: Context, call: Call, type_: Type) -> Value:
    a, v, side, _ = call.bind('a', 'v', 'side', 'sorter')
    values = [context.value(part) for part in (a, v)]
    wide = np.result_type(*(p.dtype for p in values))
    nodes = [context.cast(p, wide).node for p in values]
    return Value(build.call('numpy.searchsorted', *nodes, build.constant(context.literal(side) or 'left')), type_)


@lowers('kernels.equal_bins')
def equal_bins(context: Context, call: Call, type_: Type) -> Value:
    nodes = [context.value(part).node for part in call.args]
    return called('int64', 1, context.target.arrays.binned, *nodes)


@lowers('kernels.places_in_order')
def places_in_order(context: Context, call: Call, type_: Type) -> Value:
    a, places = (context.value(part) for part in call.args)
    return called('int64', 1, context.target.arrays.placed, flat(context, a).node, context.cast(places, 'int64').node)


@lowers('numpy.flatnonzero')
def flatnonzero(context: Context, call: Call, type_: Type) -> Value:
    value = context.value(call.args[0])
    return called('int64', 1, context.target.arrays.held, value.node)
