"""The gamma and beta functions of SciPy, and the integrals that are named after them.

A parameter that is a plain number takes the precision of `x` by `+ np.zeros_like(x)`: SciPy would give a strong double.
"""
import numpy as np
import scipy.special

from transpiler.rules.base.examples import BINARY, UNARY, case
from transpiler.rules.base.registry import definition, elementwise
from transpiler.rules.elementwise.special import NAME, rule
from transpiler_kernels.definitions.mathematics import special

POSITIVE = (0.5, 3.0)


@rule(scipy.special.gammaln, domain=POSITIVE, poles=lambda x: True, examples=UNARY)
def gammaln(x):
    return scipy.special.psi(x)


@rule(scipy.special.gamma, domain=POSITIVE, poles=lambda x: True, examples=UNARY)
def gamma(ans, x):
    return ans * scipy.special.psi(x)


@rule(scipy.special.psi, domain=POSITIVE, poles=lambda x: True, examples=UNARY)
def psi(x):
    return scipy.special.zeta(2.0, x)


@elementwise(scipy.special.zeta, name=NAME + 'zeta', real_only=True, fixed=('x',), domain=POSITIVE,
             examples=(case(2.5, (5,)), case(2.0, (3, 4)), case(4.0, ())))
def zeta(x, q):
    """By `q`; nobody knows a closed form of the derivative by `x`."""
    return 0.0, -x * scipy.special.zeta(x + 1, q)


definition(scipy.special.polygamma, name=NAME + 'polygamma', real_only=True, domain=POSITIVE,
           examples=(case(0, (5,)), case(1, (3, 4)), case(3, (5,))))(special.polygamma)


@rule(scipy.special.beta, domain=POSITIVE, poles=lambda x, y: True, examples=BINARY)
def beta(ans, a, b):
    both = scipy.special.psi(a + b)
    return ans * (scipy.special.psi(a) - both), ans * (scipy.special.psi(b) - both)


@rule(scipy.special.betaln, domain=POSITIVE, poles=lambda x, y: True, examples=BINARY)
def betaln(a, b):
    both = scipy.special.psi(a + b)
    return scipy.special.psi(a) - both, scipy.special.psi(b) - both


@rule(scipy.special.gammainc, domain=POSITIVE, fixed=('a',), examples=(case(2.0, (5,)), case(0.7, (3, 4)), case(1.5, ())))
def gammainc(a, x):
    """DLMF 8.8.13."""
    return 0.0, np.exp((a - 1) * np.log(x) - x - scipy.special.gammaln(a + np.zeros_like(x)))


@rule(scipy.special.gammaincc, domain=POSITIVE, fixed=('a',), examples=(case(2.0, (5,)), case(0.7, (3, 4)), case(1.5, ())))
def gammaincc(a, x):
    """DLMF 8.8.14."""
    return 0.0, -np.exp((a - 1) * np.log(x) - x - scipy.special.gammaln(a + np.zeros_like(x)))


@rule(scipy.special.betainc, domain=(0.1, 0.9), fixed=('a', 'b'),
      examples=(case(2.0, 3.0, (5,)), case(0.7, 1.5, (3, 4)), case(1.5, 2.0, ())))
def betainc(a, b, x):
    """DLMF 8.17.2."""
    zeros = np.zeros_like(x)
    return 0.0, 0.0, np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - scipy.special.betaln(a + zeros, b + zeros))


definition(scipy.special.multigammaln, name=NAME + 'multigammaln', real_only=True, domain=(2.0, 4.0),
           examples=(case((), 2), case((5,), 3)))(special.multigammaln)
