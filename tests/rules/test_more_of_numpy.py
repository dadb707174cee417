"""Calls that are written with others: running sums of a dtype, indices of triangles, several arrays at once, Cholesky."""
import numpy as np
import pytest
import scipy.linalg

import transpiler as tp
from tests.support import check, numeric_grad

X, A = np.array([0.5, 1.5, 2.5, 4.0]), np.array([[4.0, 1.0, 0.5], [0.8, 3.0, 0.2], [0.4, 0.1, 2.0]])


def running(x):
    return np.sum(np.cumsum(x, dtype=float) * x) + np.sum(np.cumprod(np.arange(1, 5), dtype=np.float64) * x)


def at_least(x):
    first, second = np.atleast_1d(x[0], x)
    rows = np.atleast_2d(x, second)
    deep = np.atleast_3d(x, rows[0], rows[1][:, :, None])
    return np.sum(first * second) * np.sum(rows[0] * rows[1].T) + np.sum(deep[0] * deep[1] * deep[2])


def triangles(x):
    n = len(x)
    total = 0.0
    for rows, columns in (np.triu_indices(n), np.tril_indices(n, -1), np.triu_indices(3, 1, n), np.tril_indices(n, k=1, m=3),
                          np.triu_indices(3, -1, 2), np.tril_indices(2, 5, 4)):
        total += np.sum(x[rows] * x[columns] ** 2 * rows) + np.sum(columns * x[rows])
    return total


def triangles_of_one(a):
    wide = a[:2]
    return (np.sum(a[np.triu_indices_from(a, 1)] ** 2 * a[np.tril_indices_from(a, k=-1)])
            + np.sum(wide[np.triu_indices_from(wide)] ** 3 * np.arange(5.0)))


def cholesky(a):
    upper, lower = scipy.linalg.cholesky(a), scipy.linalg.cholesky(a, lower=True)
    return np.sum(upper ** 3) + np.sum(lower * np.arange(9.0).reshape(3, 3))


def factors_given(a):
    factor, other = scipy.linalg.cho_factor(a), scipy.linalg.cho_factor(a, True, check_finite=False)
    found = scipy.linalg.cho_solve(factor, a[0]) * scipy.linalg.cho_solve(other, a)[1]
    return np.sum(found) + np.sum(factor[0] ** 2) + np.sum(other[0] ** 3)


@pytest.mark.parametrize('f', [running, at_least, triangles])
def test_of_a_vector(mode, f):
    check(mode, f, X)


@pytest.mark.parametrize('f', [triangles_of_one, cholesky, factors_given])
def test_of_a_matrix(mode, f):
    check(mode, f, A)


def sums(x):
    return (np.cumsum(x, dtype=np.float32), np.cumsum(x, dtype=int), np.cumprod(x > 1.0, dtype=np.int8),
            np.cumsum([1, 2], dtype=float))


def indices(n, k):
    return np.triu_indices(n, k), np.tril_indices(n, k, n + 2), np.triu_indices(n, m=1), np.tril_indices(n, -k)


def test_values_and_dtypes(mode):
    for f, *args in ((sums, X), *((indices, n, k) for n in (0, 1, 4) for k in (-5, -1, 0, 2, 6))):
        for found, expected in zip(np.atleast_1d(*sum_up(mode(f)(*args))), np.atleast_1d(*sum_up(f(*args))), strict=True):
            np.testing.assert_array_equal(found, expected)
            assert found.dtype == expected.dtype


def sum_up(nested):
    return [array for part in nested for array in (part if isinstance(part, tuple) else (part,))]


def test_what_is_refused(mode):
    with pytest.raises(tp.TranspileError, match='complex'):
        mode(tp.grad(lambda a: np.sum(np.abs(scipy.linalg.cholesky(a + 0j)))))(A)
    with pytest.raises((ValueError, tp.TranspileError), match='not for stacks'):
        mode(tp.grad(lambda a: np.sum(scipy.linalg.cholesky(a))))(np.stack((A, A)))
    with pytest.raises((ValueError, tp.TranspileError), match='2-d'):
        mode(tp.grad(lambda x: np.sum(x[np.triu_indices_from(x)])))(X)


