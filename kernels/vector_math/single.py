"""Functions in single precision: most compute in double with fewer terms, and round once."""
from __future__ import annotations

import math

import numpy as np

from transpiler_kernels.vector_math import arcs, hyperbolic, powers
from transpiler_kernels.vector_math.coefficients import (
    COS_SHORT,
    EXP_SHORT,
    HALF_PI,
    LOG2_E,
    LOG10_E,
    LOG_2,
    LOG_SHORT,
    SIN_SHORT,
    TURNS,
)
from transpiler_kernels.vector_math.double import integer, power_of_two, split, two_product
from transpiler_kernels.vector_math.intrinsics import bits, choose, fma, formula, from_bits, polynomial, rint
from transpiler_kernels.vector_math.logarithms import with_special_values
from transpiler_kernels.vector_math.trigonometry import signed

EXP = tuple(map(np.float32, EXP_SHORT))
LOG2_OF_E, NOTHING, ONE, MAGIC = map(np.float32, (LOG2_E[0], 0.0, 1.0, 12582912.0))
LOG_OF_2 = np.float32(0.693359375), np.float32(LOG_2[0] - 0.693359375)
LOWEST, HIGHEST = np.float32(-104.0), np.float32(89.0)
MAGIC_BITS = np.int32(0x4b400000)
FIRST_ROW, LAST_ROW = np.int64(0), np.int64(13)  # of the table of angles: 2**127 looks at the last one


@formula
def expf(x):
    """The exponential, at most 1 ulp off; in single precision throughout.

    >>> float(expf(np.float32(1.0)))
    2.7182817459106445
    """
    x = choose(x < LOWEST, LOWEST, choose(x > HIGHEST, HIGHEST, x))
    n = rint(x * LOG2_OF_E)
    high = fma(n, -LOG_OF_2[0], x)  # exact: that part of log(2) has zeros at the end
    r = fma(n, -LOG_OF_2[1], high)
    rest = fma(n, -LOG_OF_2[1], high - r)
    y = ONE + (r + fma(r * r, polynomial(r, EXP), rest))
    power = np.int32(bits(n + MAGIC) - MAGIC_BITS)  # Numba computes with integers in 64 bits unless told otherwise
    half = np.int32(power >> 1)
    return y * _power_of_two(half) * _power_of_two(np.int32(power - half))


@formula
def _power_of_two(n):
    return from_bits(np.int32(np.int32(n + 127) << 23))


@formula
def _beyond_one(x, n):
    """`exp(x - n * log(2)) - 1` for the next integer n."""
    r = fma(n, -LOG_2[1], fma(n, -LOG_2[0], x))
    return fma(r * r, polynomial(r, EXP_SHORT), r)


@formula
def narrow_exp(x):
    """`exp(x)` for x between -700 and 700."""
    n = rint(x * LOG2_E[0])
    return (1.0 + _beyond_one(x, n)) * power_of_two(integer(n))


@formula
def _expm1(x):
    """`exp(x) - 1` for x between -1000 and 700."""
    n = rint(x * LOG2_E[0])
    power = power_of_two(integer(n))
    return fma(power, _beyond_one(x, n), power - 1.0)


@formula
def limited(x):
    """In double precision, beyond what matters to an exponential."""
    wide = np.float64(x)
    return choose(wide < -120.0, -120.0, choose(wide > 120.0, 120.0, wide))


@formula
def exp2f(x):
    """2**x, at most 1 ulp off."""
    wide = np.float64(x)
    wide = choose(wide < -200.0, -200.0, choose(wide > 200.0, 200.0, wide))
    n = rint(wide)
    return np.float32((1.0 + _beyond_one((wide - n) * LOG_2[0], 0.0)) * power_of_two(integer(n)))


@formula
def expm1f(x):
    """exp(x) - 1, at most 1 ulp off."""
    return choose(x == NOTHING, x, np.float32(_expm1(limited(x))))


@formula
def sinhf(x):
    """The hyperbolic sine, at most 1 ulp off."""
    beyond = _expm1(abs(limited(x)))
    return choose(x == NOTHING, x, np.float32(math.copysign(0.5 * (beyond + beyond / (beyond + 1.0)), x)))


@formula
def coshf(x):
    """The hyperbolic cosine, at most 1 ulp off."""
    grown = 1.0 + _expm1(abs(limited(x)))
    return np.float32(0.5 * grown + 0.5 / grown)


@formula
def tanhf(x):
    """The hyperbolic tangent, at most 1 ulp off."""
    beyond = _expm1(2.0 * limited(x))
    return choose(x == NOTHING, x, np.float32(beyond / (beyond + 2.0)))


@formula
def narrow_log(x):
    """`log(m)` and k for `x = m * 2**k`, x positive."""
    m, k = split(x)
    f = m - 1.0
    s = f / (2.0 + f)
    square = s * s
    return fma(s * square, polynomial(square, LOG_SHORT), s + s), k


@formula
def logf(x):
    """The natural logarithm, at most 1 ulp off."""
    wide = np.float64(x)
    found, k = narrow_log(wide)
    return np.float32(with_special_values(wide, fma(k, LOG_2[0], found)))


@formula
def log2f(x):
    """The logarithm to base 2, at most 1 ulp off."""
    wide = np.float64(x)
    found, k = narrow_log(wide)
    return np.float32(with_special_values(wide, fma(found, LOG2_E[0], k)))


