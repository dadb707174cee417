"""log and its kin in double precision: the number is m * 2**k, with m next to 1."""
from __future__ import annotations

import numpy as np

from transpiler_kernels.vector_math.coefficients import LOG, LOG2_E, LOG10_2_SPLIT, LOG10_E, LOG_2_SPLIT, LOG_TAIL, TWO_THIRDS
from transpiler_kernels.vector_math.double import quick_two_sum, quotient, split, two_product, two_sum
from transpiler_kernels.vector_math.exponentials import exp2_of_sum, exp_of_sum
from transpiler_kernels.vector_math.intrinsics import choose, fma, formula, polynomial


@formula
def beside_one(f):
    """`log(1 + f)` for f next to 0, as a sum."""
    s = f / (2.0 + f)
    square = s * s
    half = 0.5 * f * f
    high = f - half
    return high, ((f - high) - half) + s * fma(square * polynomial(square, LOG), 1.0, half)


@formula
def with_special_values(x, found):
    """What logarithms are of 0, of infinity, and where there is none."""
    found = choose(x == 0.0, -np.inf, found)
    found = choose(x < np.inf, found, x)
    return choose(x < 0.0, np.nan, found)


@formula
def log_sum(x):
    """`log(x)` of a positive x as a sum; `log_parts` has more bits and takes longer."""
    m, k = split(x)
    high, low = beside_one(m - 1.0)
    total, left = quick_two_sum(k * LOG_2_SPLIT[0], high)
    return total, left + fma(k, LOG_2_SPLIT[1], low)


@formula
def log(x):
    """The natural logarithm, at most 1 ulp off.

    >>> float(log(10.0)), float(log(0.0))
    (2.302585092994046, -inf)
    """
    high, low = log_sum(x)
    return with_special_values(x, high + low)


@formula
def times(x, rest, factor):
    """`factor * (x + rest)`, as a sum; factor in two parts."""
    product, left = two_product(x, factor[0])
    return product, left + fma(x, factor[1], rest * factor[0])


@formula
def to_base(natural, natural_rest, factor, k, of_two):
    """`factor * (natural + natural_rest) + k * of_two`; factor and of_two in two parts."""
    part, rest = times(natural, natural_rest, factor)
    total, left = quick_two_sum(k * of_two[0], part)
    return total + (left + fma(k, of_two[1], rest))


@formula
def log2(x):
    """The logarithm to base 2, at most 1 ulp off.

    >>> float(log2(8.0))
    3.0
    """
    m, k = split(x)
    high, low = beside_one(m - 1.0)
    return with_special_values(x, to_base(high, low, LOG2_E, k, (1.0, 0.0)))


@formula
def log10(x):
    """The logarithm to base 10, at most 1 ulp off.

    >>> float(log10(1000.0))
    3.0
    """
    m, k = split(x)
    high, low = beside_one(m - 1.0)
    return with_special_values(x, to_base(high, low, LOG10_E, k, LOG10_2_SPLIT))


@formula
def log1p_parts(x, rest):
    """`log(1 + x + rest)` for x > -1 and a small rest, as a sum."""
    whole = 1.0 + x
    m, k = split(whole)
    left = choose(x < 1.0, x - (whole - 1.0), 1.0 - (whole - x))
    small = k == 0.0
    high, low = beside_one(choose(small, x, m - 1.0))
    low = low + (rest + choose(small, 0.0, left)) / whole
    total, off = quick_two_sum(k * LOG_2_SPLIT[0], high)
    return total, off + fma(k, LOG_2_SPLIT[1], low)


@formula
def log1p_of_sum(x, rest):
    """`log(1 + x + rest)` for x > -1 and a small rest."""
    high, low = log1p_parts(x, rest)
    return high + low


@formula
def log1p(x):
    """log(1 + x), at most 1 ulp off, for small x too.

    >>> float(log1p(1e-20)), float(log1p(-1.0))
    (1e-20, -inf)
    """
    found = with_special_values(1.0 + x, log1p_of_sum(x, 0.0))
    return choose(abs(x) < 2.0 ** -54, x, found)


@formula
def gap(x, y):
    """The larger of two numbers, and how much smaller the other one is, as a sum; equal infinities are not apart."""
    found, rest = two_sum(x, -y)
    found, rest = choose(x == y, 0.0, found), choose(abs(found) < 2000.0, rest, 0.0)
    larger = x > y
    return larger_of(x, y), choose(larger, -found, found), choose(larger, -rest, rest)


@formula
def larger_of(x, y):
    """The larger number; nan if one of them is."""
    return choose((x > y) | (x != x), x, y)


@formula
def together(larger, high, low):
    """`larger + (high + low)`, as if rounded once; of what is infinite or nan, that."""
    total, left = two_sum(larger, high)
    return choose(abs(larger) < np.inf, total + (left + low), larger)


@formula
def logaddexp(x, y):
    """`log(exp(x) + exp(y))`, at most 1.5 ulp off, of the larger argument or of what is added to it.

    >>> float(logaddexp(0.0, -1000.0)), float(logaddexp(1000.0, 1000.0))
    (0.0, 1000.6931471805599)
    """
    larger, below, rest = gap(x, y)
    high, low = log1p_parts(exp_of_sum(below, rest), 0.0)
    return together(larger, high, low)


@formula
def logaddexp2(x, y):
    """`log2(2**x + 2**y)`, at most 1.5 ulp off, of the larger argument or of what is added to it.

    >>> float(logaddexp2(3.0, 3.0))
    4.0
    """
    larger, below, rest = gap(x, y)
    high, low = log1p_parts(exp2_of_sum(below, rest), 0.0)
    high, low = times(high, low, LOG2_E)
    return together(larger, high, low)


@formula
def log_parts(x):
    """`log(x)` of a positive x as a sum, with 12 bits more than there are in a float."""
    m, k = split(x)
    f = m - 1.0
    whole, whole_rest = two_sum(2.0, f)
    s, s_rest = quotient(f, 0.0, whole, whole_rest)
    square, square_rest = two_product(s, s)
    square_rest = fma(2.0 * s, s_rest, square_rest)
    cube, cube_rest = two_product(s, square)
    cube_rest = cube_rest + fma(s, square_rest, s_rest * square)
    third, third_rest = two_product(cube, TWO_THIRDS[0])
    third_rest = third_rest + fma(cube, TWO_THIRDS[1], cube_rest * TWO_THIRDS[0])
    tail = cube * square * polynomial(square, LOG_TAIL)
    total, left = two_sum(k * LOG_2_SPLIT[0], 2.0 * s)
    more, more_left = quick_two_sum(total, third)
    return quick_two_sum(more, left + (more_left + (fma(k, LOG_2_SPLIT[1], 2.0 * s_rest) + (third_rest + tail))))
