"""Words of memory that several threads look at: reading, writing and changing them as one step, at addresses."""
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from transpiler_kernels.machine.symbols import WORD

ORDER = 'seq_cst'


def pointer(builder, address):
    return builder.inttoptr(address, WORD.as_pointer())


@intrinsic
def load(context, address):
    """The word at an address."""
    def code(context, builder, signature, args):
        return builder.load_atomic(pointer(builder, args[0]), ORDER, 8)
    return types.int64(types.int64), code


@intrinsic
def store(context, address, value):
    """Write a word."""
    def code(context, builder, signature, args):
        builder.store_atomic(args[1], pointer(builder, args[0]), ORDER, 8)
        return context.get_dummy_value()
    return types.void(types.int64, types.int64), code


@intrinsic
def add(context, address, value):
    """Add to a word."""
    def code(context, builder, signature, args):
        builder.atomic_rmw('add', pointer(builder, args[0]), args[1], ORDER)
        return context.get_dummy_value()
    return types.void(types.int64, types.int64), code


@intrinsic
def replace(context, address, old, new):
    """Write a word if it is still `old`; whether it was."""
    def code(context, builder, signature, args):
        found = builder.cmpxchg(pointer(builder, args[0]), args[1], args[2], ORDER, ORDER)
        return builder.extract_value(found, 1)
    return types.boolean(types.int64, types.int64, types.int64), code


@intrinsic
def swap(context, address, value):
    """Write a word; what was there."""
    def code(context, builder, signature, args):
        return builder.atomic_rmw('xchg', pointer(builder, args[0]), args[1], ORDER)
    return types.int64(types.int64, types.int64), code


@intrinsic
def call(context, function, task, part):
    """Call the function at an address, which takes the address of a task and the number of a part."""
    def code(context, builder, signature, args):
        kind = ir.FunctionType(ir.VoidType(), [WORD, WORD])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return context.get_dummy_value()
    return types.void(types.int64, types.int64, types.int64), code
