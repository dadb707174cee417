"""SciPy's functions in long doubles, by series that converge: what those of `kernels.vector_math` are held against."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np

LONG = np.longdouble
with mpmath.workdps(40):
    PI, EULER = LONG(mpmath.nstr(+mpmath.pi, 30)), LONG(mpmath.nstr(+mpmath.euler, 30))
    SLOPE, HALF_LOG_2_PI = LONG(mpmath.nstr(2 / mpmath.sqrt(mpmath.pi), 30)), LONG(mpmath.nstr(mpmath.log(2 * mpmath.pi) / 2, 30))
    ZETA = [LONG(mpmath.nstr(mpmath.zeta(k) - 1, 30)) for k in range(2, 80)]
BERNOULLI = [LONG(1) / 12, -LONG(1) / 360, LONG(1) / 1260, -LONG(1) / 1680, LONG(1) / 1188, -LONG(691) / 360360, LONG(1) / 156,
             -LONG(3617) / 122400, LONG(43867) / 244188, -LONG(174611) / 125400]


def _power(x: np.ndarray) -> np.ndarray:
    """`exp(-x**2)`: the square of the first half of the bits is exact."""
    first = x.astype(np.float32).astype(LONG)
    return np.exp(-first * first) * np.exp(-(x - first) * (x + first))


def _series(x: np.ndarray) -> np.ndarray:
    """`erf(x)` for x up to 1.5: all terms have one sign."""
    term = total = x
    for k in range(1, 40):
        term = term * (2 * x * x / (2 * k + 1))
        total = total + term
    return SLOPE * _power(x) * total


def _fraction(x: np.ndarray) -> np.ndarray:
    """`erfc(x)` for x from 1.5 on (Laplace)."""
    below = x
    for k in range(150, 0, -1):
        below = x + LONG(k) / 2 / below
    return SLOPE / 2 * _power(x) / below


def _chosen(condition: np.ndarray, x: np.ndarray, chosen: Callable, other: Callable) -> np.ndarray:
    """`chosen` of the numbers where a condition holds, `other` of all others; series take long."""
    found = np.empty_like(x)
    found[condition], found[~condition] = chosen(x[condition]), other(x[~condition])
    return found


def erf(x: np.ndarray) -> np.ndarray:
    a = np.minimum(np.abs(x), 9)
    return np.copysign(_chosen(a < 1.5, a, _series, lambda far: 1 - _fraction(far)), x)


def erfc(x: np.ndarray) -> np.ndarray:
    a = np.minimum(np.abs(x), 100)
    below_zero = lambda far: 2 - _fraction(-far)
    return _chosen(a < 1.5, np.copysign(a, x), lambda near: 1 - _series(near),
                   lambda far: _chosen(far < 0, far, below_zero, _fraction))


def expit(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.exp(-np.abs(x)), 1) / (1 + np.exp(-np.abs(x)))


def log_expit(x: np.ndarray) -> np.ndarray:
    return np.where(x == -np.inf, x, -(np.maximum(-x, 0) + np.log1p(np.exp(-np.abs(x)))))


def _beside_one(f: np.ndarray) -> np.ndarray:
    """`lgamma(1 + f)` for f between -1/2 and 1/2."""
    return _terms(f, -EULER, LONG(1))


def _beside_two(f: np.ndarray) -> np.ndarray:
    """`lgamma(2 + f)` for f between -1/2 and 1/2."""
    return _terms(f, 1 - EULER, LONG(0))


def _terms(f: np.ndarray, slope: np.floating, more: np.floating) -> np.ndarray:
    """`f * (slope + sum of (zeta(k) - 1 + more) / k * (-f)**(k - 1))`, with signs; next to 0 nothing is lost."""
    total = np.zeros_like(f)
    for k in range(len(ZETA) + 1, 1, -1):
        total = ((-1) ** k * (ZETA[k - 2] + more) / k + total) * f
    return f * (slope + total)


def _stirling(a: np.ndarray) -> np.ndarray:
    """`lgamma(a)` for a from 12 on."""
    square, total = 1 / (a * a), np.zeros_like(a)
    for term in reversed(BERNOULLI):
        total = total * square + term
    return ((a - LONG(0.5)) * np.log(a) - a) + HALF_LOG_2_PI + total / a


def _up_to_twelve(a: np.ndarray) -> np.ndarray:
    """`lgamma(a)` for a from 1/2 on: of a number above 2.5 it is that much larger than of one below."""
    steps = np.maximum(np.ceil(a - LONG(2.5)), 0)
    product = np.ones_like(a)
    for k in range(1, 11):
        product = product * np.where(k <= steps, a - k, 1)
    u = a - steps
    return np.log(product) + _chosen(u < 1.5, u, lambda u: _beside_one(u - 1), lambda u: _beside_two(u - 2))


def _of_size(a: np.ndarray) -> np.ndarray:
    """`lgamma(a)` for a from 1/2 on."""
    return _chosen(a < 12, a, _up_to_twelve, _stirling)


def gammaln_parts(x: np.ndarray) -> list[np.ndarray]:
    """Logarithms whose sum `log(abs(gamma(x)))` is: one, or three if x is not above -1/2."""
    a, turned = np.abs(x), x <= -0.5
    known = np.where(np.isfinite(x), x, 1)
    positive = _chosen(np.abs(known) < 0.5, known, lambda f: _beside_one(f) - np.log(np.abs(f)), lambda x: _of_size(np.abs(x)))
    product = np.where(turned, a * np.abs(np.sin(PI * (a - np.rint(a)))), 1)
    return [np.where(turned, np.log(PI), 0), -np.log(product), np.where(turned, -positive, positive)]


def gammaln(x: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(x), sum(gammaln_parts(x)), x)
