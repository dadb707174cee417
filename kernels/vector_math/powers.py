"""Powers and roots in double precision."""
from __future__ import annotations

import math

import numpy as np

from transpiler_kernels.vector_math.coefficients import CBRT
from transpiler_kernels.vector_math.double import SMALLEST, integer, power_of_two, real, root, two_product, two_sum
from transpiler_kernels.vector_math.exponentials import exp_of_sum
from transpiler_kernels.vector_math.intrinsics import bits, choose, fma, formula, from_bits, polynomial, rint
from transpiler_kernels.vector_math.logarithms import log_parts


@formula
def pow(x, y):
    """x**y, at most 1 ulp off, with the special values of C.

    >>> float(pow(2.0, 10.0)), float(pow(-2.0, 3.0)), float(pow(0.0, 0.0))
    (1024.0, -8.0, 1.0)
    """
    a = abs(x)
    bounded = a < np.inf
    high, low = log_parts(choose((a > 0.0) & bounded, a, 1.0))
    high = choose(a == 0.0, -np.inf, choose(bounded, high, a))
    product = y * high
    bounded = abs(product) < 1000.0
    rest = choose(bounded, fma(y, high, -product) + y * low, 0.0)
    return signed_power(x, y, exp_of_sum(product, rest))


@formula
def signed_power(x, y, found):
    """`x ** y`, where `found` is `abs(x) ** y`: what becomes of a sign, and what C says of 1, 0, infinity and nan."""
    a = abs(x)
    whole = rint(y) == y
    odd = whole & (abs(y) < 2.0 ** 53) & (rint(0.5 * y) != 0.5 * y)
    found = choose((x < 0.0) & ~whole & (a < np.inf), np.nan, found)
    found = choose((math.copysign(1.0, x) < 0.0) & odd, -found, found)
    found = choose((a == 1.0) & (abs(y) == np.inf), 1.0, found)
    return choose((y == 0.0) | (x == 1.0), 1.0, choose((x == x) & (y == y), found, x + y))


@formula
def half_power(x, n):
    """x**(n + 0.5), at most 2 ulp off, with the special values of C; n is an integer from -3 to 2 that the compiler knows.

    >>> float(half_power(4.0, 1)), float(half_power(4.0, -2)), float(half_power(-np.inf, 0))
    (8.0, 0.125, inf)
    """
    found = np.sqrt(x)
    if n < 0:
        found = _root_divides(x, found, -1 - n)
    elif n > 0:
        found = (x if n == 1 else x * x) * found
    return choose(x == -np.inf, 0.0 if n < 0 else np.inf, abs(found))


@formula
def _root_divides(x, root, n):
    """`1 / (x**n * root)` for the square root of x: `quotient**(2 * n + 1)` with what rounding left."""
    quotient = 1.0 / root
    off = fma(-quotient, root, 1.0) - 0.5 * fma(-root, root, x) * quotient * quotient
    power, power_rest = 1.0, 0.0
    if n > 0:
        power, power_rest = two_product(quotient, quotient)
    if n > 1:
        double_rest = 2.0 * power * power_rest
        power, power_rest = two_product(power, power)
        power_rest = power_rest + double_rest
    found, rest = two_product(power, quotient)
    better = found + (rest + (power_rest * quotient + (2 * n + 1) * off * found))
    return choose((x > 0.0) & (x < np.inf) & (abs(found) < np.inf), better, found)


@formula
def cbrt(x):
    """The cube root, at most 1 ulp off.

    >>> float(cbrt(-27.0))
    -3.0
    """
    a = abs(x)
    small = a < SMALLEST
    a = choose(small, a * 2.0 ** 54, a)
    power = (bits(a) >> np.int64(52)) - np.int64(1023)
    third = rint((real(power) - 1.0) / 3.0)
    m = from_bits(bits(a) - (integer(3.0 * third) << np.int64(52)))
    y = polynomial(m, CBRT)
    cube = y * y * y
    y = y - y * (cube - m) / (2.0 * cube + m)
    square, square_rest = two_product(y, y)
    y = y - fma(y, square_rest, fma(y, square, -m)) / (3.0 * square)
    found = y * power_of_two(integer(third - choose(small, 18.0, 0.0)))
    return choose((a > 0.0) & (a < np.inf), math.copysign(found, x), x)


@formula
def hypot(x, y):
    """`sqrt(x**2 + y**2)`, at most 1 ulp off, without overflow on the way; of an infinite part it is infinite.

    >>> float(hypot(3.0, 4.0)), float(hypot(1e308, 0.0))
    (5.0, 1e+308)
    """
    a, b = max(abs(x), abs(y)), min(abs(x), abs(y))
    scale = choose(a > 2.0 ** 500, 2.0 ** -600, choose(a < 2.0 ** -400, 2.0 ** 600, 1.0))
    a, b = a * scale, b * scale
    square, square_rest = two_product(a, a)
    other, other_rest = two_product(b, b)
    total, rest = two_sum(square, other)
    length, left = root(total, rest + (square_rest + other_rest))
    found = (length + left) / scale
    found = choose((x == x) & (y == y), found, x + y)
    return choose((abs(x) == np.inf) | (abs(y) == np.inf), np.inf, found)
