"""Logarithms of sums of exponentials."""
import numpy as np
from scipy.special import expit, logsumexp

from transpiler.rules.arrays.inplace import REDUCTIONS
from transpiler.rules.base.examples import BINARY
from transpiler.rules.base.registry import elementwise, known

REDUCTIONS['reduce'][np.logaddexp] = logsumexp


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
