"""Elementwise functions for compiled code that Numba has not, or that fuse with their neighbours only in this form."""
import numba
import numpy as np  # noqa: F401  (for the doctests)

from kernels.compiled import KEPT


@numba.vectorize(**KEPT)
def select(condition, chosen, other):
    """`np.where` for three arrays or numbers.

    Compiled code takes the loop of its very types; NumPy, called from Python, the first one compiled that would do.

    >>> compiled = numba.njit(lambda condition, x: select(condition, x, 0.0))
    >>> compiled(np.array([True, False]), np.array([1.0, 2.0]))
    array([1., 0.])
    """
    return chosen if condition else other


@numba.vectorize(['float32(float32, float32)', 'float64(float64, float64)'], **KEPT)
def heaviside(x, at_zero):
    """`np.heaviside`.

    >>> heaviside(np.array([-1.0, 0.0, 2.0, np.nan]), 0.5)
    array([0. , 0.5, 1. , nan])
    """
    if x == 0:
        return at_zero
    return x if x != x else 1.0 if x > 0 else 0.0


@numba.vectorize(['float32(float32)', 'float64(float64)'], **KEPT)
def sign(x):
    """`np.sign`: Numba's own gives -0.0 for -0.0.

    >>> sign(np.array([-0.0, 2.0, -3.0, np.nan]))
    array([ 0.,  1., -1., nan])
    """
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0 if x == 0 else x


@numba.vectorize(['int64(int64, int64)'], **KEPT)
def fmod(x, y):
    """`np.fmod` of integers: the rest has the sign of `x`, and is 0 where nothing can be divided.

    >>> fmod(np.array([5, -5, 5, 7]), np.array([3, 3, -3, 0]))
    array([ 2, -2,  2,  0])
    """
    if y == 0 or y == -1:
        return 0
    rest = x % y
    return rest - y if rest != 0 and (rest < 0) != (x < 0) else rest
