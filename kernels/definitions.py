"""NumPy functions written in the transpiler's own language: they are inlined, so every transformation knows them.

Each behaves as the NumPy function of its name, for real numbers. Parameters are NumPy's, as far as they are supported.
"""
import numpy as np


def ndim(a):
    return a.ndim


def shape(a):
    return a.shape


def size(a, axis=None):
    return a.size if axis is None else a.shape[axis]


def flatten(a, order='C'):
    return np.copy(np.ravel(a, order=order))


def diag(v, k=0):
    if v.ndim > 2 or v.ndim == 0:
        raise ValueError('Input must be 1- or 2-d.')
    return np.diagflat(v, k) if v.ndim == 1 else np.diagonal(v, k)


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if low is not None:
        a = np.maximum(a, low)
    if high is not None:
        a = np.minimum(a, high)
    return a


def select(condlist, choicelist, default=0):
    result = default
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        result = np.where(condition, choice, result)
    return result


def divmod(x1, x2):
    return x1 // x2, x1 % x2


def modf(x):
    whole = np.trunc(x)
    return x - whole, whole


def sinc(x):
    z = 3.141592653589793 * x
    near = np.abs(z) < 0.1
    w = np.where(near, z * z, 0)
    series = 1 - w / 6 * (1 - w / 20 * (1 - w / 42 * (1 - w / 72)))
    away = np.where(near, 1, z)
    return np.where(near, series, np.sin(away) / away)


def angle(z, deg=False):
    phase = np.arctan2(np.imag(z), np.real(z))
    return np.rad2deg(phase) if deg else phase


def number_reduced(a, axis):
    """How many items a reduction over `axis` takes together."""
    if axis is None:
        return a.size
    if isinstance(axis, tuple):
        items = 1
        for k in axis:
            items = items * a.shape[k]
        return items
    return a.shape[axis]


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    if ddof == 0:
        return np.mean(deviation ** 2, axis=axis, keepdims=keepdims)
    return np.sum(deviation ** 2, axis=axis, keepdims=keepdims) / (number_reduced(a, axis) - ddof)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return np.sqrt(var(a, axis, None, None, ddof, keepdims))


def ptp(a, axis=None, out=None, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


def average(a, axis=None, weights=None, returned=False):
    if weights is None:
        return np.mean(a, axis=axis)
    if weights.ndim == a.ndim:
        return np.sum(a * weights, axis=axis) / np.sum(weights, axis=axis)
    return np.sum(np.moveaxis(a, axis, -1) * weights, axis=-1) / np.sum(weights)


def median(a, axis=None):
    ordered = np.sort(np.ravel(a)) if axis is None else np.moveaxis(np.sort(a, axis=axis), axis, 0)
    n = ordered.shape[0]
    middle = 0.5 * (ordered[(n - 1) // 2] + ordered[n // 2])
    return np.where(np.isnan(ordered[-1]), ordered[-1], middle)


def without_nan(a, instead):
    return np.where(np.isnan(a), instead, a)


def nansum(a, axis=None, dtype=None, out=None, keepdims=False):
    return np.sum(without_nan(a, 0), axis=axis, keepdims=keepdims)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    return np.prod(without_nan(a, 1), axis=axis, keepdims=keepdims)


def nancumsum(a, axis=None, dtype=None, out=None):
    return np.cumsum(without_nan(a, 0), axis=axis)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    present = np.logical_not(np.isnan(a)).astype(a.dtype)
    return np.sum(without_nan(a, 0), axis=axis, keepdims=keepdims) / np.sum(present, axis=axis, keepdims=keepdims)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    present = np.logical_not(np.isnan(a)).astype(a.dtype)
    deviation = without_nan(a - nanmean(a, axis, None, None, True), 0)
    return np.sum(deviation ** 2, axis=axis, keepdims=keepdims) / (np.sum(present, axis=axis, keepdims=keepdims) - ddof)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return np.sqrt(nanvar(a, axis, None, None, ddof, keepdims))


def nanmax(a, axis=None, out=None, keepdims=False):
    top = np.max(without_nan(a, -np.inf), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, top)


def nanmin(a, axis=None, out=None, keepdims=False):
    bottom = np.min(without_nan(a, np.inf), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, bottom)


def diff(a, n=1, axis=-1):
    a = np.moveaxis(a, axis, 0)
    for _ in tuple(range(n)):
        a = a[1:] - a[:-1]
    return np.moveaxis(a, 0, axis)


def ediff1d(ary):
    flat = np.ravel(ary)
    return flat[1:] - flat[:-1]


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.moveaxis(y, axis, 0)
    if x is None:
        return dx * (np.sum(y, axis=0) - 0.5 * (y[0] + y[-1]))
    if x.ndim == 1:
        return np.tensordot(x[1:] - x[:-1], 0.5 * (y[1:] + y[:-1]), 1)
    x = np.moveaxis(x, axis, 0)
    return np.sum((x[1:] - x[:-1]) * (0.5 * (y[1:] + y[:-1])), axis=0)


def interp(x, xp, fp):
    last = xp.shape[0] - 1
    k = np.minimum(np.maximum(np.searchsorted(xp, x, side='right') - 1, 0), last - 1)
    x0, y0 = np.take(xp, k), np.take(fp, k)
    width = np.take(xp, k + 1) - x0
    inside = y0 + (np.take(fp, k + 1) - y0) / np.where(width == 0, 1, width) * (x - x0)
    return np.where(x < xp[0], fp[0], np.where(x > xp[-1], fp[-1], inside))


def polyval(p, x):
    y = np.zeros_like(x) + p[0]
    for k in range(1, p.shape[0]):
        y = y * x + p[k]
    return y


def vander(x, N, increasing=False):
    columns = ()
    for k in tuple(range(N)):
        columns = columns + (x ** (k if increasing else N - 1 - k),)
    return np.stack(columns, axis=1)


def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return base ** np.linspace(start, stop, num, endpoint=endpoint)


def dstack(tup):
    parts = ()
    for x in tup:
        parts = parts + (np.atleast_3d(x),)
    return np.concatenate(parts, axis=2)


def column_stack(tup):
    parts = ()
    for x in tup:
        parts = parts + (np.reshape(x, (-1, 1)) if x.ndim < 2 else x,)
    return np.concatenate(parts, axis=1)


def append(arr, values, axis=None):
    return np.concatenate((arr, values), axis=axis)


def split(ary, indices_or_sections, axis=0):
    ary = np.moveaxis(ary, axis, 0)
    parts = ()
    if isinstance(indices_or_sections, int):
        width = ary.shape[0] // indices_or_sections
        for k in tuple(range(indices_or_sections)):
            parts = parts + (np.moveaxis(ary[k * width:(k + 1) * width], 0, axis),)
        return parts
    start = 0
    for stop in indices_or_sections:
        parts = parts + (np.moveaxis(ary[start:stop], 0, axis),)
        start = stop
    return parts + (np.moveaxis(ary[start:], 0, axis),)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def cross(a, b):
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0), axis=-1)


def kron(a, b):
    if a.ndim == 1 and b.ndim == 1:
        return np.ravel(np.outer(a, b))
    rows = a.shape[0] * b.shape[0]
    return np.reshape(np.einsum('ij,kl->ikjl', a, b), (rows, a.shape[1] * b.shape[1]))


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
