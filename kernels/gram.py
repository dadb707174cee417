"""Products of a matrix and its own transpose: BLAS computes one half of them, the other one is a mirror image."""
import numba
import numpy as np

from kernels import blas

BLOCK = 64  # rows and columns that are mirrored at once, so that both stay in the cache


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
    n, k = a.shape
    product, one, zero = np.empty((n, n), a.dtype), a.dtype.type(1), a.dtype.type(0)
    transposed, column = (blas.YES, k) if by_rows else (blas.NO, n)
    if n and k:
        blas.call('syrk', (blas.UPPER, transposed, n, k, one, a, column, zero, product, n))
    else:
        for i in range(n):
            for j in range(n):
                product[i, j] = zero
    for low in range(0, n, BLOCK):
        for left in range(0, low + 1, BLOCK):
            for i in range(low, min(low + BLOCK, n)):
                for j in range(left, min(left + BLOCK, i)):
                    product[j, i] = product[i, j]
    return product
