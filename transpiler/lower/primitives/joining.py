"""Joining, repeating and padding."""
from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.integer_overflow import wrapped
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called, dtype_name
from transpiler.lower.primitives.creation import is_none
from transpiler.lower.primitives.shapes import flat, put, reshaped
from transpiler.values.types import Type


def parts_of(context: Context, node: gast.expr, type_: Type) -> list[Value]:
    """The items of a sequence of arrays, all of the result's dtype."""
    if not isinstance(node, (gast.Tuple, gast.List)):
        whole = context.named(context.value(node), 'x')
        raise context.unsupported('numpy.concatenate', f'its parts are not a list or tuple, but one array of rank {whole.ndim}')
    return [context.cast(context.value(item), type_.dtype) for item in node.elts]


def joined(context: Context, parts: list[Value], axis: int, ndim: int) -> Value:
    """An array that is filled part by part: each has `ndim` axes, or lacks the one that they are joined along."""
    axis %= ndim
    if len(parts) == 1 and parts[0].ndim == ndim:
        return Value(build.call('numpy.copy', parts[0].node), parts[0].type)
    parts = [context.named(part, 'x') for part in parts]
    shape = context.shape(parts[0]) if parts[0].ndim else []
    if parts[0].ndim < ndim:
        shape.insert(axis, build.constant(1))
    starts = [build.constant(0)]
    for part in parts:
        count = context.shape(part)[axis] if part.ndim == ndim else build.constant(1)
        starts.append(added(starts[-1], count))
    shape[axis] = starts.pop()
    made = build.call('numpy.empty', tuple(shape), dtype_name(parts[0].dtype))
    target = context.builder.define('joined', made, array_type(parts[0].dtype, ndim))
    for part, start in zip(parts, starts, strict=True):
        if part.ndim:
            context.builder.effect(build.call(context.target.memory.put_part, build.name(target.name), part.node, axis, start))
        else:
            context.builder.assign(build.subscript(target.name, start), context.number(part).node)
    return Value(build.name(target.name), target.type)


def added(start: gast.expr, count: gast.expr) -> gast.expr:
    """The sum of two sizes, as short as may be.

    >>> n = build.name('n')
    >>> [gast.unparse(added(build.constant(k), size)) for k, size in ((2, build.constant(3)), (0, n), (1, n))]
    ['5', 'n', '1 + n']
    """
    known = [node.value for node in (start, count) if isinstance(node, gast.Constant)]
    if len(known) == 2:
        return build.constant(sum(known))
    return count if known == [0] else build.binary(start, gast.Add, count)


def flattened(context: Context, value: Value) -> Value:
    if value.ndim == 0:
        return reshaped(context.number(value), [build.constant(1)])
    return value if value.ndim == 1 else flat(context, value)


@lowers('numpy.concatenate')
def concatenate(context: Context, call: Call, type_: Type) -> Value:
    arrays, axis, *_ = call.bind('arrays', 'axis', 'out', 'dtype', 'casting')
    parts = parts_of(context, arrays, type_)
    if axis is not None and is_none(axis):
        return joined(context, [flattened(context, part) for part in parts], 0, 1)
    return joined(context, parts, context.literal(axis, 'axis') or 0, parts[0].ndim)


@lowers('numpy.stack')
def stack(context: Context, call: Call, type_: Type) -> Value:
    arrays, axis, *_ = call.bind('arrays', 'axis', 'out', 'dtype', 'casting')
    parts = parts_of(context, arrays, type_)
    return joined(context, parts, context.literal(axis, 'axis') or 0, parts[0].ndim + 1)


@lowers('numpy.vstack', 'numpy.hstack')
def pile(context: Context, call: Call, type_: Type) -> Value:
    arrays, *_ = call.bind('tup', 'dtype', 'casting')
    parts = parts_of(context, arrays, type_)
    if call.name == 'numpy.hstack':
        return joined(context, parts, 0 if parts[0].ndim < 2 else 1, max(parts[0].ndim, 1))
    return joined(context, [flattened(context, part) if part.ndim == 0 else part for part in parts], 0, max(parts[0].ndim, 2))


