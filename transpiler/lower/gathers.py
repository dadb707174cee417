"""Indices that are arrays: they become vectors of indices, and a loop reads or writes position by position."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gast

from transpiler.core import build
from transpiler.lower.context import Context, Value, array_type, called, dtype_name
from transpiler.lower.shapes import WHOLE, product, reshaped, transposed
from transpiler.values.types import INT


@dataclass(frozen=True)
class Gather:
    """An index with arrays in it: what stands on each axis, and the shape that the arrays have together.

    `entries` holds an expression per axis of the base; those in `places` are vectors of `count` indices.
    """

    entries: tuple[gast.expr, ...]
    places: tuple[int, ...]
    count: gast.expr
    shape: tuple[gast.expr, ...]
    position: int


def is_constant(node, value) -> bool:
    return isinstance(node, gast.Constant) and node.value is value


def is_gather(entries: list) -> bool:
    return any(isinstance(entry, Value) and entry.ndim for entry in entries)


def pick(context: Context, base: Value, entries: list) -> Value:
    """`base[index]` with arrays in the index: their axes come where they stand together, or else first."""
    base = context.named(base, 'x')
    gather = gathered(context, base, entries)
    rest = rest_of(context, base, gather)
    target = context.builder.define('picked', build.call('numpy.empty', (gather.count, *rest), dtype_name(base.dtype)),
                                    array_type(base.dtype, 1 + len(rest)))
    put = context.builder.assign
    each(context, gather, lambda k, item: put(build.subscript(target.name, k), build.subscript(base.node, item)))
    picked = reshaped(Value(build.name(target.name), target.type), [*gather.shape, *rest])
    order = list(range(len(gather.shape), picked.ndim))
    order[gather.position:gather.position] = range(len(gather.shape))
    return transposed(picked, order)


def each(context: Context, gather: Gather, write: Callable) -> None:
    """A loop over the positions of a gather: `write(k, index of the base)`."""
    k = context.builder.fresh('k', INT).name
    item = tuple(build.subscript(entry, k) if place in gather.places else entry for place, entry in enumerate(gather.entries))
    with context.builder.nested() as body:
        write(build.name(k), build.expression(item) if len(item) > 1 else item[0])
    context.builder.append(build.counted(k, 0, gather.count, 1, body, context.origin, context.builder.role))


def gathered(context: Context, base: Value, entries: list) -> Gather:
    """Index arrays broadcast against each other and laid out as vectors; masks become the indices of their true items."""
    entries = _masks_resolved(context, base, _without_dots(entries, base.ndim))
    if any(is_constant(e, None) for e in entries):
        raise context.refuse('new axes beside arrays of indices cannot be compiled', 'there is no compiled form of it',
                             'index first and add the axis after')
    entries = entries + [WHOLE] * (base.ndim - len(entries))
    arrays = [e for e in entries if isinstance(e, Value) and e.ndim]
    places = tuple(k for k, e in enumerate(entries) if isinstance(e, Value))
    widest = max(arrays, key=lambda v: v.ndim)
    shape = tuple(context.shape(widest))
    if len(arrays) > 1:
        common = [Value(_common(context, arrays, axis, widest.ndim), INT) for axis in range(widest.ndim)]
        shape = tuple(context.named(size, 'size').node for size in common)
    count = context.named(Value(product(shape), INT), 'count').node
    vectors = tuple(_vector(context, e, shape).node if isinstance(e, Value) else e for e in entries)
    together = places == tuple(range(places[0], places[-1] + 1))
    return Gather(vectors, places, count, shape, places[0] if together else 0)


def _common(context: Context, arrays: list[Value], axis: int, ndim: int) -> gast.expr:
    sizes = [context.shape(v)[axis - ndim + v.ndim] for v in arrays if axis - ndim + v.ndim >= 0]
    common = sizes[0]
    for size in sizes[1:]:
        common = build.call('kernels.products.common_size', common, size)
    return common


def _vector(context: Context, value: Value, shape: tuple) -> Value:
    if value.is_scalar:
        node = build.call('numpy.full', shape, value.node, dtype_name('int64'))
    else:
        node = build.call('numpy.broadcast_to', value.node, shape) if len(shape) > 1 or value.ndim > 1 else value.node
    if len(shape) > 1:
        node = build.call('numpy.ravel', node)
    return context.named(Value(node, array_type('int64', 1)), 'indices')


def _without_dots(entries: list, ndim: int) -> list:
    for k, entry in enumerate(entries):
        if is_constant(entry, ...):
            taken = sum(_axes_taken(e) for e in entries)
            return entries[:k] + [WHOLE] * (ndim - taken) + entries[k + 1:]
    return entries


def _axes_taken(entry) -> int:
    """How many axes of the base an entry of an index stands for: a mask for as many as it has itself."""
    if isinstance(entry, Value) and entry.ndim and entry.dtype.kind == 'b':
        return entry.ndim
    return 0 if is_constant(entry, None) or is_constant(entry, ...) else 1


def _masks_resolved(context: Context, base: Value, entries: list) -> list:
    resolved: list = []
    for entry in entries:
        if not (isinstance(entry, Value) and entry.ndim and entry.dtype.kind == 'b'):
            resolved.append(context.named(entry, 'indices') if isinstance(entry, Value) else entry)
            continue
        mask = context.named(entry, 'mask')
        for k, size in enumerate(context.shape(mask)):
            wrong = build.compare(size, gast.NotEq, context.shape(base)[len(resolved) + k])
            context.require(wrong, 'IndexError', 'boolean index did not match indexed array')
        found = context.builder.define('found', build.call('numpy.nonzero', mask.node), INT)
        for k in range(mask.ndim):
            resolved.append(context.named(Value(build.subscript(found.name, k), array_type('int64', 1)), 'indices'))
    return resolved


def rest_of(context: Context, base: Value, gather: Gather) -> list[gast.expr]:
    """The sizes of the axes that no array stands on, after their slices."""
    kept = [k for k in range(base.ndim) if k not in gather.places]
    if all(e.lower is e.upper is e.step is None for k, e in enumerate(gather.entries) if k in kept):
        return [context.shape(base)[k] for k in kept]
    sliced = build.subscript(base.node, tuple(e if k in kept else WHOLE for k, e in enumerate(gather.entries)))
    sizes = context.shape(context.named(Value(sliced, base.type), 'sliced'))
    return [sizes[k] for k in kept]


def store(context: Context, base: Value, gather: Gather, value: Value, put: Callable) -> None:
    """Write `value`, broadcast to the gather's shape, position by position."""
    if value.is_scalar:
        value = context.named(value, 'item')
        each(context, gather, lambda k, item: put(build.subscript(base.node, item), value.node))
        return
    rest = rest_of(context, base, gather)
    shape = [*rest[:gather.position], *gather.shape, *rest[gather.position:]]
    wide = called(value.dtype, len(shape), 'numpy.broadcast_to', value.node, tuple(shape))
    front = [*range(gather.position, gather.position + len(gather.shape))]
    order = front + [k for k in range(len(shape)) if k not in front]
    items = context.named(reshaped(transposed(wide, order), [gather.count, *rest]), 'items')
    each(context, gather, lambda k, item: put(build.subscript(base.node, item), build.subscript(items.node, k)))
