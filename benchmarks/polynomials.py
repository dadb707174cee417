"""Numbers that the formulas of `kernels/vector_math` take: `python -m benchmarks.polynomials` writes its `coefficients.py` anew.

A polynomial is the one through the function at Chebyshev's points, which is as good as the best one but for a small factor.
"""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mpmath as mp

import transpiler_kernels

mp.mp.dps = 60
HALF_LOG_2 = mp.log(2) / 2
EIGHTH = mp.tan(mp.pi / 8)
THIRD = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)  # s of m = sqrt(2), where log(m) = log((1 + s) / (1 - s))


def tail(f: Callable, first: int, step: int, order: int = 60) -> Callable:
    """The Taylor series of `f` from x**first on, over x**first, as a function of x**step."""
    terms = mp.taylor(f, 0, first + order * step)[first::step]
    return lambda z: mp.polyval(terms[::-1], z)


def atanh(s):
    return mp.log((1 + s) / (1 - s))


def scaled_erfc(q):
    """`(1 + 2 * a) * exp(a**2) * erfc(a)`, which lies between 1.1 and 1.3, for `q = (a - 3.5) / (a + 3.5)`."""
    a = mp.mpf(7) / 2 * (1 + q) / (1 - q)
    return (1 + 2 * a) * mp.exp(a * a) * mp.erfc(a)


def between_roots(q):
    """`lgamma(u) / ((u - 1) * (u - 2))` for `q = (u - 1.5) / (u + 1)`: nothing is lost next to 1 and 2, where lgamma is 0."""
    u = (mp.mpf(3) / 2 + q) / (1 - q)
    return mp.loggamma(u) / ((u - 1) * (u - 2))


def beyond_stirling(z):
    """`a * (lgamma(a) - (a - 1 / 2) * log(a) + a - log(2 * pi) / 2)` for `z = 1 / a**2`."""
    a = 1 / mp.sqrt(z)
    return a * (mp.loggamma(a) - (a - mp.mpf(1) / 2) * mp.log(a) + a - mp.log(2 * mp.pi) / 2)


# what is approximated, where, and with how many coefficients for results in double and in single precision
POLYNOMIALS = {
    'EXP': ('exp(r) = 1 + r + r**2 * EXP(r)', tail(mp.exp, 2, 1), (-HALF_LOG_2, HALF_LOG_2), 11, 6),
    'LOG': ('log((1 + s) / (1 - s)) = 2 * s + s**3 * LOG(s**2)', tail(atanh, 3, 2), (0, THIRD ** 2), 8, 4),
    'LOG_TAIL': ('= 2 * s + 2 / 3 * s**3 + s**5 * LOG_TAIL(s**2)', tail(atanh, 5, 2), (0, THIRD ** 2), 8, 0),
    'SIN': ('sin(y) = y + y**3 * SIN(y**2)', tail(mp.sin, 3, 2), (0, (mp.pi / 4) ** 2), 7, 4),
    'COS': ('cos(y) = 1 - y**2 / 2 + y**4 * COS(y**2)', tail(mp.cos, 4, 2), (0, (mp.pi / 4) ** 2), 7, 4),
    'ATAN': ('arctan(q) = q + q**3 * ATAN(q**2)', tail(mp.atan, 3, 2, 150), (0, EIGHTH ** 2), 13, 0),
    'ASIN': ('arcsin(x) = x + x**3 * ASIN(x**2)', tail(mp.asin, 3, 2, 150), (0, mp.mpf(1) / 4), 15, 0),
    'CBRT': ('cbrt(m)', mp.cbrt, (1, 8), 7, 0),
    'ERF': ('erf(x) = 2 / sqrt(pi) * x + x**3 * ERF(x**2)', tail(mp.erf, 3, 2), (0, mp.mpf(1) / 4), 9, 5),
    'ERFC': ('erfc(a) = exp(-a**2) / (1 + 2 * a) * ERFC((a - 3.5) / (a + 3.5))', scaled_erfc,
             (mp.mpf(-3) / 4, mp.mpf(7) / 9), 22, 11),
    'GAMMA': ('lgamma(u) = (u - 1) * (u - 2) * GAMMA((u - 1.5) / (u + 1))', between_roots,
              (mp.mpf(-2) / 3, mp.mpf(3) / 8), 24, 12),
    'STIRLING': ('lgamma(a) = (a - 1 / 2) * log(a) - a + log(2 * pi) / 2 + STIRLING(1 / a**2) / a', beyond_stirling,
                 (0, mp.mpf(1) / 9), 11, 4),
}

