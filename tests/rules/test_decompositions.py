"""Decompositions in programs: several results of one call, some not used, written in place, in loops; equal eigenvalues."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

A = np.array([[2.0, 0.3, 0.1], [0.5, 1.5, -0.2], [0.3, -0.4, 1.0]])


def eigenvalues_and_a_vector(a):
    values, vectors = np.linalg.eigh(a @ a.T)
    return np.sum(values ** 2) + np.sum(np.abs(vectors[:, 0]) * values)


def one_result_alone(a):
    return np.sum(np.abs(np.linalg.eigh(a)[1]) * np.arange(9.0).reshape(3, 3))


def written_in_place(a):
    left, values, right = np.linalg.svd(a, full_matrices=False)
    before = np.sum(values ** 3)
    values[1:] *= 2.0
    left[0] = left[0] ** 2
    return before + np.sum(values * np.abs(right[0])) + np.sum(np.abs(left))


def in_a_loop(a):
    total = 0.0
    for k in range(2):
        q, r = np.linalg.qr(a)
        a = r @ q + 0.1 * k * a
        total += np.abs(r[0, 0]) * a[1, 1]
    return total


def under_a_test(a):
    if a[0, 0] > 1.0:
        sign, logarithm = np.linalg.slogdet(a)
    else:
        sign, logarithm = 1.0, np.sum(a)
    return sign * logarithm


def singular_values_alone(a):
    return np.sum(np.linalg.svd(a)[1] ** 3)


def full_of_a_square(a):
    left, values, right = np.linalg.svd(a)
    return np.sum(np.abs(left) * values) + np.sum(np.abs(right[0]))


def of_deficient_rank(a):
    """Of what is square, the vectors span the whole space, also that of a value 0."""
    whole = np.zeros((3, 3))
    whole[:2, :2] = a[:2, 1:] @ a[1:, :2]
    left, values, right = np.linalg.svd(whole, full_matrices=False)
    beside = np.zeros((4, 3))
    beside[:3] = a
    left_of_tall, values_of_tall, right_of_tall = np.linalg.svd(beside, full_matrices=False)
    return np.sum(((left * values) @ right) ** 3) + np.sum(((left_of_tall * values_of_tall) @ right_of_tall) ** 3)


def low_rank(a):
    left, values, right = np.linalg.svd(a, full_matrices=False)
    return np.sum(np.abs((left[:, :2] * values[:2]) @ right[:2] - a)) + np.sum(np.linalg.pinv(a[:, :2]) ** 2)


PROGRAMS = [eigenvalues_and_a_vector, one_result_alone, written_in_place, in_a_loop, under_a_test, low_rank,
            singular_values_alone, full_of_a_square, of_deficient_rank]


@pytest.mark.parametrize('f', PROGRAMS)
def test_programs(mode, f):
    check(mode, f, A, order=2)


@pytest.mark.parametrize('f', PROGRAMS)
def test_batches_of_programs(mode, f):
    stack = np.stack((A, A + 0.1 * A.T, A - 0.2))
    np.testing.assert_allclose(mode(tp.vmap(tp.grad(f)))(stack), [tp.grad(f)(a) for a in stack], rtol=1e-9, atol=1e-11)
    dots = mode(tp.vmap(lambda a: tp.jvp(f)(a, A)[1]))(stack)
    np.testing.assert_allclose(dots, [np.sum(tp.grad(f)(a) * A) for a in stack], rtol=1e-9, atol=1e-11)


def test_one_decomposition_gives_all_results():
    source = tp.grad(eigenvalues_and_a_vector).lower(A).source
    statements = [line for line in source.splitlines() if 'np.linalg.eigh' in line.partition('#')[0]]
    assert statements == ['    values, vectors = np.linalg.eigh(a @ a.T)']


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_equal_eigenvalues(mode):
    """Functions of all values are smooth there, and so are these slopes; single vectors are not."""
    matrix = 2.0 * np.eye(3)
    np.testing.assert_allclose(mode(tp.grad(lambda a: np.sum(np.linalg.eigh(a)[0] ** 2)))(matrix), 4.0 * np.eye(3))
    np.testing.assert_allclose(mode(tp.grad(lambda a: np.sum(np.linalg.eigvalsh(a) ** 2)))(matrix), 4.0 * np.eye(3))
    slopes = mode(tp.grad(lambda a: np.sum(np.linalg.eigh(a)[1][:, 0] * np.arange(3.0))))(matrix)
    assert not np.isfinite(slopes).all()


def outer_product(a):
    left, values, right = np.linalg.svd(np.outer(a, a[::-1] + 2.0), full_matrices=False)
    return np.sum(((left * values) @ right) ** 3)


def test_rank_one(mode):
    """Where the other values are 0 but for rounding, or nothing at all, what they are rounded to must not show."""
    a = np.array([1.0, -0.5, 0.3])
    expected = tp.grad(lambda a: np.sum(np.outer(a, a[::-1] + 2.0) ** 3))(a)
    np.testing.assert_allclose(mode(tp.grad(outer_product))(a), expected, rtol=1e-9)
    np.testing.assert_allclose(mode(tp.jacfwd(outer_product))(a), expected, rtol=1e-9)


def test_singular_values_of_a_full_decomposition(mode):
    """Nothing reads the vectors, so that the thin decomposition does, whatever the shape."""
    for a in (A, A[:2], A[:, :2]):
        expected = tp.grad(lambda a: np.sum(np.linalg.svd(a, compute_uv=False) ** 3))(a)
        np.testing.assert_allclose(mode(tp.grad(singular_values_alone))(a), expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(mode(tp.jacfwd(singular_values_alone))(a), expected, rtol=1e-12, atol=1e-12)
        squares = lambda a: np.sum(np.linalg.svd(a)[1] ** 2)
        np.testing.assert_allclose(mode(tp.hessian(squares))(a).reshape(a.size, -1), 2.0 * np.eye(a.size), atol=1e-10)


def test_what_has_no_derivative_is_refused(mode):
    with pytest.raises((ValueError, tp.TranspileError), match='full_matrices'):
        mode(tp.grad(lambda a: np.sum(np.linalg.svd(a)[0])))(A[:2])
    with pytest.raises((ValueError, tp.TranspileError), match='rows'):
        mode(tp.grad(lambda a: np.sum(np.linalg.qr(a)[0])))(A[:2])
    with pytest.raises(tp.TranspileError, match='UPLO'):
        mode(tp.grad(lambda a: np.sum(np.linalg.eigh(a, 'U')[0])))(A)
