"""Functions of samples in order: differences, integrals, polynomials."""
import numpy as np


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


def bincount(x, weights=None, minlength=0):
    if x.ndim != 1:
        raise ValueError('object too deep for desired array')
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if weights is not None and (weights.ndim != 1 or weights.shape[0] != x.shape[0]):
        raise ValueError("The weights and list don't have the same length.")
    if np.any(x < 0):
        raise ValueError("'list' argument must have no negative elements")
    size = minlength
    if x.size > 0:
        size = max(np.max(x) + 1, minlength)
    if weights is None:
        counts = np.zeros(size, np.int64)
        np.add.at(counts, x, 1)
        return counts
    totals = np.zeros(size)
    np.add.at(totals, x, weights)
    return totals


def polyval(p, x):
    y = np.zeros_like(x) + p[0]
    for k in range(1, p.shape[0]):
        y = y * x + p[k]
    return y


def vander(x, N, increasing=False):
    dtype = np.result_type(x.dtype, np.int64)
    if dtype != x.dtype:
        x = x.astype(dtype)
    columns = ()
    for k in tuple(range(N)):
        columns = columns + (x ** (k if increasing else N - 1 - k),)
    return np.stack(columns, axis=1)


def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return base ** np.linspace(start, stop, num, endpoint=endpoint)


def geomspace(start, stop, num=50, endpoint=True):
    if start == 0 or stop == 0:
        raise ValueError('Geometric sequence cannot include zero')
    return start * (stop / start) ** np.linspace(0.0, 1.0, num, endpoint=endpoint)


def slope(f, h, axis):
    if np.ndim(h) != 0:
        raise ValueError('only an even spacing is supported, given as a number')
    f = np.moveaxis(f, axis, 0)
    if f.shape[0] < 2:
        raise ValueError('Shape of array too small to calculate a numerical gradient')
    inside = (f[2:] - f[:-2]) / (2 * h)
    found = np.concatenate(((f[1:2] - f[:1]) / h, inside, (f[-1:] - f[-2:-1]) / h), axis=0)
    return np.moveaxis(found, 0, axis)


def gradient(f, *varargs, axis=None):
    axes = tuple(range(f.ndim)) if axis is None else (axis,)
    if len(varargs) > 1 and len(varargs) != len(axes):
        raise TypeError('invalid number of arguments')
    found = ()
    for k in tuple(range(len(axes))):
        found = found + (slope(f, varargs[k if len(varargs) > 1 else 0] if varargs else 1.0, axes[k]),)
    return found[0] if len(axes) == 1 else found


def convolve(a, v, mode='full'):
    if mode not in ('full', 'same', 'valid'):
        raise ValueError("mode must be one of 'full', 'same' and 'valid'")
    if a.size == 0 or v.size == 0:
        raise ValueError('a and v cannot be empty')
    if a.size < v.size:
        return convolved(v, a, mode)
    return convolved(a, v, mode)


def convolved(a, v, mode):
    """With an `a` that is not the shorter one."""
    found = np.concatenate((a * v[0], np.zeros(v.size - 1, dtype=v.dtype)))
    for k in range(1, v.size):
        before, after = np.zeros(k, dtype=v.dtype), np.zeros(v.size - 1 - k, dtype=v.dtype)
        found = found + np.concatenate((before, a * v[k], after))
    if mode == 'valid':
        return found[v.size - 1:a.size]
    if mode == 'same':
        first = (v.size - 1) // 2
        return found[first:first + a.size]
    return found


def correlate(a, v, mode='valid'):
    if mode == 'same' and a.size < v.size:
        raise ValueError('mode "same" is supported for a second array that is not the longer one')
    return convolve(a, np.conj(v[::-1]) if np.iscomplexobj(v) else v[::-1], mode)


def poly(seq_of_zeros):
    if seq_of_zeros.ndim != 1:
        raise ValueError('only roots are supported, not a matrix')
    found, zero = np.ones(1, dtype=seq_of_zeros.dtype), np.zeros(1, dtype=seq_of_zeros.dtype)
    for k in range(seq_of_zeros.size):
        found = np.concatenate((found, zero)) - seq_of_zeros[k] * np.concatenate((zero, found))
    return found
