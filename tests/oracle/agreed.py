"""Where derivatives are other than JAX's on purpose: the rule, a part of what is said of the difference, and the reason."""
from __future__ import annotations

LOWER = 'symmetric matrices are known by their lower triangle, as in NumPy; JAX takes the mean of both'
TIES = 'which of equal items counts: the last one; JAX, which joins halves, gives all of them parts'
SINGULAR = 'the inverse of a singular matrix is asked for: an error, not a number'

ORDER = 'infinite factors and summands, taken in another order'
FINITE = 'finite, where JAX multiplies 0 by infinity'
POLE = 'infinite at a pole, where JAX gives NaN'
INFINITE = 'a number has no part in the sum with infinity; JAX takes infinities for 0'
START = 'JAX counts the 0 that it begins with among the equal ones'

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
    ('numpy.linalg.slogdet', 'LinAlgError'): SINGULAR,
    ('numpy.linalg.qr', 'LinAlgError'): SINGULAR,
    ('numpy.linalg.cholesky', 'argument 0'): LOWER,
    ('numpy.linalg.eigh', 'argument 0'): LOWER,
    ('numpy.linalg.eigvalsh', 'argument 0'): LOWER,
    ('numpy.linalg.svd', 'all equal'): 'of equal singular values: infinite or NaN',
    ('scipy.linalg.svd', 'all equal'): 'of equal singular values: infinite or NaN',
    ('scipy.linalg.cholesky', 'ties, argument 0'): LOWER,
    ('scipy.stats.multivariate_normal.logpdf', 'ties, argument 2'): LOWER,
    ('scipy.linalg.qr', 'LinAlgError'): SINGULAR,
    ('scipy.linalg.lu', 'LinAlgError'): SINGULAR,
    ('scipy.linalg.lu_factor', 'LinAlgError'): SINGULAR,
    ('numpy.linalg.cond', 'LinAlgError'): SINGULAR,
    ('numpy.linalg.norm', 'zeros'): START,
    ('numpy.linalg.matrix_norm', 'zeros'): START,
    ('numpy.linalg.norm', 'no items'): 'refused',
    ('numpy.logaddexp', 'at 0.0, inf'): INFINITE,
    ('numpy.logaddexp', 'at inf, 0.0'): INFINITE,
    ('numpy.logaddexp2', 'at 0.0, inf'): INFINITE,
    ('numpy.logaddexp2', 'at inf, 0.0'): INFINITE,
    ('numpy.hypot', 'nan in JAX'): FINITE,
    ('numpy.interp', 'nan in JAX'): FINITE,
    ('numpy.vander', 'nan in JAX'): '`x ** 0` is 1 for all x, so that its slope is 0 at 0 too',
    ('numpy.cumprod', 'nan in JAX'): ORDER,
    ('numpy.einsum', 'minus infinity, argument 1'): ORDER,
    ('numpy.poly', 'infinity'): ORDER,
    ('numpy.quantile', 'zeros, argument 0'): TIES,
    ('numpy.quantile', 'all equal, argument 0'): TIES,
    ('numpy.quantile', 'ties, argument 1'): 'at an item: the slope to the next one, where JAX gives 0',
    ('numpy.polyfit', 'nan in JAX'): FINITE,
    ('numpy.polyfit', 'ValueError'): 'fewer points differ than there are coefficients: an error, not one of many answers',
    ('numpy.polyval', 'IndexError'): 'no coefficients: an error, not 0',
    ('numpy.resize', 'IndexError'): 'nothing to repeat: an error, not zeros',
    ('scipy.special.gamma', 'nan in JAX'): POLE,
    ('scipy.special.polygamma', 'nan in JAX'): POLE,
    ('scipy.stats.norm.ppf', 'inf (0 in JAX)'): 'infinite at the ends, where JAX gives 0',
}
