"""Functions of `scipy.linalg`."""
import numpy as np
import scipy.linalg

from transpiler_kernels import arrays
from transpiler_kernels.definitions.mathematics.values import floats


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    if a.ndim != 2:
        raise RuntimeError('cholesky is supported for one matrix, not for stacks')
    return np.linalg.cholesky(a) if lower else np.linalg.cholesky(a.T).T


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """As SciPy leaves it: in the other triangle stands what has been there."""
    factor = cholesky(a, lower)
    return factor + (np.triu(a, 1) if lower else np.tril(a, -1)), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    first = scipy.linalg.solve_triangular(c, b, trans=0 if lower else 1, lower=lower)
    return scipy.linalg.solve_triangular(c, first, trans=1 if lower else 0, lower=lower)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    both, swapped = lu_and_piv
    order = arrays.pivoted(swapped, both.shape[0])
    if trans == 0:
        first = scipy.linalg.solve_triangular(both, b[order], lower=True, unit_diagonal=True)
        return scipy.linalg.solve_triangular(both, first)
    first = scipy.linalg.solve_triangular(both, b, trans=1)
    return scipy.linalg.solve_triangular(both, first, trans=1, lower=True, unit_diagonal=True)[np.argsort(order)]


def solve_continuous_lyapunov(a, q):
    return scipy.linalg.solve_sylvester(a, np.conj(a.T) if np.iscomplexobj(a) else a.T, q)


def block_diag(*arrs):
    columns = 0
    for a in arrs:
        columns = columns + np.atleast_2d(a).shape[1]
    before, rows = 0, ()
    for a in arrs:
        block = np.atleast_2d(a)
        height, width = block.shape
        left, right = np.zeros((height, before), a.dtype), np.zeros((height, columns - before - width), a.dtype)
        rows = rows + (np.concatenate((left, block, right), axis=1),)
        before = before + width
    return np.concatenate(rows, axis=0)


def toeplitz(c, r=None):
    if np.ndim(c) > 1 or (r is not None and np.ndim(r) > 1):
        raise RuntimeError('toeplitz is supported for a column and a row, not for stacks of them')
    column = np.ravel(c)
    row = np.conj(column) if r is None else np.ravel(r)
    values = np.concatenate((column[::-1], row[1:]))
    places = column.size - 1 - np.arange(column.size)[:, None] + np.arange(row.size)
    return values[places]


def expm(A):
    """Higham, "The scaling and squaring method for the matrix exponential revisited" (2005), always of degree 13."""
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise RuntimeError('expm is supported for one square matrix')
    size = np.max(np.sum(np.abs(A), axis=0))
    halvings = int(np.ceil(np.log2(size / 5.371920351148152))) if size > 5.371920351148152 else 0
    a = A / 2.0 ** halvings
    one = np.eye(A.shape[0], dtype=a.dtype)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    odd = a @ (a6 @ (a6 + 16380.0 * a4 + 40840800.0 * a2) + 33522128640.0 * a6 + 10559470521600.0 * a4
               + 1187353796428800.0 * a2 + 32382376266240000.0 * one)
    even = (a6 @ (182.0 * a6 + 960960.0 * a4 + 1323241920.0 * a2) + 670442572800.0 * a6 + 129060195264000.0 * a4
            + 7771770303897600.0 * a2 + 64764752532480000.0 * one)
    found = np.linalg.solve(even - odd, even + odd)
    for _ in range(halvings):
        found = found @ found
    return found


def sqrtm(A):
    """That of real numbers is real here, or an error; SciPy would give complex numbers."""
    if A.ndim < 2:
        raise RuntimeError('sqrtm is supported for square matrices')
    root = scipy.linalg.sqrtm(A)
    return root if np.iscomplexobj(A) else arrays.still_real(root)


PLACES = (0.0254460438286207, 0.12923440720030277, 0.2970774243113014, 0.5,
          0.7029225756886985, 0.8707655927996972, 0.9745539561713793)
WEIGHTS = (0.06474248308443487, 0.13985269574463843, 0.19091502525255935, 0.20897959183673465,
           0.19091502525255935, 0.13985269574463843, 0.06474248308443487)


def logm(A):
    """Inverse scaling and squaring: the logarithm of a root close to one, as the integral of `x / (1 + t x)` for t from 0 to 1.

    Higham, "Functions of Matrices" (2008), chapter 11; as SciPy, in double precision.
    """
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise RuntimeError('logm is supported for one square matrix')
    root = A.astype(np.complex128 if np.iscomplexobj(A) else np.float64)
    one = np.eye(A.shape[0], dtype=root.dtype)
    halvings = 0
    while np.max(np.sum(np.abs(root - one), axis=0)) > 0.25 and halvings < 100:
        root = sqrtm(root)
        halvings = halvings + 1
    rest = root - one
    found = np.zeros_like(rest)
    for place, weight in zip(PLACES, WEIGHTS):
        found = found + weight * np.linalg.solve(one + place * rest, rest)
    return 2.0 ** halvings * found


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    if a.ndim != 2:
        raise RuntimeError('solve is supported for one matrix, not for stacks')
    return np.linalg.solve(a.T if transposed else a, b)


def inv(a, overwrite_a=False, check_finite=True):
    return np.linalg.inv(a)


def det(a, overwrite_a=False, check_finite=True):
    return np.linalg.det(a)


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    return np.linalg.norm(a, ord, axis, keepdims)


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    exact = floats(a)
    return np.linalg.pinv(exact, max(a.shape[-2], a.shape[-1]) * np.finfo(exact.dtype).eps)


def eigh(a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
         subset_by_index=None, subset_by_value=None, driver=None):
    if not eigvals_only:
        raise ValueError('eigh gives vectors with other signs than NumPy: take np.linalg.eigh, or eigvals_only=True')
    return np.linalg.eigvalsh(a if lower else a.T)


def eigvalsh(a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1, check_finite=True, subset_by_index=None,
             subset_by_value=None, driver=None):
    return np.linalg.eigvalsh(a if lower else a.T)


def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver='gesdd'):
    return np.linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svd(a, compute_uv=False)


def qr(a, overwrite_a=False, lwork=None, mode='full', pivoting=False, check_finite=True):
    if mode == 'full' and a.shape[-2] > a.shape[-1]:
        raise ValueError('the columns of q beyond those of the matrix are not determined: give mode="economic"')
    return np.linalg.qr(a, 'reduced')
