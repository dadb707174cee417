"""Determinants of matrices that are singular, or nearly: derivatives are polynomials of items, as accurate there as anywhere."""
import numpy as np
import pytest

import transpiler as tp

COUNTING = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])


def of_rank(rank, size, nearness=0.0):
    rng = np.random.default_rng(size)
    return rng.normal(size=(size, rank)) @ rng.normal(size=(rank, size)) + nearness * rng.normal(size=(size, size))


def determinant(a):
    return np.linalg.det(a)


def cofactors(a):
    """By minors."""
    size = range(len(a))
    without = lambda i, j: np.delete(np.delete(a, i, 0), j, 1)
    return np.array([[(-1) ** (i + j) * np.linalg.det(without(i, j)) for j in size] for i in size])


def changes(a):
    """Items of the matrix are in cofactors to the first power: their derivatives are differences."""
    units = np.eye(a.size).reshape(a.shape * 2)
    return np.stack([[(cofactors(a + unit) - cofactors(a - unit)) / 2 for unit in row] for row in units], axis=0)


MATRICES = {'integers': COUNTING, 'no items but 0': np.zeros((2, 2)), 'one item': np.zeros((1, 1)), 'rank 1 of 3': of_rank(1, 3),
            'rank 3 of 4': of_rank(3, 4), 'nearly singular': of_rank(3, 4, 1e-14), 'tiny': np.diag([1e-200, 2e-200]),
            'regular': of_rank(3, 3)}


@pytest.mark.parametrize('name', MATRICES)
def test_derivatives(name):
    a = MATRICES[name]
    scale = np.max(np.abs(a), initial=1e-200)
    near = lambda found, expected, power: np.testing.assert_allclose(found, expected, 1e-12, 1e-13 * scale ** max(power, 0))
    near(tp.grad(determinant)(a), cofactors(a), len(a) - 1)
    near(tp.jacfwd(determinant)(a), cofactors(a), len(a) - 1)
    near(tp.hessian(determinant)(a), changes(a), len(a) - 2)


@pytest.mark.parametrize('a', [COUNTING, of_rank(3, 4, 1e-12)])
def test_compiled(a):
    both = np.stack([a, a.T])
    for f, given in ((tp.value_and_grad(determinant), a), (tp.hessian(determinant), a), (tp.vmap(tp.hessian(determinant)), both),
                     (tp.jacfwd(tp.hessian(determinant)), a)):
        for found, expected in zip(tp.jit(f)(given), f(given), strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-12)


def test_third_derivatives_of_a_matrix_of_three_rows_are_the_signs_of_permutations():
    found = tp.jacfwd(tp.hessian(determinant))(COUNTING)
    expected = np.einsum('ikm,jln->ijklmn', *2 * [_signs()])
    np.testing.assert_allclose(found, expected, atol=1e-13)


def _signs():
    signs = np.zeros((3, 3, 3))
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        signs[order], signs[order[::-1]] = 1.0, -1.0
    return signs


def test_fourth_derivatives_are_refused():
    with pytest.raises(tp.TranspileError, match='det'):
        tp.grad(lambda a: np.sum(tp.jacfwd(tp.hessian(determinant))(a)))(COUNTING)


def test_complex_matrices():
    a = of_rank(2, 3) + 1j * of_rank(2, 3).T
    a[2] = a[0] + 1j * a[1]
    np.testing.assert_allclose(tp.grad(determinant, holomorphic=True)(a), cofactors(a), atol=1e-12)
    np.testing.assert_allclose(tp.hessian(determinant, holomorphic=True)(a), changes(a), atol=1e-12)


def test_not_a_number():
    a = np.array([[np.nan, 1.0], [1.0, 2.0]])
    assert np.isnan(tp.grad(determinant)(a)).all() and np.isnan(tp.hessian(determinant)(a)).any()


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('sizes', [(1e200, 2e200), (1e-160, 2e-162), (1e200 + 1e199j, 1e200)])
def test_determinants_that_are_no_normal_numbers(mode, sizes):
    """They are infinite, or have lost digits; the cofactors are what they are."""
    gradient = mode(tp.grad(determinant, holomorphic=isinstance(sizes[0], complex)))
    np.testing.assert_allclose(gradient(np.diag(sizes)), np.diag(sizes[::-1]), rtol=1e-14)
