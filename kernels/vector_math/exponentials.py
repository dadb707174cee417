"""exp and its kin in double precision: 2**n times a polynomial."""
from __future__ import annotations

from transpiler_kernels.vector_math.coefficients import EXP, LOG2_E, LOG_2, LOG_2_SPLIT
from transpiler_kernels.vector_math.double import integer, power_of_two, quick_two_sum, scaled, two_product, two_sum
from transpiler_kernels.vector_math.intrinsics import choose, fma, formula, polynomial, rint


@formula
def reduced(x, rest):
    """n and r so that `x + rest = n * log(2) + r + r_rest`, with `abs(r)` at most half of log(2)."""
    n = rint(x * LOG2_E[0])
    high = fma(n, -LOG_2_SPLIT[0], x)  # exact: that part of log(2) has zeros at the end
    low = fma(n, -LOG_2_SPLIT[1], rest)
    r, left = two_sum(high, low)
    return n, r, left


@formula
def beyond_one(r, rest):
    """`exp(r + rest) - 1` for a small r, as a sum."""
    return quick_two_sum(r, fma(r * r, polynomial(r, EXP), rest))


@formula
def exp_of_sum(x, rest):
    """`exp(x + rest)` for a small rest."""
    x = choose(x < -760.0, -760.0, choose(x > 720.0, 720.0, x))
    n, r, r_rest = reduced(x, rest)
    high, low = beyond_one(r, r_rest)
    return scaled(1.0 + (high + low), integer(n))


@formula
def exp_parts(x, rest):
    """n, and what 2**n has to be multiplied by as a sum, for `exp(x + rest)` with x between -760 and 720 and a small rest."""
    n, r, r_rest = reduced(x, rest)
    high, low = beyond_one(r, r_rest)
    one, left = quick_two_sum(1.0, high)
    return integer(n), one, left + low


@formula
def exp(x):
    """The exponential, at most 1 ulp off.

    >>> float(exp(1.0)), float(exp(-1000.0))
    (2.718281828459045, 0.0)
    """
    return exp_of_sum(x, 0.0)


@formula
def exp2_of_sum(x, rest):
    """2**(x + rest) for a small rest."""
    x = choose(x < -1100.0, -1100.0, choose(x > 1100.0, 1100.0, x))
    n = rint(x)
    part, rest = quick_two_sum(x - n, rest)
    r, left = two_product(part, LOG_2[0])
    high, low = beyond_one(r, fma(part, LOG_2[1], fma(rest, LOG_2[0], left)))
    return scaled(1.0 + (high + low), integer(n))


@formula
def exp2(x):
    """2**x, at most 1 ulp off.

    >>> float(exp2(-1074.0))
    5e-324
    """
    return exp2_of_sum(x, 0.0)


@formula
def expm1_of(x):
    """`exp(x) - 1` as a sum; beyond the range of floats its first part is infinite, the second one anything."""
    x = choose(x < -40.0, -40.0, choose(x > 710.0, 710.0, x))
    n, r, rest = reduced(x, 0.0)
    high, low = beyond_one(r, rest)
    half = power_of_two(integer(n) - 1)
    total, left = two_sum(half - 0.5, half * high)
    total, left = quick_two_sum(total, fma(half, low, left))
    return 2.0 * total, 2.0 * left


@formula
def expm1(x):
    """exp(x) - 1, at most 1 ulp off, for small x too.

    >>> float(expm1(1e-20))
    1e-20
    """
    high, _ = expm1_of(x)
    return choose(abs(x) < 2.0 ** -54, x, high)
