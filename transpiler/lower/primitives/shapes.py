"""Shapes and axes. Views stay views wherever NumPy makes one: transposes and new axes are, and so is a reshape in C order."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.core import build
from transpiler.core.helpers import Fact, holds_of
from transpiler.core.query import primitive
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called, dtype_name
from transpiler.values.types import Array, Scalar, Type

WHOLE = gast.Slice(lower=None, upper=None, step=None)


def runs(axes: Sequence[int]) -> list[tuple[int, int]]:
    """The first and last of each run of neighbours.

    >>> runs((0, 1, 3))
    [(0, 1), (3, 3)]
    """
    found: list[tuple[int, int]] = []
    for axis in axes:
        if found and found[-1][1] == axis - 1:
            found[-1] = (found[-1][0], axis)
        else:
            found.append((axis, axis))
    return found


def reshaped(value: Value, shape: Sequence[gast.expr], order: str = 'C') -> Value:
    """`value` in C order with another shape; Numba reshapes only contiguous arrays."""
    if value.is_scalar:
        return called(value.dtype, len(shape), 'numpy.full', tuple(shape), value.node, dtype_name(value.dtype))
    if order == 'F':
        backwards = reshaped(transposed(value, range(value.ndim)[::-1]), list(shape)[::-1])
        return transposed(backwards, range(len(shape))[::-1])
    name = primitive(value.node) or ''
    known = name == 'numpy.ascontiguousarray' or holds_of(name, Fact.IN_C_ORDER)
    contiguous = value.node if known else build.call('numpy.ascontiguousarray', value.node)
    return called(value.dtype, len(shape), 'numpy.reshape', contiguous, tuple(shape)) if shape else Value(
        build.call('numpy.reshape', contiguous, ()), Array(value.dtype, ()))


def flat(context: Context, value: Value) -> Value:
    """The items in C order as a vector: a view of what lies so, a copy of all else."""
    return called(value.dtype, 1, context.target.memory.flat, value.node)


def product(nodes: Sequence[gast.expr]) -> gast.expr:
    """The product of sizes; 1 if there are none."""
    result = nodes[0] if nodes else build.constant(1)
    for node in nodes[1:]:
        result = build.binary(result, gast.Mult, node)
    return result


def transposed(value: Value, axes: Sequence[int]) -> Value:
    axes = tuple(axes)
    if axes == tuple(range(value.ndim)):
        return value
    if axes == tuple(range(value.ndim))[::-1]:
        return Value(build.call('numpy.transpose', value.node), array_type(value.dtype, value.ndim))
    return Value(build.call('numpy.transpose', value.node, axes), array_type(value.dtype, value.ndim))


def moved(ndim: int, source: Sequence[int], destination: Sequence[int]) -> tuple[int, ...]:
    """The order of axes that `np.moveaxis` asks for.

    >>> moved(3, (0,), (-1,))
    (1, 2, 0)
    """
    source, destination = [k % ndim for k in source], [k % ndim for k in destination]
    order = [k for k in range(ndim) if k not in source]
    for place, axis in sorted(zip(destination, source, strict=True)):
        order.insert(place, axis)
    return tuple(order)


def indexed(value: Value, entries: Sequence[gast.expr], ndim: int) -> Value:
    return Value(build.subscript(value.node, tuple(entries)), array_type(value.dtype, ndim) if ndim else Scalar(value.dtype))


def put(context: Context, place: gast.expr, value: Value) -> None:
    """Write an array into one of as many axes or more, with which it shares no memory, or a number to where one is."""
    if value.ndim:
        context.builder.effect(build.call(context.target.memory.copy_into, place, value.node))
    else:
        context.builder.assign(place, value.node)


def sizes(context: Context, node: gast.expr) -> list[gast.expr]:
    """The entries of a shape argument: a tuple, a number, or another array's shape."""
    match node:
        case gast.Tuple(elts=elts) | gast.List(elts=elts):
            return [context.guards.index(context.number(context.value(e))).node for e in elts]
        case gast.Attribute(value=base, attr='shape'):
            return context.shape(context.value(base))
    return [context.guards.index(context.number(context.value(node))).node]


