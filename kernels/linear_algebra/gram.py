"""Products of a matrix and its own transpose: BLAS computes one half of them, the other one is a mirror image."""
import numpy as np

from transpiler_kernels.linear_algebra import blas
from transpiler_kernels.machine.compiled import implements, kernel
from transpiler_kernels.machine.options import KEPT
from transpiler_kernels.memory.allocation import empty, fill
from transpiler_kernels.memory.layout import for_blas, lies_by_rows

BLOCK = 64  # columns that are mirrored at once, so that the rows they become stay in the cache


def gram(a):
    """`a @ a.T` of a matrix of floats.

    >>> gram(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 5., 11.],
           [11., 25.]])
    """
    return np.dot(a, a.T)


@implements(gram, **KEPT)
def _compiled(a):
    return _of_copy if a.layout == 'A' else _of_dense


def _of_copy(a):
    return _product(for_blas(a))


def _of_dense(a):
    n, k = a.shape
    product, one, zero = empty((n, n), a.dtype), a.dtype.type(1), a.dtype.type(0)
    if n and k:
        transposed, column = (blas.YES, k) if lies_by_rows(a) else (blas.NO, n)
        blas.call('syrk', (blas.UPPER, transposed, n, k, one, a, column, zero, product, n))
    else:
        fill(product, zero)
    for left in range(0, n, BLOCK):
        for i in range(left, n):
            for j in range(left, left + BLOCK if left + BLOCK < i else i):
                product[j, i] = product[i, j]
    return product


_product = kernel()(_of_dense)
