"""sin, cos and tan in double precision, for arguments of any size (Payne and Hanek's idea, with products of floats)."""
from __future__ import annotations

import numpy as np

from transpiler_kernels.vector_math.coefficients import COS, HALF_PI, SIN, TURNS
from transpiler_kernels.vector_math.double import integer, quick_two_sum, quotient, two_product, two_sum
from transpiler_kernels.vector_math.intrinsics import bits, choose, fma, formula, from_bits, polynomial, rint


@formula
def reduced(x):
    """The quadrant of a positive x, an integer, and the angle that is left, as a sum, at most pi / 4 but for rounding.

    x is an integer times 2**(8 * row) as soon as row > 0, so multiples of four quarters may be left out of `TURNS[row]`. All
    arguments look into the table, the usual ones at its first row: a branch would take longer in a vector.
    """
    row = ((bits(x) >> np.int64(52)) - np.int64(1023 + 52)) >> np.int64(3)
    row = choose(row < np.int64(0), np.int64(0), row)
    x = from_bits(bits(x) - (row << np.int64(55)))
    a, b, c, d = TURNS[row, 0], TURNS[row, 1], TURNS[row, 2], TURNS[row, 3]
    first, first_rest = two_product(x, a)
    second, second_rest = two_product(x, b)
    third, third_rest = two_product(x, c)
    third_rest = fma(x, d, third_rest)
    whole = rint(first)
    middle, rest = two_sum(first_rest, second)
    more = rint(middle)
    turn, left = two_sum(first - whole, middle - more)
    last = rint(turn)
    high, rest = two_sum(rest, second_rest)
    high, more_rest = two_sum(high, third)
    high, left = two_sum(left, high)
    turn, turn_rest = two_sum(turn - last, high)
    turn, rest = quick_two_sum(turn, turn_rest + (left + (more_rest + (rest + third_rest))))
    angle, angle_rest = two_product(turn, HALF_PI[0])
    angle_rest = angle_rest + fma(turn, HALF_PI[1], rest * HALF_PI[0])
    return integer(whole - 4.0 * rint(0.25 * whole) + more + last), angle, angle_rest


@formula
def sine(y, rest):
    """Of a small angle, as a sum."""
    square = y * y
    return quick_two_sum(y, fma(y * square, polynomial(square, SIN), fma(-0.5 * square, rest, rest)))


@formula
def cosine(y, rest):
    """Of a small angle, as a sum."""
    square, square_rest = two_product(y, y)
    high, low = quick_two_sum(1.0, -0.5 * square)
    return quick_two_sum(high, low + (fma(square * square, polynomial(square, COS), -y * rest) - 0.5 * square_rest))


@formula
def signed(condition, value):
    return choose(condition, -value, value)


@formula
def sin(x):
    """The sine of an angle in radians, at most 1 ulp off.

    >>> float(sin(1e22))
    -0.8522008497671888
    """
    quadrant, y, rest = reduced(abs(x))
    sine_of, _ = sine(y, rest)
    cosine_of, _ = cosine(y, rest)
    found = choose((quadrant & 1) == 1, cosine_of, sine_of)
    found = signed(((quadrant & 2) == 2) ^ (x < 0.0), found)
    return choose(abs(x) < 2.0 ** -27, x, choose(abs(x) < np.inf, found, np.nan))


@formula
def cos(x):
    """The cosine of an angle in radians, at most 1 ulp off.

    >>> float(cos(np.pi / 2))
    6.123233995736766e-17
    """
    quadrant, y, rest = reduced(abs(x))
    sine_of, _ = sine(y, rest)
    cosine_of, _ = cosine(y, rest)
    found = choose((quadrant & 1) == 1, sine_of, cosine_of)
    found = signed(((quadrant + 1) & 2) == 2, found)
    return choose(abs(x) < np.inf, found, np.nan)


@formula
def tan(x):
    """The tangent of an angle in radians, at most 1 ulp off.

    >>> float(tan(1e-20)), float(tan(-0.0))
    (1e-20, -0.0)
    """
    quadrant, y, rest = reduced(abs(x))
    (s, s_rest), (c, c_rest) = sine(y, rest), cosine(y, rest)
    odd = (quadrant & 1) == 1
    found, left = quotient(choose(odd, -c, s), choose(odd, -c_rest, s_rest), choose(odd, s, c), choose(odd, s_rest, c_rest))
    found = signed(x < 0.0, found + left)
    return choose(abs(x) < 2.0 ** -27, x, choose(abs(x) < np.inf, found, np.nan))