def same_rank(context: Context, call: Call) -> Value:
    """The operand as an array: a number becomes one without axes."""
    value = context.value(call.args[0] if call.args else next(iter(call.keywords.values())))
    if value.is_scalar:
        return Value(build.call('numpy.array', context.cast(value, value.dtype).node), Array(value.dtype, ()))
    return context.named(value, 'x')


@lowers('numpy.reshape')
def reshape(context: Context, call: Call, type_: Type) -> Value:
    a, shape, order, _ = call.bind('a', 'shape', 'order', 'copy')
    value, order = context.value(a), context.literal(order) or 'C'
    new = sizes(context, shape)
    if value.ndim == 1 and new and context.views.is_shared:    # a view in any case: `is_reshaped_vector`
        view = called(value.dtype, len(new), context.target.memory.of_vector, value.node, tuple(new[::-1 if order == 'F' else 1]))
        return transposed(view, range(len(new))[::-1]) if order == 'F' else view
    return reshaped(context.views.in_c_order(value, a) if value.ndim and order == 'C' else value, new, order)


@lowers('numpy.ravel')
def ravel(context: Context, call: Call, type_: Type) -> Value:
    a, order = call.bind('a', 'order')
    value = context.value(a)
    if value.ndim == 0:
        return reshaped(context.number(value), [build.constant(1)])
    if context.literal(order) == 'F':
        value = transposed(value, range(value.ndim)[::-1])
    return flat(context, context.views.in_c_order(value, a) if context.views.is_shared else value)


@lowers('kernels.flat', 'kernels.flat_in_place')
def items(context: Context, call: Call, type_: Type) -> Value:
    value = context.value(call.args[0])
    if call.name == 'kernels.flat':
        return flat(context, value)
    return called(value.dtype, 1, context.target.memory.flat_in_place, value.node)


@lowers('numpy.transpose', 'numpy.matrix_transpose', 'numpy.swapaxes', 'numpy.moveaxis')
def permute(context: Context, call: Call, type_: Type) -> Value:
    value = same_rank(context, call)
    order = list(range(value.ndim))
    if call.name == 'numpy.matrix_transpose':
        order[-2:] = order[:-3:-1]
    elif call.name == 'numpy.transpose':
        axes = context.literal(call.bind('a', 'axes')[1], 'axes')
        order = order[::-1] if axes is None else [k % value.ndim for k in axes]
    else:
        first, second = (context.literal(v, 'axes') for v in list(call.args[1:]) + list(call.keywords.values()))
        if call.name == 'numpy.swapaxes':
            order[first], order[second] = order[second], order[first]
        else:
            pairs = [(k,) if isinstance(k, int) else tuple(k) for k in (first, second)]
            order = list(moved(value.ndim, *pairs))
    return transposed(value, order)


@lowers('numpy.expand_dims')
def expand_dims(context: Context, call: Call, type_: Type) -> Value:
    a, axis = call.bind('a', 'axis')
    value, axes = context.value(a), context.literal(axis, 'axis')
    axes = (axes,) if isinstance(axes, int) else axes
    ndim = value.ndim + len(axes)
    new = {k % ndim for k in axes}
    if value.is_scalar:
        return reshaped(value, [build.constant(1)] * ndim)
    return indexed(value, [build.constant(None) if k in new else WHOLE for k in range(ndim)], ndim)


@lowers('numpy.squeeze')
def squeeze(context: Context, call: Call, type_: Type) -> Value:
    """A view: index 0 on each axis that goes. That its size is 1 is checked, as NumPy does."""
    a, axis = call.bind('a', 'axis')
    value, axes = context.named(context.value(a), 'x'), context.literal(axis, 'axis')
    if value.is_scalar:
        return value
    if axes is None:
        dims = value.type.dims
        axes = [k for k, dim in enumerate(dims) if dim is not None and dim.is_one]
        if value.ndim - len(axes) != type_.ndim:
            raise context.refuse('`np.squeeze` needs an `axis` here', 'the sizes that are 1 are not known', 'say which axis')
    gone = {k % value.ndim for k in ((axes,) if isinstance(axes, int) else axes)}
    for k in sorted(gone):
        context.guards.require(build.compare(context.shape(value)[k], gast.NotEq, 1), 'ValueError',
                        'cannot select an axis to squeeze out which has size not equal to one')
    ndim = value.ndim - len(gone)
    if not ndim:
        return Value(build.call('numpy.reshape', value.node, ()), Array(value.dtype, ()))
    return indexed(value, [build.constant(0) if k in gone else WHOLE for k in range(value.ndim)], ndim)


