"""New memory for compiled code: large arrays get that of others that are gone, in large pages."""
import sys

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.npydecl import parse_dtype, parse_shape
from numba.extending import lower_builtin, type_callable
from numba.np import arrayobj

from transpiler_kernels.machine.compiled import implements, kernel, written_out
from transpiler_kernels.machine.options import KEPT
from transpiler_kernels.machine.symbols import WORD
from transpiler_kernels.memory.layout import as_vector

if sys.platform == 'linux':
    from transpiler_kernels.memory.blocks import give_block

LARGE = 1 << 22         # bytes: what gets blocks of its own
RETAINED = 1 << 25      # bytes: so much is never kept by C's library for the next one that asks
MARGIN = 1 << 16        # bytes: more than what C's library adds to an array
ALIGNMENT = 32          # bytes


def keep_freed() -> None:
    """Have C's library keep the memory of arrays that are gone for the next ones, up to 64 MiB.

    It keeps twice the largest array that it has seen go (glibc's `mallopt(3)`: the threshold for `mmap` adjusts itself). A
    function with several arrays of one size exceeds that: they would go back to the operating system at the end of every call,
    and setting up their pages anew takes longer than computing what is in them. So let it see a large one go, never touched.
    """
    np.empty(RETAINED - MARGIN, np.uint8)


keep_freed()


def empty(shape, dtype):
    """`np.empty`; what makes an array stands where this is called: Numba's own is four functions to compile.

    >>> empty((2, 3), np.float32).shape
    (2, 3)
    """
    return np.empty(shape, dtype)


@type_callable(empty)
def _type_of_empty(context):
    return lambda shape, dtype: types.Array(parse_dtype(dtype), parse_shape(shape), 'C')


@lower_builtin(empty, types.Any, types.Any)
def _compiled_empty(context, builder, signature, args):
    kind, (given, _) = signature.return_type, signature.args
    lengths = [(args[0], given)] if isinstance(given, types.Integer) else zip(cgutils.unpack_tuple(builder, args[0]), given)
    shape = [context.cast(builder, length, type_, types.intp) for length, type_ in lengths]
    itemsize = WORD(arrayobj.get_itemsize(context, kind))
    strides, size = _spread(context, builder, shape, itemsize)
    memory, items = _allocated(context, builder, size)
    made = arrayobj.make_array(kind)(context, builder)
    arrayobj.populate_array(made, builder.bitcast(items, made.data.type), shape, strides, itemsize, memory)
    return made._getvalue()


def _spread(context, builder, shape, itemsize):
    """How far apart the items along each axis lie, and how many bytes all of them take."""
    strides, size, negative, overflow = [], itemsize, cgutils.false_bit, cgutils.false_bit
    for length in reversed(shape):
        strides.insert(0, size)
        product = builder.smul_with_overflow(size, length)
        size = builder.extract_value(product, 0)
        negative = builder.or_(negative, builder.icmp_signed('<', length, WORD(0)))
        overflow = builder.or_(overflow, builder.extract_value(product, 1))
    for wrong, message in (negative, 'negative dimensions are not allowed'), (overflow, 'the array would be too large'):
        with builder.if_then(wrong, likely=False):
            context.call_conv.return_user_exc(builder, ValueError, (message,))
    return strides, size


def _allocated(context, builder, size):
    """So many bytes: who looks after them, and where they are.

    That is what the call gives: of an address that is read from somewhere, or made of a number, LLVM does not know that it points
    to no table of constants, and makes no vectors of a loop that fills the array and looks into a table, as that of a sine does.
    """
    owner = cgutils.alloca_once(builder, cgutils.voidptr_t)
    items = builder.call(_allocating(context, builder.module), [size, owner])
    cgutils.guard_memory_error(context, builder, items, 'Allocation failed (probably too large).')
    return builder.load(owner), items


def _allocating(context, module):
    """The function that does so for all arrays of what is being compiled; it writes down the owner, or gives a null pointer."""
    name = 'transpiler.allocates'
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(cgutils.voidptr_t, [WORD, cgutils.voidptr_t.as_pointer()]), name)
    function.linkage = 'linkonce_odr'  # one for all, too, of the kernels that are linked to it
    function.attributes.add('noinline')
    builder = ir.IRBuilder(function.append_basic_block())
    size, owner = function.args
    if sys.platform == 'linux':
        with builder.if_then(builder.icmp_signed('>=', size, WORD(LARGE)), likely=False):
            give_block(context, builder, size, owner)
    memory = context.nrt.meminfo_alloc_aligned_unchecked(builder, size, ALIGNMENT)
    with builder.if_then(cgutils.is_null(builder, memory), likely=False):
        builder.ret(memory)
    builder.store(memory, owner)
    builder.ret(context.nrt.meminfo_data(builder, memory))
    return function


@written_out
def fill(made, value):
    items = as_vector(made)
    for k in range(items.size):
        items[k] = value
    return made


@kernel()
def zeros(shape, dtype):
    """`np.zeros`.

    >>> zeros((2,), np.float64)
    array([0., 0.])
    """
    return fill(empty(shape, dtype), 0)


@kernel()
def ones(shape, dtype):
    """`np.ones`.

    >>> ones((2,), np.int64)
    array([1, 1])
    """
    return fill(empty(shape, dtype), 1)


def copy(x):
    """`np.copy`, in C order.

    >>> copy(np.ones((2, 2)).T).flags.c_contiguous
    True
    """
    return np.array(x, order='C')


@implements(copy, **KEPT)
def _compiled_copy(x):
    return _copy_of_dense if x.layout == 'C' else {1: _copy_of_vector, 2: _copy_of_matrix}.get(x.ndim, _copy_of_any)


def _copy_of_dense(x):
    made = empty(x.shape, x.dtype)
    items, copies = as_vector(x), as_vector(made)
    for i in range(items.size):
        copies[i] = items[i]
    return made


def _copy_of_vector(x):
    made = empty(x.size, x.dtype)
    for i in range(x.size):
        made[i] = x[i]
    return made


def _copy_of_matrix(x):
    made = empty(x.shape, x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            made[i, j] = x[i, j]
    return made


def _copy_of_any(x):
    made = empty(x.shape, x.dtype)
    for index in np.ndindex(x.shape):
        made[index] = x[index]
    return made
