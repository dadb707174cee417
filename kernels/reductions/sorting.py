"""NumPy's sorting for compiled code: its functions for one row, called by a symbol.

Where these stand is part of NumPy's interface for C (`PyArray_ArrFuncs` in `ndarraytypes.h`, `__multiarray_api.h`):
https://numpy.org/doc/stable/reference/c-api/types-and-structures.html
"""
import ctypes

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype
from numpy._core import _multiarray_umath

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.machine.symbols import WORD, in_capsule, known_as, word_at
from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.memory.layout import around_axes

VERSION, FUNCTIONS_OF = 0, 365  # places in NumPy's table for C: that of how things lie, and what gives the functions of a dtype
PLACES = {'sort': 33, 'argsort': 36, 'argsort_stable': 38}  # among these; of the three that sort, the first and the last one
KINDS = '?bhilqBHILQfdFD'


def _register() -> None:
    """Give the functions of every dtype names, for compiled code."""
    _, table = in_capsule(_multiarray_umath._ARRAY_API)
    if ctypes.CFUNCTYPE(ctypes.c_uint)(word_at(table + 8 * VERSION))() != 0x2000000:
        raise ImportError('this version of NumPy lays out what it has for dtypes in another way')
    functions_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(word_at(table + 8 * FUNCTIONS_OF))
    for kind in KINDS:
        for name, place in PLACES.items():
            known_as(_symbol(name, np.dtype(kind)), word_at(functions_of(np.dtype(kind)) + 8 * place))


def _symbol(name: str, dtype: np.dtype) -> str:
    return f'numpy_{name}_{dtype.name}'


_register()


@intrinsic
def sort_row(context, row):
    """Sort a vector in C order; 0, or -1 if there is no memory for it."""
    return types.int32(row), lambda context, builder, signature, args: _call(context, builder, signature, 'sort', args)


@intrinsic(prefer_literal=True)
def argsort_row(context, row, order, stable):
    """Bring numbers of the items of a vector into the order that sorts it, ties in place if asked; 0, or -1 as above."""
    name = 'argsort_stable' if stable.literal_value else 'argsort'

    def code(context, builder, signature, args):
        return _call(context, builder, signature, name, args[:2])
    return types.int32(row, order, stable), code


def _call(context, builder, signature, name, args):
    """Call the function for the dtype of the first array: it takes addresses, a number of items, and what other dtypes need."""
    arrays = [context.make_array(type_)(context, builder, value) for type_, value in zip(signature.args, args)]
    words = [*(builder.ptrtoint(array.data, WORD) for array in arrays), arrays[0].nitems, WORD(0)]
    kind = ir.FunctionType(ir.IntType(32), [WORD] * len(words))
    function = cgutils.get_or_insert_function(builder.module, kind, _symbol(name, as_dtype(signature.args[0].dtype)))
    return builder.call(function, words)


@kernel()
def sort_axis(x, axis):
    """`x` sorted along `axis`, as an array of three axes.

    >>> sort_axis(np.array([3, 1, 2]), 0).ravel()
    array([1, 2, 3])
    """
    cube = around_axes(x, axis, axis).copy()
    before, count, after = cube.shape
    row, failed = empty(count if after > 1 else 0, cube.dtype), 0
    for o in range(before):
        if after == 1:
            failed |= sort_row(cube[o].reshape(count))
            continue
        for i in range(after):
            row[:] = cube[o, :, i]
            failed |= sort_row(row)
            cube[o, :, i] = row
    if failed:
        raise MemoryError
    return cube


@kernel()
def argsort_axis(x, axis, stable):
    """The order that sorts `x` along `axis`, ties in place or where NumPy's quicksort puts them, as an array of three axes.

    >>> argsort_axis(np.array([3, 1, 2]), 0, False).ravel()
    array([1, 2, 0])
    """
    cube = around_axes(x, axis, axis)
    before, count, after = cube.shape
    order, failed = empty(cube.shape, np.int64), 0
    row, places = empty(count, cube.dtype), empty(count, np.int64)
    for o in range(before):
        for i in range(after):
            row[:] = cube[o, :, i]
            for k in range(count):
                places[k] = k
            failed |= argsort_row(row, places, True) if stable else argsort_row(row, places, False)
            order[o, :, i] = places
    if failed:
        raise MemoryError
    return order
