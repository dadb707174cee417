"""Factors, roots and eigenvalues of matrices that are not symmetric: errors, precisions, compiled code."""
import numpy as np
import pytest
import scipy.linalg

import transpiler as tp

A = np.array([[2.0, 0.3, 0.1], [0.8, 3.5, -0.2], [0.1, -0.6, 1.0]])
TURN = np.array([[0.1, 1.0, 0.0], [-1.0, 0.1, 0.0], [0.0, 0.0, -2.0]])
B = np.array([0.5, -1.0, 2.0])
TALL = np.array([[1.0, 2.0], [3.0, 5.0], [-4.0, 0.5]])


def solved(a, b):
    factors = scipy.linalg.lu_factor(a)
    return scipy.linalg.lu_solve(factors, b) + scipy.linalg.lu_solve(factors, b, trans=1)


@pytest.mark.parametrize('b', [B, np.stack((B, 2 * B), axis=1)])
def test_one_factorisation_for_two_systems(mode, b):
    value, (a_bar, b_bar) = mode(tp.value_and_grad(lambda a, b: np.sum(solved(a, b) ** 2), argnums=(0, 1)))(A[::-1], b)
    plain = tp.value_and_grad(lambda a, b: np.sum((np.linalg.solve(a, b) + np.linalg.solve(a.T, b)) ** 2), argnums=(0, 1))
    expected, bars = plain(A[::-1], b)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(a_bar, bars[0], rtol=1e-10)
    np.testing.assert_allclose(b_bar, bars[1], rtol=1e-10)


@pytest.mark.parametrize('a', [A[::-1], TALL, TALL.T.astype(np.float32)])
def test_factors_of_all_shapes(mode, a):
    for found, expected in zip(mode(lambda a: scipy.linalg.lu(a))(a), scipy.linalg.lu(a), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    for found, expected in zip(mode(lambda a: scipy.linalg.lu_factor(a))(a), scipy.linalg.lu_factor(a), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_factors_of_a_matrix_that_is_not_square_have_no_derivative():
    with pytest.raises(ValueError, match='one square matrix'):
        tp.grad(lambda a: np.sum(scipy.linalg.lu(a)[2]))(TALL)


@pytest.mark.parametrize('widths', [(1, 1), (0, 2)])
def test_bands(mode, widths):
    below, above = widths
    rng = np.random.default_rng(3)
    ab = rng.uniform(0.5, 1.0, size=(below + above + 1, 6))
    ab[above] += 3.0
    b = rng.normal(size=6)

    def dense(ab, b):
        a = np.zeros((6, 6))
        for k in range(below + above + 1):
            for j in range(max(above - k, 0), min(6 + above - k, 6)):
                a[j - above + k, j] = ab[k, j]
        return np.sum(np.linalg.solve(a, b) ** 2)

    def banded(ab, b):
        return np.sum(scipy.linalg.solve_banded(widths, ab, b) ** 2)

    found, expected = mode(tp.grad(banded, argnums=(0, 1)))(ab, b), tp.grad(dense, argnums=(0, 1))(ab, b)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-10)


def test_bands_without_a_solution(mode):
    with pytest.raises(np.linalg.LinAlgError, match='singular'):
        mode(lambda ab, b: scipy.linalg.solve_banded((1, 1), ab, b))(np.zeros((3, 3)), B)
    with pytest.raises(ValueError, match='not'):
        mode(lambda ab, b: scipy.linalg.solve_banded((1, 2), ab, b))(np.ones((3, 3)), B)


COMPLEX = [(np.linalg.eigvals, TURN), (lambda a: np.linalg.eig(a)[0], TURN), (scipy.linalg.sqrtm, TURN), (scipy.linalg.logm, -A)]


@pytest.mark.parametrize(('f', 'a'), COMPLEX)
def test_what_turns_out_complex_must_be_asked_for(mode, f, a):
    """NumPy changes the dtype with the values; a program has one."""
    run = mode(tp.vmap(lambda a: np.abs(f(a)) + np.real(f(a))))
    with pytest.raises(ValueError, match='complex'):
        run(a[None])
    found, expected = run(a.astype(complex)[None])[0], f(a.astype(complex))
    np.testing.assert_allclose(found, np.abs(expected) + np.real(expected), atol=1e-13)
    assert run(A[None]).dtype == np.float64


def test_the_greatest_eigenvalue(mode):
    def radius(a):
        return np.max(np.abs(np.linalg.eigvals(a + 0j)))

    d = np.outer(B, B[::-1])
    slope = (radius(TURN + 1e-6 * d) - radius(TURN - 1e-6 * d)) / 2e-6
    np.testing.assert_allclose(np.sum(mode(tp.grad(radius))(TURN) * d), slope, rtol=1e-8)


def test_functions_of_matrices(mode):
    def there_and_back(a):
        root = scipy.linalg.sqrtm(a)
        return np.sum(np.sin(scipy.linalg.expm(scipy.linalg.logm(root @ root))))

    np.testing.assert_allclose(mode(tp.grad(there_and_back))(A), np.cos(A), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mode(lambda a: scipy.linalg.logm(a))(A), scipy.linalg.logm(A), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize('f', [np.linalg.eigvals, scipy.linalg.sqrtm, lambda a: scipy.linalg.solve_sylvester(a, a, a)])
def test_stacks_of_matrices(mode, f):
    stack = np.stack((A, 2 * A, A.T)).astype(np.float32)
    found = mode(tp.vmap(lambda a: f(a)))(stack)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, f(stack), rtol=1e-5, atol=1e-6)


def test_residuals_of_least_squares(mode):
    run = mode(tp.value_and_grad(lambda a, b: np.sum(np.linalg.lstsq(a, b)[1]), argnums=(0, 1)))
    b = np.array([1.0, -2.0, 0.5])
    value, (a_bar, b_bar) = run(TALL, b)
    found, residuals, rank, values = np.linalg.lstsq(TALL, b)
    np.testing.assert_allclose(value, residuals[0])
    np.testing.assert_allclose(b_bar, 2 * (b - TALL @ found), rtol=1e-12)
    np.testing.assert_allclose(a_bar, -np.outer(b_bar, found), rtol=1e-12, atol=1e-13)
    with pytest.raises(ValueError, match='rank'):
        run(TALL * [1.0, 0.0], b)
    others = mode(lambda a, b: np.linalg.lstsq(a, b)[2:])(TALL, b)
    assert others[0] == rank and np.asarray(others[0]).dtype == np.asarray(rank).dtype
    np.testing.assert_allclose(others[1], values)