@lowers('numpy.atleast_1d', 'numpy.atleast_2d', 'numpy.atleast_3d')
def at_least(context: Context, call: Call, type_: Type) -> Value:
    value, least = context.value(call.args[0]), int(call.name[-2])
    if value.ndim == 0:
        return reshaped(context.number(value), [build.constant(1)] * least)
    if value.ndim >= least:
        return value
    none = build.constant(None)
    entries = {(1, 2): [none, WHOLE], (1, 3): [none, WHOLE, none], (2, 3): [WHOLE, WHOLE, none]}[value.ndim, least]
    return indexed(value, entries, least)


@lowers('numpy.broadcast_to')
def broadcast_to(context: Context, call: Call, type_: Type) -> Value:
    array, shape, _ = call.bind('array', 'shape', 'subok')
    value, target = context.value(array), sizes(context, shape)
    if value.ndim == 0:
        return reshaped(context.number(value), target)
    return Value(build.call('numpy.broadcast_to', value.node, tuple(target)), array_type(value.dtype, len(target)))


@lowers('numpy.flip', 'numpy.fliplr', 'numpy.flipud')
def flip(context: Context, call: Call, type_: Type) -> Value:
    value = context.value(call.args[0])
    axis = {'numpy.fliplr': 1, 'numpy.flipud': 0}.get(call.name)
    if call.name == 'numpy.flip':
        axis = context.literal(call.bind('m', 'axis')[1], 'axis')
    axes = range(value.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    return reversed_along(value, {k % value.ndim for k in axes})


def reversed_along(value: Value, axes: set[int]) -> Value:
    backwards = gast.Slice(lower=None, upper=None, step=build.constant(-1))
    return indexed(value, [backwards if k in axes else WHOLE for k in range(value.ndim)], value.ndim)


@lowers('numpy.rot90')
def rot90(context: Context, call: Call, type_: Type) -> Value:
    m, k, axes = call.bind('m', 'k', 'axes')
    value = context.named(context.value(m), 'x')
    turns = 1 if k is None else context.literal(k, 'number of turns')
    first, second = (n % value.ndim for n in context.literal(axes, 'axes') or (0, 1))
    order = list(range(value.ndim))
    order[first], order[second] = order[second], order[first]
    match turns % 4:
        case 0:
            return value
        case 1:
            return transposed(reversed_along(value, {second}), order)
        case 2:
            return reversed_along(value, {first, second})
    return reversed_along(transposed(value, order), {second})


@lowers('numpy.roll')
def roll(context: Context, call: Call, type_: Type) -> Value:
    """One axis after the other, each joined from two slices."""
    a, shift, axis = call.bind('a', 'shift', 'axis')
    value, axes = context.named(context.value(a), 'x'), context.literal(axis, 'axis')
    shifts = shift.elts if isinstance(shift, gast.Tuple) else [shift]
    if axes is None:
        return reshaped(_rolled(context, flat(context, value), context.value(shifts[0]), 0), context.shape(value))
    axes = (axes,) if isinstance(axes, int) else axes
    for k, by in zip(axes, shifts * len(axes) if len(shifts) == 1 else shifts, strict=True):
        value = _rolled(context, value, context.value(by), k % value.ndim)
    return value


def _rolled(context: Context, value: Value, shift: Value, axis: int) -> Value:
    kernel = context.target.arrays.rolled
    return called(value.dtype, value.ndim, kernel, value.node, context.guards.index(shift).node, axis)


@lowers('numpy.tril', 'numpy.triu')
def triangle(context: Context, call: Call, type_: Type) -> Value:
    m, k = call.bind('m', 'k')
    value = context.named(context.value(m), 'x')
    offset = context.guards.index(context.value(k)).node if k is not None else build.constant(0)
    shape = context.shape(value)
    if value.ndim == 1:
        shape = shape * 2
        value = called(value.dtype, 2, 'numpy.broadcast_to', value.node, tuple(shape))
    planes = value if value.ndim == 3 else reshaped(value, [product(shape[:-2]), *shape[-2:]])
    kernel = context.target.arrays.triangle.format(call.name.removeprefix('numpy.'))
    return reshaped(called(value.dtype, 3, kernel, planes.node, offset), shape)
