"""Hyperbolic functions and their inverses in double precision."""
from __future__ import annotations

import math

import numpy as np

from transpiler_kernels.vector_math.coefficients import LOG_2
from transpiler_kernels.vector_math.double import integer, quick_two_sum, quotient, root, scaled, two_product, two_sum
from transpiler_kernels.vector_math.exponentials import beyond_one, expm1_of, reduced
from transpiler_kernels.vector_math.intrinsics import choose, formula
from transpiler_kernels.vector_math.logarithms import log1p_of_sum

SMALL = 2.0 ** -27


@formula
def halved_exp(x):
    """`exp(x) / 2` for x >= 0 as a sum, infinite only where that is."""
    n, r, rest = reduced(choose(x > 711.0, 711.0, x), 0.0)
    high, low = beyond_one(r, rest)
    total, left = quick_two_sum(1.0, high)
    power = integer(n) - 1
    return scaled(total, power), scaled(left + low, power)


@formula
def sinh(x):
    """The hyperbolic sine, at most 1 ulp off.

    >>> float(sinh(1.0))
    1.1752011936438014
    """
    high, low = expm1_of(choose(abs(x) > 40.0, 40.0, abs(x)))
    whole, rest = two_sum(high, 1.0)
    other, left = quotient(high, low, whole, rest + low)
    total, off = two_sum(high, other)
    found = 0.5 * (total + (off + (low + left)))
    large, more = halved_exp(abs(x))
    found = math.copysign(choose(abs(x) > 40.0, large + more, found), x)
    return choose(abs(x) < SMALL, x, choose(abs(x) < np.inf, found, x))


@formula
def cosh(x):
    """The hyperbolic cosine, at most 1 ulp off.

    >>> float(cosh(0.0))
    1.0
    """
    high, low = halved_exp(abs(x))
    other = 0.25 / high
    total, left = quick_two_sum(high, other)
    found = choose(high < np.inf, total + (left + low), high)
    return choose(abs(x) < 711.0, found, choose(x == x, np.inf, x))


@formula
def tanh(x):
    """The hyperbolic tangent, at most 1 ulp off.

    >>> float(tanh(1e-300)), float(tanh(100.0))
    (1e-300, 1.0)
    """
    high, low = expm1_of(choose(abs(x) > 22.0, 44.0, 2.0 * abs(x)))
    whole, rest = two_sum(high, 2.0)
    found, left = quotient(high, low, whole, rest + low)
    return choose(abs(x) < SMALL, x, math.copysign(choose(x == x, found + left, x), x))


@formula
def asinh(x):
    """The inverse of sinh, at most 1 ulp off.

    >>> float(asinh(1.0))
    0.881373587019543
    """
    large = abs(x) > 2.0 ** 60
    a = choose(large, 1.0, abs(x))
    square, square_rest = two_product(a, a)
    whole, rest = two_sum(1.0, square)
    length, length_rest = root(whole, rest + square_rest)
    under, under_rest = two_sum(1.0, length)
    part, part_rest = quotient(square, square_rest, under, under_rest + length_rest)
    total, left = quick_two_sum(a, part)
    found = choose(large, _log_of_double(abs(x)), log1p_of_sum(total, left + part_rest))
    return choose(abs(x) < SMALL, x, math.copysign(choose(abs(x) < np.inf, found, abs(x)), x))


@formula
def _log_of_double(x):
    """`log(2 * x)` of a large x."""
    halved = 0.25 * x
    return log1p_of_sum(halved, 0.0) + 3.0 * LOG_2[0]


@formula
def acosh(x):
    """The inverse of cosh, at most 1 ulp off; nan below 1.

    >>> float(acosh(1.0)), float(acosh(0.5))
    (0.0, nan)
    """
    large = x > 2.0 ** 60
    beyond, beyond_rest = two_sum(choose(large, 2.0, x), -1.0)
    square, square_rest = two_product(beyond, beyond + 2.0)
    length, length_rest = root(square, square_rest)
    total, left = two_sum(beyond, length)
    found = choose(large, _log_of_double(x), log1p_of_sum(total, left + (beyond_rest + length_rest)))
    return choose(x >= 1.0, choose(x < np.inf, found, x), np.nan)


@formula
def atanh(x):
    """The inverse of tanh, at most 1 ulp off; nan beyond 1.

    >>> float(atanh(0.5)), float(atanh(1.0))
    (0.5493061443340549, inf)
    """
    a = choose(abs(x) < 1.0, abs(x), 0.0)
    under, under_rest = two_sum(1.0, -a)
    part, rest = quotient(2.0 * a, 0.0, under, under_rest)
    found = 0.5 * log1p_of_sum(part, rest)
    found = choose(abs(x) < SMALL, abs(x), choose(abs(x) < 1.0, found, choose(abs(x) == 1.0, np.inf, np.nan)))
    return math.copysign(found, x)
