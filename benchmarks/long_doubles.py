"""SciPy's functions in long doubles, by series that converge: what those of `kernels.vector_math` are held against."""

from __future__ import annotations

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


def erf(x: np.ndarray) -> np.ndarray:
    a = np.minimum(np.abs(x), 9)
    found = np.where(a < 1.5, _series(np.minimum(a, 1.5)), 1 - _fraction(np.maximum(a, 1.5)))
    return np.where(np.isnan(x), x, np.copysign(found, x))


def erfc(x: np.ndarray) -> np.ndarray:
    a = np.minimum(np.abs(x), 100)
    near = 1 - np.copysign(_series(np.minimum(a, 1.5)), x)
    far = _fraction(np.maximum(a, 1.5))
    return np.where(np.isnan(x), x, np.where(a < 1.5, near, np.where(x < 0, 2 - far, far)))


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


def _of_positive(a: np.ndarray) -> np.ndarray:
    """`lgamma(a)` for a from 1/2 on: a number above 2.5 is that much larger than one below."""
    steps = np.clip(np.ceil(a - LONG(2.5)), 0, 12)
    product = np.ones_like(a)
    for k in range(1, 13):
        product = product * np.where(k <= steps, a - k, 1)
    u = np.clip(a - steps, LONG(0.5), LONG(2.5))
    half = LONG(0.5)
    small = np.where(u < 1.5, _beside_one(np.clip(u - 1, -half, half)), _beside_two(np.clip(u - 2, -half, half)))
    return np.where(a < 12, small + np.log(product), _stirling(np.maximum(a, 12)))


def gammaln_parts(x: np.ndarray) -> list[np.ndarray]:
    """Logarithms whose sum `log(abs(gamma(x)))` is: one, or three if x is not above -1/2."""
    a = np.abs(x)
    turn = a - np.rint(a)
    near, turned = a < 0.5, x <= -0.5
    small = _beside_one(np.where(near, x, 0)) - np.log(a)
    product = np.where(turned, a * np.abs(np.sin(PI * turn)), 1)
    positive = np.where(near, small, _of_positive(np.where(np.isfinite(a), np.maximum(a, LONG(0.5)), 1)))
    return [np.where(turned, np.log(PI), 0), -np.log(product), np.where(turned, -positive, positive)]


def gammaln(x: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(x), sum(gammaln_parts(x)), x)
