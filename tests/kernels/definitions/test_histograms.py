"""Histograms count as NumPy's do, at the edges of bins too, and in its dtypes."""
import numpy as np
import pytest

import transpiler as tp
from transpiler_kernels.definitions.samples.histograms import histogram


def samples():
    rng = np.random.default_rng(1)
    for k in range(400):
        size, bins = rng.integers(0, 40), int(rng.integers(1, 30))
        a = [rng.normal(size=size), rng.integers(-5, 6, size), rng.normal(size=size).astype(np.float32),
             rng.integers(0, 20, size) / 10][k % 4]
        ranges = [None, (-1.0, 1.0), (0, 2)][k % 3]
        yield a, bins, ranges, None if k % 5 else rng.normal(size=size)


def test_counts_and_edges_are_numpys():
    for a, bins, ranges, weights in samples():
        found, wanted = histogram(a, bins, ranges, None, weights), np.histogram(a, bins, ranges, None, weights)
        assert [part.dtype for part in found] == [part.dtype for part in wanted]
        assert np.allclose(found[0], wanted[0]) and np.array_equal(found[1], wanted[1])


def counted(a):
    return np.histogram(a, bins=7, range=(0.0, 2.0))


@pytest.mark.parametrize('a', [
    np.arange(-5, 20) / 7, np.array([0.0, np.nan, 1.0, 2.0, np.inf, 1e308]), np.zeros(0), np.arange(-3, 5), np.float32([0.3, 2]),
], ids=['edges', 'outside', 'none', 'integers', 'single'])
@pytest.mark.compiles
def test_compiled_ones_too(mode, a):
    for found, wanted in zip(mode(tp.vmap(counted, in_axes=None, axis_size=1))(a), np.histogram(a, 7, (0.0, 2.0))):
        assert np.array_equal(found[0], wanted) and found.dtype == wanted.dtype


def weighed(a, weights):
    return np.sum(np.histogram(a, bins=5, weights=weights)[0] ** 2)


def test_the_gradient_by_weights_is_read_at_the_bins(mode):
    a, weights = np.array([0.0, 0.1, 0.5, 1.0]), np.array([1.0, 2.0, 3.0, 4.0])
    assert np.allclose(mode(tp.grad(weighed, argnums=1))(a, weights), [6.0, 6.0, 6.0, 8.0])


@pytest.mark.parametrize('a', [np.array([5e-324, 0.0]), np.float32([1.0, 1.0000001]), np.array([1e16, 1e16 + 2.0])])
def test_bins_that_have_no_room_raise(mode, a):
    with pytest.raises(ValueError, match='Too many bins') as expected:
        np.histogram(a, 7)
    with pytest.raises(ValueError, match='Too many bins') as found:
        mode(tp.vmap(lambda a: np.histogram(a, 7)[0]))(np.stack([a, a]))
    assert str(found.value) == str(expected.value)
