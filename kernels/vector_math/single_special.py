"""Sums of exponentials, logistic, error and gamma functions in single precision, computed in double."""
from __future__ import annotations

import math

import numpy as np

from transpiler_kernels.vector_math.coefficients import (
    ERF_SHORT,
    ERF_SLOPE,
    ERFC_SHORT,
    GAMMA_SHORT,
    HALF_LOG_2_PI,
    HALF_PI,
    LOG2_E,
    LOG_2,
    LOG_PI,
    STIRLING_SHORT,
)
from transpiler_kernels.vector_math.errors import MIDDLE
from transpiler_kernels.vector_math.intrinsics import choose, fma, formula, polynomial, rint
from transpiler_kernels.vector_math.logarithms import larger_of
from transpiler_kernels.vector_math.single import limited, narrow_exp, narrow_log, sine_and_cosine


@formula
def _log_of_sum(x, y):
    """`log(exp(x) + exp(y))`, in double precision."""
    part = narrow_exp(limited(choose(x == y, 0.0, -abs(x - y))))
    whole = 1.0 + part
    found, k = narrow_log(whole)
    return larger_of(x, y) + (fma(k, LOG_2[0], found) + (part - (whole - 1.0)))


@formula
def logaddexpf(x, y):
    """`log(exp(x) + exp(y))`, at most 1 ulp off, of the larger argument or of what is added to it."""
    return np.float32(_log_of_sum(np.float64(x), np.float64(y)))


@formula
def logaddexp2f(x, y):
    """`log2(2**x + 2**y)`, at most 1 ulp off, of the larger argument or of what is added to it."""
    return np.float32(_log_of_sum(np.float64(x) * LOG_2[0], np.float64(y) * LOG_2[0]) * LOG2_E[0])


@formula
def expitf(x):
    """`1 / (1 + exp(-x))`, at most 1 ulp off."""
    return np.float32(1.0 / (1.0 + narrow_exp(-limited(x))))


@formula
def log_expitf(x):
    """`-log(1 + exp(-x))`, at most 1 ulp off."""
    return np.float32(-_log_of_sum(0.0, -np.float64(x)))


@formula
def _complement(a):
    """`erfc(a)` for a between 1/2 and 10.5, of a double with 24 bits."""
    return narrow_exp(-a * a) * polynomial((a - MIDDLE) / (a + MIDDLE), ERFC_SHORT) / (1.0 + 2.0 * a)


@formula
def _near_zero(x):
    square = x * x
    return x * fma(square, polynomial(square, ERF_SHORT), ERF_SLOPE[0])


@formula
def erff(x):
    """The error function, at most 1 ulp off."""
    wide = np.float64(x)
    a = abs(wide)
    far = math.copysign(1.0 - _complement(choose(a > 10.5, 10.5, choose(a < 0.5, 0.5, a))), wide)
    return np.float32(choose(a < 0.5, _near_zero(wide), choose(wide == wide, far, wide)))


@formula
def erfcf(x):
    """`1 - erf(x)`, at most 1 ulp off."""
    wide = np.float64(x)
    a = abs(wide)
    far = _complement(choose(a > 10.5, 10.5, choose(a < 0.5, 0.5, a)))
    found = choose(a < 0.5, 1.0 - _near_zero(wide), choose(wide < 0.0, 2.0 - far, far))
    return np.float32(choose(wide == wide, found, wide))


@formula
def _log_of_positive(x):
    found, k = narrow_log(x)
    return fma(k, LOG_2[0], found)


@formula
def _sine_of_turn(x):
    """`abs(sin(pi * x))`."""
    part = abs(x - rint(x))
    small = part <= 0.25
    sine, cosine = sine_and_cosine(2.0 * choose(small, part, 0.5 - part) * HALF_PI[0])
    return choose(small, sine, cosine)


@formula
def gammalnf(x):
    """`log(abs(gamma(x)))`, at most 1 ulp off; for x < -1/2, of the largest of three logarithms that it is a sum of."""
    wide = np.float64(x)
    a = abs(wide)
    near, far, turned = a < 0.5, a > 3.0, wide <= -0.5
    log_a = _log_of_positive(choose(a < np.inf, a, 1.0))
    u = choose(near, 1.0 + wide, choose(far, 3.0, a))
    found = (u - 1.0) * (u - 2.0) * polynomial((u - 1.5) / (u + 1.0), GAMMA_SHORT) - choose(near, log_a, 0.0)
    inverse = 1.0 / choose(far, a, 3.0)
    over = fma(a - 0.5, log_a, -a) + fma(inverse, polynomial(inverse * inverse, STIRLING_SHORT), HALF_LOG_2_PI[0])
    found = choose(far, over, found)
    product = choose(turned, a * _sine_of_turn(a), 1.0)
    found = choose(turned, LOG_PI[0] - _log_of_positive(product) - found, found) + 0.0  # no -0.0 at 1
    found = choose((a == 0.0) | (product == 0.0), np.inf, found)
    return np.float32(choose(a < np.inf, found, wide))
