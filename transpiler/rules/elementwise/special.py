"""SciPy's special functions."""
from collections.abc import Callable

import numpy as np
import scipy.special

from transpiler.rules.base.examples import BINARY, UNARY, case
from transpiler.rules.base.registry import definition, elementwise, numpys
from transpiler_kernels.definitions.mathematics import special

NAME = 'scipy.special.'


def rule(function: np.ufunc, **details) -> Callable:
    """The rule of one of SciPy's ufuncs, which do not tell where they come from."""
    return elementwise(function, name=NAME + function.__name__, real_only=True, **details)


@rule(scipy.special.erf, examples=UNARY)
def erf(x):
    return 1.1283791670955126 * np.exp(-x * x)


@rule(scipy.special.erfc, examples=UNARY)
def erfc(x):
    return -1.1283791670955126 * np.exp(-x * x)


@rule(scipy.special.expit, examples=UNARY)
def expit(ans, x):
    return ans * scipy.special.expit(-x)


@rule(scipy.special.log_expit, examples=UNARY)
def log_expit(x):
    return scipy.special.expit(-x)


@rule(scipy.special.logit, domain=(0.1, 0.9), poles=lambda x: True, examples=UNARY)
def logit(x):
    x = numpys(x)
    return 1 / (x * (1 - x))


@rule(scipy.special.xlogy, domain=(0.5, 2.0), steep=lambda x, y: True, poles=lambda x, y: True, examples=BINARY)
def xlogy(x, y):
    return np.log(y), x / numpys(y)


@rule(scipy.special.xlog1py, domain=(0.5, 2.0), steep=lambda x, y: True, poles=lambda x, y: True, examples=BINARY)
def xlog1py(x, y):
    return np.log1p(y), x / (1 + numpys(y))


@rule(scipy.special.entr, domain=(0.5, 2.0), steep=lambda x: True, examples=UNARY)
def entr(x):
    return -1 - np.log(x)


@rule(scipy.special.rel_entr, domain=(0.5, 2.0), steep=lambda x, y: True, poles=lambda x, y: True, examples=BINARY)
def rel_entr(x, y):
    y = numpys(y)
    return 1 + np.log(x / y), -x / y


@rule(scipy.special.kl_div, domain=(0.5, 2.0), steep=lambda x, y: True, poles=lambda x, y: True, examples=BINARY)
def kl_div(x, y):
    y = numpys(y)
    return np.log(x / y), 1 - x / y


SUMS = case((5,)), case((3, 4)), case((3, 4), axis=0), case((3, 4), axis=-1)
for function, stand_in, examples in (
    (scipy.special.logsumexp, special.logsumexp, (
        *SUMS, case((3, 4), axis=1, keepdims=True), case((3, 4), axis=1, b=np.linspace(0.5, 1.5, 12).reshape(3, 4)))),
    (scipy.special.softmax, special.softmax, SUMS),
    (scipy.special.log_softmax, special.log_softmax, SUMS),
):
    definition(function, name=NAME + function.__name__, real_only=True, examples=examples,
               allowed={'return_sign': (False,)} if stand_in is special.logsumexp else {})(stand_in)
definition(scipy.special.ndtr, name='scipy.special.ndtr', real_only=True, examples=UNARY)(special.ndtr)


@rule(scipy.special.erfinv, domain=(-0.9, 0.9), poles=lambda x: True, examples=UNARY)
def erfinv(ans, x):
    return 0.886226925452758 * np.exp(ans * ans)


@rule(scipy.special.erfcinv, domain=(0.1, 1.9), poles=lambda x: True, examples=UNARY)
def erfcinv(ans, x):
    return -0.886226925452758 * np.exp(ans * ans)


@rule(scipy.special.ndtri, domain=(0.05, 0.95), poles=lambda x: True, examples=UNARY)
def ndtri(ans, y):
    return 2.5066282746310002 * np.exp(ans * ans / 2)


@rule(scipy.special.log_ndtr, examples=UNARY)
def log_ndtr(ans, x):
    """Far below 0, where the exponents cancel, by the asymptotic series (DLMF 7.12.1)."""
    far = np.minimum(x, -50)
    u = 1 / (far * far)
    series = -far - (1 - u * (2 - u * (10 - 74 * u))) / far
    return np.where(x < -50, series, 0.3989422804014327 * np.exp(-x * x / 2 - ans))


@rule(scipy.special.exp1, domain=(0.5, 3.0), poles=lambda x: True, examples=UNARY)
def exp1(x):
    return -np.exp(-x) / x


@rule(scipy.special.expi, domain=(0.5, 3.0), poles=lambda x: True, examples=UNARY)
def expi(x):
    return np.exp(x) / x
