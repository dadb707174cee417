"""Where the items at given places in order stand, and the medians and quantiles of vectors, against NumPy's sorts."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import numeric_grad
from transpiler_kernels.arrays import places_in_order as as_written
from transpiler_kernels.reductions.selection import places_in_order

RNG = np.random.default_rng(0)
MANY = {
    'normal': lambda n: RNG.normal(size=n),
    'few values': lambda n: RNG.integers(0, 3, n),
    'ties': lambda n: RNG.integers(0, 50, n) / 7,
    'ascending': lambda n: np.sort(RNG.normal(size=n)),
    'descending': lambda n: -np.sort(RNG.normal(size=n)),
    'single': lambda n: RNG.normal(size=n).astype(np.float32),
    'missing': lambda n: np.where(RNG.random(n) < 0.3, np.nan, RNG.normal(size=n)),
    'nothing but nan': lambda n: np.full(n, np.nan),
    'zeros of both signs': lambda n: np.where(RNG.random(n) < 0.5, 0.0, -0.0),
    'infinite': lambda n: np.where(RNG.random(n) < 0.5, np.inf, -np.inf),
    'steps': lambda n: np.repeat(np.arange(n // 256 + 1.0), 256)[:n],
}


@pytest.mark.parametrize('kind', MANY)
def test_places_are_those_of_a_stable_sort(kind):
    for size in (1, 2, 100, 1025, 3000, 20_000):
        x = MANY[kind](size)
        places = np.array([0, size // 4, (size - 1) // 2, size // 2, size - 1])
        wanted = np.argsort(x, kind='stable')[places]
        np.testing.assert_array_equal(places_in_order(x, places), wanted)
        np.testing.assert_array_equal(as_written(x, places), wanted)


def test_a_place_that_is_not_there_raises():
    for place in (-1, 3):
        with pytest.raises(IndexError):
            places_in_order(np.ones(3), np.array([place]))


def spread(x):
    return np.percentile(x, 75.0) - np.percentile(x, 25.0) + np.median(x) * np.quantile(x, 0.9)


@pytest.mark.parametrize('size', [4, 5])
def test_gradients_go_to_the_items_that_are_there(mode, size):
    x = np.random.default_rng(size).normal(size=size)
    assert np.allclose(mode(tp.grad(spread))(x), numeric_grad(spread, (x,)), rtol=1e-6)
    batch = np.stack([x, x[::-1] ** 2])
    assert np.allclose(mode(tp.vmap(tp.grad(spread)))(batch), [tp.grad(spread)(row) for row in batch])


@pytest.mark.parametrize('x', [np.array([3, 1, 2]), np.array([np.nan, 1.0]), np.float32([2, 1]), np.array([[4.0, 1.0], [2, 3]])],
                         ids=['integers', 'missing', 'single', 'table'])
def test_values_and_dtypes_are_numpys(mode, x):
    for statistic in (lambda a: np.median(a), lambda a: np.quantile(a, 0.3), lambda a: np.median(a, keepdims=True)):
        found, wanted = mode(tp.vmap(statistic, in_axes=None, axis_size=1))(x)[0], statistic(x)
        np.testing.assert_allclose(found, wanted)
        assert found.dtype == wanted.dtype
