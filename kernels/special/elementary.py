"""SciPy's functions of elements for compiled code, also at zeros, infinities and outside of their domains."""
import math

import numpy as np

from kernels.special.compiled import ONE, TWO, elementwise


@elementwise(ONE)
def erf(x):
    """
    >>> erf(np.array([0.0, 0.5, np.inf])).round(6)
    array([0.    , 0.5205, 1.    ])
    """
    return math.erf(x)


@elementwise(ONE)
def erfc(x):
    """
    >>> erfc(np.array([0.0, np.inf]))
    array([1., 0.])
    """
    return math.erfc(x)


@elementwise(ONE)
def expit(x):
    """The logistic function.

    >>> expit(np.array([0.0, -np.inf, np.inf]))
    array([0.5, 0. , 1. ])
    """
    return 1 / (1 + np.exp(-x))


@elementwise(ONE)
def log_expit(x):
    """
    >>> log_expit(np.array([-1000.0, np.inf]))
    array([-1000.,    -0.])
    """
    return -np.log1p(np.exp(-x)) if x > 0 else x - np.log1p(np.exp(x))


@elementwise(ONE)
def logit(x):
    """
    >>> logit(np.array([0.5]))
    array([0.])
    """
    if x < 0.3 or x > 0.65:
        return np.log(x / (1 - x))
    s = 2 * x - 1
    return np.log1p(s) - np.log1p(-s)


@elementwise(TWO)
def xlogy(x, y):
    """`x * log(y)`, 0 at `x == 0`.

    >>> xlogy(np.array([0.0, 2.0]), np.array([0.0, 1.0]))
    array([0., 0.])
    """
    return x * np.log(y) if x != 0 or y != y else 0 * x


@elementwise(TWO)
def xlog1py(x, y):
    """`x * log1p(y)`, 0 at `x == 0`.

    >>> xlog1py(np.array([0.0, 2.0]), np.array([-1.0, 0.0]))
    array([0., 0.])
    """
    return x * np.log1p(y) if x != 0 or y != y else 0 * x


@elementwise(ONE)
def entr(x):
    """`-x * log(x)`, 0 at 0, and minus infinity below.

    >>> entr(np.array([-1.0, 0.0, 1.0]))
    array([-inf,   0.,  -0.])
    """
    if x > 0 or x != x:
        return -x * np.log(x)
    return 0 * x if x == 0 else x - np.inf


@elementwise(TWO)
def rel_entr(x, y):
    """`x * log(x / y)`, 0 at `x == 0`, and infinite outside of the domain.

    >>> rel_entr(np.array([0.0, 1.0, -1.0]), 1.0)
    array([ 0.,  0., inf])
    """
    if x != x or y != y:
        return x + y
    if x > 0 and y > 0:
        ratio = x / y
        if 0.5 < ratio < 2:
            return x * np.log1p((x - y) / y)
        return x * np.log(ratio) if 0 < ratio < np.inf else x * (np.log(x) - np.log(y))
    return 0 * x if x == 0 and y >= 0 else np.abs(x) + np.inf


@elementwise(TWO)
def kl_div(x, y):
    """`x * log(x / y) - x + y`, and infinite outside of the domain.

    >>> kl_div(np.array([0.0, 1.0, -1.0]), 1.0)
    array([ 1.,  0., inf])
    """
    if x != x or y != y:
        return x + y
    if x > 0 and y > 0:
        return x * np.log(x / y) - x + y
    return y if x == 0 and y >= 0 else np.abs(x) + np.inf
