"""What formulas in double precision share: sums and products with what rounding leaves, powers of two, parts of a number."""
from __future__ import annotations

import numpy as np

from transpiler_kernels.vector_math.intrinsics import bits, fma, formula, from_bits

MAGIC = 6755399441055744.0  # 1.5 * 2**52: added to a small integer, it leaves it in the lowest bits
MAGIC_BITS = np.int64(0x4338000000000000)
SMALLEST = 2.0 ** -1022  # of the normal floats
ROOT_BITS = np.int64(0x3fe6a09e667f3bcd)  # of sqrt(1 / 2)


@formula
def two_sum(x, y):
    """`x + y`, and what rounding leaves (Knuth)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


@formula
def quick_two_sum(x, y):
    """As `two_sum`, for `abs(x) >= abs(y)` or `x == 0` (Dekker)."""
    total = x + y
    return total, y - (total - x)


@formula
def two_product(x, y):
    """`x * y`, and what rounding leaves."""
    product = x * y
    return product, fma(x, y, -product)


@formula
def quotient(x, x_rest, y, y_rest):
    """`(x + x_rest) / (y + y_rest)`, and what rounding leaves."""
    found = x / y
    return found, (fma(-found, y, x) + (x_rest - found * y_rest)) / y


@formula
def root(x, rest):
    """The square root of `x + rest`, and what rounding leaves; of 0 it is 0."""
    found = np.sqrt(x)
    left = (fma(-found, found, x) + rest) / (found + found)
    return found, left if found > 0.0 else 0.0


@formula
def integer(x):
    """A float that is a small integer, as an integer."""
    return bits(x + MAGIC) - MAGIC_BITS


@formula
def real(n):
    """A small integer, as a float."""
    return from_bits(n + MAGIC_BITS) - MAGIC


@formula
def power_of_two(n):
    """2**n for -1022 <= n <= 1023, of an integer."""
    return from_bits((n + np.int64(1023)) << np.int64(52))


@formula
def scaled(x, n):
    """`x * 2**n` for an integer, rounded once; n may be beyond the range of exponents."""
    half = n >> np.int64(1)
    return x * power_of_two(half) * power_of_two(n - half)


@formula
def split(x):
    """m and k, both floats, so that a positive x is `m * 2**k`, and m lies between the square roots of 1/2 and of 2."""
    small = x < SMALLEST
    number = bits(x * 2.0 ** 54 if small else x)
    power = (number - ROOT_BITS) >> np.int64(52)
    return from_bits(number - (power << np.int64(52))), real(power) - (54.0 if small else 0.0)
