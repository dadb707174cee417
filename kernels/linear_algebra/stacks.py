"""Linear algebra for compiled code: one matrix, and loops over stacks."""
import numpy as np

from transpiler_kernels.linear_algebra import blas, lapack
from transpiler_kernels.linear_algebra.factors import check_square, determinant, factored, inverse, places, solved
from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty, zeros

FEW = 128   # rows: equations of so many are solved for some columns at a time, which wakes none of BLAS's threads


@kernel()
def finite(a):
    """Whether all numbers are; LAPACK fails for others, or never ends, where NumPy computes with them.

    >>> finite(np.ones((2, 2))), finite(np.array([[1.0, np.inf]]))
    (True, False)
    """
    found = True
    for value in a.flat:
        found = found and np.isfinite(value)
    return found


@kernel()
def solve(a, b):
    """`np.linalg.solve` for a matrix and a vector or a matrix, in whatever order they lie.

    >>> solve(np.array([[2.0, 0.0], [0.0, 4.0]]).T, np.ones(2))
    array([0.5 , 0.25])
    """
    return solved(factored(a), False, b)


@kernel()
def solve_each(a, b):
    """`np.linalg.solve` for two stacks of as many matrices.

    >>> solve_each(2.0 * np.ones((3, 1, 1)), np.ones((3, 1, 2))).shape
    (3, 1, 2)
    """
    if a.shape[0] != b.shape[0]:
        raise ValueError('solve: the stacks have different sizes')
    out = empty(b.shape, b.dtype)
    for k in range(a.shape[0]):
        out[k] = solve(a[k], b[k])
    return out


@kernel()
def solve_for_each(a, b):
    """`np.linalg.solve` for one matrix, factored once, and a stack of matrices.

    >>> solve_for_each(2.0 * np.eye(1), np.ones((3, 1, 2))).shape
    (3, 1, 2)
    """
    count, rows, columns = b.shape
    side_by_side = np.ascontiguousarray(b.transpose(1, 0, 2)).reshape(rows, count * columns)
    return np.ascontiguousarray(solve(a, side_by_side).reshape(rows, count, columns).transpose(1, 0, 2))


@kernel()
def solve_each_for(a, b):
    """`np.linalg.solve` for a stack of matrices and one matrix, or one vector.

    >>> solve_each_for(2.0 * np.ones((3, 1, 1)), np.ones((1, 2))).shape
    (3, 1, 2)
    """
    out = empty((a.shape[0], *b.shape), b.dtype)
    for k in range(a.shape[0]):
        out[k] = solve(a[k], b)
    return out