@lowers('numpy.column_stack')
def columns(context: Context, call: Call, type_: Type) -> Value:
    parts = parts_of(context, call.args[0], type_)
    return joined(context, parts, 1, 2)


@lowers('numpy.repeat')
def repeat(context: Context, call: Call, type_: Type) -> Value:
    a, repeats, axis = call.bind('a', 'repeats', 'axis')
    value, times = context.value(a), context.named(context.value(repeats), 'times')
    if times.ndim:
        raise context.unsupported(call.name, 'a number of repeats per item is not compiled')
    axis = context.literal(axis, 'axis')
    value = context.named(flattened(context, value) if axis is None else value, 'x')
    axis = (axis or 0) % value.ndim
    shape = context.shape(value)
    shape[axis] = build.binary(shape[axis], gast.Mult, times.node)
    return reshaped(called(value.dtype, 3, context.target.arrays.repeated, value.node, times.node, axis), shape)


@lowers('numpy.tile')
def tile(context: Context, call: Call, type_: Type) -> Value:
    """A view with a new axis before each one, broadcast to the counts, and then joined."""
    a, reps = call.bind('A', 'reps')
    value = context.value(a)
    counts = [context.guards.index(context.value(c)).node
              for c in (reps.elts if isinstance(reps, (gast.Tuple, gast.List)) else [reps])]
    value = context.named(reshaped(context.number(value), [build.constant(1)]) if value.ndim == 0 else value, 'x')
    ndim = max(value.ndim, len(counts))
    counts = [build.constant(1)] * (ndim - len(counts)) + counts
    shape = [build.constant(1)] * (ndim - value.ndim) + context.shape(value)
    split = reshaped(value, [part for size in shape for part in (build.constant(1), size)])
    pairs = list(zip(counts, shape, strict=True))
    wide = called(value.dtype, 2 * ndim, 'numpy.broadcast_to', split.node, tuple(part for pair in pairs for part in pair))
    copied = Value(build.call('numpy.copy', wide.node), wide.type)  # what is repeated once is a copy too
    return reshaped(copied, [build.binary(c, gast.Mult, s) for c, s in pairs])


@lowers('numpy.pad')
def pad(context: Context, call: Call, type_: Type) -> Value:
    array, width, _, constant = call.bind('array', 'pad_width', 'mode', 'constant_values')
    value = context.named(context.value(array), 'x')
    widths = _widths(context.literal(width, 'pad width'), value.ndim)
    border = context.value(constant if constant is not None else build.constant(0))
    border = context.cast(wrapped(border, value.dtype), value.dtype)
    if border.ndim:
        raise context.unsupported(call.name, 'one value for all sides is compiled only')
    shape = context.shape(value)
    full = tuple(build.binary(size, gast.Add, before + after) for size, (before, after) in zip(shape, widths, strict=True))
    target = context.builder.define('padded', build.call('numpy.full', full, border.node, dtype_name(value.dtype)), value.type)
    inner = tuple(gast.Slice(lower=build.constant(before), upper=build.binary(size, gast.Add, before), step=None)
                  for size, (before, _) in zip(shape, widths, strict=True))
    put(context, build.subscript(target.name, inner), value)
    return Value(build.name(target.name), value.type)


def _widths(width, ndim: int) -> list[tuple[int, int]]:
    """What `np.pad` puts before and after each axis.

    >>> _widths(1, 2), _widths((1, 2), 1), _widths(((1, 0), (0, 2)), 2)
    ([(1, 1), (1, 1)], [(1, 2)], [(1, 0), (0, 2)])
    """
    if isinstance(width, int):
        return [(width, width)] * ndim
    if all(isinstance(w, int) for w in width):
        return [(width[0], width[-1])] * ndim
    return [(w[0], w[-1]) for w in (width if len(width) == ndim else [width[0]] * ndim)]
