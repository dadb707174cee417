"""Where derivatives are other than JAX's on purpose: the rule, a part of what is said of the difference, and the reason."""
from __future__ import annotations

LOWER = 'symmetric matrices are known by their lower triangle, as in NumPy; JAX takes the mean of both'
TIES = 'which of equal items counts: the last one; JAX, which joins halves, gives all of them parts'
SINGULAR = 'the inverse of a singular matrix is asked for: an error, not a number'

AGREED: dict[tuple[str, str], str] = {
    ('numpy.power', 'argument 0'): '`x ** 0` is 1 for all x, so that its slope is 0 at 0 too',
    ('numpy.float_power', 'argument 0'): '`x ** 0` is 1 for all x, so that its slope is 0 at 0 too',
    ('numpy.maximum.accumulate', 'argument 0'): TIES,
    ('numpy.minimum.accumulate', 'argument 0'): TIES,
    ('scipy.special.logsumexp', 'no items'): 'refused',
    ('scipy.special.logsumexp', 'argument'): 'a weight of 0 has a slope, by which the sum would grow; JAX leaves such items out',
    ('scipy.special.ndtri', 'argument 0'): 'infinite at the ends, where JAX gives 0',
    ('scipy.special.i0', 'argument 0'): 'i1(0) is 0; JAX takes the slope of exp(abs(x)) at 0',
    ('scipy.special.i1e', 'argument 0'): 'SciPy gives NaN for `ive` at infinity',
    ('numpy.linalg.det', 'LinAlgError'): SINGULAR,
    ('numpy.linalg.slogdet', 'LinAlgError'): SINGULAR,
    ('numpy.linalg.qr', 'LinAlgError'): SINGULAR,
    ('numpy.linalg.cholesky', 'argument 0'): LOWER,
    ('numpy.linalg.eigh', 'argument 0'): LOWER,
    ('numpy.linalg.eigvalsh', 'argument 0'): LOWER,
    ('numpy.linalg.svd', 'all equal'): 'of equal singular values: infinite or NaN',
}
