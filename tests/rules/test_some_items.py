"""Reductions with `where=`, `initial=` and `dtype=`, running extremes, counts with weights, functions by pieces."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([[0.3, -1.2, 0.8, 2.0], [1.1, 0.4, -0.7, -0.1], [0.9, -0.3, 1.6, 0.2]])
BINS = np.array([0, 2, 2, 5])


def sums(x):
    return np.sum(np.sum(x * x, axis=1, where=x > 0) ** 2) + np.sum(x ** 3, where=x[0] > 0, initial=x[1, 1])


def means(x):
    return np.sum(np.mean(x * x, axis=0, where=x > 0, keepdims=True) * x)


def products(x):
    return np.prod(x, where=x > 0, initial=2.0) * np.sum(np.prod(x, axis=0, where=x < 1.0))


def extremes(x):
    return np.sum(np.max(x * x, axis=1, initial=1.5) * x[:, 0]) + np.min(x ** 3, where=x > 0, initial=10.0)


def decided_by_some(x):
    return np.sum(x ** 2) if np.all(x > 0, where=np.abs(x) > 1.5) and np.any(x < 0, where=x > 1.0) else np.sum(x ** 3)


def running(x):
    return np.sum(np.maximum.accumulate(x, axis=1) ** 2) + np.sum(np.minimum.accumulate(x) * x)


def counted(x):
    return np.sum(np.bincount(BINS, weights=x[0]) ** 2) * np.sum(np.bincount(BINS, minlength=8) * x[1, 1])


def between_edges(x):
    heights, edges = np.histogram(x[0], 3, weights=x[1])
    return np.sum(heights ** 2 * edges[1:]) + np.sum(np.histogram(x, 4, range=(-1.0, 2.0), density=True)[0] * x[0, 0])


def pieces(x):
    return np.sum(np.piecewise(x, [x < 0, x > 1], [lambda t: -t ** 3, lambda t: t * t, 3.0]) * x)


def pieces_of_all(x):
    return np.sum(np.piecewise(x, (x < 0, x >= 0), (np.exp, lambda t: t * t)))


PROGRAMS = [sums, means, products, extremes, decided_by_some, running, counted, between_edges, pieces, pieces_of_all]


@pytest.mark.parametrize('f', PROGRAMS)
def test_programs(mode, f):
    check(mode, f, X, order=2)


@pytest.mark.parametrize('f', PROGRAMS)
def test_batches(f):
    stack = np.stack((X, X + 0.05, X - 0.03))
    np.testing.assert_allclose(tp.vmap(f)(stack), [f(x) for x in stack], rtol=1e-12)


def test_dtype(mode):
    def values(x, k):
        return np.sum(x, dtype=np.float32), np.prod(k, dtype=np.float64), np.mean(k, dtype=np.float32), np.sum(k, dtype=np.int32)
    k = np.array([1, 2, 4])
    ours = mode(tp.vmap(values, in_axes=(0, None)))(X, k)
    for mine, theirs in zip(ours, zip(*(values(x, k) for x in X), strict=True), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)
        assert mine.dtype == theirs[0].dtype


def test_no_items(mode):
    greatest = lambda x: np.max(x, initial=-1.0) + np.sum(np.max(x, axis=1, initial=2.0))
    assert mode(tp.value_and_grad(greatest))(np.zeros((2, 0)))[0] == 3.0


def test_initial_is_cast_as_numpy_casts_it(mode):
    def f(x, k):
        return np.sum(x) * (np.sum(k, initial=0.5) + np.max(k, initial=7.5))
    k = np.array([1, 2])
    assert np.array_equal(mode(tp.grad(f))(X, k), np.full_like(X, 10.0))


def test_without_initial_there_is_no_extreme_of_some():
    with pytest.raises(ValueError, match="specify 'initial'"):
        tp.grad(lambda x: np.max(x, where=x > 0))(X)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_running_extremes_of_nan(mode):
    x = np.array([1.0, 3.0, np.nan, 2.0])
    values, slopes = mode(tp.value_and_grad(lambda x: np.sum(np.maximum.accumulate(x)[:2])))(x)
    assert values == 4.0 and np.array_equal(slopes, [1.0, 1.0, 0.0, 0.0])
    assert np.isnan(mode(tp.vmap(np.maximum.accumulate))(x[None])).sum() == 2


def test_negative_bins_raise(mode):
    with pytest.raises(ValueError, match='negative'):
        mode(tp.grad(lambda w, k: np.sum(np.bincount(k, weights=w) ** 2)))(np.ones(2), np.array([-1, 1]))


def test_single_precision_stays(mode):
    x = X.astype(np.float32)
    for f in (lambda x: np.mean(x, axis=0, where=x > 0), lambda x: np.mean(x, where=x > 0), lambda x: np.sum(x, initial=0.1),
              lambda x: np.max(x, axis=0, initial=0.1), lambda x: np.prod(x, where=x > 0)):
        found = mode(tp.vmap(f))(x[None])[0]
        assert found.dtype == f(x).dtype == np.float32
        np.testing.assert_allclose(found, f(x), rtol=1e-6)


BAD_CALLS = {
    'weights of another length': lambda w: np.bincount(np.array([0, 1, 1]), weights=w[:2]),
    'weights of one item': lambda w: np.bincount(np.array([0, 1, 1]), weights=w[:1]),
    'bins of a matrix': lambda w: np.bincount(np.array([[0, 1], [1, 1]]), weights=np.outer(w[:2], w[:2])),
    'a negative number of bins': lambda w: np.bincount(np.array([0, 1, 1]), weights=w, minlength=-1),
    'too few functions': lambda w: np.piecewise(w, [w > 1, w < 0], [lambda t: t * t]),
    'too many functions': lambda w: np.piecewise(w, [w > 1], [lambda t: t * t, 1.0, 2.0]),
}


@pytest.mark.parametrize('f', BAD_CALLS.values(), ids=BAD_CALLS)
def test_what_numpy_refuses(mode, f):
    w = np.array([1.0, 2.0, 3.0])
    with pytest.raises(ValueError):
        f(w)
    with pytest.raises((ValueError, tp.TranspileError)):
        mode(tp.grad(lambda w: np.sum(f(w))))(w)


def test_flags_are_no_indices_of_take():
    with pytest.raises(tp.TranspileError, match='integers'):
        tp.grad(lambda w: np.sum(np.take(w, w > 1.0) ** 2))(np.array([1.0, 2.0, 3.0]))
