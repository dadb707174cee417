"""SciPy's special functions."""
import numpy as np
import scipy.special


def whole_top(a, axis):
    """About the maximum: rounded, so that no derivative goes through it, and 0 where it is infinite."""
    top = np.max(np.rint(a), axis=axis, keepdims=True)
    return np.where(np.isfinite(top), top, 0.0)


def logsumexp(a, axis=None, b=None, keepdims=False):
    top = whole_top(a, axis)
    terms = np.exp(a - top)
    if b is not None:
        terms = b * terms
    return np.log(np.sum(terms, axis=axis, keepdims=keepdims)) + np.max(top, axis=axis, keepdims=keepdims)


def softmax(x, axis=None):
    parts = np.exp(x - whole_top(x, axis))
    return parts / np.sum(parts, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    shifted = x - whole_top(x, axis)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def ndtr(x):
    return 0.5 * scipy.special.erfc(-0.7071067811865476 * x)
