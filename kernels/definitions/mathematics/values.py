"""Functions of elements."""
import builtins

import numpy as np


def floats(x):
    """Integers as floats, as NumPy takes them where sums and products of small ones would not do."""
    return x * 1.0


def added_up(terms, axis):
    """The sum of products along an axis, in their own type, as `@` adds them: `np.sum` would make more bits of small ones."""
    if terms.dtype.kind == 'b' or terms.dtype.kind in 'iu' and terms.dtype.itemsize < 8:
        return np.sum(terms, axis=axis, dtype=terms.dtype)
    return np.sum(terms, axis=axis)


def numpys_beside(x, array):
    """A number of Python's as NumPy's own, of 64 bits, where an array has fewer; where it has not, that makes no difference."""
    return np.asarray(x) if np.result_type(array.dtype, np.int64) != array.dtype else x


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if low is not None:
        a = np.maximum(a, within(a, low, True))
    if high is not None:
        a = np.minimum(a, within(a, high, False))
    return a


def within(a, bound, low):
    """A bound as NumPy takes it: an integer of Python's beyond a dtype of small or unsigned integers cuts nothing off."""
    if not isinstance(bound, int) or not isinstance(a, (np.ndarray, np.integer)):
        return bound
    if not np.issubdtype(a.dtype, np.integer) or a.dtype == np.int64:
        return bound
    ends = np.iinfo(a.dtype)
    return builtins.max(bound, ends.min) if low else builtins.min(bound, ends.max)


def select(condlist, choicelist, default=0):
    result = default
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        result = np.where(condition, choice, result)
    return result


def piecewise(x, condlist, funclist):
    if len(funclist) != len(condlist) and len(funclist) != len(condlist) + 1:
        raise ValueError('piecewise: a function is expected for each condition, and perhaps one more')
    values = np.zeros_like(x)
    if len(funclist) == len(condlist) + 1:
        rest = condlist[0]
        for condition in condlist[1:]:
            rest = rest | condition
        condlist = [~rest] + list(condlist)
        funclist = [funclist[-1]] + list(funclist[:-1])
    for condition, function in zip(condlist, funclist):
        values[condition] = function(x[condition]) if callable(function) else function
    return values


def divmod(x1, x2):
    return x1 // x2, x1 % x2


def modf(x):
    whole = np.trunc(x)
    return np.copysign(np.where(np.isinf(x), 0, x - whole), x), whole


def sinc(x):
    z = 3.141592653589793 * x
    near = np.abs(z) < 0.1
    w = np.where(near, z * z, 0)
    series = 1 - w / 6 * (1 - w / 20 * (1 - w / 42 * (1 - w / 72)))
    away = np.where(near, 1, z)
    return np.where(near, series, np.sin(away) / away)


def sign(x):
    """Of complex numbers: `x / abs(x)`, and 0 at 0; slopes are those of real and imaginary parts."""
    size = np.abs(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size))


def angle(z, deg=False):
    phase = np.arctan2(np.imag(z), np.real(z))
    return np.rad2deg(phase) if deg else phase


def choose(a, choices, out=None, mode='raise'):
    count = len(choices)
    if np.any((a < 0) | (a >= count)):
        raise ValueError('invalid entry in choice array')
    found = np.where(a == 0, choices[0], choices[count - 1])
    for k in range(1, count - 1):
        found = np.where(a == k, choices[k], found)
    return found


def digitize(x, bins, right=False):
    steps = np.diff(bins)
    side = 'left' if right else 'right'
    if np.all(steps >= 0):
        return np.searchsorted(bins, x, side=side)
    if not np.all(steps <= 0):
        raise ValueError('bins must be monotonically increasing or decreasing')
    return bins.size - np.searchsorted(bins[::-1], x, side=side)


def isin(element, test_elements, assume_unique=False, invert=False):
    found = np.any(np.asarray(element)[..., None] == np.ravel(test_elements), axis=-1)
    return np.logical_not(found) if invert else found
