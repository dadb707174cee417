"""Products and norms."""
import numpy as np


def cross(a, b):
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


def vecdot(x1, x2):
    return np.sum(x1 * x2, axis=-1)


def norm(x, ord=None, axis=None, keepdims=False):
    if ord is None or ord == 'fro':
        return np.sqrt(np.sum(x ** 2, axis=axis, keepdims=keepdims))
    if isinstance(axis, tuple) or (axis is None and x.ndim != 1):
        return matrix_norm(x, ord, axis, keepdims)
    if ord == 2:
        return np.sqrt(np.sum(x ** 2, axis=axis, keepdims=keepdims))
    if ord == 1:
        return np.sum(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == np.inf:
        return np.max(np.abs(x), axis=axis, keepdims=keepdims)
    return np.sum(np.abs(x) ** ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def matrix_norm(x, ord, axis, keepdims):
    if axis is not None or keepdims or x.ndim != 2 or (ord != 1 and ord != np.inf):
        raise ValueError('only the matrix norms None, "fro", 1 and inf of a single matrix are supported')
    return np.max(np.sum(np.abs(x), axis=0 if ord == 1 else 1))


def matrix_power(a, n):
    if n == 0:
        return np.eye(a.shape[0], dtype=a.dtype)
    base = np.linalg.inv(a) if n < 0 else a
    result = base
    for _ in range(abs(n) - 1):
        result = result @ base
    return result


def multi_dot(arrays):
    result = arrays[0]
    for factor in arrays[1:]:
        result = np.dot(result, factor)
    return result
