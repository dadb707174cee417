"""Products and norms, and what is made of decompositions."""
import numpy as np

from transpiler_kernels import arrays
from transpiler_kernels.definitions.known import presumably_less
from transpiler_kernels.definitions.mathematics.values import added_up, floats


def cross(a, b):
    in_plane, other_in_plane = presumably_less(a.shape[-1], 3), presumably_less(b.shape[-1], 3)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError('incompatible dimensions for cross product\n(dimension must be 2 or 3)')
    if a.shape[-1] != (2 if in_plane else 3) or b.shape[-1] != (2 if other_in_plane else 3):
        raise RuntimeError('cross products of sizes that show at run time are those of vectors with three components')
    if in_plane and other_in_plane:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    if in_plane:
        a = np.concatenate((a, np.zeros_like(a[..., :1])), axis=-1)
    if other_in_plane:
        b = np.concatenate((b, np.zeros_like(b[..., :1])), axis=-1)
    return cross_of_three(a, b)


def cross_in_space(x1, x2, /, *, axis=-1):
    a, b = np.moveaxis(x1, axis, -1), np.moveaxis(x2, axis, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError(
            'Both input arrays must be (arrays of) 3-dimensional vectors, '
            f'but they are {a.shape[-1]} and {b.shape[-1]} dimensional instead.')
    return np.moveaxis(cross_of_three(a, b), -1, axis)


def cross_of_three(a, b):
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0), axis=-1)


def kron(a, b):
    n = max(a.ndim, b.ndim)
    first, second, sizes = (), (), ()
    for k in tuple(range(n)):
        rows = a.shape[k - n + a.ndim] if k >= n - a.ndim else 1
        columns = b.shape[k - n + b.ndim] if k >= n - b.ndim else 1
        first, second, sizes = first + (rows, 1), second + (1, columns), sizes + (rows * columns,)
    return np.reshape(np.reshape(a, first) * np.reshape(b, second), sizes)


def matrix_trace(x, /, *, offset=0, dtype=None):
    return np.trace(x, offset, -2, -1)


def matrix_diagonal(x, /, *, offset=0):
    return np.diagonal(x, offset, -2, -1)


def norm_of_matrices(x, /, *, keepdims=False, ord='fro'):
    return np.linalg.norm(x, ord, (-2, -1), keepdims)


def norm_of_vectors(x, /, *, axis=None, keepdims=False, ord=2):
    return np.linalg.norm(np.ravel(x), ord) if axis is None else np.linalg.norm(x, ord, axis, keepdims)


def svdvals(x, /):
    return np.linalg.svd(x, compute_uv=False)


def vecdot(x1, x2):
    return added_up((np.conj(x1) if np.iscomplexobj(x1) else x1) * x2, -1)


def squared(x):
    """`abs(x) ** 2`."""
    return np.real(x) ** 2 + np.imag(x) ** 2 if np.iscomplexobj(x) else x ** 2


