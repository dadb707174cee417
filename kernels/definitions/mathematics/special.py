"""SciPy's special functions."""
import numpy as np
import scipy.special

from transpiler_kernels.definitions.mathematics.values import floats


def whole_top(a, axis):
    """About the maximum: rounded, so that no derivative goes through it, and 0 where it is infinite."""
    top = np.max(np.rint(a), axis=axis, keepdims=True)
    return np.where(np.isfinite(top), top, 0.0)


def logsumexp(a, axis=None, b=None, keepdims=False):
    a = floats(a)
    top = whole_top(a, axis)
    terms = np.exp(a - top)
    if b is not None:
        terms = b * terms
    return np.log(np.sum(terms, axis=axis, keepdims=keepdims)) + np.max(top, axis=axis, keepdims=keepdims)


def softmax(x, axis=None):
    x = floats(x)
    parts = np.exp(x - np.max(np.rint(x), axis=axis, keepdims=True))    # all are NaN beside infinity, as in SciPy
    return parts / np.sum(parts, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    x = floats(x)
    shifted = x - whole_top(x, axis)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def ndtr(x):
    return 0.5 * scipy.special.erfc(-0.7071067811865476 * x)


def polygamma(n, x):
    if np.ndim(n) > 0:
        raise RuntimeError('polygamma is supported for one order at a time')
    if n == 0:
        return np.float64(1.0) * scipy.special.psi(x)
    return (-1.0) ** (n + 1) * scipy.special.gamma(n + 1.0) * scipy.special.zeta(n + 1, x)


def multigammaln(a, d):
    if np.any(a <= 0.5 * (d - 1)):
        raise ValueError('multigammaln: a must be greater than (d - 1) / 2')
    total = d * (d - 1) * 0.25 * np.log(np.pi)
    for k in range(d):
        total = total + scipy.special.gammaln(a - k / 2)
    return total


def i0(x):
    return scipy.special.i0(x)
