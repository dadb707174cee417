"""A matrix that several results are made of is factored once, as long as it stays the same; eigenvalues in single precision."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

A = np.array([[0.2, 2.0, -0.4], [1.0, 0.1, 0.3], [0.5, -0.7, 3.0]])
B = np.array([1.0, -2.0, 0.5])


def solved(a, b):
    return np.sum(np.linalg.solve(a, b) ** 3)


def of_columns(a, b):
    return np.sum(np.linalg.solve(a, np.outer(b, b)) ** 2) + np.sum(np.linalg.solve(a.T, b))


def likelihood(a, b):
    """Of a normal density, up to constants."""
    return -0.5 * b @ np.linalg.solve(a, b) - 0.5 * np.linalg.slogdet(a)[1]


def everything(a, b):
    inverse = np.linalg.inv(a.T)
    return np.linalg.det(a) * np.linalg.slogdet(a)[1] + np.sum(inverse * a) + b @ np.linalg.solve(a, b)


def written_between(a, b):
    m = a.copy()
    x = np.linalg.solve(m, b)
    m[0, 0] += x[1]
    return np.sum(np.linalg.solve(m, x) ** 2) + np.linalg.det(m)


def refined(a, b):
    """The factors of before a loop, in the loop; those of a branch, nowhere else."""
    x = np.linalg.solve(a, b)
    for _ in range(3):
        x = x + np.linalg.solve(a, np.sin(b) - a @ x)
    if x[0] > 100.0:
        x = x * np.linalg.det(a.T @ a)
    return np.sum(x * x) * np.linalg.det(a.T @ a)


def factored(f, *args) -> int:
    return tp.jit(f).lower(*args).loops.count('= factored(')


@pytest.mark.parametrize('f', [solved, of_columns, likelihood, everything, written_between, refined])
def test_programs(mode, f):
    check(mode, f, A, B, argnums=(0, 1))


def test_once():
    assert [factored(tp.value_and_grad(f), A, B) for f in (solved, of_columns, likelihood, everything)] == [1, 1, 1, 1]
    assert factored(solved, A, B) == 0      # one user alone: the library's own call
    assert factored(written_between, A, B) == 1


@pytest.mark.parametrize('dtype', ['float32', 'complex64', 'complex128'])
def test_dtypes(dtype):
    a, b = A.astype(dtype) + np.asarray(0.25j, 'complex64').astype(dtype) if 'c' in dtype else A.astype(dtype), B.astype(dtype)

    def f(a, b):
        return np.linalg.solve(a, b), np.linalg.solve(a.T, b), np.linalg.inv(a), np.linalg.inv(a.T), np.linalg.det(a)
    assert factored(f, a, b) == 1
    for ours, expected in zip(tp.jit(f)(a, b), f(a, b), strict=True):
        assert np.asarray(ours).dtype == np.asarray(expected).dtype
        np.testing.assert_allclose(ours, expected, rtol=1e-4 if dtype in ('float32', 'complex64') else 1e-12)


def test_singular_matrices():
    a = np.array([[1.0, 2.0], [2.0, 4.0]])
    determinants = tp.jit(lambda a: (np.linalg.det(a), np.linalg.slogdet(a)[0], np.linalg.slogdet(a)[1]))
    assert determinants(a) == (0.0, 0.0, -np.inf)
    with pytest.raises(np.linalg.LinAlgError, match='Singular matrix'):
        tp.jit(lambda a: np.linalg.solve(a, a[0]) + np.linalg.solve(a, a[1]))(a)
    with pytest.raises(np.linalg.LinAlgError, match='Singular matrix'):
        tp.jit(lambda a: np.linalg.inv(a) + np.linalg.solve(a, a))(a)


def test_infinities_go_through_as_in_numpy():
    a = np.array([[1.0, 2.0], [np.inf, 4.0]])
    both = tp.jit(lambda a: (np.linalg.solve(a, a[0]), np.linalg.solve(a.T, a[0])))(a)
    for ours, expected in zip(both, (np.linalg.solve(a, a[0]), np.linalg.solve(a.T, a[0])), strict=True):
        np.testing.assert_array_equal(ours, expected)


def test_not_square():
    with pytest.raises(np.linalg.LinAlgError, match='square'):
        tp.jit(lambda a: np.linalg.det(a) + np.linalg.slogdet(a)[0])(np.ones((2, 3)))


def sizes_of_vectors(a):
    return np.sum(np.abs(np.linalg.eigh(a @ a.T)[1]))


def squares_of_values(a):
    return np.sum(np.linalg.eigvals(a @ a.T) ** 2)


@pytest.mark.parametrize('f', [sizes_of_vectors, squares_of_values])
def test_eigenvectors_of_single_precision_are_as_good_as_numpys(f):
    """NumPy computes them in double precision."""
    a = A.astype(np.float32)
    gradient = tp.jit(tp.grad(f))(a)
    expected = tp.grad(f)(a.astype(np.float64))
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, expected, atol=50 * np.spacing(np.float32(np.abs(expected).max())))
