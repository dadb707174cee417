"""The logarithm of the gamma function in double precision: a polynomial up to 3, Stirling's formula beyond, and reflection."""
from __future__ import annotations

import numpy as np

from transpiler_kernels.vector_math.coefficients import GAMMA, HALF_LOG_2_PI, HALF_PI, LOG_PI, STIRLING
from transpiler_kernels.vector_math.double import quick_two_sum, two_product, two_sum
from transpiler_kernels.vector_math.intrinsics import choose, fma, formula, polynomial, rint
from transpiler_kernels.vector_math.logarithms import log_sum
from transpiler_kernels.vector_math.trigonometry import cosine, sine


@formula
def between_roots(u):
    """`lgamma(u)` for u between 1/2 and 3, as a sum."""
    second, off = two_sum(u, -2.0)
    factor, factor_rest = two_product(u - 1.0, second)
    q = (u - 1.5) / (u + 1.0)
    value, value_rest = quick_two_sum(GAMMA[0], q * polynomial(q, GAMMA[1:]))
    found, rest = two_product(factor, value)
    return found, rest + fma(factor, value_rest, fma(u - 1.0, off, factor_rest) * value)


@formula
def beyond_three(a, log_a, log_rest):
    """`lgamma(a)` for a from 3 on, as a sum."""
    inverse = 1.0 / a
    product, rest = two_product(a - 0.5, log_a)
    total, left = two_sum(product, -a)
    total, more = two_sum(total, HALF_LOG_2_PI[0])
    rest = fma(a - 0.5, log_rest, rest) + (left + more)
    rest = rest + fma(inverse, polynomial(inverse * inverse, STIRLING), HALF_LOG_2_PI[1])
    return total, choose(total < np.inf, rest, 0.0)


@formula
def sine_of_turn(x):
    """`abs(sin(pi * x))`."""
    part = abs(x - rint(x))
    small = part <= 0.25
    turn = 2.0 * choose(small, part, 0.5 - part)
    y, rest = two_product(turn, HALF_PI[0])
    rest = fma(turn, HALF_PI[1], rest)
    (s, _), (c, _) = sine(y, rest), cosine(y, rest)
    return choose(small, s, c)


@formula
def gammaln(x):
    """`log(abs(gamma(x)))`, at most 2 ulp off; for x < -1/2, of the largest of three logarithms that it is a sum of.

    `lgamma(x) = log(pi) - log(a * sin(pi * a)) - lgamma(a)` for `a = -x` (Euler).

    >>> float(gammaln(3.0)), float(gammaln(0.0)), float(gammaln(-0.5))
    (0.6931471805599453, inf, 1.2655121234846454)
    """
    a = abs(x)
    near, far, turned = a < 0.5, a > 3.0, x <= -0.5
    log_a, log_rest = log_sum(choose(a < np.inf, a, 1.0))
    high, low = between_roots(choose(near, 1.0 + x, choose(far, 3.0, a)))
    with_log, left = two_sum(high, -log_a)
    high, low = choose(near, with_log, high), choose(near, left + (low - log_rest), low)
    over, over_rest = beyond_three(choose(far, a, 3.0), log_a, log_rest)
    high, low = choose(far, over, high), choose(far, over_rest, low)
    product = choose(turned, a, 1.0) * choose(turned, sine_of_turn(a), 1.0)
    log_product, product_rest = log_sum(product)
    without, off = two_sum(LOG_PI[0], -log_product)
    total, left = two_sum(without, -high)
    found = choose(turned, total + (left + (off + (LOG_PI[1] - (product_rest + low)))), high + low) + 0.0  # no -0.0 at 1
    found = choose((a == 0.0) | (product == 0.0), np.inf, found)
    return choose(a < np.inf, found, x)
