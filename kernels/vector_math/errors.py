"""The error function and its complement in double precision."""
from __future__ import annotations

import math

from transpiler_kernels.vector_math.coefficients import ERF, ERF_SLOPE, ERFC
from transpiler_kernels.vector_math.double import power_of_two, scaled, two_product, two_sum
from transpiler_kernels.vector_math.exponentials import exp_parts
from transpiler_kernels.vector_math.intrinsics import choose, fma, formula, polynomial

MIDDLE, FAR = 3.5, 27.4  # where the polynomial has its middle; erfc is 0 from there on


@formula
def near_zero(x):
    """`erf(x)` for x between -1/2 and 1/2."""
    square = x * x
    return fma(x, ERF_SLOPE[0], x * fma(square, polynomial(square, ERF), ERF_SLOPE[1]))


@formula
def complement(a):
    """n, and what 2**n has to be multiplied by as a sum, for `erfc(a)` with a between 1/2 and `FAR`."""
    square, square_rest = two_product(a, a)
    n, power, power_rest = exp_parts(-square, -square_rest)
    value = polynomial((a - MIDDLE) / (a + MIDDLE), ERFC)
    product, product_rest = two_product(power, value)
    below, below_rest = two_sum(1.0, 2.0 * a)
    inverse = 1.0 / below
    found = product * inverse
    left = fma(-found, below, product) + (fma(power_rest, value, product_rest) - found * below_rest)
    return n, found, left * inverse


@formula
def erf(x):
    """`2 / sqrt(pi)` times the integral of `exp(-t**2)` from 0 to x, at most 1 ulp off.

    >>> float(erf(1.0)), float(erf(-9.0))
    (0.8427007929497149, -1.0)
    """
    a = abs(x)
    n, high, low = complement(choose(a > 6.0, 6.0, choose(a < 0.5, 0.5, a)))
    power = power_of_two(n)
    total, left = two_sum(1.0, -high * power)
    return choose(a < 0.5, near_zero(x), math.copysign(choose(x == x, total + (left - low * power), x), x))


@formula
def erfc(x):
    """`1 - erf(x)`, at most 2 ulp off, also where there is little left of it.

    >>> float(erfc(10.0)), float(erfc(-9.0))
    (2.088487583762545e-45, 2.0)
    """
    a = abs(x)
    n, high, low = complement(choose(a > FAR, FAR, choose(a < 0.5, 0.5, a)))
    found = scaled(high + low, n)
    found = choose(a < 0.5, 1.0 - near_zero(x), choose(x < 0.0, 2.0 - found, found))
    return choose(x == x, found, x)
