"""Eigenvalues of matrices that are not symmetric, and what Schur's form is good for, for compiled code: one matrix at a time.

LAPACK's matrices lie column by column, so what it is given are transposes of ours.
"""
import numpy as np

from transpiler_kernels.linear_algebra import lapack
from transpiler_kernels.linear_algebra.factors import check_square, places
from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty


@kernel()
def check_finite_square(a):
    check_square(a)
    if not np.isfinite(a).all():
        raise np.linalg.LinAlgError('Array must not contain infs or NaNs')


@kernel()
def spectrum(a, letter):
    """The eigenvalues of a matrix of real numbers, those parts of them that are imaginary, and the vectors, transposed.

    letter: of LAPACK, 86 for V: with vectors, or 78 for N: without.

    >>> spectrum(np.array([[0.0, 2.0], [-2.0, 0.0]]), 78)[1]
    array([ 2., -2.])
    """
    check_finite_square(a)
    size = a.shape[0]
    matrix, work, nothing = a.T.copy(), empty(8 * size + 1, a.dtype), empty(1, a.dtype)
    real, imaginary, vectors = empty(size, a.dtype), empty(size, a.dtype), empty(a.shape, a.dtype)
    letters = np.array((78, letter), np.uint8)
    integers = np.array((size, max(size, 1), 1, work.size, 0, 0), np.int32)
    n, leading, one, length, info, _ = places(integers)
    lapack.call('geev', a, (letters.ctypes.data, letters.ctypes.data + 1, n, matrix.ctypes.data, leading, real.ctypes.data,
                            imaginary.ctypes.data, nothing.ctypes.data, one, vectors.ctypes.data, leading, work.ctypes.data,
                            length, info))
    if integers[4] or letters[0] == 0 or matrix.size + work.size + nothing.size == 0:
        raise np.linalg.LinAlgError('Eigenvalues did not converge')
    return real, imaginary, vectors


@kernel()
def check_real(wrong):
    if wrong:
        raise ValueError('the result is complex for these real numbers: give them as complex numbers, `a.astype(complex)`')


@kernel()
def real_eigvals(a):
    """`np.linalg.eigvals` of a matrix of real numbers whose eigenvalues are real numbers, in double precision as NumPy does it.

    >>> real_eigvals(np.array([[2.0, 1.0], [0.0, 2.0]]))
    array([2., 2.])
    """
    real, imaginary, _ = spectrum(a.astype(np.float64), 78)
    check_real(imaginary.any())
    return real.astype(a.dtype)


@kernel()
def real_eig(a):
    """`np.linalg.eig` of a matrix of real numbers whose eigenvalues are real numbers, in double precision as NumPy does it.

    >>> real_eig(np.array([[2.0]]))
    (array([2.]), array([[1.]]))
    """
    real, imaginary, vectors = spectrum(a.astype(np.float64), 86)
    check_real(imaginary.any())
    return real.astype(a.dtype), np.ascontiguousarray(vectors.T).astype(a.dtype)


@kernel()
def eigvals(a):
    """`np.linalg.eigvals` of a matrix of complex numbers.

    >>> eigvals(np.array([[2j]]))
    array([0.+2.j])
    """
    return np.linalg.eigvals(np.ascontiguousarray(a))


@kernel()
def eig(a):
    """`np.linalg.eig` of a matrix of complex numbers.

    >>> eig(np.array([[2j]]))[0]
    array([0.+2.j])
    """
    values, vectors = np.linalg.eig(np.ascontiguousarray(a))
    return values, np.ascontiguousarray(vectors)


@kernel()
def schur(a):
    """The triangle and the vectors of Schur's form of a matrix of complex numbers, both transposed.

    >>> schur(np.array([[2j]]))[0]
    array([[0.+2.j]])
    """
    check_finite_square(a)
    size = a.shape[0]
    triangle, vectors = a.T.copy(), empty(a.shape, a.dtype)
    values, work = empty(size, a.dtype), empty(8 * size + 1, a.dtype)
    letters, real = np.array((86, 78), np.uint8), empty(size + 1, a.real.dtype)  # V: with vectors, N: in any order
    integers = np.array((size, 0, work.size, 0, 0, 0), np.int32)
    n, found, length, info, flags, _ = places(integers)
    lapack.call('gees', a, (letters.ctypes.data, letters.ctypes.data + 1, 0, n, triangle.ctypes.data, n, found,
                            values.ctypes.data, vectors.ctypes.data, n, work.ctypes.data, length, real.ctypes.data, flags, info))
    if integers[3] or letters[0] == 0 or work.size + values.size + real.size == 0:
        raise np.linalg.LinAlgError('Schur form not found. Possibly ill-conditioned.')
    return triangle, vectors


