"""Running sums and products."""
import numpy as np

from transpiler.rules.arrays.reductions import PLAIN
from transpiler.rules.base.batching import behind, flat
from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import batched, jvp, known, linear, vjp
from transpiler.rules.base.types import like_operand
from transpiler_kernels import arrays
from transpiler_kernels.definitions.arrays import masked, picking

ALONG = (case((5,)), case((3, 4), axis=0), case((3, 4), axis=-1), case((3, 4)), case((1,)))


@linear(np.cumsum, allowed=PLAIN, beyond=masked.cumsum, examples=ALONG)
def cumsum(ct, a, axis=None, dtype=None, out=None):
    if axis is None:
        return np.reshape(np.cumsum(ct[::-1])[::-1], a.shape)
    return np.flip(np.cumsum(np.flip(ct, axis), axis=axis), axis)


@vjp(np.cumprod, allowed=PLAIN, beyond=masked.cumprod, examples=ALONG)
def cumprod(ct, ans, a, axis=None, dtype=None, out=None):
    if axis is None:
        return np.reshape(product_scan(ct, ans, np.ravel(a)), a.shape)
    return np.moveaxis(product_scan(np.moveaxis(ct, axis, 0), np.moveaxis(ans, axis, 0), np.moveaxis(a, axis, 0)), 0, axis)


def product_scan(ct, ans, a):
    """The cotangent of `a` in `ans = cumprod(a, axis=0)`, without division: `s[i] = ct[i] + a[i + 1] * s[i + 1]`."""
    one = np.ones_like(a[:1])
    totals = arrays.recurrence(ct[::-1], np.concatenate((one, a[:0:-1])))[::-1]
    return totals * np.concatenate((one, ans[:-1]))


@jvp(np.cumprod)
def cumprod_jvp(a_dot, ans, a, axis=None, dtype=None, out=None):
    if axis is None:
        return product_scan_dot(np.ravel(a_dot), ans, np.ravel(a))
    return np.moveaxis(product_scan_dot(np.moveaxis(a_dot, axis, 0), np.moveaxis(ans, axis, 0), np.moveaxis(a, axis, 0)), 0, axis)


def product_scan_dot(a_dot, ans, a):
    """The tangent of `ans = cumprod(a, axis=0)`, without division."""
    return arrays.recurrence(a_dot * np.concatenate((np.ones_like(a[:1]), ans[:-1])), a)


@vjp(arrays.recurrence, type=like_operand(0), scales=('terms',),
     examples=(case((5,), (5,)), case((1,), (1,)), case((4, 3), (4, 3))))
def recurrence(ct, ans, terms, factors):
    one = np.ones_like(terms[:1])
    totals = arrays.recurrence(ct[::-1], np.concatenate((one, factors[:0:-1])))[::-1]
    return totals, totals * np.concatenate((0 * one, ans[:-1]))


SO_FAR = dict(real_only=True, allowed=PLAIN,
              examples=(case((5,)), case((3, 4)), case((3, 4), axis=1), case((3, 4), axis=-1), case((1,))))


@vjp(np.maximum.accumulate, name='numpy.maximum.accumulate', **SO_FAR)
@vjp(np.minimum.accumulate, name='numpy.minimum.accumulate', **SO_FAR)
def extreme_so_far(ct, ans, array, axis=0, dtype=None, out=None):
    total = np.zeros_like(array)
    np.add.at(total, picking.along(array.shape, holders(ans, array, axis), axis), ct)
    return total


@jvp(np.maximum.accumulate, np.minimum.accumulate)
def extreme_so_far_jvp(array_dot, ans, array, axis=0, dtype=None, out=None):
    return array_dot[picking.along(array.shape, holders(ans, array, axis), axis)]


def holders(ans, array, axis):
    """Where along the axis the extreme so far was met, last; from the first NaN on it is NaN."""
    places = np.reshape(np.arange(array.shape[axis]), (-1,) + (1,) * (array.ndim - 1 - axis % array.ndim))
    return np.maximum.accumulate(np.where((array == ans) | np.isnan(array), places, 0), axis=axis)


@batched(np.maximum.accumulate, np.minimum.accumulate)
def extremes_of_examples(function, array, axis=0):
    return function(array, axis=behind(axis, array.ndim))


@batched(np.cumsum, np.cumprod)
def scanned(function, a, axis=None):
    return function(flat(a), axis=1) if axis is None else function(a, axis=behind(axis, a.ndim))


@batched(arrays.recurrence)
def recurrence_of_examples(function, terms, factors):
    return np.swapaxes(arrays.recurrence(np.swapaxes(terms, 0, 1), np.swapaxes(factors, 0, 1)), 0, 1)


@jvp(arrays.recurrence)
def recurrence_jvp(terms_dot, factors_dot, ans, terms, factors):
    if known(factors_dot):
        return arrays.recurrence(terms_dot, factors)
    by_factors = factors_dot * np.concatenate((np.zeros_like(terms[:1]), ans[:-1]))
    return arrays.recurrence(by_factors if known(terms_dot) else terms_dot + by_factors, factors)
