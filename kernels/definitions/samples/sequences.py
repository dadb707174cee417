"""Functions of samples in order: differences, integrals, polynomials."""
import numpy as np

from transpiler_kernels.definitions.mathematics.values import floats, numpys_beside


def diff(a, n=1, axis=-1, prepend=None, append=None):
    if n > 0:
        a = a if prepend is None else np.concatenate((beside(a, prepend, axis), a), axis=axis)
        a = a if append is None else np.concatenate((a, beside(a, append, axis)), axis=axis)
    a = np.moveaxis(a, axis, 0)
    for _ in tuple(range(n)):
        a = a[1:] != a[:-1] if a.dtype == np.bool_ else a[1:] - a[:-1]
    return np.moveaxis(a, 0, axis)


def beside(a, values, axis):
    """What stands before or behind `a` along an axis; a number is repeated along the others."""
    if np.ndim(values) > 0:
        return np.asarray(values)
    row = np.moveaxis(np.moveaxis(a, axis, 0)[:1], 0, axis)
    return np.broadcast_to(np.asarray(values), row.shape)


def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    """A phase without jumps: where it changes by more than half a period, whole periods are added to what follows."""
    if p.dtype.kind in 'iu' and isinstance(period, int):
        raise ValueError('of integers with a period that is one: make them floats')
    p, half = np.moveaxis(floats(p), axis, 0), period / 2
    steps = p[1:] - p[:-1]
    short = (steps + half) % period - half
    short = np.where((short == -half) & (steps > 0), half, short)
    added = np.where(np.abs(steps) < (half if discont is None else discont), 0, short - steps)
    return np.moveaxis(np.concatenate((p[:1], p[1:] + np.cumsum(added, axis=0))), 0, axis)


def ediff1d(ary):
    flat = np.ravel(ary)
    return flat[1:] - flat[:-1]


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.moveaxis(y, axis, 0)
    pairs = y[1:] + y[:-1]
    if x is None:
        return np.sum(dx * (0.5 * pairs) if y.dtype.kind in 'fc' else dx * pairs / 2.0, axis=0)
    widths = np.diff(x if x.ndim == 1 else np.moveaxis(x, axis, 0), axis=0)
    if y.dtype.kind not in 'fc':    # NumPy multiplies integers before it halves them: small ones wrap around
        return np.sum((widths if x.ndim > 1 else np.reshape(widths, (-1,) + (1,) * (y.ndim - 1))) * pairs / 2.0, axis=0)
    if y.ndim == 1:
        return widths @ (0.5 * pairs)
    return np.tensordot(widths, 0.5 * pairs, 1) if x.ndim == 1 else np.sum(widths * (0.5 * pairs), axis=0)


def interp(x, xp, fp, left=None, right=None):
    x, xp, fp = floats(x), floats(xp), floats(fp)
    if xp.ndim > 1 or fp.ndim > 1:
        raise ValueError('object too deep for desired array')
    if xp.shape[0] == 0:
        raise ValueError('array of sample points is empty')
    if xp.shape[0] != fp.shape[0]:
        raise ValueError('fp and xp are not of the same length.')
    inside = fp[0] if xp.shape[0] == 1 else between(x, xp, fp)
    first, last = fp[0] if left is None else left, fp[-1] if right is None else right
    return np.where(x < xp[0], first, np.where(x > xp[-1], last, inside))


def between(x, xp, fp):
    """Along the line through the points beside `x`: from the point that it is at, and from the other one where that gives NaN."""
    k = np.minimum(np.maximum(np.searchsorted(xp, x, side='right') - 1, 0), xp.shape[0] - 2)
    x0, y0, x1, y1 = np.take(xp, k), np.take(fp, k), np.take(xp, k + 1), np.take(fp, k + 1)
    slope = (y1 - y0) / np.where(x1 == x0, 1, x1 - x0)
    at_end = x == x1
    here_x, here_y = np.where(at_end, x1, x0), np.where(at_end, y1, y0)
    found = slope * (x - here_x) + here_y
    other = np.where((x == here_x) | (y0 == y1), here_y, slope * (x - x1) + y1)
    return np.where(np.isnan(found) & ~np.isnan(x), other, found)


