"""Indices with arrays in them: loops read or write item by item."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gast

from transpiler.core import build
from transpiler.core.indices import is_dots, is_new
from transpiler.lower.context.context import Context
from transpiler.lower.context.values import Value, array_type, called, dtype_name
from transpiler.lower.primitives.shapes import WHOLE, indexed, product, transposed
from transpiler.values.types import INT, Scalar

Entry = Value | gast.expr


@dataclass(frozen=True)
class Gather:
    """An index with arrays in it, taken apart.

    base:     what is indexed, cut to the slices of the index: the axes that no array stands on are whole
    picks:    axis of `base` -> the indices in it: an array of the shape `shape`, or one number
    shape:    that the arrays have together
    position: how many of the other axes of `base` come before them in the result
    new:      where the result has new axes
    """

    base: Value
    picks: dict[int, Value]
    shape: tuple[gast.expr, ...]
    position: int
    new: tuple[int, ...]

    def rest(self, context: Context) -> list[gast.expr]:
        """The sizes of the axes that no array stands on."""
        return [size for axis, size in enumerate(context.shape(self.base)) if axis not in self.picks]


def is_gather(entries: Sequence[Entry]) -> bool:
    return any(isinstance(entry, Value) and entry.ndim for entry in entries)


def pick(context: Context, base: Value, entries: Sequence[Entry]) -> Value:
    """`base[index]` with arrays in the index."""
    gather = gathered(context, base, entries)
    shape = (*gather.shape, *gather.rest(context))
    type_ = array_type(base.dtype, len(shape))
    picked = context.builder.define('picked', build.call('numpy.empty', shape, dtype_name(base.dtype)), type_)
    each(context, gather, lambda place, own: context.builder.assign(build.subscript(picked.name, own), place))
    order = list(range(len(gather.shape), picked.type.ndim))
    order[gather.position:gather.position] = range(len(gather.shape))
    return _with_new_axes(transposed(Value(build.name(picked.name), type_), order), gather.new)


def store(context: Context, base: Value, entries: Sequence[Entry], value: Value, put: Callable) -> None:
    """`put(place, item)` for every place of `base[index]`, in order, and the item of `value`, broadcast, that belongs there."""
    gather = gathered(context, base, entries)
    if value.is_scalar:
        value = context.named(value, 'item')
        each(context, gather, lambda place, own: put(place, value.node))
        return
    items = _laid_out(context, gather, context.named(value, 'values'))
    each(context, gather, lambda place, own: put(place, build.subscript(items.node, own)))


def _laid_out(context: Context, gather: Gather, value: Value) -> Value:
    """`value` broadcast to what the index picks, with the axes of the arrays first."""
    rest, front = gather.rest(context), gather.position
    wide = [*rest[:front], *gather.shape, *rest[front:]]
    while value.ndim > len(wide) + len(gather.new):
        too_long = build.compare(context.shape(value)[0], gast.NotEq, 1)
        context.guards.require(too_long, 'ValueError', 'input array does not fit the index')
        value = context.named(indexed(value, [build.constant(0)] + [WHOLE] * (value.ndim - 1), value.ndim - 1), 'values')
    missing = len(wide) + len(gather.new) - value.ndim
    gone = [axis - missing for axis in gather.new if axis >= missing]
    if gone:
        kept = [build.constant(0) if axis in gone else WHOLE for axis in range(value.ndim)]
        value = indexed(value, kept, value.ndim - len(gone))
    if not value.ndim:
        value = called(value.dtype, 1, 'numpy.reshape', value.node, (1,))
    value = called(value.dtype, len(wide), 'numpy.broadcast_to', value.node, tuple(wide))
    first = list(range(front, front + len(gather.shape)))
    return context.named(transposed(value, first + [axis for axis in range(len(wide)) if axis not in first]), 'items')


def _with_new_axes(value: Value, new: tuple[int, ...]) -> Value:
    if not new:
        return value
    ndim = value.ndim + len(new)
    return indexed(value, [build.constant(None) if axis in new else WHOLE for axis in range(ndim)], ndim)


def each(context: Context, gather: Gather, write: Callable) -> None:
    """Loops over the places of a gather: `write(place, index of its item)`, one after the other."""
    numbers = [context.builder.fresh('k', INT).name for _ in range(len(gather.shape) + gather.base.ndim - len(gather.picks))]
    front, rest = numbers[:len(gather.shape)], numbers[len(gather.shape):]
    with context.builder.nested() as head:      # what the indices are, before the loops along the other axes
        picked = {axis: indices.node if indices.is_scalar else _picked(context, indices, front, bool(rest))
                  for axis, indices in gather.picks.items()}
    inner = iter(rest)
    at = [picked[axis] if axis in picked else build.name(next(inner)) for axis in range(gather.base.ndim)]
    with context.builder.nested() as body:
        write(build.subscript(gather.base.node, _tuple(at)), _tuple(list(map(build.name, numbers))))
    body = _counted(context, front, gather.shape, [*head, *_counted(context, rest, gather.rest(context), body)])
    context.builder.append(body[0])


def _picked(context: Context, indices: Value, front: Sequence[str], ahead: bool) -> gast.expr:
    """The index at this place; ahead: named, as loops inside go on with it."""
    one = build.subscript(indices.node, _tuple(list(map(build.name, front))))
    return build.name(context.builder.define('at', one, Scalar(indices.dtype)).name) if ahead else one


def _counted(context: Context, numbers: Sequence[str], sizes: Sequence[gast.expr], body: list[gast.stmt]) -> list[gast.stmt]:
    for number, size in reversed([*zip(numbers, sizes, strict=True)]):
        body = [build.counted(number, 0, size, 1, body, context.origin, context.builder.role)]
    return body


def _tuple(nodes: list[gast.expr]) -> gast.expr:
    return nodes[0] if len(nodes) == 1 else build.expression(tuple(nodes))


def gathered(context: Context, base: Value, entries: Sequence[Entry]) -> Gather:
    """Index arrays broadcast against each other; masks become the indices of their true items."""
    base = context.named(base, 'x')
    entries = _masks_resolved(context, base, _dots_spelled_out(entries, base.ndim))
    axes = [entry for entry in entries if not is_new(entry) and not is_dots(entry)]
    picks = {axis: context.named(entry, 'indices') for axis, entry in enumerate(axes) if isinstance(entry, Value)}
    shape = _joint_shape(context, [value for value in picks.values() if not value.is_scalar])
    if sum(not value.is_scalar for value in picks.values()) > 1:
        picks = {axis: v if v.is_scalar else _broadcast(context, v, shape) for axis, v in picks.items()}
    places = [k for k, entry in enumerate(entries) if isinstance(entry, Value)]
    together = places == list(range(places[0], places[-1] + 1))
    before = [entry for entry in entries[:places[0]] if not is_dots(entry)] if together else []
    layout = before + [WHOLE] * len(shape) + [entry for entry in entries[len(before):] if not _is_taken(entry)]
    position = sum(not is_new(entry) for entry in before)
    return Gather(_cut(context, base, axes), picks, shape, position,
                  tuple(axis for axis, entry in enumerate(layout) if is_new(entry)))


def _is_taken(entry: Entry) -> bool:
    return isinstance(entry, Value) or is_dots(entry)


def _cut(context: Context, base: Value, axes: list[Entry]) -> Value:
    """`base` with the slices of the index, which then stand for whole axes."""
    cuts = [entry if isinstance(entry, gast.Slice) else WHOLE for entry in axes]
    if all(cut.lower is cut.upper is cut.step is None for cut in cuts):
        return base
    return context.named(indexed(base, cuts, base.ndim), 'part')


def _joint_shape(context: Context, arrays: list[Value]) -> tuple[gast.expr, ...]:
    ndim = max(array.ndim for array in arrays)
    if len(arrays) == 1:
        return tuple(context.shape(arrays[0]))
    return tuple(context.named(Value(_common(context, arrays, axis, ndim), INT), 'size').node for axis in range(ndim))


def _common(context: Context, arrays: list[Value], axis: int, ndim: int) -> gast.expr:
    sizes = [context.shape(v)[axis - ndim + v.ndim] for v in arrays if axis - ndim + v.ndim >= 0]
    common = sizes[0]
    for size in sizes[1:]:
        common = build.call(context.target.products.common_size, common, size)
    return common


def _broadcast(context: Context, value: Value, shape: tuple[gast.expr, ...]) -> Value:
    return context.named(called(value.dtype, len(shape), 'numpy.broadcast_to', value.node, shape), 'indices')


def _dots_spelled_out(entries: Sequence[Entry], ndim: int) -> list[Entry]:
    """Slices for the axes that `...` and the end of the index leave out; the dots stay, since they keep arrays apart."""
    missing = [WHOLE] * (ndim - sum(map(_axes_taken, entries)))
    for k, entry in enumerate(entries):
        if is_dots(entry):
            return [*entries[:k + 1], *missing, *entries[k + 1:]]
    return [*entries, *missing]


def _axes_taken(entry: Entry) -> int:
    """How many axes of the base an entry of an index stands for: a mask for as many as it has itself."""
    if isinstance(entry, Value) and entry.ndim and entry.dtype.kind == 'b':
        return entry.ndim
    return 0 if is_new(entry) or is_dots(entry) else 1


def _along(context: Context, places: Value, shape: list[gast.expr], axis: int) -> Value:
    """The indices along one axis of items counted in C order."""
    node, behind = places.node, shape[axis + 1:]
    if behind:
        node = build.binary(node, gast.FloorDiv, product(behind))
    if axis:
        node = build.binary(node, gast.Mod, shape[axis])
    return context.named(Value(node, places.type), 'indices')


def _masks_resolved(context: Context, base: Value, entries: list[Entry]) -> list[Entry]:
    resolved: list[Entry] = []
    axis = 0
    for entry in entries:
        if isinstance(entry, Value) and entry.ndim and entry.dtype.kind == 'b':
            mask = context.named(entry, 'mask')
            for own, size in zip(context.shape(mask), context.shape(base)[axis:]):
                differs = [build.compare(own, gast.NotEq, count) for count in (size, 0)]    # NumPy lets a mask of no items pass
                wrong = gast.BoolOp(op=gast.And(), values=differs)
                context.guards.require(wrong, 'IndexError', 'boolean index did not match indexed array')
            found = context.named(called('int64', 1, context.target.arrays.held, mask.node), 'indices')
            resolved += [_along(context, found, context.shape(mask), k) for k in range(mask.ndim)]
        else:
            resolved.append(entry)
        axis += _axes_taken(entry)
    return resolved
