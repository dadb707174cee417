"""Reductions that `dtype=`, `initial=` or `where=` make more than plain ones."""
import numpy as np

from transpiler_kernels.definitions.known import known


def kept(a, where, other, dtype):
    """`a` with `other` in place of the items that a reduction leaves out."""
    a = a if dtype is None else a.astype(dtype)
    if known(where) and where is True:
        return a
    return np.where(np.broadcast_to(where, a.shape), a, other)


def told(result, dtype):
    return result if dtype is None else np.astype(result, dtype)


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    total = told(np.sum(kept(a, where, 0, dtype), axis=axis, keepdims=keepdims), dtype)
    return total if initial is None else total + np.astype(initial, total.dtype)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    product = told(np.prod(kept(a, where, 1, dtype), axis=axis, keepdims=keepdims), dtype)
    return product if initial is None else product * np.astype(initial, product.dtype)


def cumsum(a, axis=None, dtype=None, out=None):
    return told(np.cumsum(kept(a, True, 0, dtype), axis=axis), dtype)


def cumprod(a, axis=None, dtype=None, out=None):
    return told(np.cumprod(kept(a, True, 1, dtype), axis=axis), dtype)


def max(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return extreme(np.max, np.maximum, a, axis, keepdims, initial, where)


def min(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return extreme(np.min, np.minimum, a, axis, keepdims, initial, where)


def extreme(reduced, further, a, axis, keepdims, initial, where):
    if initial is None:
        raise ValueError('where= needs initial=, since there is no extreme of no items')
    first = np.astype(initial, a.dtype)
    if a.size == 0:
        return np.astype(np.sum(a, axis=axis, keepdims=keepdims) + first, a.dtype)
    return further(reduced(kept(a, where, first, None), axis=axis, keepdims=keepdims), first)


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    if known(where) and where is True:
        return np.mean(a.astype(dtype), axis=axis, keepdims=keepdims)
    total = np.sum(kept(a, where, 0, dtype), axis=axis, keepdims=keepdims)
    count = np.count_nonzero(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims)
    return told(total / np.astype(count, total.dtype), dtype)


def all(a, axis=None, out=None, keepdims=False, *, where=True):
    return np.all(kept(a, where, True, None), axis=axis, keepdims=keepdims)


def any(a, axis=None, out=None, keepdims=False, *, where=True):
    return np.any(kept(a, where, False, None), axis=axis, keepdims=keepdims)