def bincount(x, weights=None, minlength=0):
    if x.ndim != 1:
        raise ValueError('object too deep for desired array')
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if weights is not None and (weights.ndim != 1 or weights.shape[0] != x.shape[0]):
        raise ValueError("The weights and list don't have the same length.")
    if np.any(x < 0):
        raise ValueError("'list' argument must have no negative elements")
    if np.result_type(x.dtype, np.int64) != np.int64 and x.dtype != np.uint64:
        raise TypeError(f"Cannot cast array data from dtype('{x.dtype}') to dtype('int64') according to the rule 'safe'")
    if x.dtype != np.int64:
        x = x.astype(np.int64)
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
    if p.shape[0] == 0:
        return np.zeros_like(x)
    x = numpys_beside(x, p)
    if np.result_type(p.dtype, np.int64) != p.dtype and x.dtype == np.bool_:
        y = np.logical_and(x, False) + p[0]
    else:
        y = 0 * x + p[0]    # of an infinite `x` this is NaN, in NumPy too
    for k in range(1, p.shape[0]):
        y = y * x + p[k]
    return y


def vander(x, N=None, increasing=False):
    dtype = np.result_type(x.dtype, np.int64)
    if dtype != x.dtype:
        x = x.astype(dtype)
    if N is None:
        powers = np.arange(x.shape[0])
        return x[:, None] ** (powers if increasing else powers[::-1])
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


def slope(f, h, axis, edge_order):
    f = np.moveaxis(f, axis, 0)
    if f.shape[0] < edge_order + 1:
        raise ValueError('Shape of array too small to calculate a numerical gradient')
    if np.ndim(h) > 1:
        raise ValueError('distances must be either scalars or 1d')
    if np.ndim(h) == 1:
        h = floats(h)
        steps = np.reshape(h[1:] - h[:-1], (-1,) + (1,) * (f.ndim - 1))
        before, after = steps[:-1], steps[1:]
        inside = ((f[2:] - f[1:-1]) * before / after + (f[1:-1] - f[:-2]) * after / before) / (before + after)
        first, last = (f[1:2] - f[:1]) / steps[:1], (f[-1:] - f[-2:-1]) / steps[-1:]
        if edge_order == 2:
            first = first + (first - (f[2:3] - f[1:2]) / steps[1:2]) * steps[:1] / (steps[:1] + steps[1:2])
            last = last + (last - (f[-2:-1] - f[-3:-2]) / steps[-2:-1]) * steps[-1:] / (steps[-1:] + steps[-2:-1])
    else:
        inside = (f[2:] - f[:-2]) / (2 * h)
        first, last = (f[1:2] - f[:1]) / h, (f[-1:] - f[-2:-1]) / h
        if edge_order == 2:
            first = (4 * f[1:2] - 3 * f[:1] - f[2:3]) / (2 * h)
            last = (3 * f[-1:] - 4 * f[-2:-1] + f[-3:-2]) / (2 * h)
    return np.moveaxis(np.concatenate((first, inside, last), axis=0), 0, axis)


def gradient(f, *varargs, axis=None, edge_order=1):
    f = floats(f)
    axes = tuple(range(f.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(varargs) > 1 and len(varargs) != len(axes):
        raise TypeError('invalid number of arguments')
    found = ()
    for k in tuple(range(len(axes))):
        slopes = slope(f, varargs[k if len(varargs) > 1 else 0] if varargs else 1.0, axes[k], edge_order)
        found = found + (slopes if slopes.dtype == f.dtype else slopes.astype(f.dtype),)
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
    if mode == 'valid':
        found = a[v.size - 1:] * v[0]
        for k in range(1, v.size):
            found += a[v.size - 1 - k:a.size - k] * v[k]
        return found
    found = np.concatenate((a * v[0], np.zeros(v.size - 1, dtype=v.dtype)))
    for k in range(1, v.size):
        found[k:k + a.size] += a * v[k]
    if mode == 'same':
        first = (v.size - 1) // 2
        return found[first:first + a.size]
    return found


def correlate(a, v, mode='valid'):
    if mode == 'same' and a.size < v.size:
        raise RuntimeError('mode "same" is supported for a second array that is not the longer one')
    return convolve(a, np.conj(v[::-1]) if np.iscomplexobj(v) else v[::-1], mode)


def poly(seq_of_zeros):
    if seq_of_zeros.ndim != 1:
        raise RuntimeError('only roots are supported, not a matrix')
    if seq_of_zeros.size == 0:
        return 1.0
    found, zero = np.ones(1, dtype=seq_of_zeros.dtype), np.zeros(1, dtype=seq_of_zeros.dtype)
    for k in range(seq_of_zeros.size):
        found = np.concatenate((found, zero)) - np.concatenate((zero, seq_of_zeros[k] * found))
    return found
