"""NumPy's integers wrap around: Numba tells LLVM that signed ones do not, and computes with small ones in 64 bits."""
import numba
import numpy as np
from numba.extending import intrinsic

from transpiler_kernels.machine.options import KEPT

WORDS = ['int64(int64, int64)']


def _wrapping(instruction):
    """An instruction of LLVM's without flags."""
    @intrinsic
    def wrapping(context, left, right):
        signature = left(left, left)
        return signature, lambda context, builder, signature, args: getattr(builder, instruction)(*args)
    return wrapping


_sum, _difference, _product = map(_wrapping, ('add', 'sub', 'mul'))


@numba.vectorize(WORDS, **KEPT)
def add(x, y):
    """
    >>> add(np.array([2**63 - 1, 5]), 1)
    array([-9223372036854775808,                    6])
    """
    return _sum(x, y)


@numba.vectorize(WORDS, **KEPT)
def subtract(x, y):
    """
    >>> subtract(np.array([-2**63, 5]), 1)
    array([9223372036854775807,                   4])
    """
    return _difference(x, y)


@numba.vectorize(WORDS, **KEPT)
def multiply(x, y):
    """
    >>> multiply(np.array([2**62, 5]), 3)
    array([-4611686018427387904,                   15])
    """
    return _product(x, y)


@numba.vectorize([*WORDS, 'uint64(uint64, uint64)'], **KEPT)
def power(x, exponent):
    """Of an exponent that is not negative: Numba's own is a float's from the exponent 2**16 on.

    >>> power(np.array([3, -1, 10]), np.array([50, 100_001, 3]))
    array([6048575297968530377,                  -1,                1000])
    """
    kind = type(x)
    found, one = kind(1), kind(1)
    while exponent > 0:
        found = _product(found, x) if exponent & one else found
        x, exponent = _product(x, x), exponent >> one
    return found


@numba.vectorize([*WORDS, 'uint64(uint64, uint64)'], **KEPT)
def lcm(x, y):
    """`np.lcm`: where it wraps around, Numba's own is its magnitude, and of large unsigned numbers a float's.

    >>> lcm(np.array([4, 2**63 - 1]), np.array([-6, 2]))
    array([12, -2])
    """
    shared = np.gcd(x, y)
    if shared == 0:
        return shared
    return _product(x // shared if x > 0 else -x // shared, y if y > 0 else -y)


def _narrowed(dtype):
    """What is left of an integer in a small dtype, also in the middle of an expression of arrays."""
    @numba.vectorize
    def narrowed(x):
        return dtype(x)
    return narrowed


int8, int16, int32 = map(_narrowed, (np.int8, np.int16, np.int32))
uint8, uint16, uint32 = map(_narrowed, (np.uint8, np.uint16, np.uint32))
