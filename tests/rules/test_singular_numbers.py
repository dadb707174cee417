"""Singular points by numbers of Python, and what is tiny or huge: derivatives are infinite where those of arrays are, and finite
where they are finite themselves."""
import math

import numpy as np
import pytest
import scipy.special

import transpiler as tp

INF = np.inf
pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')
SINGULAR = [
    (np.log, 0.0), (np.log2, 0.0), (np.log10, 0.0), (math.log, 0.0), (np.log1p, -1.0), (np.arctanh, 1.0), (np.sqrt, 0.0),
    (np.arccosh, 1.0), (scipy.special.logit, 1.0), (lambda x: x ** (1 / 3), 0.0), (lambda x: scipy.special.xlogy(2.0, x), 0.0),
    (lambda x: scipy.special.xlog1py(2.0, x), -1.0), (lambda x: -scipy.special.rel_entr(1.0, x), 0.0),
    (lambda x: -scipy.special.kl_div(1.0, x), 0.0), (lambda x: np.log(x) + np.sin(x), 0.0),
]


@pytest.mark.parametrize(('f', 'point'), SINGULAR)
def test_slopes_are_infinite_where_python_would_raise(f, point):
    for derivative in (tp.grad(f), tp.jacfwd(f), tp.jacrev(f)):
        assert derivative(point) == INF and derivative(np.float64(point)) == INF
    tp.hessian(f)(point)


def test_remainders_by_zero():
    assert tp.grad(lambda x: np.fmod(1.0, x))(0.0) == -INF


def zeros_on_a_list(x):
    e = [0.0] * x.size
    e[1] += x[1] * x[2]
    return sum(np.log(v) for v in e)


def test_so_are_those_by_numbers_that_are_pythons_on_some_paths():
    x = np.array([1.0, 2.0, 3.0])
    for derivative in (tp.grad(zeros_on_a_list), tp.jacfwd(zeros_on_a_list)):
        np.testing.assert_allclose(derivative(x), [0.0, 1 / 2, 1 / 3])
    np.testing.assert_allclose(tp.hessian(zeros_on_a_list)(x), np.diag([0.0, -1 / 4, -1 / 9]))


def test_a_program_that_divides_by_zero_itself_raises_still():
    with pytest.raises(ZeroDivisionError):
        tp.grad(lambda x: 1.0 / x)(0.0)


def angle_beside(other):
    return lambda x: np.arctan2(x, other)


MAGNITUDES = [
    (angle_beside(1e-200), 1e-200, 5e199), (angle_beside(0.0), 1e-170, 0.0), (angle_beside(1e200), 1e200, 5e-201),
    (lambda x: math.atan2(1e-170, x), 1e-170, -5e169), (lambda x: np.angle(x + 1e200j), 1e200, -5e-201),
    (np.arcsinh, 1e200, 1e-200), (np.arcsinh, -1e200, 1e-200), (np.arccosh, 1e200, 1e-200), (np.arctan, 1e200, 0.0),
    (lambda x: np.hypot(x, 1e200), 1e200, math.sqrt(0.5)), (lambda x: np.hypot(x, 1e-200), 1e-200, math.sqrt(0.5)),
    (np.sinc, 1e-200, -math.pi ** 2 / 3 * 1e-200), (lambda x: abs(x * (1 + 1j)), 1e-200, math.sqrt(2)),
    (scipy.special.expit, -700.0, math.exp(-700)), (lambda x: np.logaddexp(x, 1e300), 1e300, 0.5), (np.tanh, 1000.0, 0.0),
    (lambda x: x ** 2.5, 1e120, 2.5e180), (scipy.special.log_ndtr, -1e8, 1e8), (scipy.special.log_ndtr, -1e150, 1e150),
]


@pytest.mark.parametrize(('f', 'point', 'slope'), MAGNITUDES)
def test_slopes_of_tiny_and_huge_numbers(f, point, slope):
    for derivative in (tp.grad(f), tp.jacfwd(f)):
        for kind in (float, np.float64):
            np.testing.assert_allclose(derivative(kind(point)), slope, rtol=1e-12, atol=0.0)


def test_compiled(mode):
    x = np.array([1e-200, 1.0, 1e200])
    slopes = mode(tp.grad(lambda x, y: np.sum(np.arctan2(x, y) + np.arcsinh(x) + np.arccosh(y + 2.0)), argnums=(0, 1)))(x, x)
    np.testing.assert_allclose(slopes[0], [5e199, 0.5 + math.sqrt(0.5), 1.5e-200], rtol=1e-12, atol=0.0)
    np.testing.assert_allclose(slopes[1], [-5e199, -0.5 + math.sqrt(1 / 8), 5e-201], rtol=1e-12, atol=0.0)
    assert mode(tp.grad(np.log))(0.0) == INF
