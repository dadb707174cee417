"""Contractions: all of them become products of two matrices, or of two stacks of matrices."""
from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from transpiler.analyses.memory.views import transposes
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called
from transpiler.lower.primitives import elementwise
from transpiler.lower.primitives.joining import flattened
from transpiler.lower.primitives.reductions import sum_over
from transpiler.lower.primitives.shapes import WHOLE, indexed, product, reshaped, transposed
from transpiler.values.types import INT, Scalar, Type


def operands(context: Context, call: Call, names: Sequence[str], dtype) -> list[Value]:
    values = [context.value(a) for a in call.bind(*names)[:2]]
    values = [context.number(v) for v in values]
    return [context.named(context.cast(v, dtype), 'x') for v in values]


def small(context: Context, a: Value, b: Value) -> Value:
    """`a @ b` for vectors and matrices."""
    ndim = a.ndim + b.ndim - 2
    itself = a.ndim == b.ndim == 2 and np.dtype(a.dtype).kind == 'f' and _is_transpose(context.core, a, b)
    helpers = context.target.products
    node = build.call(helpers.of_itself, a.node) if itself else build.call(helpers.matrix, a.node, b.node)
    return Value(node, array_type(a.dtype, ndim) if ndim else Scalar(a.dtype))


def _is_transpose(core: Core, a: Value, b: Value) -> bool:
    """Whether one of two matrices is the transpose of the other one."""
    match a.node, b.node:
        case gast.Name(id=first), gast.Name(id=second):
            return transposes(core).get(first) == second or transposes(core).get(second) == first
    return False


def times(context: Context, a: Value, b: Value) -> Value:
    return elementwise.apply(context, np.multiply, [a, b])


@lowers('numpy.matmul')
def matmul(context: Context, call: Call, type_: Type) -> Value:
    a, b = operands(context, call, ('x1', 'x2'), type_.dtype)
    if a.ndim <= 2 and b.ndim <= 2:
        return small(context, a, b)
    if b.ndim <= 2:
        return rows_times(context, a, b)
    return stacks(context, a, b)


def rows_times(context: Context, a: Value, b: Value) -> Value:
    """A stack times one matrix or vector: all rows of the stack make one tall matrix."""
    shape = context.shape(a)
    tall = context.named(reshaped(a, [product(shape[:-1]), shape[-1]]), 'tall')
    return reshaped(small(context, tall, b), shape[:-1] + context.shape(b)[1:])


def stacks(context: Context, a: Value, b: Value) -> Value:
    """Two stacks whose leading axes broadcast; a vector on the left is a matrix of one row."""
    left, right = context.shape(a), context.shape(b)
    row = a.ndim == 1
    if row:
        left = [build.constant(1), *left]
        a = context.named(reshaped(a, left), 'row')
    extra = len(left) - len(right)
    pairs = zip([build.constant(1)] * -extra + left[:-2], [build.constant(1)] * extra + right[:-2], strict=True)
    helpers = context.target.products
    batch = [context.named(Value(build.call(helpers.common_size, m, n), INT), 'size').node for m, n in pairs]
    count = product(batch)
    stacked = []
    for value, matrix in ((a, left[-2:]), (b, right[-2:])):
        wide = Value(build.call('numpy.broadcast_to', value.node, (*batch, *matrix)), array_type(value.dtype, len(batch) + 2))
        stacked.append(reshaped(wide, [count, *matrix]).node)
    result = Value(build.call(helpers.stacked, *stacked), array_type(a.dtype, 3))
    return reshaped(result, [*batch, *([] if row else [left[-2]]), right[-1]])


@lowers('numpy.dot')
def dot(context: Context, call: Call, type_: Type) -> Value:
    a, b = operands(context, call, ('a', 'b', 'out'), type_.dtype)
    if not a.ndim or not b.ndim:
        return times(context, a, b)
    if a.ndim <= 2 and b.ndim <= 2:
        return small(context, a, b)
    return contracted(context, a, b, (a.ndim - 1,), (max(b.ndim - 2, 0),))


@lowers('numpy.inner')
def inner(context: Context, call: Call, type_: Type) -> Value:
    a, b = operands(context, call, ('a', 'b'), type_.dtype)
    if not a.ndim or not b.ndim:
        return times(context, a, b)
    return contracted(context, a, b, (a.ndim - 1,), (b.ndim - 1,))


@lowers('numpy.vdot')
def vdot(context: Context, call: Call, type_: Type) -> Value:
    a, b = operands(context, call, ('a', 'b'), type_.dtype)
    if a.dtype.kind == 'c':
        a = context.named(Value(build.call('numpy.conjugate', a.node), a.type), 'x')
    if not a.ndim and not b.ndim:
        return times(context, a, b)
    return small(context, flattened(context, a), flattened(context, b))


@lowers('numpy.outer')
def outer(context: Context, call: Call, type_: Type) -> Value:
    a, b = (flattened(context, v) for v in operands(context, call, ('a', 'b', 'out'), type_.dtype))
    none = build.constant(None)
    return times(context, indexed(a, [WHOLE, none], 2), indexed(b, [none, WHOLE], 2))


