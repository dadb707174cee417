"""NumPy functions that pick items by index or condition, written in the transpiler's own language: they are inlined."""
import numpy as np


def nonzero(a):
    return places(np.flatnonzero(a), a.shape)


def places(flat, shape):
    """The indices along each axis of items counted in C order."""
    found = ()
    for size in reversed(shape[1:]):
        found = (flat % size,) + found
        flat = flat // size
    return (flat,) + found


def along(shape, indices, axis):
    """The index that `np.take_along_axis` reads: `indices` on one axis, whatever there is on the others."""
    if len(shape) == 1:
        return indices
    index = ()
    for k in tuple(range(len(shape))):
        every = np.reshape(np.arange(shape[k]), (1,) * k + (-1,) + (1,) * (len(shape) - k - 1))
        index = index + (indices if k == axis % len(shape) else every,)
    return index


def take_along_axis(arr, indices, axis=-1):
    if axis is None:
        return np.ravel(arr)[indices]
    return arr[along(arr.shape, indices, axis)]


def argwhere(a):
    return np.stack(nonzero(a), axis=1)


def extract(condition, arr):
    return np.ravel(arr)[np.flatnonzero(condition)]


def compress(condition, a, axis=None, out=None):
    return np.take(a, np.flatnonzero(condition), axis=axis)