@kernel()
def solve_sylvester(a, b, q):
    """`scipy.linalg.solve_sylvester` of matrices of complex numbers.

    >>> solve_sylvester(np.array([[2j]]), np.array([[3j]]), np.array([[10j]]))
    array([[2.+0.j]])
    """
    rows, columns = a.shape[0], b.shape[0]
    if q.shape[0] != rows or q.shape[1] != columns:
        raise ValueError('q must be of shape (a.shape[0], b.shape[0])')
    left, first = schur(a)
    right, second = schur(np.conj(b.T))
    inner = (np.conj(first) @ np.ascontiguousarray(q) @ np.ascontiguousarray(second.T)).T.copy()
    letters, scale = np.array((78, 67), np.uint8), empty(1, a.real.dtype)  # N: as it is, C: the adjoint
    integers = np.array((1, rows, columns, 0, 0, 0), np.int32)
    sign, m, n, info, _, _ = places(integers)
    lapack.call('trsyl', a, (letters.ctypes.data, letters.ctypes.data + 1, sign, m, n, left.ctypes.data, m, right.ctypes.data, n,
                             inner.ctypes.data, m, scale.ctypes.data, info))
    if integers[3] < 0 or letters[0] == 0 or left.size + right.size == 0:
        raise np.linalg.LinAlgError('the equation has no solution')
    found = np.ascontiguousarray(inner.T) * scale[0]
    return np.ascontiguousarray(first.T) @ found @ np.conj(second)


@kernel()
def root_of_triangle(upper):
    """The square root of an upper triangle that is transposed, transposed."""
    size, root = upper.shape[0], np.zeros_like(upper)
    for j in range(size):
        root[j, j] = np.sqrt(upper[j, j])
        for i in range(j - 1, -1, -1):
            rest = upper[j, i]
            for k in range(i + 1, j):
                rest -= root[k, i] * root[j, k]
            root[j, i] = rest / (root[i, i] + root[j, j]) if rest != 0 else 0
    return root


@kernel()
def sqrtm(a):
    """`scipy.linalg.sqrtm` of a matrix of complex numbers.

    >>> sqrtm(np.array([[-4.0 + 0j]]))
    array([[0.+2.j]])
    """
    triangle, vectors = schur(a)
    root = np.ascontiguousarray(root_of_triangle(triangle).T)
    return np.ascontiguousarray(vectors.T) @ root @ np.conj(vectors)


@kernel()
def real_sqrtm(a, as_complex):
    """`scipy.linalg.sqrtm` of a matrix of real numbers, also given as complex ones, whose square root is real.

    >>> real_sqrtm(np.array([[4.0]]), np.array([[4.0 + 0j]]))
    array([[2.]])
    """
    real, imaginary, _ = spectrum(a, 78)
    check_real(((imaginary == 0) & (real < 0)).any())
    return np.ascontiguousarray(sqrtm(as_complex).real)


@kernel()
def real_eigvals_each(a):
    """`real_eigvals` of a stack of matrices.

    >>> real_eigvals_each(2.0 * np.ones((3, 1, 1))).ravel()
    array([2., 2., 2.])
    """
    out = empty(a.shape[:2], a.dtype)
    for k in range(a.shape[0]):
        out[k] = real_eigvals(a[k])
    return out


@kernel()
def real_eig_each(a):
    """`real_eig` of a stack of matrices.

    >>> real_eig_each(2.0 * np.ones((3, 1, 1)))[0].ravel()
    array([2., 2., 2.])
    """
    values, vectors = empty(a.shape[:2], a.dtype), empty(a.shape, a.dtype)
    for k in range(a.shape[0]):
        values[k], vectors[k] = real_eig(a[k])
    return values, vectors


@kernel()
def eigvals_each(a):
    """`eigvals` of a stack of matrices.

    >>> eigvals_each(2j * np.ones((2, 1, 1))).ravel()
    array([0.+2.j, 0.+2.j])
    """
    out = empty(a.shape[:2], a.dtype)
    for k in range(a.shape[0]):
        out[k] = eigvals(a[k])
    return out


@kernel()
def solve_sylvester_each(a, b, q):
    """`solve_sylvester` of stacks of as many matrices.

    >>> solve_sylvester_each(*(np.ones((2, 1, 1)) + 0j for _ in range(3))).ravel()
    array([0.5+0.j, 0.5+0.j])
    """
    if a.shape[0] != b.shape[0] or a.shape[0] != q.shape[0]:
        raise ValueError('solve_sylvester: the stacks have different sizes')
    out = empty(q.shape, a.dtype)
    for k in range(a.shape[0]):
        out[k] = solve_sylvester(a[k], b[k], q[k])
    return out


@kernel()
def sqrtm_each(a):
    """`sqrtm` of a stack of matrices.

    >>> sqrtm_each(np.ones((2, 1, 1)) + 0j).ravel()
    array([1.+0.j, 1.+0.j])
    """
    out = empty(a.shape, a.dtype)
    for k in range(a.shape[0]):
        out[k] = sqrtm(a[k])
    return out


@kernel()
def real_sqrtm_each(a, as_complex):
    """`real_sqrtm` of a stack of matrices.

    >>> real_sqrtm_each(np.ones((2, 1, 1)), np.ones((2, 1, 1)) + 0j).ravel()
    array([1., 1.])
    """
    out = empty(a.shape, a.dtype)
    for k in range(a.shape[0]):
        out[k] = real_sqrtm(a[k], as_complex[k])
    return out


@kernel()
def eig_each(a):
    """`eig` of a stack of matrices.

    >>> eig_each(2j * np.ones((2, 1, 1)))[0].ravel()
    array([0.+2.j, 0.+2.j])
    """
    values, vectors = empty(a.shape[:2], a.dtype), empty(a.shape, a.dtype)
    for k in range(a.shape[0]):
        values[k], vectors[k] = eig(a[k])
    return values, vectors
