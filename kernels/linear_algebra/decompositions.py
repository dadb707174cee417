"""Decompositions for compiled code: Numba's forms for one matrix, and loops over stacks."""
import numpy as np

from transpiler_kernels.linear_algebra import lapack
from transpiler_kernels.linear_algebra.factors import factored, places, sign_and_logarithm
from transpiler_kernels.linear_algebra.stacks import finite
from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty, zeros


@kernel()
def eigh(a):
    """`np.linalg.eigh` of a matrix, in double precision as NumPy does it.

    >>> eigh(2.0 * np.eye(1))
    (array([2.]), array([[1.]]))
    """
    values, vectors = np.linalg.eigh(np.ascontiguousarray(a).astype(np.float64))
    return values.astype(a.dtype), np.ascontiguousarray(vectors).astype(a.dtype)


@kernel()
def eigh_each(a):
    """`np.linalg.eigh` of a stack of matrices.

    >>> eigh_each(2.0 * np.ones((3, 1, 1)))[0].ravel()
    array([2., 2., 2.])
    """
    values, vectors = empty(a.shape[:2], a.dtype), empty(a.shape, a.dtype)
    for k in range(a.shape[0]):
        values[k], vectors[k] = eigh(a[k])
    return values, vectors


@kernel()
def eigvalsh(a):
    """`np.linalg.eigvalsh` of a matrix.

    >>> eigvalsh(2.0 * np.eye(1))
    array([2.])
    """
    return np.linalg.eigvalsh(np.ascontiguousarray(a))


@kernel()
def eigvalsh_each(a):
    """`np.linalg.eigvalsh` of a stack of matrices.

    >>> eigvalsh_each(2.0 * np.ones((3, 1, 1))).ravel()
    array([2., 2., 2.])
    """
    values = empty(a.shape[:2], a.dtype)
    for k in range(a.shape[0]):
        values[k] = eigvalsh(a[k])
    return values


@kernel()
def svd(a, full_matrices):
    """`np.linalg.svd` of a matrix.

    >>> svd(np.array([[0.0, 2.0]]), False)[1]
    array([2.])
    """
    left, values, right = np.linalg.svd(np.ascontiguousarray(a), full_matrices)
    return np.ascontiguousarray(left), values, np.ascontiguousarray(right)


@kernel()
def svd_each(a, full_matrices):
    """`np.linalg.svd` of a stack of matrices.

    >>> svd_each(2.0 * np.ones((3, 1, 1)), False)[1].ravel()
    array([2., 2., 2.])
    """
    count, rows, columns = a.shape
    least = min(rows, columns)
    left = empty((count, rows, rows if full_matrices else least), a.dtype)
    values = empty((count, least), a.dtype)
    right = empty((count, columns if full_matrices else least, columns), a.dtype)
    for k in range(count):
        left[k], values[k], right[k] = svd(a[k], full_matrices)
    return left, values, right


@kernel()
def singular_values(a):
    """`np.linalg.svd` of a matrix, without vectors.

    >>> singular_values(np.array([[0.0, 2.0]]))
    array([2.])
    """
    least, most = min(a.shape), max(a.shape)
    values, nothing, matrix = empty(least, a.dtype), empty(1, a.dtype), np.ascontiguousarray(a).copy()
    if not finite(a):   # infinite numbers have no singular values, and NaN is no number
        if np.isnan(a).any():
            raise np.linalg.LinAlgError('SVD did not converge')
        values[:] = np.nan
        return values
    work = empty(3 * least + max(most, 7 * least) + 64 * (least + most) + 1, a.dtype)    # with room for blocks
    letters, whole = np.array((78, 0), np.uint8), empty(8 * least + 1, np.int32)     # N: no vectors
    integers = np.array((max(a.shape[1], 1), a.shape[1], a.shape[0], 1, work.size, 0), np.int32)
    leading, columns, rows, one, length, info = places(integers)
    if least:   # column by column it is the transpose, whose singular values are the same
        lapack.call('gesdd', a, (letters.ctypes.data, columns, rows, matrix.ctypes.data, leading, values.ctypes.data,
                                 nothing.ctypes.data, one, nothing.ctypes.data, one, work.ctypes.data, length,
                                 whole.ctypes.data, info))
    if integers[5] or letters[0] == 0 or matrix.size + work.size + whole.size + nothing.size == 0:
        raise np.linalg.LinAlgError('SVD did not converge')
    return values


@kernel()
def singular_values_each(a):
    """`np.linalg.svd` of a stack of matrices, without vectors.

    >>> singular_values_each(2.0 * np.ones((3, 1, 1))).ravel()
    array([2., 2., 2.])
    """
    values = empty((a.shape[0], min(a.shape[1:])), a.dtype)
    for k in range(a.shape[0]):
        values[k] = singular_values(a[k])
    return values


