"""Elementwise functions for compiled code that Numba has not, or that fuse with their neighbours only in this form."""
import numba
import numpy as np

from transpiler_kernels.machine.options import KEPT


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


@numba.vectorize(['float32(float32)', 'float64(float64)'], **KEPT)
def spacing(x):
    """`np.spacing`: Numba's own is negative at -0.0.

    >>> spacing(np.array([-0.0, 1.0]))
    array([4.94065646e-324, 2.22044605e-016])
    """
    return np.spacing(np.abs(x)) if x == 0 else np.spacing(x)


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


@numba.vectorize(['int64(int64, int64)', 'uint64(uint64, uint64)'], **KEPT)
def left_shift(x, count):
    """`np.left_shift`: by more than there are bits, or by less than nothing, everything is shifted out.

    >>> left_shift(np.array([1, -1, 5]), np.array([3, 64, -1]))
    array([8, 0, 0])
    """
    return x << count if 0 <= count < 64 else x ^ x


@numba.vectorize(['int64(int64, int64)', 'uint64(uint64, uint64)'], **KEPT)
def right_shift(x, count):
    """`np.right_shift`: by more than there are bits, or by less than nothing, the sign is left.

    >>> right_shift(np.array([-8, -1, 5]), np.array([3, 64, -1]))
    array([-1, -1,  0])
    """
    return x >> count if 0 <= count < 64 else x ^ x if x >= 0 else ~(x ^ x)


@numba.vectorize(['int64(int64, int64)'], **KEPT)
def floor_divide(x, y):
    """`np.floor_divide`: 0 where nothing can be divided; the smallest number has no opposite, and stays.

    >>> floor_divide(np.array([-7, 7, -2**63]), np.array([2, 0, -1]))
    array([                  -4,                    0, -9223372036854775808])
    """
    return x // y if y != -1 else -x


@numba.vectorize(['int64(uint64, int64)'], **KEPT)
def order_of_unsigned(x, y):
    """Whether an unsigned integer is less than one with a sign (-1), the same or more (1): Numba compares them as floats.

    >>> order_of_unsigned(np.array([2**63 + 1, 5, 0], np.uint64), np.array([2**63 - 1, 5, -1]))
    array([1, 0, 1])
    """
    if y < 0:
        return 1
    other = np.uint64(y)
    return 1 if x > other else 0 if x == other else -1
