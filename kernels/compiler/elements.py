"""Elements of arrays, read and written by numbers of places: two loads for the sizes and the data, and the element itself."""
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.np.arrayobj import load_item, mark_positive, store_item

# fields of the structure that an array is
MEMINFO, DATA, SHAPE, STRIDES = 0, 4, 5, 6


class Fields:
    """The fields of one array, read where they are asked for: out of the variable's memory, or of the value at hand."""

    def __init__(self, builder: ir.IRBuilder, memory: ir.Value | None, value: ir.Value | None):
        self.builder, self.memory, self.value = builder, memory, value

    def read(self, *path: int) -> ir.Value:
        if self.memory is None:
            return self.builder.extract_value(self.value, list(path))
        loaded = self.builder.load(cgutils.gep_inbounds(self.builder, self.memory, 0, *path))
        if path[0] == SHAPE and len(path) > 1:
            mark_positive(self.builder, loaded)
        return loaded


def is_plain(kind: types.Type) -> bool:
    """Whether it is an array of numbers or flags, as Numba itself has it."""
    return type(kind) is types.Array and isinstance(kind.dtype, (types.Number, types.Boolean))


def is_scalar_access(array: types.Type, index: tuple[types.Type, ...]) -> bool:
    """Whether items of these types say, of an array of this type, which single element is meant."""
    return is_plain(array) and array.ndim == len(index) > 0 and all(isinstance(item, types.Integer) for item in index)


def pointer(context: Any, builder: ir.IRBuilder, array: types.Array, fields: Fields,
            index: list[tuple[ir.Value, types.Integer, bool]]) -> ir.Value:
    """Where the element is that `index` means: per axis the number of its place, that number's type, and whether it is
    known to count from the front.
    """
    sizes: dict[int, ir.Value] = {}

    def size(axis: int) -> ir.Value:
        if axis not in sizes:
            sizes[axis] = fields.read(SHAPE, axis)
        return sizes[axis]

    places = [_from_front(context, builder, *number, lambda axis=axis: size(axis)) for axis, number in enumerate(index)]
    if array.layout not in 'CF':
        offsets = [builder.mul(fields.read(STRIDES, axis), place) for axis, place in enumerate(places)]
        return cgutils.pointer_add(builder, fields.read(DATA), _sum(builder, offsets))
    order = list(range(array.ndim)) if array.layout == 'F' else list(reversed(range(array.ndim)))
    offsets, step = [], None    # from the axis whose elements are neighbours on
    for axis in order:
        offsets.append(places[axis] if step is None else builder.mul(places[axis], step))
        if axis != order[-1]:
            step = size(axis) if step is None else builder.mul(step, size(axis))
    return builder.gep(fields.read(DATA), [_sum(builder, offsets[::-1])])


def read(context: Any, builder: ir.IRBuilder, array: types.Array, place: ir.Value) -> ir.Value:
    return load_item(context, builder, array, place)


def write(context: Any, builder: ir.IRBuilder, array: types.Array, place: ir.Value, value: ir.Value) -> None:
    store_item(context, builder, array, value, place)


def _from_front(context: Any, builder: ir.IRBuilder, number: ir.Value, kind: types.Integer, ahead: bool, size: Any) -> ir.Value:
    """The number of a place, of which a negative one counts from the end."""
    if not kind.signed:
        return context.cast(builder, number, kind, types.uintp)
    number = context.cast(builder, number, kind, types.intp)
    if ahead or isinstance(number, ir.Constant) and isinstance(number.constant, int) and number.constant >= 0:
        return number
    if isinstance(number, ir.Constant):
        return builder.add(number, size())
    return builder.select(builder.icmp_signed('<', number, number.type(0)), builder.add(number, size()), number)


def _sum(builder: ir.IRBuilder, offsets: list[ir.Value]) -> ir.Value:
    total = offsets[0]
    for offset in offsets[1:]:
        total = builder.add(total, offset)
    return total
