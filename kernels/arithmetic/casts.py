"""Floats as integers, by the casts that NumPy leaves to the processor: also of NaN, and of what no integer is large enough for.

Smaller integers are cut from these: those of 8 and 16 bits from `int32`, `uint32` from `int64`.
"""
import numba
import numpy as np

from transpiler_kernels.machine.options import KEPT

LEAST_WORD, LEAST = -2**31, -2**63      # what a processor makes of all that it has no integer for
BEYOND_WORD, BEYOND = 2.0**31, 2.0**63


@numba.vectorize(['int32(float64)'], **KEPT)
def int32(x):
    """
    >>> with np.errstate(invalid='ignore'):
    ...     int32(np.array([-2.7, 1e12, np.nan]))
    array([         -2, -2147483648, -2147483648], dtype=int32)
    """
    return np.int32(x) if -BEYOND_WORD - 1.0 < x < BEYOND_WORD else np.int32(LEAST_WORD)


@numba.vectorize(['int64(float64)'], **KEPT)
def int64(x):
    """
    >>> with np.errstate(invalid='ignore'):
    ...     int64(np.array([-2.7, 1e30, np.nan]))
    array([                  -2, -9223372036854775808, -9223372036854775808])
    """
    return np.int64(x) if -BEYOND <= x < BEYOND else LEAST


@numba.vectorize(['uint64(float64)'], **KEPT)
def uint64(x):
    """Those from 2**63 on as their distance from it, which has one bit less.

    >>> with np.errstate(invalid='ignore'):
    ...     uint64(np.array([2.0**63 + 2048.0, -1.0, 1e30, np.nan]))
    array([ 9223372036854777856, 18446744073709551615,                    0,
            9223372036854775808], dtype=uint64)
    """
    near = x - BEYOND if x >= BEYOND else x
    whole = np.int64(near) if -BEYOND <= near < BEYOND else LEAST
    return np.uint64(whole ^ LEAST if x >= BEYOND else whole)
