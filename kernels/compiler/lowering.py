"""Numba's lowering, with fewer words for what compiled programs consist of."""
from __future__ import annotations

import builtins

from llvmlite import ir as llvm
from numba.core import cgutils, ir, types
from numba.core.lowering import Lower

from transpiler_kernels.compiler import elements, operators, ranges
from transpiler_kernels.compiler.definitions import Definitions
from transpiler_kernels.compiler.unwinding import Context, Unwinding, held


class Lean(Lower):
    """Numba's `Lower`, but for elements of arrays, loops over ranges, operators on numbers, and who counts references."""

    def init(self):
        super().init()
        self._defined = Definitions(self.blocks)
        self._tuples: dict[str, list[llvm.Value]] = {}              # by variable, the items of an index
        self._ranges: dict[str, tuple[llvm.Value, llvm.Value, int]] = {}
        self._iterators: dict[str, ranges.Counter] = {}             # by the range
        self._steps: dict[str, tuple[llvm.Value, llvm.Value]] = {}  # what an iterator gave, and whether it did
        self.context = Context.of(self.context, self._unwound)
        alive = self.func_ir.variable_lifetime.livemap
        entered, long = held(self.blocks, alive, lambda name: self._is_counted(self.typeof(name)))
        self._entered = {id(self.blocks[number]): names for number, names in entered.items()}
        self._unwinding = Unwinding(long, self._let_go_of)
        self._held: set[str] = set()                                # variables that are in memory, and hold something
        self._at_hand: dict[str, llvm.Value] = {}                   # those that are not in memory
        self._raises = False                                        # whether the block at hand does, with all that is held then

    def lower_assign(self, ty, inst):
        if isinstance(inst.value, ir.Expr) and inst.target.name in self._defined.single:
            made = self._special(inst.target.name, ty, inst.value)
            if made is not None:
                return made
        return super().lower_assign(ty, inst)

    def _special(self, name: str, ty: types.Type, expr: ir.Expr) -> llvm.Value | None:
        """None in particular where all that read the one definition of a variable have what they need otherwise."""
        within = name in self._singly_assigned_vars     # readers stand in the same block, below
        match expr.op:
            case 'build_tuple' if within and self._is_index(name, ty):
                self._tuples[name] = [self.loadvar(item.name) for item in expr.items]
            case 'call' if within and name in self._defined.iterated and (found := self._range(ty, expr)):
                self._ranges[name] = found
            case 'iternext' if within and (iterator := self._iterator(expr)):
                self._steps[name] = ranges.advance(self.builder, iterator)
            case _:
                return None
        return self.context.get_constant_undef(ty)

    def lower_expr(self, resty, expr):
        if expr.op == 'static_getitem' and expr.index_var is not None and self._is_element(expr.value, expr.index_var):
            return self._element(resty, expr.value, expr.index_var)
        if expr.op == 'getattr' and expr.attr == 'shape' and type(self.typeof(expr.value.name)) is types.Array:
            return self._fields(expr.value).read(elements.SHAPE)
        if expr.op == 'getiter' and expr.value.name in self._ranges:
            self._iterators[expr.value.name] = iterator = ranges.counter(self.builder, *self._ranges[expr.value.name])
            return ranges.packed(self.builder, iterator, self.context.get_value_type(resty))
        if expr.op in ('pair_first', 'pair_second') and expr.value.name in self._steps:
            return self._steps[expr.value.name][expr.op == 'pair_second']
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty, expr, op):
        given, typing = self.fndesc.calltypes[expr], self.context.typing_context
        signature = operators.signature(typing, op, given.args)
        if signature is None:
            return super().lower_binop(resty, expr, op)
        values = [self._cast_var(var, kind) for var, kind in zip((expr.lhs, expr.rhs), given.args, strict=True)]
        result = self.context.get_function(typing.resolve_value_type(op), signature)(self.builder, values)
        return self.context.cast(self.builder, result, given.return_type, resty)

    def lower_getitem(self, resty, expr, value, index, signature):
        if self._is_element(value, index):
            return self._element(resty, value, index)
        return super().lower_getitem(resty, expr, value, index, signature)

    def lower_setitem(self, target_var, index_var, value_var, signature):
        if not self._is_element(target_var, index_var) or not operators.are_numbers((self.typeof(value_var.name),)):
            return super().lower_setitem(target_var, index_var, value_var, signature)
        array, given = self.typeof(target_var.name), signature.args[2]
        value = self.context.cast(self.builder, self._cast_var(value_var, given), given, array.dtype)
        elements.write(self.context, self.builder, array, self._place(target_var, index_var), value)

    # exceptions

    def pre_block(self, block):
        super().pre_block(block)
        self._held, self._at_hand = set(self._entered[id(block)]), {}
        handled = self.generator_info is not None or hasattr(self.builder, '_in_try_block')
        self._raises = isinstance(block.terminator, (ir.StaticRaise, ir.DynamicRaise)) and not handled

    def _unwound(self, builder: llvm.IRBuilder, code: llvm.Value) -> bool:
        """End the function with an exception; not another one that is made beside it, nor a generator, which Numba ends."""
        if builder.function is not self.function or self.generator_info is not None:
            return False
        for name, value in self._at_hand.items():
            self.decref(self.typeof(name), value)
        self._unwinding.end(builder, code, self._held)
        return True

    def _let_go_of(self, name: str) -> None:
        self._let_go(self.typeof(name), self.getvar(name))

    # elements of arrays

    def _index_types(self, name: str) -> tuple[types.Type, ...]:
        kind = self.typeof(name)
        return tuple(kind.types) if isinstance(kind, types.BaseTuple) else (kind,)

    def _is_element(self, whole: ir.Var, index: ir.Var) -> bool:
        return not self.context.enable_boundscheck and elements.is_scalar_access(
            self.typeof(whole.name), self._index_types(index.name))

    def _is_index(self, name: str, ty: types.Type) -> bool:
        """Whether a tuple is nothing but the index of elements."""
        accesses = self._defined.indexed.get(name)
        return (accesses is not None and not self.context.enable_boundscheck
                and all(elements.is_scalar_access(self.typeof(whole), tuple(ty.types))
                        and (stored is None or operators.are_numbers((self.typeof(stored),))) for whole, stored in accesses))

    def _element(self, resty: types.Type, whole: ir.Var, index: ir.Var) -> llvm.Value:
        array = self.typeof(whole.name)
        value = elements.read(self.context, self.builder, array, self._place(whole, index))
        return self.context.cast(self.builder, value, array.dtype, resty)

    def _place(self, whole: ir.Var, index: ir.Var) -> llvm.Value:
        kinds, name = self._index_types(index.name), index.name
        if name in self._tuples:
            names, values = [item.name for item in self._defined.single[name].items], self._tuples[name]
        elif isinstance(self.typeof(name), types.BaseTuple):
            packed = self.loadvar(name)
            names, values = [''] * len(kinds), [_item(self.builder, packed, k) for k in range(len(kinds))]
        else:
            names, values = [name], [self.loadvar(name)]
        numbers = [(value, kind, self._is_ahead(item)) for item, value, kind in zip(names, values, kinds, strict=True)]
        return elements.pointer(self.context, self.builder, self.typeof(whole.name), self._fields(whole), numbers)

    def _is_ahead(self, name: str) -> bool:
        """Whether a variable is known to hold no negative number: one that a loop counts up."""
        expr = self._defined.expression(name)
        if expr is None or expr.op != 'pair_first':
            return False
        step = self._defined.expression(expr.value.name)
        iterator = self._iterator(step) if step is not None and step.op == 'iternext' else None
        return iterator is not None and iterator.ahead

    def _fields(self, whole: ir.Var) -> elements.Fields:
        value = self._blk_local_varmap.get(whole.name)
        return elements.Fields(self.builder, None if value is not None else self.getvar(whole.name), value)

    # loops over ranges

    def _iterator(self, step: ir.Expr) -> ranges.Counter | None:
        """The iterator that an `iternext` advances, if it is one over a range that is known."""
        made = self._defined.expression(step.value.name)
        return self._iterators.get(made.value.name) if made is not None and made.op == 'getiter' else None

    def _range(self, ty: types.Type, expr: ir.Expr) -> tuple[llvm.Value, llvm.Value, int] | None:
        """Start, stop and step of the numbers of `range(...)`, if it is that, and the step is known."""
        signature = self.fndesc.calltypes[expr]
        function = self.typeof(expr.func.name)
        if (not ranges.is_known(ty) or getattr(function, 'typing_key', None) is not builtins.range or expr.kws or expr.vararg
                or any(types.unliteral(kind) != types.int64 for kind in signature.args)):
            return None
        parts = [self._cast_var(var, types.int64) for var in expr.args]
        step = ranges.constant_step(parts)
        if step is None:
            return None
        return (parts[0], parts[1], step) if len(parts) > 1 else (ranges.NUMBER(0), parts[0], step)

    # variables

    def storevar(self, value, name, argidx=None):
        kind = self.typeof(name)
        if name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
            if self._is_counted(kind):
                self._at_hand[name] = value
            return
        self._alloca_var(name, kind)
        if argidx is None:
            self._let_go(kind, self.getvar(name))
        self.builder.store(value, self.getvar(name))
        if self._is_counted(kind):
            self._held.add(name)

    def delvar(self, name):
        if name in self._blk_local_varmap:
            super().delvar(name)
            self._at_hand.pop(name, None)
            return
        self._singly_assigned_vars.discard(name)
        kind = self.typeof(name)
        self._alloca_var(name, kind)
        if not self._is_counted(kind) or self._raises:
            return
        self._held.discard(name)
        self._let_go(kind, self.getvar(name))
        place = self._counted(kind, self.getvar(name))
        self.builder.store(place.type.pointee(None), place)     # it must not be let go twice

    def _let_go(self, kind: types.Type, memory: llvm.Value) -> None:
        """A variable does not hold what it held any more."""
        if type(kind) is types.Array:
            self.context.nrt.decref(self.builder, _memory_of(kind), self.builder.load(self._counted(kind, memory)))
        elif self._is_counted(kind):
            self.decref(kind, self.builder.load(memory))

    def _counted(self, kind: types.Type, memory: llvm.Value) -> llvm.Value:
        """What of a variable says whose references are counted: one field of an array, all of anything else."""
        return cgutils.gep_inbounds(self.builder, memory, 0, elements.MEMINFO) if type(kind) is types.Array else memory

    def _is_counted(self, kind: types.Type) -> bool:
        return self.context.data_model_manager[kind].contains_nrt_meminfo()

    def incref(self, typ, val):
        if self._is_counted(typ):
            super().incref(*self._counter(typ, val))

    def decref(self, typ, val):
        if self._is_counted(typ):
            super().decref(*self._counter(typ, val))

    def _counter(self, kind: types.Type, value: llvm.Value) -> tuple[types.Type, llvm.Value]:
        """What of a value counts references to it."""
        if type(kind) is types.Array:
            return _memory_of(kind), self.builder.extract_value(value, elements.MEMINFO)
        return kind, value


def _memory_of(array: types.Array) -> types.Type:
    return types.MemInfoPointer(array.dtype)


def _item(builder: llvm.IRBuilder, packed: llvm.Value, k: int) -> llvm.Value:
    if isinstance(packed, llvm.Constant) and isinstance(packed.constant, (list, tuple)):
        return packed.constant[k]
    return builder.extract_value(packed, k)
