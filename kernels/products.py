"""Matrix products for compiled code, for every dtype and layout."""
import numba
import numpy as np
from numba.core import types
from numba.extending import overload

from kernels import blas
from kernels.gram import gram, is_gram
from kernels.layout import for_blas
from kernels.vectors import vector_product


@numba.njit(cache=True, nogil=True)
def matrix_product(a, b):
    """`a @ b` for vectors and matrices of one dtype: loops for vectors of floats and for integers, BLAS for all else.

    >>> matrix_product(np.ones((2, 3)), np.ones(3))
    array([3., 3.])
    """
    if a.shape[-1] != b.shape[0]:  # Numba's own product does not look where there are no items
        raise ValueError('incompatible array sizes for a matrix product')
    return _product(a, b)


def _product(a, b):
    """As `matrix_product`, which Numba keeps on disk; what is chosen by types it would compile in every process."""
    return np.dot(a, b)


@overload(_product)
def _compiled_product(a, b):
    floats = isinstance(a.dtype, types.Float)
    if not floats and not isinstance(a.dtype, types.Complex):
        return _of_integers(a.ndim, b.ndim)
    if a.ndim == b.ndim == 1:
        return (lambda a, b: vector_product(a, b)) if floats else (lambda a, b: np.dot(for_blas(a), for_blas(b)))
    if 'A' in a.layout + b.layout:
        return lambda a, b: _dense_product(for_blas(a), for_blas(b))
    a_by_rows, b_by_rows = a.layout == 'C', b.layout == 'C'
    if a.ndim == 1:
        return lambda a, b: _matrix_and_vector(b.T, a, not b_by_rows)
    if b.ndim == 1:
        return lambda a, b: _matrix_and_vector(a, b, a_by_rows)
    if floats and a_by_rows != b_by_rows:
        return lambda a, b: gram(a, a_by_rows) if is_gram(a, b) else _matrices(a, b, a_by_rows, b_by_rows)
    return lambda a, b: _matrices(a, b, a_by_rows, b_by_rows)


@numba.njit(cache=True, nogil=True)
def _dense_product(a, b):
    """The product of copies, by another function: Numba goes on compiling one that calls itself with other types."""
    return _product(a, b)


@numba.njit(cache=True, nogil=True)
def _matrices(a, b, a_by_rows, b_by_rows):
    """BLAS takes what lies row by row for its own transpose; so it is to compute `b.T @ a.T`, if there is anything to do."""
    (m, k), n = a.shape, b.shape[1]
    product, one, zero = np.empty((m, n), a.dtype), a.dtype.type(1), a.dtype.type(0)
    if product.size and k:
        a_order, a_column = (blas.NO, k) if a_by_rows else (blas.YES, m)
        b_order, b_column = (blas.NO, n) if b_by_rows else (blas.YES, k)
        blas.call('gemm', (b_order, a_order, n, m, k, one, b, b_column, a, a_column, zero, product, n))
    else:
        for i in range(m):
            for j in range(n):
                product[i, j] = zero
    return product


@numba.njit(cache=True, nogil=True)
def _matrix_and_vector(a, b, by_rows):
    """`a @ b`; BLAS takes what lies row by row for its own transpose."""
    m, k = a.shape
    product, one, zero = np.empty(m, a.dtype), a.dtype.type(1), a.dtype.type(0)
    if m and k:
        order, rows, columns = (blas.YES, k, m) if by_rows else (blas.NO, m, k)
        blas.call('gemv', (order, rows, columns, one, a, rows, b, 1, zero, product, 1))
    else:
        for i in range(m):
            product[i] = zero
    return product


def _of_integers(a_ndim, b_ndim):
    if a_ndim == b_ndim == 1:
        return lambda a, b: _loops(a.copy().reshape(1, a.size), b.copy().reshape(b.size, 1))[0, 0]
    if a_ndim == 1:
        return lambda a, b: _loops(a.copy().reshape(1, a.size), b)[0]
    if b_ndim == 1:
        return lambda a, b: _loops(a, b.copy().reshape(b.size, 1))[:, 0].copy()
    return lambda a, b: _loops(a, b)


@numba.njit(cache=True, nogil=True)
def _loops(a, b):
    product = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                product[i, j] += a[i, k] * b[k, j]
    return product


@numba.njit(cache=True, nogil=True)
def stacked_product(a, b):
    """The products of two stacks of matrices, one by one.

    >>> stacked_product(np.ones((2, 1, 3)), np.ones((2, 3, 1))).ravel()
    array([3., 3.])
    """
    if a.shape[0] != b.shape[0]:
        raise ValueError('incompatible numbers of matrices')
    product = np.empty((a.shape[0], a.shape[1], b.shape[2]), a.dtype)
    for k in range(a.shape[0]):
        product[k] = matrix_product(a[k], b[k])
    return product


@numba.njit(cache=True, nogil=True)
def common_size(first, second):
    """The size that an axis has after broadcasting.

    >>> common_size(1, 4), common_size(4, 4)
    (4, 4)
    """
    if first == second or second == 1:
        return first
    if first == 1:
        return second
    raise ValueError('operands could not be broadcast together')