# in so many parts, each but the last one of so many bits
CONSTANTS = {
    'LOG_2': (mp.log(2), (53, 53)),
    'LOG_2_SPLIT': (mp.log(2), (32, 53)),
    'LOG2_E': (1 / mp.log(2), (53, 53)),
    'LOG10_E': (1 / mp.log(10), (53, 53)),
    'LOG10_2_SPLIT': (mp.log10(2), (32, 53)),
    'HALF_PI': (mp.pi / 2, (53, 53)),
    'TWO_THIRDS': (mp.mpf(2) / 3, (53, 53)),
    'ERF_SLOPE': (2 / mp.sqrt(mp.pi), (53, 53)),
    'LOG_PI': (mp.log(mp.pi), (53, 53)),
    'HALF_LOG_2_PI': (mp.log(2 * mp.pi) / 2, (53, 53)),
}


def coefficients(f: Callable, interval: tuple, count: int) -> list:
    """Of the polynomial through `f` at Chebyshev's points, lowest first."""
    low, high = map(mp.mpf, interval)
    at = [(low + high) / 2 + (high - low) / 2 * mp.cos((2 * k + 1) * mp.pi / (2 * count)) for k in range(count)]
    powers = mp.matrix([[x ** k for k in range(count)] for x in at])
    return list(mp.lu_solve(powers, mp.matrix([f(x) for x in at])))


def parts(value, sizes: tuple[int, ...]) -> list[float]:
    """Floats that add up to `value`, the k-th of them rounded to sizes[k] bits."""
    found = []
    for size in sizes:
        exponent = mp.floor(mp.log(abs(value), 2)) + 1 - size if value else 0
        part = float(mp.nint(value / mp.mpf(2) ** exponent) * mp.mpf(2) ** exponent)
        found.append(part)
        value -= mp.mpf(part)
    return found


def turns() -> list[list[float]]:
    """Row k: 2 / pi * 2**(8 * k) but for multiples of 4, in four parts; what a float of row k's size is multiplied by."""
    with mp.workdps(400):
        quarter = 2 / mp.pi
        return [parts(quarter * mp.mpf(2) ** (8 * row) % 4 if row else quarter, (53,) * 4) for row in range(123)]


def text() -> str:
    lines = ['"""Written by `python -m benchmarks.polynomials`."""', 'import numpy as np', '']
    for name, (formula, f, interval, double, single) in POLYNOMIALS.items():
        lines += [f'# {formula}', _tuple(name, map(float, coefficients(f, interval, double)))]
        if single:
            lines.append(_tuple(f'{name}_SHORT', map(float, coefficients(f, interval, single))))
    lines += ['', '# parts that add up to a number']
    lines += [_tuple(name, parts(value, sizes)) for name, (value, sizes) in CONSTANTS.items()]
    lines += ['', '# quarters of a turn in a float: see reduce', 'TURNS = np.array([']
    lines += [f'    [{", ".join(map(repr, row))}],' for row in turns()]
    return '\n'.join([*lines, '])', ''])


def _tuple(name: str, numbers) -> str:
    given = [f'{number!r},' for number in numbers]
    return '\n'.join([f'{name} = (', *(f'    {" ".join(given[k:k + 4])}' for k in range(0, len(given), 4)), ')'])


if __name__ == '__main__':
    (Path(transpiler_kernels.__file__).parent / 'vector_math' / 'coefficients.py').write_text(text())
