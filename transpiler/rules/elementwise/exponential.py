"""Exponentials and logarithms."""
import numpy as np
from scipy.special import expit

from transpiler.rules.base.examples import BINARY, UNARY
from transpiler.rules.base.registry import elementwise, known, numpys


@elementwise(np.exp, examples=UNARY)
def exp(ans, x):
    return ans


@elementwise(np.exp2, examples=UNARY)
def exp2(ans, x):
    return 0.6931471805599453 * ans


@elementwise(np.expm1, examples=UNARY)
def expm1(ans, x):
    return ans + 1


@elementwise(np.log, domain=(0.5, 2.0), poles=lambda x: True, examples=UNARY)
def log(x):
    return 1 / numpys(x)


@elementwise(np.log2, domain=(0.5, 2.0), poles=lambda x: True, examples=UNARY)
def log2(x):
    return 1.4426950408889634 / numpys(x)


@elementwise(np.log10, domain=(0.5, 2.0), poles=lambda x: True, examples=UNARY)
def log10(x):
    return 0.4342944819032518 / numpys(x)


@elementwise(np.log1p, domain=(-0.5, 2.0), poles=lambda x: True, examples=UNARY)
def log1p(x):
    return 1 / (1 + numpys(x))


@elementwise(np.logaddexp, real_only=True, examples=BINARY)
def logaddexp(x1, x2):
    gap = lead(x1, x2)
    return expit(gap), expit(-gap)


@elementwise(np.logaddexp2, real_only=True, examples=BINARY)
def logaddexp2(x1, x2):
    gap = 0.6931471805599453 * lead(x1, x2)
    return expit(gap), expit(-gap)


def lead(x1, x2):
    """How much larger `x1` is; of equal infinities, not at all."""
    if known(x1) and x1 == 0:
        return -x2
    if known(x2) and -np.inf < x2 < np.inf or known(x1) and -np.inf < x1 < np.inf:
        return x1 - x2
    return np.where(np.isinf(x1) & (x1 == x2), 0.0, x1 - x2)
