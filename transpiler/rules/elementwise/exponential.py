"""Exponentials and logarithms."""
import numpy as np

from transpiler.rules.base.examples import UNARY
from transpiler.rules.base.registry import elementwise, numpys


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
