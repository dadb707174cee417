"""Distributions outside of their support and at its ends, compared with SciPy; SciPy's statistics are imported by need alone."""
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats
from scipy.stats import multivariate_normal

import transpiler as tp
from tests.support import check

X = np.array([-0.5, 0.001, 0.2, 1.0, 1.4, 40.0])
COUNTS = np.array([-1.0, 0.0, 1.0, 2.0, 2.5, 3.0, 4.0])
WITH_ENDS = [
    lambda x, a: scipy.stats.expon.logpdf(x, 0.0, a), lambda x, a: scipy.stats.uniform.logpdf(x, 0.0, a),
    lambda x, a: scipy.stats.gamma.logpdf(x, a), lambda x, a: scipy.stats.beta.logpdf(x, a, 2.5),
    lambda x, a: scipy.stats.lognorm.logpdf(x, a), lambda x, a: scipy.stats.poisson.logpmf(COUNTS, a),
    lambda x, a: scipy.stats.bernoulli.logpmf(COUNTS, a / 4), lambda x, a: scipy.stats.binom.logpmf(COUNTS, 3, a / 4),
    lambda x, a: scipy.stats.norm.logcdf(-x, 0.0, a / 9), lambda x, a: scipy.stats.logistic.logpdf(x, 0.0, a / 90),
]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('f', WITH_ENDS)
def test_values_and_slopes_at_the_ends(mode, f):
    found = mode(tp.value_and_grad(lambda a: np.sum(np.exp(f(X, a)))))(1.5)
    np.testing.assert_allclose(found[0], np.sum(np.exp(f(X, 1.5))), rtol=1e-12)
    slope = np.sum(np.exp(f(X, 1.5 + 1e-6)) - np.exp(f(X, 1.5 - 1e-6))) / 2e-6
    np.testing.assert_allclose(found[1], slope, rtol=1e-6, atol=1e-9)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_outside_of_its_support_a_density_has_no_slope(mode):
    def total(x):
        return np.sum(np.exp(scipy.stats.gamma.logpdf(x, 2.0)) + np.exp(scipy.stats.beta.logpdf(x, 2.0, 3.0)))

    slopes = mode(tp.grad(total))(np.array([-1.0, 0.5, 30.0]))
    assert slopes[0] == 0.0 and np.isfinite(slopes).all()


def test_nobody_waits_for_statistics_in_vain():
    code = 'import sys, transpiler; sys.exit(any(name.startswith("scipy.stats") for name in sys.modules))'
    assert subprocess.run([sys.executable, '-c', code]).returncode == 0


INVALID = [
    lambda a: scipy.stats.norm.cdf(X, 0.0, a), lambda a: scipy.stats.norm.logsf(X, 0.0, a),
    lambda a: scipy.stats.norm.ppf(0.3, 0.0, a),
    lambda a: scipy.stats.t.logpdf(X, a), lambda a: scipy.stats.gamma.logpdf(X, a), lambda a: scipy.stats.beta.logpdf(X, a, 2.0),
    lambda a: scipy.stats.beta.logpdf(X, 2.0, a), lambda a: scipy.stats.lognorm.logpdf(X, a),
    lambda a: scipy.stats.expon.logpdf(X, 0.0, a),
    lambda a: scipy.stats.uniform.logpdf(X, 0.0, a), lambda a: scipy.stats.poisson.logpmf(COUNTS, a),
    lambda a: scipy.stats.bernoulli.logpmf(COUNTS, a), lambda a: scipy.stats.binom.logpmf(COUNTS, 3, a),
    lambda a: scipy.stats.cauchy.logpdf(X, 0.0, a), lambda a: scipy.stats.laplace.logpdf(X, 0.0, a),
    lambda a: scipy.stats.logistic.logpdf(X, 0.0, a), lambda a: scipy.stats.norm.logpdf(X, 0.0, a),
]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('f', INVALID)
def test_what_makes_no_distribution(mode, f):
    assert np.isnan(f(-1.5)).all()
    assert np.isnan(mode(tp.vmap(f))(np.array([-1.5]))).all()


POINTS = np.array([[0.3, -0.4], [1.1, 0.2], [-0.7, 0.9]])


@pytest.mark.parametrize('f', [
    lambda x: multivariate_normal.logpdf(x[:, 0], x[0, 1], 0.7), lambda x: multivariate_normal.logpdf(x[:, 0]),
    lambda x: multivariate_normal.logpdf(x, x[0], 0.7), lambda x: multivariate_normal.logpdf(x, x[1], np.array([0.7, 1.3])),
    lambda x: multivariate_normal.logpdf(x[0], x[1], np.array([[0.7, 0.1], [0.1, 1.3]])),
])
def test_numbers_are_no_vectors_of_normal_distributions(mode, f):
    """A vector is many points of a distribution of numbers, and one of a distribution of vectors."""
    def total(x):
        return np.sum(f(x))

    check(mode, total, POINTS)


@pytest.mark.parametrize('f', [
    lambda x: multivariate_normal.logpdf(x, 0.5, 0.7),
    lambda x: multivariate_normal.logpdf(x[0], 0.5, np.array([0.7, 1.3])),
])
def test_what_scipy_does_not_take_raises(f):
    with pytest.raises(ValueError, match='matmul|reshape'):
        tp.jit(f)(POINTS)