@kernel()
def qr(a):
    """`np.linalg.qr` of a matrix; NaN in a column spreads to those before it in the first factor, which NumPy keeps.

    >>> abs(qr(2.0 * np.eye(1))[1])
    array([[2.]])
    """
    reflections, factors = reflected(a)
    rows, least = a.shape[0], factors.shape[0]
    left, right = zeros((least, rows), a.dtype), zeros((least, a.shape[1]), a.dtype)
    for k in range(least):
        left[k, k], right[k, k:] = 1, reflections[k:, k]
    work = empty(factors.size + 1, a.dtype)
    letters = np.array((76, 78), np.uint8)     # from the left, not transposed
    integers = np.array((rows, least, factors.shape[1], max(rows, 1), max(factors.shape[1], 1), 0), np.int32)
    m, n, block, leading, height, info = places(integers)
    if least:
        lapack.call('gemqrt', a, (letters.ctypes.data, letters.ctypes.data + 1, m, n, n, block, reflections.ctypes.data, leading,
                                  factors.ctypes.data, height, left.ctypes.data, leading, work.ctypes.data, info))
    if integers[5] or letters[0] == 0 or work.size + reflections.size + factors.size == 0:
        raise np.linalg.LinAlgError('the decomposition has failed')
    return np.ascontiguousarray(left.T), right


@kernel()
def reflected(a):
    """The reflections that make a matrix triangular, transposed, in blocks of 64, and the factors of the blocks, transposed.

    The recursion of E. Elmroth and F. Gustavson, IBM Journal of Research and Development 44 (2000): products of matrices all
    the way, where `geqrf` goes column by column in each block, and waits for threads at each.
    """
    rows, columns = a.shape
    least = min(rows, columns)
    size = min(least, 64)
    reflections, factors, work = a.T.copy(), empty((least, size), a.dtype), empty(size * columns + 1, a.dtype)
    integers = np.array((rows, columns, size, max(rows, 1), max(size, 1), 0), np.int32)
    m, n, block, leading, height, info = places(integers)
    if least:
        lapack.call('geqrt', a, (m, n, block, reflections.ctypes.data, leading, factors.ctypes.data, height, work.ctypes.data,
                                 info))
    if integers[5] or work.size == 0:
        raise np.linalg.LinAlgError('the decomposition has failed')
    return reflections, factors


@kernel()
def qr_each(a):
    """`np.linalg.qr` of a stack of matrices.

    >>> abs(qr_each(2.0 * np.ones((3, 1, 1)))[1].ravel())
    array([2., 2., 2.])
    """
    count, rows, columns = a.shape
    least = min(rows, columns)
    left, right = empty((count, rows, least), a.dtype), empty((count, least, columns), a.dtype)
    for k in range(count):
        left[k], right[k] = qr(a[k])
    return left, right


@kernel()
def slogdet(a):
    """`np.linalg.slogdet` of a matrix.

    >>> slogdet(np.eye(2))
    (1.0, 0.0)
    """
    return sign_and_logarithm(factored(a), False)


@kernel()
def slogdet_each(a):
    """`np.linalg.slogdet` of a stack of matrices.

    >>> slogdet_each(np.ones((2, 1, 1)))
    (array([1., 1.]), array([0., 0.]))
    """
    signs, logarithms = empty(a.shape[0], a.dtype), empty(a.shape[0], a.dtype)
    for k in range(a.shape[0]):
        signs[k], logarithms[k] = slogdet(a[k])
    return signs, logarithms


@kernel()
def pinv(a, rcond):
    """`np.linalg.pinv` of a matrix.

    >>> pinv(np.array([[0.0, 2.0]]), 1e-15).ravel()
    array([0. , 0.5])
    """
    left, values, right = svd(a, False)
    inverse = zeros(values.shape, values.dtype)
    for k in range(values.size):
        if values[k] > rcond * values[0]:
            inverse[k] = 1 / values[k]
    return np.ascontiguousarray(right.T) @ np.ascontiguousarray((left * inverse).T)


@kernel()
def pinv_each(a, rcond):
    """`np.linalg.pinv` of a stack of matrices.

    >>> pinv_each(2.0 * np.ones((3, 1, 1)), 1e-15).ravel()
    array([0.5, 0.5, 0.5])
    """
    out = empty((a.shape[0], a.shape[2], a.shape[1]), a.dtype)
    for k in range(a.shape[0]):
        out[k] = pinv(a[k], rcond)
    return out
