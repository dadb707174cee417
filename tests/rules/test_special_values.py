"""Special values in, NumPy's values out: signs of zero, NaN and infinity, empty arrays, too few items, singular matrices."""
import numpy as np
import pytest
import scipy.special

import transpiler as tp

INF, NAN = np.inf, np.nan
EMPTY = np.zeros(0)
SINGULAR, UNKNOWN = np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([[NAN, 1.0], [1.0, 2.0]])
pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')

def with_(f, **options):
    return lambda x: f(x, **options)


VECTORS = [EMPTY, *map(np.array, ([3.0], [-0.0], [NAN], [INF], [1.0, 2.0], [NAN, 1.0, 2.0], [INF, 1.0, -INF], [1e308, 1e308, 1.0],
                                  [INF, INF, 1.0], [2.0, 2.0]))]
TABLE = [
    *((with_(f, ddof=k), VECTORS) for f in (np.var, np.std, np.nanvar, np.nanstd) for k in (1, 2, 5)),
    (lambda x: np.sign(x), VECTORS), (lambda x: np.modf(x), VECTORS), (lambda x: (x + 0.0, 0 + x, x - 0.0), VECTORS),
    (lambda x: np.median(x), VECTORS), (lambda x: np.nanmedian(x), VECTORS),
    (lambda x: np.nanquantile(x, 0.3), VECTORS[:2] + VECTORS[3:]), (lambda x: np.quantile(x, 0.3), VECTORS[1:2] + VECTORS[3:]),
    (lambda x: np.polyval(x, 2.0), VECTORS), (lambda x: np.polyval(x, np.array([INF, 0.0])), VECTORS),
    (lambda x: np.trapezoid(x), VECTORS), (lambda x: np.poly(x), VECTORS),
    (lambda x: np.interp(np.array([0.0, 0.5, 1.0, -1.0, 9.0, NAN]), np.arange(x.size) * 1.0, x), VECTORS),
    (lambda x: np.interp(np.array([0.0, 0.5, 1.0, INF]), np.array([0.0, 1.0]), np.array([INF, x[0]])), VECTORS[1:5]),
    (lambda x: (max(x), min(x)), VECTORS[1:]), (lambda x: np.linalg.norm(x, np.inf), VECTORS),
    *((with_(np.linalg.cond, p=p), [np.zeros((2, 2)), SINGULAR, np.eye(2), np.stack([np.eye(2), SINGULAR])])
      for p in (None, 1, 'fro', -2)),
    (lambda x: scipy.special.softmax(x), VECTORS[1:]),
    (lambda a: np.linalg.matrix_rank(a), [np.zeros((0, 0)), SINGULAR]), (lambda a: np.linalg.norm(a, 2), [np.zeros((0, 2))]),
    (lambda a: np.linalg.matrix_power(a, 0), [np.stack([np.eye(2), UNKNOWN])]),
]


def same(actual, expected, signs=True):
    for one, other in zip(*[value if isinstance(value, (tuple, list)) else [value] for value in (actual, expected)], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
        zero = np.asarray(other) == 0
        if signs:
            np.testing.assert_array_equal(np.signbit(one)[zero], np.signbit(other)[zero])
        assert np.asarray(one).dtype == np.asarray(other).dtype


@pytest.mark.parametrize(('f', 'points'), TABLE, ids=map(str, range(len(TABLE))))
def test_values_of_derivatives(f, points):
    derived = tp.jvp(f)
    for x in points:
        try:
            expected = f(x)
        except Exception as error:
            with pytest.raises((type(error), tp.TranspileError)):
                derived(x, np.ones_like(x))
        else:
            same(derived(x, np.ones_like(x))[0], expected)


def statistics(x):
    return (np.var(x, ddof=3), np.std(x, ddof=3), np.nanvar(x, ddof=2), np.trapezoid(x), np.polyval(x[:0], 2.0),
            np.sign(x), *np.modf(x), x + 0.0, max(x), min(x), np.sign(x[0]), np.interp(0.5, np.arange(3.0), x))


@pytest.mark.compiles
@pytest.mark.parametrize('items', [(-0.0, 2.0, -INF), (NAN, 1.0, 2.0), (1.0, NAN, 0.0), (INF, INF, 1.0)], ids=str)
def test_compiled_values(items):
    x = np.array(items)
    same(tp.jit(statistics)(x), statistics(x))


def algebra(a, b):
    return (np.linalg.det(a), *np.linalg.slogdet(a), np.linalg.solve(a, b), np.linalg.inv(a))


@pytest.mark.compiles
@pytest.mark.parametrize('a', [UNKNOWN, np.array([[INF, 1.0], [1.0, 1.0]]), 1e-200 * np.eye(2), 1e200 * np.eye(2)], ids=str)
def test_compiled_matrices(a):
    same(tp.jit(algebra)(a, np.ones(2)), algebra(a, np.ones(2)), signs=False)


@pytest.mark.compiles
def test_compiled_factors():
    a = np.array([[4.0, 9.0], [NAN, 2.0]])
    np.testing.assert_array_equal(tp.jit(np.linalg.cholesky)(a), np.linalg.cholesky(a))


@pytest.mark.compiles
def test_compiled_conditions():
    f = tp.jit(lambda a: (np.linalg.cond(a), np.linalg.cond(a, 1), np.linalg.det(a)))
    same(f(np.zeros((2, 2))), (INF, INF, 0.0))
    same(f(np.diag([1.0, 2.0])), (2.0, 2.0, 2.0))


def test_determinants_beyond_the_range_of_their_products():
    a = np.diag([1e300, 1e300, 1e-300])
    np.testing.assert_allclose(tp.jit(np.linalg.det)(a), 1e300)


@pytest.mark.parametrize('f', [np.std, np.nanstd])
def test_what_is_constant_does_not_spread(f, mode):
    x = np.full(3, 2.5)
    spread = lambda x: f(x) * 3.0  # noqa: E731
    np.testing.assert_array_equal(mode(tp.grad(spread))(x), 0.0)
    np.testing.assert_array_equal(mode(tp.jvp(spread))(x, np.array([1.0, 0.0, 0.0]))[1], 0.0)
    np.testing.assert_array_equal(mode(tp.hessian(spread))(x), 0.0)


def test_the_largest_of_whole_numbers_is_one():
    for f in (np.nanmax, np.nanmin):
        assert tp.jit(f)(np.array([1, 2])).dtype == np.int64


def test_knots_have_the_slope_of_their_segment():
    xp, fp = np.array([0.0, 1.0, 3.0]), np.array([1.0, 4.0, 0.0])
    slope = tp.grad(lambda x: np.interp(x, xp, fp))
    assert [slope(x) for x in (0.0, 0.5, 1.0, 2.0, 3.0)] == [3.0, 3.0, -2.0, -2.0, -2.0]


def test_weights_that_sum_to_zero_raise(mode):
    with pytest.raises(ZeroDivisionError, match='Weights sum to zero'):
        mode(tp.grad(lambda x, w: np.average(x, weights=w)))(np.ones(2), np.array([1.0, -1.0]))