@kernel()
def solve_triangular(a, b, turned, lower, unit_diagonal):
    """`scipy.linalg.solve_triangular` of a matrix, or of its transpose if it is `turned`, and a vector or a matrix.

    >>> solve_triangular(np.array([[2.0, 9.0], [1.0, 4.0]]), np.array([2.0, 5.0]), False, True, False)
    array([1., 1.])
    """
    n = a.shape[0]
    if a.shape[1] != n or b.shape[0] != n:
        raise ValueError('solve_triangular: the shapes of a and b are incompatible')
    if not unit_diagonal:
        for k in range(n):
            if a[k, k] == 0:
                raise np.linalg.LinAlgError('singular matrix: a diagonal element is zero')
    matrix, out, leading = np.asfortranarray(a), b.T.copy(), max(n, 1)      # column by column
    triangle, diagonal = blas.LOWER if lower else blas.UPPER, blas.ONES if unit_diagonal else blas.NO
    columns = out.reshape(out.size // leading, n)
    strip = blas.ALONE // leading if n <= FEW else max(columns.shape[0], 1)
    for first in range(0, columns.shape[0], strip):
        part = columns[first:first + strip]
        blas.call('trsm', (blas.LEFT, triangle, blas.YES if turned else blas.NO, diagonal, n, part.shape[0],
                           a.dtype.type(1), matrix, leading, part, leading))
    return out.T


@kernel()
def solve_triangular_each(a, b, turned, lower, unit_diagonal):
    """The same for two stacks of as many matrices.

    >>> solve_triangular_each(2.0 * np.ones((3, 1, 1)), np.ones((3, 1, 2)), False, True, False).shape
    (3, 1, 2)
    """
    if a.shape[0] != b.shape[0]:
        raise ValueError('solve: the stacks have different sizes')
    out = empty(b.shape, b.dtype)
    for k in range(a.shape[0]):
        out[k] = solve_triangular(a[k], b[k], turned, lower, unit_diagonal)
    return out


@kernel()
def inv(a):
    """`np.linalg.inv` of a matrix.

    >>> inv(2.0 * np.eye(1))
    array([[0.5]])
    """
    if not finite(a):
        return np.ascontiguousarray(solved(factored(a), False, np.eye(a.shape[0], dtype=a.dtype)))
    return inverse(factored(a), False)


@kernel()
def inv_each(a):
    """`np.linalg.inv` of a stack of matrices.

    >>> inv_each(2.0 * np.ones((3, 1, 1)))[0]
    array([[0.5]])
    """
    out = empty(a.shape, a.dtype)
    for k in range(a.shape[0]):
        out[k] = inv(a[k])
    return out


@kernel()
def cholesky(a):
    """`np.linalg.cholesky` of a matrix.

    >>> cholesky(4.0 * np.eye(1))
    array([[2.]])
    """
    if not finite(a):
        return cholesky_of_any(a)
    check_square(a)
    n, out = a.shape[0], np.ascontiguousarray(a).copy()
    letter, integers = np.array((85,), np.uint8), np.array((n, max(n, 1), 0, 0, 0, 0), np.int32)   # U: to LAPACK it is turned
    size, leading, info, _, _, _ = places(integers)
    lapack.call('potrf', out, (letter.ctypes.data, size, out.ctypes.data, leading, info))
    if integers[2] != 0 or letter[0] == 0:
        raise np.linalg.LinAlgError('Matrix is not positive definite')
    for i in range(n):
        out[i, i + 1:] = 0
    return out


@kernel()
def cholesky_of_any(a):
    """`np.linalg.cholesky` of a matrix with NaN or infinity in it, from which others follow.

    >>> cholesky_of_any(np.array([[np.inf, 0.0], [1.0, 4.0]]))
    array([[inf,  0.],
           [ 0.,  2.]])
    """
    check_square(a)
    out = zeros(a.shape, a.dtype)
    for j in range(a.shape[0]):
        rest = a[j, j].real
        for k in range(j):
            rest -= np.abs(out[j, k]) ** 2
        if rest <= 0:
            raise np.linalg.LinAlgError('Matrix is not positive definite')
        out[j, j] = np.sqrt(rest)
        for i in range(j + 1, a.shape[0]):
            below = a[i, j]
            for k in range(j):
                below -= out[i, k] * np.conj(out[j, k])
            out[i, j] = below / out[j, j]
    return out


@kernel()
def cholesky_each(a):
    """`np.linalg.cholesky` of a stack of matrices.

    >>> cholesky_each(4.0 * np.ones((3, 1, 1)))[0]
    array([[2.]])
    """
    out = empty(a.shape, a.dtype)
    for k in range(a.shape[0]):
        out[k] = cholesky(a[k])
    return out


@kernel()
def det(a):
    """`np.linalg.det` of a matrix.

    >>> det(2.0 * np.eye(2))
    4.0
    """
    return determinant(factored(a), False)


@kernel()
def det_each(a):
    """`np.linalg.det` of a stack of matrices.

    >>> det_each(2.0 * np.ones((3, 1, 1)))
    array([2., 2., 2.])
    """
    out = empty(a.shape[0], a.dtype)
    for k in range(a.shape[0]):
        out[k] = det(a[k])
    return out