@lowers('numpy.tensordot')
def tensordot(context: Context, call: Call, type_: Type) -> Value:
    a, b = operands(context, call, ('a', 'b', 'axes'), type_.dtype)
    axes = call.bind('a', 'b', 'axes')[2]
    axes = 2 if axes is None else context.literal(axes, 'axes')
    if isinstance(axes, int):
        of_a, of_b = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    else:
        of_a, of_b = ((k,) if isinstance(k, int) else tuple(k) for k in axes)
    return contracted(context, a, b, tuple(k % a.ndim for k in of_a), tuple(k % b.ndim for k in of_b))


def contracted(context: Context, a: Value, b: Value, of_a: tuple[int, ...], of_b: tuple[int, ...]) -> Value:
    """The sum of products over pairs of axes; the other axes of `a`, then those of `b`, remain."""
    left, right = ([k for k in range(v.ndim) if k not in gone] for v, gone in ((a, of_a), (b, of_b)))
    rows, columns = [context.shape(a)[k] for k in left], [context.shape(b)[k] for k in right]
    if not of_a:
        wide = indexed(a, [*[WHOLE] * a.ndim, *[build.constant(None)] * b.ndim], a.ndim + b.ndim) if a.ndim and b.ndim else a
        return times(context, wide, b)
    inside = [product([context.shape(v)[k] for k in axes]) for v, axes in ((a, of_a), (b, of_b))]
    first, second = transposed(a, [*left, *of_a]), transposed(b, [*of_b, *right])
    if len(rows) > 1 or len(of_a) > 1:
        first = reshaped(first, [product(rows), inside[0]] if rows else [inside[0]])
    if len(columns) > 1 or len(of_b) > 1:
        second = reshaped(second, [inside[1], product(columns)] if columns else [inside[1]])
    result = small(context, first, second)
    remaining = rows + columns
    return result if result.ndim == len(remaining) else reshaped(result, remaining)


@lowers('numpy.trace')
def trace(context: Context, call: Call, type_: Type) -> Value:
    a, *where = call.bind('a', 'offset', 'axis1', 'axis2', 'dtype', 'out')
    items = context.named(context.cast(diagonal_of(context, context.value(a), where), type_.dtype), 'items')
    return sum_over(context, items, (items.ndim - 1,), False)


@lowers('numpy.diagonal')
def diagonal(context: Context, call: Call, type_: Type) -> Value:
    a, *where = call.bind('a', 'offset', 'axis1', 'axis2')
    return diagonal_shown(context, context.value(a), where)


def planes(context: Context, where: Sequence[gast.expr | None], ndim: int) -> tuple[gast.expr, list[int]]:
    """The offset, and the order of axes that puts the two of the diagonal last."""
    offset = build.constant(0) if where[0] is None else context.value(where[0]).node
    first, second = (d if k is None else context.literal(k, 'axis') % ndim for k, d in zip(where[1:3], (0, 1), strict=True))
    return offset, [*(k for k in range(ndim) if k not in (first, second)), first, second]


def diagonal_shown(context: Context, value: Value, where: Sequence[gast.expr | None]) -> Value:
    """The diagonal as NumPy has it: a view, which shows what is written later."""
    if value.ndim > 2:
        context.views.must_not_show('compiled, the diagonals of a stack are a copy')
    if not context.views.is_shared or value.ndim > 2:
        return diagonal_of(context, value, where)
    offset, order = planes(context, where, value.ndim)
    return called(value.dtype, 1, context.target.arrays.diagonal, transposed(value, order).node, offset)


def diagonal_of(context: Context, value: Value, where: Sequence[gast.expr | None]) -> Value:
    offset, order = planes(context, where, value.ndim)
    turned = context.named(transposed(value, order), 'planes')
    shape = context.shape(turned)
    stack = reshaped(turned, [product(shape[:-2]), *shape[-2:]])
    items = context.named(called(value.dtype, 2, context.target.arrays.diagonals, stack.node, offset), 'items')
    return reshaped(items, [*shape[:-2], context.shape(items)[1]])


@lowers('numpy.diagflat')
def diagflat(context: Context, call: Call, type_: Type) -> Value:
    v, k = call.bind('v', 'k')
    value = flattened(context, context.value(v))
    offset = build.constant(0) if k is None else context.value(k).node
    return Value(build.call(context.target.arrays.on_diagonal, value.node, offset), array_type(value.dtype, 2))


@lowers('kernels.on_diagonal')
def on_diagonal(context: Context, call: Call, type_: Type) -> Value:
    values, like, *where = call.bind('values', 'like', 'offset', 'axis1', 'axis2')
    items, model = context.value(values), context.named(context.value(like), 'like')
    offset, order = planes(context, where, model.ndim)
    shape = [context.shape(model)[k] for k in order]
    helpers = context.target.arrays
    broadcast = Value(build.call('numpy.broadcast_to', items.node, (*shape[:-2], build.call(
        helpers.diagonal_length, *shape[-2:], offset))), array_type(items.dtype, model.ndim - 1))
    rows = reshaped(broadcast, [product(shape[:-2]), build.call(helpers.diagonal_length, *shape[-2:], offset)])
    stack = Value(build.call(helpers.on_diagonals, rows.node, *shape[-2:], offset), array_type(items.dtype, 3))
    return transposed(reshaped(stack, shape), [order.index(k) for k in range(model.ndim)])
