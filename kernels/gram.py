"""Products of a matrix and its own transpose: BLAS computes one half of them, the other one is a mirror image."""
import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import alloca_once_value, get_or_insert_function
from numba.extending import get_cython_function_address, intrinsic

BLOCK = 64  # rows and columns that are mirrored at once, so that both stay in the cache
_ROUTINES = {types.float32: 'ssyrk', types.float64: 'dsyrk'}
for _routine in _ROUTINES.values():
    llvmlite.binding.add_symbol(f'transpiler_{_routine}', get_cython_function_address('scipy.linalg.cython_blas', _routine))


@intrinsic
def _rank_k_update(context, one, zero, by_rows, n, k, source, target):
    """BLAS's syrk, for addresses: the lower triangle, by rows, of the product; `one` and `zero` tell the precision."""
    def code(context, builder, signature, args):
        one, zero, by_rows, n, k, source, target = args
        number, whole, letter = one.type, ir.IntType(32), ir.IntType(8)

        def at(value):
            return alloca_once_value(builder, value)

        pointers = [ir.PointerType(kind) for kind in (letter, letter, whole, whole, number, number, whole, number, number, whole)]
        routine = f'transpiler_{_ROUTINES[signature.args[0]]}'
        function = get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), pointers), routine)
        size, inner = (builder.trunc(count, whole) for count in (n, k))
        least = builder.select(by_rows, inner, size)
        stride = builder.select(builder.icmp_signed('<', least, whole(1)), whole(1), least)
        trans = builder.select(by_rows, letter(ord('T')), letter(ord('N')))
        address = [builder.inttoptr(value, ir.PointerType(number)) for value in (source, target)]
        given = [letter(ord('U')), trans, size, inner, one, None, stride, zero, None, size]
        given = [value if value is None else at(value) for value in given]
        given[5], given[8] = address
        builder.call(function, given)
        return context.get_dummy_value()

    return types.void(one, zero, by_rows, n, k, source, target), code


@numba.njit(cache=True, nogil=True)
def is_gram(a, b):
    """Whether the matrix `b` is `a.T`: the same memory, seen the other way."""
    same = a.ctypes.data == b.ctypes.data and a.shape[0] == b.shape[1] and a.shape[1] == b.shape[0]
    return same and a.strides[0] == b.strides[1] and a.strides[1] == b.strides[0]


@numba.njit(cache=True, nogil=True)
def gram(a, by_rows):
    """`a @ a.T` of a matrix whose items lie row by row, or else column by column; float32 or float64.

    >>> gram(np.array([[1.0, 2.0], [3.0, 4.0]]), True)
    array([[ 5., 11.],
           [11., 25.]])
    """
    n = a.shape[0]
    product = np.empty((n, n), a.dtype)
    if not a.shape[1]:
        product[:] = 0
        return product
    _rank_k_update(a.dtype.type(1), a.dtype.type(0), by_rows, n, a.shape[1], a.ctypes.data, product.ctypes.data)
    for low in range(0, n, BLOCK):
        for left in range(0, low + 1, BLOCK):
            for i in range(low, min(low + BLOCK, n)):
                for j in range(left, min(left + BLOCK, i)):
                    product[j, i] = product[i, j]
    return product