def repeated(x):
    counts = np.array([2, 0, 1, 1])
    grid = np.outer(x, x)
    return (np.sum(np.repeat(x, [1, 2, 0, 1]) * np.arange(4)) + np.sum(np.repeat(grid, counts, axis=0) ** 2)
            + np.sum(np.repeat(grid, [3], axis=1) * np.arange(12)))


def named(x):
    square = np.outer(x, x) + 3 * np.eye(4)
    return (np.linalg.slogdet(square).logabsdet + np.linalg.eigh(square).eigenvalues[-1] + np.linalg.svd(square).S[0]
            + np.sum(np.linalg.qr(square).R ** 2))


def over_coordinates(x):
    at = np.array([0.0, 0.5, 1.5, 2.0])
    return (np.sum(np.gradient(x, at, edge_order=2) * x) + np.sum(np.diff(x, prepend=x[-1], append=1.0) ** 3)
            + np.sum(np.quantile(np.outer(x, x), [0.2, 0.7], axis=1)) + np.median(np.outer(x, x), axis=(0, 1)))


def converted(x):
    x = x.copy()
    same = x.astype(np.float64, copy=False)     # the array itself
    same[0] = x[1] * 3.0
    return np.sum(same * x) + np.sum(np.arange(4).astype(dtype=float, copy=False) * x)


@pytest.mark.parametrize('f', [repeated, named, over_coordinates, converted])
def test_calls_in_programs(mode, f):
    check(mode, f, X)


def test_signs_of_complex_numbers(mode):
    def f(z):
        return np.sum(np.real(np.sign(z) * (1 + 2j)))
    z = np.array([0.3 + 0.4j, 0j, -1j])
    np.testing.assert_allclose(mode(tp.grad(f))(z), [3.2 + 2.4j, 0, 1], atol=1e-12)


def test_integers_keep_the_meaning_that_numpy_gives_them(mode):
    a, b = np.array([3, 1, -4, 4, -7, 0, 5]), np.array([-3, 2, 3, -3, -2, 5, 0])
    with np.errstate(all='ignore'):
        np.testing.assert_array_equal(mode(tp.vmap(np.fmod))(a, b), np.fmod(a, b))
    for order in (0, 1, np.inf):
        found = mode(tp.vmap(lambda v, order=order: np.linalg.norm(v, order)))(a[None])
        assert found.dtype == np.float64 and found[0] == np.linalg.norm(a, order)
    small = np.array([3, 250], np.uint8)
    found = mode(tp.vmap(lambda u: np.append(u, 300)))(small[None])[0]
    assert found.dtype == np.append(small, 300).dtype and found.tolist() == [3, 250, 300]


@pytest.mark.parametrize('numbers', [[np.nan, -np.inf, np.inf, 3.0], [1.5, np.inf, -2.0, 0.0], [np.nan, 1.0, 2.0, 4.0]])
def test_what_is_infinite_among_numbers_that_may_be_missing(mode, numbers):
    def f(x):
        return np.nanmedian(x) + np.nanvar(x) + np.nanstd(x), (np.nanmedian(x), np.nanvar(x))
    x = np.array(numbers)
    with np.errstate(invalid='ignore'):
        (_, found), _ = mode(tp.value_and_grad(f, has_aux=True))(x)
        np.testing.assert_allclose(found, f(x)[1])


def test_pythons_sum_without_types():
    def f(x):
        return sum(x) * 2.0
    scope: dict = {}
    exec(tp.grad(f).source, scope)
    np.testing.assert_array_equal(scope['f_grad'](X), np.full(4, 2.0))


def best_and_diagonal(a):
    row, column = np.unravel_index(np.argmax(a), a.shape)
    places = np.unravel_index(np.array([[2, 0], [5, 7]]), a.shape, order='F')
    return a[row, column] ** 2 + np.sum(a[np.diag_indices(3)] * a[np.diag_indices_from(a)]) + np.sum(a[places] ** 2 * places[1])


