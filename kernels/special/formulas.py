"""SciPy's functions of elements, for numbers: also at zeros, infinities and outside of their domains."""
import math

import numpy as np

BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600)  # B_2k / (2k)!


def erf(x):
    """
    >>> round(erf(0.5), 6), erf(np.inf)
    (0.5205, 1.0)
    """
    return math.erf(x)


def erfc(x):
    """
    >>> erfc(0.0), erfc(np.inf)
    (1.0, 0.0)
    """
    return math.erfc(x)


def expit(x):
    """The logistic function.

    >>> float(expit(0.0)), float(expit(-np.inf)), float(expit(np.inf))
    (0.5, 0.0, 1.0)
    """
    return 1 / (1 + np.exp(-x))


def log_expit(x):
    """
    >>> float(log_expit(-1000.0)), float(log_expit(np.inf))
    (-1000.0, -0.0)
    """
    return -np.log1p(np.exp(-x)) if x > 0 else x - np.log1p(np.exp(x))


def logit(x):
    """
    >>> float(logit(0.5))
    0.0
    """
    if x < 0.3 or x > 0.65:
        return np.log(x / (1 - x))
    s = 2 * x - 1
    return np.log1p(s) - np.log1p(-s)


def xlogy(x, y):
    """`x * log(y)`, 0 at `x == 0`.

    >>> float(xlogy(0.0, 0.0)), float(xlogy(2.0, 1.0))
    (0.0, 0.0)
    """
    return x * np.log(y) if x != 0 or y != y else 0 * x


def xlog1py(x, y):
    """`x * log1p(y)`, 0 at `x == 0`.

    >>> float(xlog1py(0.0, -1.0)), float(xlog1py(2.0, 0.0))
    (0.0, 0.0)
    """
    return x * np.log1p(y) if x != 0 or y != y else 0 * x


def entr(x):
    """`-x * log(x)`, 0 at 0, and minus infinity below.

    >>> float(entr(-1.0)), float(entr(0.0)), float(entr(1.0))
    (-inf, 0.0, -0.0)
    """
    if x > 0 or x != x:
        return -x * np.log(x)
    return 0 * x if x == 0 else x - np.inf


def rel_entr(x, y):
    """`x * log(x / y)`, 0 at `x == 0`, and infinite outside of the domain.

    >>> float(rel_entr(0.0, 1.0)), float(rel_entr(1.0, 1.0)), float(rel_entr(-1.0, 1.0))
    (0.0, 0.0, inf)
    """
    if x != x or y != y:
        return x + y
    if x > 0 and y > 0:
        ratio = x / y
        if 0.5 < ratio < 2:
            return x * np.log1p((x - y) / y)
        return x * np.log(ratio) if 0 < ratio < np.inf else x * (np.log(x) - np.log(y))
    return 0 * x if x == 0 and y >= 0 else np.abs(x) + np.inf


def kl_div(x, y):
    """`x * log(x / y) - x + y`, and infinite outside of the domain.

    >>> float(kl_div(0.0, 1.0)), float(kl_div(1.0, 1.0)), float(kl_div(-1.0, 1.0))
    (1.0, 0.0, inf)
    """
    if x != x or y != y:
        return x + y
    if x > 0 and y > 0:
        return x * np.log(x / y) - x + y
    return y if x == 0 and y >= 0 else np.abs(x) + np.inf


def zeta(x, q):
    """Hurwitz's zeta function, which SciPy does not export, by Euler and Maclaurin's formula behind the first terms.

    >>> round(zeta(2.0, 1.0), 6), zeta(2.0, 0.0)
    (1.644934, inf)
    """
    if x == 1:
        return np.inf
    if q <= 0 and q == np.floor(q) and not x < 1:
        return np.inf
    if not x > 1 or q != q or (q <= 0 and x != np.floor(x)):
        return np.nan
    total = 0.0
    while q < 12.0 + x:
        term = q ** -x
        total += term
        if q > 0 and term <= 1e-17 * total:
            return total
        q += 1.0
    power = q ** -x
    if power == 0:
        return total
    total += q * power / (x - 1) + power / 2
    term, square = x * power / q, q * q
    for k, coefficient in enumerate(BERNOULLI):
        total += coefficient * term
        term *= (x + 2 * k + 1) * (x + 2 * k + 2) / square
    return total
