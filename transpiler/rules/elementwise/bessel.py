"""Bessel functions of SciPy. Formulas: DLMF 10.6 and 10.29; the forms with a sum are exact at zero."""
import numpy as np
import scipy.special

from transpiler.rules.base.examples import UNARY, case
from transpiler.rules.base.registry import definition
from transpiler.rules.elementwise.special import rule
from transpiler_kernels.definitions.mathematics import special

ORDERS = case(2, (5,)), case(0.5, (3, 4)), case(1.0, ())
POSITIVE = (0.5, 3.0)


@rule(scipy.special.j0, examples=UNARY)
def j0(x):
    return -scipy.special.j1(x)


@rule(scipy.special.j1, examples=UNARY)
def j1(x):
    return (scipy.special.j0(x) - scipy.special.jv(2.0, x)) / 2


@rule(scipy.special.y0, domain=POSITIVE, examples=UNARY)
def y0(x):
    return -scipy.special.y1(x)


@rule(scipy.special.y1, domain=POSITIVE, examples=UNARY)
def y1(x):
    return (scipy.special.y0(x) - scipy.special.yv(2.0, x)) / 2


@rule(scipy.special.jv, domain=POSITIVE, fixed=('v',), examples=ORDERS)
def jv(v, x):
    return 0.0, (scipy.special.jv(v - 1, x) - scipy.special.jv(v + 1, x)) / 2


@rule(scipy.special.yv, domain=POSITIVE, fixed=('v',), examples=ORDERS)
def yv(v, x):
    return 0.0, (scipy.special.yv(v - 1, x) - scipy.special.yv(v + 1, x)) / 2


@rule(scipy.special.i0, examples=UNARY)
def i0(x):
    return scipy.special.i1(x)


definition(np.i0, examples=UNARY, real_only=True)(special.i0)


@rule(scipy.special.i1, examples=UNARY)
def i1(x):
    return (scipy.special.i0(x) + scipy.special.iv(2.0, x)) / 2


@rule(scipy.special.i0e, examples=UNARY)
def i0e(ans, x):
    return scipy.special.i1e(x) - np.sign(x) * ans


@rule(scipy.special.i1e, examples=UNARY)
def i1e(ans, x):
    return (scipy.special.i0e(x) + scipy.special.ive(2.0, x)) / 2 - np.sign(x) * ans


@rule(scipy.special.iv, domain=POSITIVE, fixed=('v',), examples=ORDERS)
def iv(v, x):
    return 0.0, (scipy.special.iv(v - 1, x) + scipy.special.iv(v + 1, x)) / 2


@rule(scipy.special.ive, domain=POSITIVE, fixed=('v',), examples=ORDERS)
def ive(ans, v, x):
    return 0.0, (scipy.special.ive(v - 1, x) + scipy.special.ive(v + 1, x)) / 2 - np.sign(x) * ans


@rule(scipy.special.k0, domain=POSITIVE, examples=UNARY)
def k0(x):
    return -scipy.special.k1(x)


@rule(scipy.special.k1, domain=POSITIVE, examples=UNARY)
def k1(x):
    return -(scipy.special.k0(x) + scipy.special.kv(2.0, x)) / 2


@rule(scipy.special.kv, domain=POSITIVE, fixed=('v',), examples=ORDERS)
def kv(v, x):
    return 0.0, -(scipy.special.kv(v - 1, x) + scipy.special.kv(v + 1, x)) / 2
