"""Triangular factors of matrices, and bands, for compiled code: one matrix at a time.

LAPACK's matrices lie column by column, so what it is given are transposes of ours.
"""
import numpy as np
from numba import types

from transpiler_kernels.linear_algebra import lapack
from transpiler_kernels.machine.compiled import implements, kernel
from transpiler_kernels.memory.allocation import empty, zeros


@kernel()
def places(integers):
    """The addresses of integers that lie one after the other."""
    start = integers.ctypes.data
    return start, start + 4, start + 8, start + 12, start + 16, start + 20


@kernel()
def factored(a):
    """The two triangles in one array, transposed, and the row with which each was swapped."""
    rows, columns = a.shape
    both, swapped = a.T.copy(), empty(min(rows, columns), np.int32)
    integers = np.array((rows, columns, max(rows, 1), 0, 0, 0), np.int32)
    m, n, leading, info, _, _ = places(integers)
    lapack.call('getrf', both, (m, n, both.ctypes.data, leading, swapped.ctypes.data, info))
    if integers[3] < 0:
        raise np.linalg.LinAlgError('the factorisation has failed')
    return both, swapped - np.int32(1)


@kernel()
def check_square(both):
    if both.shape[0] != both.shape[1]:
        raise np.linalg.LinAlgError('Last 2 dimensions of the array must be square')


@kernel()
def check_regular(both):
    check_square(both)
    for k in range(both.shape[0]):
        if both[k, k] == 0:
            raise np.linalg.LinAlgError('Singular matrix')


