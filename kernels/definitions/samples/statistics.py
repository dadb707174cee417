"""Means, spreads and orders."""
import numpy as np

from transpiler_kernels.arrays import places_in_order
from transpiler_kernels.definitions.mathematics.values import floats
from transpiler_kernels.definitions.products import squared


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
        return np.mean(squared(deviation), axis=axis, keepdims=keepdims)
    return np.sum(squared(deviation), axis=axis, keepdims=keepdims) / max(number_reduced(a, axis) - ddof, 0)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return spread(var(a, axis, None, None, ddof, keepdims))


def spread(variance):
    """Its root; the slope is 0 where nothing differs, as in autograd."""
    return np.where(variance == 0, 0, np.sqrt(variance))


def ptp(a, axis=None, out=None, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


def average(a, axis=None, weights=None, returned=False):
    if weights is None:
        return np.mean(a, axis=axis)
    a = floats(a)
    if weights.ndim != a.ndim:
        a, axis = np.moveaxis(a, axis, -1), -1
    products = a * weights
    if weights.dtype.kind in 'iub':
        weights = weights.astype(products.dtype)
    total = np.sum(weights, axis=axis if weights.ndim == a.ndim else None)
    if np.any(total == 0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(products, axis=axis) / total


def in_order(a, axis):
    """Sorted along an axis, which comes first; along several, or all of them, taken together."""
    if axis is None:
        return np.sort(np.ravel(a))
    if isinstance(axis, tuple):
        front = np.moveaxis(a, axis, tuple(range(len(axis))))
        return np.sort(np.reshape(front, (-1,) + front.shape[len(axis):]), axis=0)
    return np.moveaxis(np.sort(a, axis=axis), axis, 0)


def with_axes(found, a, axis, keepdims):
    """The result of a reduction with the axes that it keeps."""
    if not keepdims:
        return found
    return np.reshape(found, (1,) * a.ndim) if axis is None else np.expand_dims(found, axis)


def is_vector(a, axis):
    """Whether all items are taken together, so that few of them have to be in order."""
    return (axis is None or a.ndim == 1 and not isinstance(axis, tuple)) and a.size > 0 and not np.iscomplexobj(a)


def at_places(a, places):
    """The items of an array that stand there in order, as floats."""
    a = np.ravel(a)
    return floats(a[places_in_order(a, np.array(places))])


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if is_vector(a, axis):
        first, second, last = at_places(a, [(a.size - 1) // 2, a.size // 2, a.size - 1])
        return with_axes(np.where(np.isnan(last), last, middle_of(first, second)), a, axis, keepdims)
    ordered = floats(in_order(a, axis))
    n = ordered.shape[0]
    if n == 0:
        return np.mean(floats(a), axis=axis, keepdims=keepdims)
    middle = middle_of(ordered[(n - 1) // 2], ordered[n // 2])
    return with_axes(np.where(np.isnan(ordered[-1]), ordered[-1], middle), a, axis, keepdims)


def middle_of(first, second):
    """Their mean; where they are one item, that, however large it is: NumPy adds it to 0.0, which makes it that of -0.0."""
    return np.where(first == second, first + 0.0, 0.5 * (first + second))


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
    deviation = np.where(np.isnan(a), 0, a - nanmean(a, axis, None, None, True))  # of infinite numbers the spread is NaN
    freedom = np.sum(present, axis=axis, keepdims=keepdims) - ddof
    return np.sum(deviation ** 2, axis=axis, keepdims=keepdims) / np.where(freedom > 0, freedom, np.nan)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return spread(nanvar(a, axis, None, None, ddof, keepdims))


def nanmax(a, axis=None, out=None, keepdims=False):
    if not np.issubdtype(a.dtype, np.inexact):
        return np.max(a, axis=axis, keepdims=keepdims)
    top = np.max(without_nan(a, -np.inf), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, top)


def nanmin(a, axis=None, out=None, keepdims=False):
    if not np.issubdtype(a.dtype, np.inexact):
        return np.min(a, axis=axis, keepdims=keepdims)
    bottom = np.min(without_nan(a, np.inf), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, bottom)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    if np.ndim(q) > 1 or np.ndim(q) == 1 and keepdims:
        raise RuntimeError('quantiles are supported for a number or a vector of them, without keepdims for a vector')
    if is_vector(a, axis) and np.ndim(q) == 0:
        return with_axes(quantile_of_all(a, q), a, axis, keepdims)
    ordered = in_order(a, axis)
    if np.ndim(q) == 1:
        return np.stack([quantile_of(ordered, share) for share in q])
    return with_axes(quantile_of(ordered, q), a, axis, keepdims)


def quantile_of(ordered, q):
    if not (q >= 0 and q <= 1):
        raise ValueError('Quantiles must be in the range [0, 1]')
    place = q * (ordered.shape[0] - 1)
    below = int(np.floor(place))
    above = min(below + 1, ordered.shape[0] - 1)
    between = part_of_the_way(ordered[below], ordered[above], place - below)
    return np.where(np.isnan(ordered[-1]), ordered[-1], between)


def quantile_of_all(a, q):
    """The same of all items, most of which need no order."""
    if not (q >= 0 and q <= 1):
        raise ValueError('Quantiles must be in the range [0, 1]')
    place = q * (a.size - 1)
    below = int(np.floor(place))
    first, second, last = at_places(a, [below, min(below + 1, a.size - 1), a.size - 1])
    return np.where(np.isnan(last), last, part_of_the_way(first, second, place - below))


def part_of_the_way(first, second, share):
    """From the nearer end, as NumPy."""
    step = second - first
    return np.where(share < 0.5, first + step * share, second - step * (1 - share))


def last_number(ordered):
    """Where the last one is along the first axis of sorted items, which have NaN at their end."""
    return np.maximum(np.sum(np.logical_not(np.isnan(ordered)), axis=0, keepdims=True) - 1, 0)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    if np.ndim(q) > 0:
        raise RuntimeError('nanquantile is supported for one number')
    if not (q >= 0 and q <= 1):
        raise ValueError('Quantiles must be in the range [0, 1]')
    ordered = in_order(a, axis)
    if ordered.shape[0] == 0:
        return np.mean(floats(a), axis=axis, keepdims=keepdims)
    last = last_number(ordered)
    place = q * last
    below = np.floor(place).astype(int)
    first = np.take_along_axis(ordered, below, axis=0)
    second = np.take_along_axis(ordered, np.minimum(below + 1, last), axis=0)
    part = (place - below).astype(first.dtype if np.issubdtype(first.dtype, np.floating) else np.float64)
    return with_axes(part_of_the_way(first, second, part)[0], a, axis, keepdims)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    return nanquantile(a, q / 100, axis, out, overwrite_input, method, keepdims)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    ordered = floats(in_order(a, axis))
    if ordered.shape[0] == 0:
        return np.mean(floats(a), axis=axis, keepdims=keepdims)
    last = last_number(ordered)
    first, second = np.take_along_axis(ordered, last // 2, axis=0), np.take_along_axis(ordered, (last + 1) // 2, axis=0)
    return with_axes(middle_of(first, second)[0], a, axis, keepdims)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    return quantile(a, q / 100, axis, out, overwrite_input, method, keepdims)


def variables(m, rowvar):
    """One variable in each row, as NumPy in double precision."""
    if m.ndim > 2:
        raise ValueError('m has more than 2 dimensions')
    dtype = np.result_type(m.dtype, np.float64)
    if dtype != m.dtype:
        m = m.astype(dtype)
    return np.atleast_2d(m) if rowvar or m.ndim == 1 else m.T


def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    x = variables(m, rowvar)
    if y is not None:
        x = np.concatenate((x, variables(y, rowvar)), axis=0)
    elif m.ndim > 1 and x.shape[0] == 1:
        raise ValueError('of one row the covariance is a number: give it as an array of one axis')
    deviation = x - np.mean(x, axis=1, keepdims=True)
    less = ddof if ddof is not None else 0 if bias else 1
    other = np.conj(deviation.T) if np.iscomplexobj(deviation) else deviation.T
    found = deviation @ other / max(x.shape[1] - less, 0)
    return found[0, 0] if m.ndim == 1 and y is None else found


def corrcoef(x, y=None, rowvar=True):
    found = cov(x, y, rowvar)
    if x.ndim == 1 and y is None:
        return found / found
    spread = np.sqrt(np.diagonal(found))
    return np.clip(found / spread[:, None] / spread, -1.0, 1.0)
