"""Reductions against NumPy: special values, empty axes, layouts, and the accuracy of long sums."""
import numpy as np
import pytest

from transpiler_kernels.reductions import along_axes as reductions
from transpiler_kernels.reductions import scans, searches

CUBE = np.random.default_rng(0).normal(size=(3, 4, 5))
CUBE[1, 2, 3], CUBE[0, 0, 0] = np.nan, np.inf


@pytest.mark.parametrize('name, function', [('sum', np.sum), ('prod', np.prod), ('max', np.max), ('min', np.min),
                                            ('argmax', np.argmax), ('argmin', np.argmin), ('count', np.count_nonzero)])
@pytest.mark.parametrize('axis', [0, 1, 2])
@pytest.mark.parametrize('layout', [CUBE, CUBE.T, CUBE[:, ::2]], ids=['C', 'F', 'strided'])
def test_one_axis(name, function, axis, layout):
    module = reductions if name in ('sum', 'prod') else searches
    got = getattr(module, f'{name}_axes')(layout, axis, axis)
    np.testing.assert_allclose(got.ravel(), function(layout, axis=axis).ravel(), rtol=1e-13)


@pytest.mark.parametrize('function', [searches.max_axes, searches.min_axes, searches.argmax_axes, searches.argmin_axes])
def test_nothing_has_no_extremum(function):
    with pytest.raises(ValueError):
        function(np.zeros((0, 3)), 0, 0)
    assert function(np.zeros((3, 0)), 0, 0).size == 0


@pytest.mark.parametrize('size', [0, 1, 7, 1023, 1024, 1025, 5000, 1_000_003])
def test_sums_of_float32_are_as_good_as_pairwise_ones(size):
    x = np.random.default_rng(size).random(size, np.float32)
    exact = np.sum(x, dtype=np.float64)
    assert abs(reductions.sum_all(x) - exact) <= 4 * np.finfo(np.float32).eps * abs(exact)


def test_scans_follow_the_axis():
    np.testing.assert_allclose(scans.cumsum_axis(CUBE, 1).reshape(CUBE.shape), np.cumsum(CUBE, axis=1))
    np.testing.assert_allclose(scans.cumprod_axis(CUBE.T, 2).reshape(CUBE.T.shape), np.cumprod(CUBE.T, axis=2))


@pytest.mark.parametrize('shape', [(0, 3), (1, 1), (3, 0), (5, 4), (31, 7), (100, 3), (3, 100), (40, 1500)])
@pytest.mark.parametrize('dtype', [np.float64, np.float32, np.int64])
def test_rows_and_columns_of_a_matrix(shape, dtype):
    x = (10.0 * np.random.default_rng(0).normal(size=shape)).astype(dtype)
    for matrix in (x, np.asfortranarray(x), np.repeat(x, 2, axis=1)[:, ::2], x[::-1]):
        for axis, kernel in enumerate((reductions.sum_rows, reductions.sum_columns)):
            got = kernel(matrix)
            assert got.dtype == dtype
            np.testing.assert_allclose(got, np.sum(matrix, axis), rtol=1e-4 if dtype == np.float32 else 1e-11, atol=1e-4)


@pytest.mark.parametrize('name', ['max', 'min', 'argmax', 'argmin'])
@pytest.mark.parametrize('dtype', [np.float64, np.float32, np.int64, np.bool_])
def test_long_rows_are_searched_block_by_block(name, dtype):
    rng = np.random.default_rng(0)
    for size in (1, 1023, 1024, 1025, 5000):
        x = rng.integers(0, 50, size=(2, size)).astype(dtype)
        np.testing.assert_array_equal(getattr(searches, f'{name}_axes')(x, 1, 1)[:, 0], getattr(np, name)(x, axis=1))
        if np.dtype(dtype).kind == 'f':
            for at in {0, size // 2, size - 1}:
                y = x.copy()
                y[0, at:] = np.nan
                np.testing.assert_array_equal(getattr(searches, f'{name}_axes')(y, 1, 1)[:, 0], getattr(np, name)(y, axis=1))
