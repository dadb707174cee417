"""Inverse trigonometric functions in double precision."""
from __future__ import annotations

import math

import numpy as np

from transpiler_kernels.vector_math.coefficients import ASIN, ATAN, HALF_PI
from transpiler_kernels.vector_math.double import power_of_two, quick_two_sum, quotient, root, two_sum
from transpiler_kernels.vector_math.intrinsics import bits, choose, fma, formula, polynomial

EIGHTH = 0.41421356237309503  # tan(pi / 8)


@formula
def angle(y, x):
    """The angle of a point with y >= 0 and x >= 0, not both 0, as a sum: it is turned by 0, 1/8 or 1/4 of the circle first."""
    low, high = y <= EIGHTH * x, x <= EIGHTH * y
    over, over_rest = two_sum(y, -x)
    under, under_rest = two_sum(y, x)
    whole = low | high
    over, over_rest = choose(low, y, choose(high, -x, over)), choose(whole, 0.0, over_rest)
    under, under_rest = choose(low, x, choose(high, y, under)), choose(whole, 0.0, under_rest)
    part = choose(low, 0.0, choose(high, 1.0, 0.5))
    q, rest = quotient(over, over_rest, under, under_rest)
    square = q * q
    turned, left = quick_two_sum(part * HALF_PI[0], q)
    return quick_two_sum(turned, left + fma(part, HALF_PI[1], fma(q * square, polynomial(square, ATAN), rest)))


@formula
def atan(x):
    """The arc tangent in radians, at most 1 ulp off.

    >>> float(atan(1.0)) == np.pi / 4
    True
    """
    large = abs(x) > 2.0 ** 60
    found, _ = angle(choose(large, 1.0, abs(x)), choose(large, 0.0, 1.0))
    return choose(abs(x) < 2.0 ** -27, x, math.copysign(choose(x == x, found, x), x))


@formula
def atan2(y, x):
    """The angle of the point (x, y) in radians, at most 1 ulp off, with the signs of zeros.

    >>> float(atan2(0.0, -1.0)) == np.pi, float(atan2(-0.0, -1.0)) == -np.pi
    (True, True)
    """
    a, b = abs(y), abs(x)
    endless = (a == np.inf) | (b == np.inf)
    a, b = choose(endless, choose(a == np.inf, 1.0, 0.0), a), choose(endless, choose(b == np.inf, 1.0, 0.0), b)
    b = choose((a == 0.0) & (b == 0.0), 1.0, b)
    larger = max(a, b)
    up = choose(larger < 2.0 ** -900, 2.0 ** 100, 1.0)
    power = (bits(larger * up) >> np.int64(52)) - np.int64(1023)
    down = power_of_two(np.int64(0) - choose(power > np.int64(1000), np.int64(1000), power))
    found, rest = angle(a * up * down, b * up * down)
    straight, straight_rest = quick_two_sum(2.0 * HALF_PI[0], -found)
    behind = straight + (straight_rest + (2.0 * HALF_PI[1] - rest))
    found = math.copysign(choose(math.copysign(1.0, x) < 0.0, behind, found), y)
    return choose((x == x) & (y == y), found, x + y)


@formula
def arc_sine(x):
    """Of `abs(x)` below a half, or the complement of it, halved: t, and what is to be added, for `asin` and `acos`."""
    a = abs(x)
    small = a < 0.5
    square = choose(small, a * a, 0.5 * (1.0 - a))
    t, rest = root(square, 0.0)
    t, rest = choose(small, a, t), choose(small, 0.0, rest)
    return small, t, fma(t * square, polynomial(square, ASIN), rest)


@formula
def asin(x):
    """The arc sine in radians, at most 1 ulp off; nan beyond 1.

    >>> float(asin(1.0)) == np.pi / 2
    True
    """
    small, t, more = arc_sine(x)
    turned, left = quick_two_sum(HALF_PI[0], -2.0 * t)
    found = choose(small, t + more, turned + (left + (HALF_PI[1] - 2.0 * more)))
    found = choose(abs(x) < 2.0 ** -27, abs(x), choose(abs(x) <= 1.0, found, np.nan))
    return math.copysign(found, x)


@formula
def acos(x):
    """The arc cosine in radians, at most 1 ulp off; nan beyond 1.

    >>> float(acos(-1.0)) == np.pi
    True
    """
    small, t, more = arc_sine(x)
    t, more = choose(x < 0.0, -t, t), choose(x < 0.0, -more, more)
    turned, left = quick_two_sum(HALF_PI[0], -t)
    near = turned + (left + (HALF_PI[1] - more))
    straight, off = quick_two_sum(2.0 * HALF_PI[0], 2.0 * t)
    far = choose(x < 0.0, straight + (off + (2.0 * HALF_PI[1] + 2.0 * more)), 2.0 * (t + more))
    return choose(abs(x) <= 1.0, choose(small, near, far), np.nan)