@kernel()
def solved(factors, turned, b):
    """`np.linalg.solve` of the matrix with these factors, or of its transpose if it is `turned`, and a vector or a matrix.

    >>> solved(factored(np.array([[0.0, 2.0], [4.0, 0.0]])), False, np.array([2.0, 4.0]))
    array([1., 1.])
    """
    both, swapped = factors
    check_regular(both)
    n = both.shape[0]
    if b.shape[0] != n:
        raise ValueError('solve: the shapes of a and b are incompatible')
    out, rows = b.T.copy(), swapped + np.int32(1)
    letter = np.array((84 if turned else 78,), np.uint8)    # T, N
    integers = np.array((n, out.size // max(n, 1), max(n, 1), 0, 0, 0), np.int32)
    size, columns, leading, info, _, _ = places(integers)
    lapack.call('getrs', out, (letter.ctypes.data, size, columns, both.ctypes.data, leading, rows.ctypes.data, out.ctypes.data,
                               leading, info))
    if integers[3] < 0 or letter[0] == 0 or rows.size + both.size < n:
        raise np.linalg.LinAlgError('the equations cannot be solved')
    return out.T


@kernel()
def inverse(factors, turned):
    """`np.linalg.inv` of the matrix with these factors, or of its transpose if it is `turned`.

    >>> inverse(factored(np.array([[2.0, 0.0], [4.0, 4.0]])), False) @ np.array([2.0, 8.0])
    array([1., 1.])
    """
    both, swapped = factors
    check_regular(both)
    n = both.shape[0]
    out, rows, work = both.copy(), swapped + np.int32(1), empty(64 * max(n, 1), both.dtype)
    integers = np.array((n, max(n, 1), work.size, 0, 0, 0), np.int32)
    size, leading, length, info, _, _ = places(integers)
    lapack.call('getri', out, (size, out.ctypes.data, leading, rows.ctypes.data, work.ctypes.data, length, info))
    if integers[3] != 0 or rows.size + work.size < n:
        raise np.linalg.LinAlgError('Singular matrix')
    return np.ascontiguousarray(out if turned else out.T)


@kernel()
def determinant(factors, turned):
    """`np.linalg.det` of the matrix with these factors; that of its transpose is the same.

    >>> determinant(factored(np.array([[0.0, 2.0], [4.0, 0.0]])), False)
    -8.0
    """
    both, swapped = factors
    check_square(both)
    product, tame = both.dtype.type(1), True
    for k in range(swapped.size):
        product *= -both[k, k] if swapped[k] != k else both[k, k]
        tame = tame and 1e-30 < np.abs(product) < 1e30
    if tame:
        return product
    sign, logarithm = sign_and_logarithm(factors, turned)   # as NumPy: a product so far may be too large, or too small
    return sign * np.exp(logarithm)


def with_sign_of(sign, value, size):
    """A sign times that of a number of this size; that of NaN is 1, as in NumPy.

    >>> with_sign_of(-1.0, -2.0, 2.0), with_sign_of(-1.0, np.nan, np.nan)
    (1.0, -1.0)
    """
    return sign * value / size if isinstance(value, complex) else -sign if value < 0 else sign


@implements(with_sign_of)
def _with_sign_of(sign, value, size):
    if isinstance(value, types.Complex):
        return lambda sign, value, size: sign * (value / size)
    return lambda sign, value, size: -sign if value < 0 else sign


@kernel()
def sign_and_logarithm(factors, turned):
    """`np.linalg.slogdet` of the matrix with these factors; that of its transpose is the same.

    >>> sign_and_logarithm(factored(np.array([[0.0, 0.5], [2.0, 0.0]])), False)
    (-1.0, 0.0)
    """
    both, swapped = factors
    check_square(both)
    sign, logarithm = both.dtype.type(1), both.dtype.type(0).real
    for k in range(swapped.size):
        size = np.abs(both[k, k])
        if size == 0:
            return both.dtype.type(0), both.dtype.type(-np.inf).real
        sign = with_sign_of(-sign if swapped[k] != k else sign, both[k, k], size)
        logarithm += np.log(size)
    return sign, logarithm


@kernel()
def lu_factor(a):
    """`scipy.linalg.lu_factor` of a matrix.

    >>> lu_factor(np.array([[1.0, 3.0], [2.0, 4.0]]))
    (array([[2. , 4. ],
           [0.5, 1. ]]), array([1, 1], dtype=int32))
    """
    both, swapped = factored(a)
    return both.T.copy(), swapped


@kernel()
def pivoted(swapped, size):
    """The order of `size` rows after each of the first has been swapped with another one.

    >>> pivoted(np.array([2, 2]), 3)
    array([2, 0, 1])
    """
    order = np.arange(size)
    for k in range(swapped.size):
        kept = order[k]
        order[k] = order[swapped[k]]
        order[swapped[k]] = kept
    return order


@kernel()
def lu(a):
    """`scipy.linalg.lu` of a matrix.

    >>> lu(np.array([[1.0, 3.0], [2.0, 4.0]]))[1]
    array([[1. , 0. ],
           [0.5, 1. ]])
    """
    both, swapped = factored(a)
    rows, columns = a.shape
    least = min(rows, columns)
    order = pivoted(swapped, rows)
    permutation = zeros((rows, rows), a.real.dtype)
    left, right = zeros((rows, least), a.dtype), zeros((least, columns), a.dtype)
    for i in range(rows):
        permutation[order[i], i] = 1
        if i < least:
            left[i, i] = 1
            right[i, i:] = both[i:, i]
        left[i, :min(i, least)] = both[:min(i, least), i]
    return permutation, left, right


@kernel()
def solve_banded(below, above, ab, b):
    """`scipy.linalg.solve_banded` of a matrix with that many diagonals below and above the first.

    >>> solve_banded(0, 0, np.array([[2.0, 4.0]]), np.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    size, width = ab.shape[1], 2 * below + above + 1
    if below + above + 1 != ab.shape[0]:
        raise ValueError('invalid values for the number of lower and upper diagonals: l+u+1 does not equal ab.shape[0]')
    if size != b.shape[0]:
        raise ValueError('shapes of ab and b are not compatible.')
    band = zeros((size, width), ab.dtype)
    band[:, below:] = ab.T
    found, swapped = b.T.copy(), empty(size, np.int32)
    integers = np.array((size, below, above, b.size // max(size, 1), width, max(size, 1)), np.int32)
    info = zeros(1, np.int32)
    n, kl, ku, columns, leading, length = places(integers)
    lapack.call('gbsv', ab, (n, kl, ku, columns, band.ctypes.data, leading, swapped.ctypes.data, found.ctypes.data, length,
                             info.ctypes.data))
    if info[0] > 0 or integers[0] != size or swapped.size + band.size < size:
        raise np.linalg.LinAlgError('singular matrix')
    return found.T.copy()