def test_indices_of_places_and_of_diagonals(mode):
    expected = np.zeros((3, 3))
    for place in [(0, 0), (0, 0), (1, 1), (2, 2)]:
        expected[place] += 2 * A[place]
    for place in np.array([2, 0, 5, 7]):
        index = np.unravel_index(place, (3, 3), order='F')
        expected[index] += 2 * A[index] * index[1]
    np.testing.assert_allclose(mode(tp.grad(best_and_diagonal))(A), expected)
    with pytest.raises(ValueError, match='out of bounds'):
        mode(lambda a, i: a[np.unravel_index(i, a.shape)])(A, 9)


def test_phases_without_jumps(mode):
    phases = np.random.default_rng(0).normal(size=(2, 9)) * 6
    for f in (np.unwrap, lambda p: np.unwrap(p, 4.0), lambda p: np.unwrap(p, period=1.5, axis=0)):
        np.testing.assert_allclose(mode(lambda p, f=f: f(p))(phases), f(phases), rtol=1e-12)
    np.testing.assert_allclose(tp.grad(lambda p: np.sum(np.unwrap(p) ** 2))(phases), 2 * np.unwrap(phases))


def test_the_place_of_an_extreme_of_complex_numbers(mode):
    z = np.array([[1 + 1j, 1 + 2j, 0], [5j, 1 + 2j, 1 - 3j]])
    for x in (z, z - np.array([0, np.nan, 0])):
        found = mode(lambda z: (np.argmax(z), np.argmin(z), np.argmax(z, axis=1)))(x)
        for one, other in zip(found, (np.argmax(x), np.argmin(x), np.argmax(x, axis=1)), strict=True):
            np.testing.assert_array_equal(one, other)


def test_paddings_that_are_not_there_are_told_by_their_name():
    with pytest.raises(tp.TranspileError, match='`pad` does not take these arguments'):
        tp.grad(lambda x: np.sum(np.pad(x, 2, mode='mean')))(X)


def torques(a):
    """In the plane a number each, beside vectors in space one of them, down the columns too."""
    arms, forces = a[:, :2], a[:, 1:]
    flat = np.sum(np.cross(arms, forces) ** 2) + np.cross(arms[0], forces[1]) ** 3
    mixed = np.sum(np.cross(arms, a) ** 3) + np.sum(np.cross(a, forces[2]) * a)
    return flat + mixed + np.sum(np.linalg.cross(a, a[:, ::-1], axis=0) ** 2 * a)


@pytest.mark.filterwarnings('ignore:Arrays of 2-dimensional vectors:DeprecationWarning')
def test_cross_products_in_the_plane(mode):
    check(mode, torques, A)
    assert mode(tp.vmap(lambda a: np.cross(a[:2], a[1:])))(A).shape == (3,)


@pytest.mark.parametrize('product', [np.cross, np.linalg.cross])
def test_vectors_of_no_cross_product(product):
    def f(x):
        return product(x, x)
    with pytest.raises(ValueError) as plain:
        f(X)
    with pytest.raises(ValueError) as compiled:
        tp.jit(f)(X)
    assert str(compiled.value) == str(plain.value)


def test_a_program_with_cross_products_is_made_for_vectors_like_those_given():
    def f(x, y):
        return np.sum(np.cross(x, y))
    gradient = tp.grad(f)
    assert np.allclose(gradient(X[:3], X[1:4]), numeric_grad(lambda x: f(x, X[1:4]), (X[:3],)))
    assert 'shape' not in gradient.lower(X[:3], X[1:4]).source and 'if' not in gradient.lower(X[:3], X[1:4]).source
    with pytest.warns(DeprecationWarning):
        expected = numeric_grad(lambda x: f(x, X[1:3]), (X[:2],))
    assert np.allclose(gradient(X[:2], X[1:3]), expected)


def test_a_program_for_all_sizes_has_cross_products_in_space():
    def f(x, y, n):
        return np.sum(np.cross(x[x > 0][:n], y))
    x = np.array([1.0, -1.0, 2.0, 3.0])
    assert np.allclose(tp.grad(f)(x, X[:3], 3), numeric_grad(lambda x: f(x, X[:3], 3), (x,)))
    with pytest.raises(RuntimeError, match='three components'):
        tp.grad(f)(x, X[:3], 2)