def norm(x, ord=None, axis=None, keepdims=False):
    x = floats(x)
    if ord is None or ord == 'fro':
        return np.sqrt(np.sum(squared(x), axis=axis, keepdims=keepdims))
    if isinstance(axis, tuple) or (axis is None and x.ndim != 1):
        return matrix_norm(x, ord, axis, keepdims)
    if ord == 2:
        return np.sqrt(np.sum(squared(x), axis=axis, keepdims=keepdims))
    if ord == 0:
        return np.sum((x != 0).astype(np.abs(x).dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == np.inf:
        return largest(np.abs(x), axis, keepdims)
    if ord == -np.inf:
        return np.min(np.abs(x), axis=axis, keepdims=keepdims)
    return np.sum(np.abs(x) ** ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def largest(sizes, axis, keepdims=False):
    """0 where there is none."""
    if sizes.size == 0:
        return np.sum(sizes, axis=axis, keepdims=keepdims)
    return np.max(sizes, axis=axis, keepdims=keepdims)


def matrix_norm(x, ord, axis, keepdims):
    if axis is None and x.ndim != 2:
        raise ValueError('Improper number of dimensions to norm.')
    stack = x if axis is None else np.moveaxis(x, axis, (-2, -1))
    if ord == 2 or ord == -2 or ord == 'nuc':
        values = np.linalg.svd(stack, compute_uv=False)
    elif ord == 1 or ord == -1:
        values = np.sum(np.abs(stack), axis=-2)
    elif ord == np.inf or ord == -np.inf:
        values = np.sum(np.abs(stack), axis=-1)
    else:
        raise ValueError('Invalid norm order for matrices.')
    if ord == 'nuc':
        found = np.sum(values, axis=-1)
    else:
        found = largest(values, -1) if ord > 0 else np.min(values, axis=-1)
    return np.expand_dims(found, (-2, -1) if axis is None else axis) if keepdims else found


def cond(x, p=None):
    if x.shape[-1] == 0 or x.shape[-2] == 0:
        raise np.linalg.LinAlgError('cond is not defined on empty arrays')
    if p is not None and p != 2 and p != -2:
        sign = np.linalg.slogdet(x)[0]
        regular = np.where(np.reshape(sign, np.shape(sign) + (1, 1)) == 0, np.nan, x)
        found = norm(x, p, (-2, -1)) * norm(np.linalg.inv(regular), p, (-2, -1))
    else:
        values = np.linalg.svd(x, compute_uv=False)
        found = values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
    return np.where(np.isnan(found) & ~np.any(np.isnan(x), axis=(-2, -1)), np.inf, found)


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    values = np.linalg.svd(A, compute_uv=False)
    if tol is None:
        relative = max(A.shape[-2], A.shape[-1]) * np.finfo(values.dtype).eps if rtol is None else rtol
        return np.count_nonzero(values > largest(values, -1, True) * relative, axis=-1)
    return np.count_nonzero(values > tol, axis=-1)


def tensorsolve(a, b, axes=None):
    unknown = a.shape[b.ndim:]
    return np.reshape(np.linalg.solve(np.reshape(a, (b.size, -1)), np.ravel(b)), unknown)


def lstsq(a, b, rcond=None):
    """The shortest one of all best solutions; residuals are those of a matrix of full rank, for others NumPy gives none."""
    if a.ndim != 2 or b.ndim > 2:
        raise RuntimeError('lstsq is supported for one matrix, and a vector or a matrix')
    if a.shape[0] != b.shape[0]:
        raise ValueError('Incompatible dimensions')
    if not np.all(np.isfinite(a)):
        raise np.linalg.LinAlgError('SVD did not converge in Linear Least Squares')
    values = np.linalg.svd(a, compute_uv=False)
    precision = np.finfo(values.dtype).eps
    least = max(a.shape[0], a.shape[1]) * precision if rcond is None else precision if rcond == -1 else rcond
    found = np.linalg.pinv(a, least) @ b
    rank = np.count_nonzero(values > least * largest(values, None))
    residuals = np.sum(squared(np.reshape(b - a @ found, (a.shape[0], -1))), axis=0)
    if a.shape[0] <= a.shape[1]:
        residuals = residuals[:0]
    else:
        residuals = arrays.of_full_rank(residuals, rank, a.shape[1])
    return found, residuals, np.int32(rank), values


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if x.ndim != 1 or x.shape[0] != y.shape[0]:
        raise TypeError('expected x and y to have same length')
    powers, values = np.vander(x, deg + 1), y
    if w is not None:
        powers, values = powers * w[:, None], y * (w if y.ndim == 1 else w[:, None])
    if x.shape[0] < deg + 1:
        raise ValueError('as many points as coefficients are needed')
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    left, right = np.linalg.qr(powers / scale)
    sizes = np.abs(np.diagonal(right))
    if np.min(sizes) <= x.shape[0] * np.finfo(sizes.dtype).eps * np.max(sizes):
        raise ValueError('polyfit: fewer points differ than there are coefficients')
    found = np.linalg.solve(right, left.T @ values)
    return found / (scale if y.ndim == 1 else scale[:, None])


def matrix_power(a, n):
    if n == 0:
        one = np.eye(a.shape[-1], dtype=a.dtype)
        return one if a.ndim == 2 else np.zeros_like(a) + one
    base = np.linalg.inv(a) if n < 0 else a
    result = base
    for _ in range(abs(n) - 1):
        result = result @ base
    return result


def multi_dot(arrays):
    for factor in arrays:
        if factor.ndim > 2:
            raise np.linalg.LinAlgError('the arrays must be matrices; the first and the last one may be vectors')
    result = arrays[0]
    for factor in arrays[1:]:
        result = np.dot(result, factor)
    return result
