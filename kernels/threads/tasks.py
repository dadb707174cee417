"""What the parts of a loop are given, in memory that their threads read: of an array no more than where it is."""
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.np.arrayobj import make_array, populate_array

from transpiler_kernels.compiler.elements import DATA, SHAPE, STRIDES, is_plain
from transpiler_kernels.machine.symbols import WORD

NONE = -1  # no exception, which comes after all others


class Task:
    """The structure that it is: what was raised, how many parts, how many iterations, and the arguments of types `kinds`.

    Arrays are borrowed from the caller, who keeps them: nobody counts references to them, unless there is something else among
    the arguments, like a list, that might keep one.
    """

    def __init__(self, context: Any, kinds: list[types.Type]):
        self.context, self.kinds = context, kinds
        counted = (kind for kind in kinds if context.data_model_manager[kind].contains_nrt_meminfo())
        self.borrows = all(map(is_plain, counted))
        fields = [field for kind in kinds for field in self._fields(kind)]
        self.kind = ir.LiteralStructType([WORD, WORD, WORD, *fields])

    def packed(self, builder: ir.IRBuilder, parts: ir.Value, iterations: ir.Value, given: list[ir.Value]) -> ir.Value:
        """Where it stands, with these arguments."""
        memory = cgutils.alloca_once(builder, self.kind)
        parts_of_all = [part for kind, value in zip(self.kinds, given, strict=True) for part in self._parts(builder, kind, value)]
        for place, value in enumerate((WORD(NONE), parts, iterations, *parts_of_all)):
            builder.store(value, _field(builder, memory, place))
        return memory

    def unpacked(self, builder: ir.IRBuilder, memory: ir.Value) -> tuple[ir.Value, ir.Value, list[ir.Value]]:
        """How many parts, how many iterations, and the arguments."""
        parts, iterations, *fields = (
            builder.load(_field(builder, memory, place)) for place in range(1, len(self.kind.elements)))
        given = []
        for kind in self.kinds:
            count = len(self._fields(kind))
            given.append(self._whole(builder, kind, fields[:count]))
            fields = fields[count:]
        return parts, iterations, given

    def failure(self, builder: ir.IRBuilder, memory: ir.Value) -> ir.Value:
        """Where it says what was raised."""
        return _field(builder, memory, 0)

    def _fields(self, kind: types.Type) -> list[ir.Type]:
        """The types of what stands for an argument."""
        if not (self.borrows and is_plain(kind)):
            return [self.context.get_value_type(kind)]
        data = self.context.get_data_type(kind.dtype).as_pointer()
        return [data, *[WORD] * (kind.ndim * (1 if kind.layout in 'CF' else 2))]

    def _parts(self, builder: ir.IRBuilder, kind: types.Type, value: ir.Value) -> list[ir.Value]:
        if not (self.borrows and is_plain(kind)):
            return [value]
        numbers = [(field, axis) for field in (SHAPE, STRIDES) for axis in range(kind.ndim)][:len(self._fields(kind)) - 1]
        return [builder.extract_value(value, path) for path in (DATA, *numbers)]

    def _whole(self, builder: ir.IRBuilder, kind: types.Type, parts: list[ir.Value]) -> ir.Value:
        if not (self.borrows and is_plain(kind)):
            return parts[0]
        data, shape, strides = parts[0], parts[1:kind.ndim + 1], parts[kind.ndim + 1:]
        size = WORD(self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype)))
        if kind.layout in 'CF':
            strides = _strides(builder, shape, size, kind.layout == 'F')
        array = make_array(kind)(self.context, builder)
        populate_array(array, data, shape, strides, size, None)
        return array._getvalue()


def _strides(builder: ir.IRBuilder, shape: list[ir.Value], size: ir.Value, front: bool) -> list[ir.Value]:
    """Those of items that lie side by side; front: along the first axis."""
    strides, step = [], size
    for length in shape if front else shape[::-1]:
        strides.append(step)
        step = builder.mul(step, length)
    return strides if front else strides[::-1]


def _field(builder: ir.IRBuilder, memory: ir.Value, place: int) -> ir.Value:
    return builder.gep(memory, [ir.IntType(32)(0), ir.IntType(32)(place)])
