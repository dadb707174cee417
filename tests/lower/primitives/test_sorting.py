"""Sorting under `jit` is NumPy's own: the same order of equal items, of nan, and of every dtype."""
import numpy as np
import pytest

import transpiler as tp


def ordered(x):
    return np.sort(x), np.sort(x, axis=0), np.sort(x, axis=1), np.sort(x, axis=None)


def places(x):
    """Of equal items: where NumPy's quicksort puts them, and in place."""
    return np.argsort(x), np.argsort(x, axis=0), np.argsort(x[:, 0], kind='stable'), np.argsort(x, axis=None, kind='mergesort')


def matrix(kind):
    x = (np.random.default_rng(0).normal(size=(40, 7)) * 3.0).astype(kind)
    if kind in 'fd':
        x[3, 2], x[5, 5], x[0, 0] = np.nan, -0.0, np.inf
    return x


def agrees(function, x):
    for found, expected in zip(tp.jit(function)(x), function(x), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.compiles
@pytest.mark.parametrize('kind', ['?', 'b', 'H', 'i', 'Q', 'f', 'd'])
def test_dtypes(kind):
    agrees(lambda x: (np.sort(x, axis=0), np.argsort(x)), matrix(kind))


@pytest.mark.parametrize('function', [ordered, places])
def test_layouts(function):
    x = matrix('d')
    for given in (x, x[::2, ::-1], x[:0]):
        agrees(function, given)


def test_equal_items_of_long_rows():
    """From some length on NumPy's quicksort leaves equal items in an order of its own."""
    x = np.random.default_rng(0).integers(0, 5, 3_000).astype(float)
    found = tp.jit(lambda x: np.argsort(x))(x)
    np.testing.assert_array_equal(found, np.argsort(x))
    assert not np.array_equal(found, np.argsort(x, kind='stable'))
    np.testing.assert_array_equal(tp.jit(lambda x: np.argsort(x, stable=True))(x), np.argsort(x, kind='stable'))