@formula
def log10f(x):
    """The logarithm to base 10, at most 1 ulp off."""
    wide = np.float64(x)
    found, k = narrow_log(wide)
    return np.float32(with_special_values(wide, fma(k, LOG_2[0], found) * LOG10_E[0]))


@formula
def log1pf(x):
    """log(1 + x), at most 1 ulp off; what `1 + x` loses in double precision is added again."""
    wide = np.float64(x)
    whole = 1.0 + wide
    found, k = narrow_log(whole)
    lost = choose(wide < 1.0, wide - (whole - 1.0), 0.0)
    found = with_special_values(whole, fma(k, LOG_2[0], found) + lost)
    return choose(x == NOTHING, x, np.float32(found))


@formula
def _reduced(x):
    """As `trigonometry.reduced`, of floats of 24 bits: two parts of a row are enough; infinity would lie beyond the table."""
    row = ((bits(x) >> np.int64(52)) - np.int64(1023 + 23)) >> np.int64(3)
    row = choose(row < FIRST_ROW, FIRST_ROW, choose(row > LAST_ROW, LAST_ROW, row))
    x = from_bits(bits(x) - (row << np.int64(55)))
    a, b = TURNS[row, 0], TURNS[row, 1]
    first, rest = two_product(x, a)
    whole = rint(first)
    turn = (first - whole) + fma(x, b, rest)
    return integer(whole), turn * HALF_PI[0]


@formula
def sine_and_cosine(y):
    square = y * y
    cosine = fma(square * square, polynomial(square, COS_SHORT), fma(-0.5, square, 1.0))
    return fma(y * square, polynomial(square, SIN_SHORT), y), cosine


@formula
def sinf(x):
    """The sine of an angle in radians, at most 1 ulp off."""
    quadrant, y = _reduced(np.float64(abs(x)))
    sine, cosine = sine_and_cosine(y)
    found = signed(((quadrant & 2) == 2) ^ (x < NOTHING), choose((quadrant & 1) == 1, cosine, sine))
    return choose(x == NOTHING, x, np.float32(choose(abs(x) < np.inf, found, np.nan)))


@formula
def cosf(x):
    """The cosine of an angle in radians, at most 1 ulp off."""
    quadrant, y = _reduced(np.float64(abs(x)))
    sine, cosine = sine_and_cosine(y)
    found = signed(((quadrant + 1) & 2) == 2, choose((quadrant & 1) == 1, sine, cosine))
    return np.float32(choose(abs(x) < np.inf, found, np.nan))


@formula
def tanf(x):
    """The tangent of an angle in radians, at most 1 ulp off."""
    quadrant, y = _reduced(np.float64(abs(x)))
    sine, cosine = sine_and_cosine(y)
    odd = (quadrant & 1) == 1
    found = signed(x < NOTHING, choose(odd, -cosine, sine) / choose(odd, sine, cosine))
    return choose(x == NOTHING, x, np.float32(choose(abs(x) < np.inf, found, np.nan)))


@formula
def atanf(x):
    """The arc tangent in radians, at most 1 ulp off."""
    return np.float32(arcs.atan(np.float64(x)))


@formula
def atan2f(y, x):
    """The angle of the point (x, y) in radians, at most 1 ulp off."""
    return np.float32(arcs.atan2(np.float64(y), np.float64(x)))


@formula
def asinf(x):
    """The arc sine in radians, at most 1 ulp off."""
    return np.float32(arcs.asin(np.float64(x)))


@formula
def acosf(x):
    """The arc cosine in radians, at most 1 ulp off."""
    return np.float32(arcs.acos(np.float64(x)))


@formula
def asinhf(x):
    """The inverse of sinh, at most 1 ulp off."""
    return np.float32(hyperbolic.asinh(np.float64(x)))


@formula
def acoshf(x):
    """The inverse of cosh, at most 1 ulp off."""
    return np.float32(hyperbolic.acosh(np.float64(x)))


@formula
def atanhf(x):
    """The inverse of tanh, at most 1 ulp off."""
    return np.float32(hyperbolic.atanh(np.float64(x)))


@formula
def powf(x, y):
    """x**y, at most 1 ulp off."""
    base, exponent = np.float64(x), np.float64(y)
    a = abs(base)
    bounded = a < np.inf
    found, k = narrow_log(choose((a > 0.0) & bounded, a, 1.0))
    found = fma(k, LOG_2[0], found)
    product = exponent * choose(a == 0.0, -np.inf, choose(bounded, found, a))
    product = choose(product < -120.0, -120.0, choose(product > 120.0, 120.0, product))
    return np.float32(powers.signed_power(base, exponent, choose(product == product, narrow_exp(product), product)))


@formula
def half_powerf(x, n):
    """x**(n + 0.5), at most 1 ulp off; n is an integer from -3 to 2 that the compiler knows."""
    return np.float32(powers.half_power(np.float64(x), n))


@formula
def cbrtf(x):
    """The cube root, at most 1 ulp off."""
    return np.float32(powers.cbrt(np.float64(x)))


@formula
def hypotf(x, y):
    """`sqrt(x**2 + y**2)`, at most 1 ulp off."""
    a, b = np.float64(x), np.float64(y)
    found = np.sqrt(fma(a, a, b * b))
    return np.float32(choose((abs(x) == np.inf) | (abs(y) == np.inf), np.inf, found))
