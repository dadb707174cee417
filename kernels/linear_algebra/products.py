"""Matrix products for compiled code, for every dtype and layout."""
import numpy as np
from numba.core import types

from transpiler_kernels.linear_algebra import blas
from transpiler_kernels.linear_algebra.vectors import check, product_of
from transpiler_kernels.machine.compiled import implements, kernel
from transpiler_kernels.machine.options import KEPT
from transpiler_kernels.memory.allocation import empty, fill, zeros
from transpiler_kernels.memory.layout import for_blas, lies_by_rows


def matrix_product(a, b):
    """`a @ b` for vectors and matrices of one dtype: loops for vectors of floats and for integers, BLAS for all else.

    >>> matrix_product(np.ones((2, 3)), np.ones(3))
    array([3., 3.])
    """
    return np.dot(a, b)


@implements(matrix_product, **KEPT)
def _compiled_product(a, b):
    if not isinstance(a.dtype, types.Float | types.Complex):
        return _of_integers(a.ndim, b.ndim)
    if a.ndim == b.ndim == 1:
        return product_of(a, b) if isinstance(a.dtype, types.Float) else _of_complex_vectors
    if 'A' in a.layout + b.layout:
        return _of_copies
    if a.ndim == 1:
        return _vector_and_matrix
    return _matrix_and_vector if b.ndim == 1 else _matrices


def _of_complex_vectors(a, b):
    check(a.size, b.size)
    return np.dot(for_blas(a), for_blas(b))


def _of_copies(a, b):
    return _of_dense(for_blas(a), for_blas(b))


@kernel()
def _of_dense(a, b):
    """By another function: Numba goes on compiling one that calls itself with other types."""
    return matrix_product(a, b)


def _matrices(a, b):
    """BLAS takes what lies row by row for its own transpose; so it is to compute `b.T @ a.T`, if there is anything to do."""
    (m, k), (other, n) = a.shape, b.shape
    check(k, other)
    product, one, zero = empty((m, n), a.dtype), a.dtype.type(1), a.dtype.type(0)
    if product.size and k:
        a_order, a_column = (blas.NO, k) if lies_by_rows(a) else (blas.YES, m)
        b_order, b_column = (blas.NO, n) if lies_by_rows(b) else (blas.YES, k)
        blas.call('gemm', (b_order, a_order, n, m, k, one, b, b_column, a, a_column, zero, product, n))
    else:
        fill(product, zero)
    return product


def _matrix_and_vector(a, b):
    """`a @ b`; BLAS takes what lies row by row for its own transpose."""
    m, k = a.shape
    check(k, b.size)
    product, one, zero = empty(m, a.dtype), a.dtype.type(1), a.dtype.type(0)
    if m and k:
        order, rows, columns = (blas.YES, k, m) if lies_by_rows(a) else (blas.NO, m, k)
        blas.call('gemv', (order, rows, columns, one, a, rows, b, 1, zero, product, 1))
    else:
        fill(product, zero)
    return product


def _vector_and_matrix(a, b):
    return matrix_product(b.T, a)


def _of_integers(a_ndim, b_ndim):
    if a_ndim == b_ndim == 1:
        return lambda a, b: _loops(a.copy().reshape(1, a.size), b.copy().reshape(b.size, 1))[0, 0]
    if a_ndim == 1:
        return lambda a, b: _loops(a.copy().reshape(1, a.size), b)[0]
    if b_ndim == 1:
        return lambda a, b: _loops(a, b.copy().reshape(b.size, 1))[:, 0].copy()
    return lambda a, b: _loops(a, b)


@kernel()
def _loops(a, b):
    check(a.shape[1], b.shape[0])
    product = zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                product[i, j] += a[i, k] * b[k, j]
    return product


@kernel()
def stacked_product(a, b):
    """The products of two stacks of matrices, one by one.

    >>> stacked_product(np.ones((2, 1, 3)), np.ones((2, 3, 1))).ravel()
    array([3., 3.])
    """
    if a.shape[0] != b.shape[0]:
        raise ValueError('incompatible numbers of matrices')
    product = empty((a.shape[0], a.shape[1], b.shape[2]), a.dtype)
    for k in range(a.shape[0]):
        product[k] = matrix_product(a[k], b[k])
    return product


@kernel()
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
