"""Arrays that an index makes, and that `np.ndarray` makes room for; questions about shapes."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError

X = np.array([0.3, -1.2, 2.0])


def in_a_row(x):
    lists = np.sum(np.r_[x, [1, 2.5]] * np.r_[:5])
    return lists + np.sum(np.r_[0.0, x, 1, x[1:]] ** 2 * np.arange(7.0)) + np.sum(np.r_[x[:1], 0:3] ** 3)


def as_columns(x):
    return np.sum(np.c_[x, np.ones(3), x ** 2] @ np.arange(3.0)) + np.sum(np.c_[x * np.ones((2, 1)), np.ones((2, 2))] ** 2)


def grids(x):
    i, j = np.mgrid[0:3, 1:9:2]
    points = np.mgrid[0:1:4j, -1:1:0.5]
    return np.sum(x[:, None] ** 2 * i * j) + np.sum(np.exp(x[0] * points)) + np.sum(np.mgrid[:3] * x)


def open_grids(x):
    i, j = np.ogrid[0:2, 0:x.shape[0]]
    return np.sum((i + j) * x ** 2)


def room(x):
    y = np.ndarray((2, len(x)), dtype=x.dtype)
    y[0], y[1] = x, x * x
    return np.sum(y[0] * y[1])


@pytest.mark.parametrize('function', [in_a_row, as_columns, grids, open_grids, room])
def test_programs(function, mode):
    check(mode, function, X, order=2)


def test_dtypes_are_numpys(mode):
    def joined(x):
        return np.r_[x, 1.0, np.float32(2)], np.c_[x, x], np.mgrid[0:2, 0:3], np.mgrid[0:2, 0:1:2j]
    for found, wanted in zip(mode(tp.vmap(joined))(np.ones((1, 3), np.float32)), joined(np.ones(3, np.float32)), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found[0], wanted)


@pytest.mark.parametrize(('function', 'message'), [
    (lambda x: np.r_['0,2', x], 'directions in text'), (lambda x: np.mgrid[2:] * x[0], 'where each axis stops'),
    (lambda x: np.histogram(x, 0)[0] * x[0], 'must be positive'), (lambda x: np.full((2,), x), 'does not take|broadcast')])
def test_what_numpy_refuses_is_refused(function, message):
    with pytest.raises((TranspileError, ValueError, TypeError), match=message):
        tp.vmap(function)(X[None])


def test_histograms_have_numpys_dtypes(mode):
    def heights(x):
        return np.histogram(x, 4)[0], np.histogram(x, 4, weights=x)[0], np.histogram(x, 4, weights=x, density=True)[0]
    x = X.astype(np.float32)
    for found, wanted in zip(mode(tp.vmap(heights))(x[None]), heights(x), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found[0], wanted, rtol=1e-6)


def many_axes(x):
    n = len(x)
    there = np.zeros((n, n, n, n, n, n, n, n, n, n))
    there[0, 1, 2] = x[0] ** 2
    return there[0, 1, 2, 0, 0, 0, 1, 2, 0, 0] * x[1] + np.sum(np.moveaxis(there, 0, -1))


def test_arrays_of_many_axes_are_not_made_to_find_their_type(mode):
    np.testing.assert_allclose(mode(tp.grad(many_axes))(X), [2 * X[0] * (X[1] + 3 ** 7), X[0] ** 2, 0.0])


@pytest.mark.parametrize('function', [lambda x: np.zeros(2.5) * x[0], lambda x: np.zeros((-1, 2)) * x[0],
                                      lambda x: np.full((2, x[0]), x[0]), lambda x: np.ones((2, 'n')) * x[0]])
def test_what_is_no_shape(function):
    for batch in (tp.vmap(function), tp.jit(tp.vmap(function))):
        with pytest.raises((TypeError, ValueError)) as raised:
            batch(X[None])
        assert not isinstance(raised.value, TranspileError)


def by_shape(x, y):
    if x.shape != y.shape:
        raise ValueError('two shapes')
    return np.sum(x * y)


def by_size(x, y):
    n, m = x.shape
    if (n, m) == (y.shape[1], 4):
        return np.sum(x ** 2)
    return np.sum(y ** 3) if (1, 2) != (n, m) and (n, m, 1) != (n, m) else np.sum(x)


def test_tuples_of_sizes_are_compared(mode):
    x = np.arange(12.0).reshape(3, 4)
    for y in (x, x[:, :3], x[:2]):
        value, (by_x, by_y) = mode(tp.value_and_grad(by_size, argnums=(0, 1)))(x, y)
        square = y.shape[1] == 3
        assert value == by_size(x, y)
        np.testing.assert_array_equal(by_x, 2 * x * square)
        np.testing.assert_array_equal(by_y, 3 * y ** 2 * (not square))
    np.testing.assert_array_equal(mode(tp.grad(by_shape))(x, x), x)
    with pytest.raises(ValueError, match='two shapes'):
        mode(tp.grad(by_shape))(x, x[:2])


def test_classes_of_slices_and_lists(mode):
    def taken(x, which):
        kept = []
        for k in range(len(x)):
            kept.append(x[k] * which)
        return np.sum(x[1:]) if isinstance(slice(1, None), slice) and isinstance(kept, list) else x[0]
    np.testing.assert_array_equal(mode(tp.grad(taken))(X, 2.0), [0.0, 1.0, 1.0])
