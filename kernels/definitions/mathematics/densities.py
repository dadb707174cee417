"""Distributions of `scipy.stats`: densities, their logarithms, and the like. Outside of its support a density is 0.

0.9189385332046727 is log(2 pi) / 2, and 1.1447298858494002 log(pi).
"""
import numpy as np
import scipy.special

from transpiler_kernels.definitions.known import known


def where_supported(supported, log_density):
    return np.where(supported, log_density, -np.inf)


def where_valid(valid, value):
    """NaN where the parameters make no distribution."""
    return value if known(valid) and valid else np.where(valid, value, np.nan)


def norm_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return -z * z / 2 - 0.9189385332046727 - np.log(scale)


def norm_pdf(x, loc=0, scale=1):
    return np.exp(norm_logpdf(x, loc, scale))


def norm_cdf(x, loc=0, scale=1):
    return where_valid(scale > 0, scipy.special.ndtr((x - loc) / scale))


def norm_logcdf(x, loc=0, scale=1):
    return where_valid(scale > 0, scipy.special.log_ndtr((x - loc) / scale))


def norm_sf(x, loc=0, scale=1):
    return where_valid(scale > 0, scipy.special.ndtr((loc - x) / scale))


def norm_logsf(x, loc=0, scale=1):
    return where_valid(scale > 0, scipy.special.log_ndtr((loc - x) / scale))


def norm_ppf(q, loc=0, scale=1):
    return where_valid(scale > 0, loc + scale * scipy.special.ndtri(q))


def lognorm_logpdf(x, s, loc=0, scale=1):
    z = (x - loc) / scale
    inside = np.where(z > 0, z, 1.0)
    log_density = norm_logpdf(np.log(inside) / s) - np.log(s * inside * scale)
    return where_valid(scale > 0, where_valid(s > 0, where_supported(z > 0, log_density)))


def t_logpdf(x, df, loc=0, scale=1):
    z = (x - loc) / scale
    shape = scipy.special.gammaln((df + 1) / 2) - scipy.special.gammaln(df / 2) - (np.log(df) + 1.1447298858494002) / 2
    return where_valid(df > 0, shape - (df + 1) / 2 * np.log1p(z * z / df) - np.log(scale))


def cauchy_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return -1.1447298858494002 - np.log1p(z * z) - np.log(scale)


def laplace_logpdf(x, loc=0, scale=1):
    return -np.abs((x - loc) / scale) - np.log(2 * scale)


def logistic_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return scipy.special.log_expit(z) + scipy.special.log_expit(-z) - np.log(scale)


def expon_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return where_valid(scale > 0, where_supported(z >= 0, -z - np.log(scale)))


def uniform_logpdf(x, loc=0, scale=1):
    z = (x - loc) / scale
    return where_valid(scale > 0, where_supported((z >= 0) & (z <= 1), 0 * z - np.log(scale)))


def gamma_logpdf(x, a, loc=0, scale=1):
    z = (x - loc) / scale
    inside = np.where(z >= 0, z, 1.0)
    log_density = scipy.special.xlogy(a - 1, inside) - inside - scipy.special.gammaln(a) - np.log(scale)
    return where_valid(scale > 0, where_valid(a > 0, where_supported(z >= 0, log_density)))


def beta_logpdf(x, a, b, loc=0, scale=1):
    z = (x - loc) / scale
    supported = (z >= 0) & (z <= 1)
    inside = np.where(supported, z, 0.5)
    powers = scipy.special.xlogy(a - 1, inside) + scipy.special.xlog1py(b - 1, -inside)
    log_density = powers - scipy.special.betaln(a, b) - np.log(scale)
    return where_valid(scale > 0, where_valid(a > 0, where_valid(b > 0, where_supported(supported, log_density))))


def poisson_logpmf(k, mu, loc=0):
    count = k - loc
    supported = (count >= 0) & (count == np.floor(count))
    inside = np.where(supported, count, 0.0)
    log_mass = scipy.special.xlogy(inside, mu) - scipy.special.gammaln(inside + 1) - mu
    return where_valid(mu >= 0, where_supported(supported, log_mass))


def bernoulli_logpmf(k, p, loc=0):
    count = k - loc
    supported = (count == 0) | (count == 1)
    inside = np.where(supported, count, 0.0)
    log_mass = scipy.special.xlogy(inside, p) + scipy.special.xlog1py(1 - inside, -p)
    return where_valid((p >= 0) & (p <= 1), where_supported(supported, log_mass))


def binom_logpmf(k, n, p, loc=0):
    count = k - loc
    supported = (count >= 0) & (count <= n) & (count == np.floor(count))
    inside = np.where(supported, count, 0.0)
    ways = -scipy.special.betaln(inside + 1, n - inside + 1) - np.log(n + 1)
    log_mass = ways + scipy.special.xlogy(inside, p) + scipy.special.xlog1py(n - inside, -p)
    return where_valid((n >= 0) & (n == np.floor(n)), where_valid((p >= 0) & (p <= 1), where_supported(supported, log_mass)))


def dirichlet_logpdf(x, alpha):
    x = np.asarray(x)
    if x.ndim != 1 or x.shape[0] != alpha.shape[0] or np.any(alpha <= 0):
        raise ValueError('dirichlet is supported for one vector, of as many probabilities as there are positive parameters')
    if np.any(x < 0) or abs(np.sum(x) - 1.0) > 1e-9:
        raise ValueError('the input vector must lie within the normal simplex')
    powers = np.sum(scipy.special.xlogy(alpha - 1, x))
    return powers + scipy.special.gammaln(np.sum(alpha)) - np.sum(scipy.special.gammaln(alpha))


def multivariate_normal_logpdf(x, mean=None, cov=1, allow_singular=False):
    if np.ndim(cov) == 0 and (mean is None or np.ndim(mean) == 0):  # numbers, not vectors
        if np.ndim(x) > 1:
            raise RuntimeError('multivariate_normal of numbers is supported for a number or a vector of them')
        distance = x if mean is None else x - mean
        return -distance * distance / (2 * cov) - np.log(cov) / 2 - 0.9189385332046727
    if x.ndim > 2:
        raise RuntimeError('multivariate_normal is supported for a vector, or a matrix of vectors')
    if np.ndim(cov) < 2:
        if mean is None or np.ndim(mean) == 0 or mean.shape[0] != x.shape[-1]:
            raise ValueError('multivariate_normal takes variances beside a mean of as many components')
        cov = np.eye(x.shape[-1]) * cov
    root = np.linalg.cholesky(cov)
    deviation = x if mean is None else x - mean
    z = np.linalg.solve(root, deviation.T)
    return -np.sum(z * z, axis=0) / 2 - np.sum(np.log(np.diagonal(root))) - root.shape[0] * 0.9189385332046727
