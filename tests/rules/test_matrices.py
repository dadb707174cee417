"""Triangular systems, factors and exponentials of matrices: errors, compiled code, programs that use them together."""
import numpy as np
import pytest
import scipy.linalg
import scipy.signal

import transpiler as tp

A = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.0]])
B = np.array([0.5, -1.0, 2.0])
FLAGS = [(trans, lower, unit) for trans in (0, 1) for lower in (False, True) for unit in (False, True)]


def gaussian(a, b):
    """The logarithm of a normal density, up to a constant."""
    root = np.linalg.cholesky(a)
    z = scipy.linalg.solve_triangular(root, b, lower=True)
    return -0.5 * z @ z - np.sum(np.log(np.diag(root))) + np.sum(scipy.linalg.cho_solve((root, True), b))


def slope(f, args, directions, h=1e-5):
    moved = [[a + t * h * d for a, d in zip(args, directions, strict=True)] for t in (1, -1)]
    return (f(*moved[0]) - f(*moved[1])) / (2 * h)


def test_a_program_of_factors(mode):
    directions = np.array([[0.2, 0.5, -0.1], [0.5, 0.3, 0.4], [-0.1, 0.4, 0.1]]), B ** 2
    bars = mode(tp.grad(gaussian, argnums=(0, 1)))(A, B)
    found = sum(np.sum(bar * d) for bar, d in zip(bars, directions, strict=True))
    np.testing.assert_allclose(found, slope(gaussian, (A, B), directions), rtol=1e-8)


@pytest.mark.parametrize(('trans', 'lower', 'unit'), FLAGS)
@pytest.mark.parametrize('b', [B, np.outer(B, B)[:, :2], np.outer(B, B).T[:, ::2]])
def test_triangles(mode, b, trans, lower, unit):
    def solved(a, b):
        return scipy.linalg.solve_triangular(a, b, trans=trans, lower=lower, unit_diagonal=unit)

    for a in (A, A.T[::-1, ::-1].astype(np.float32)):
        found, expected = mode(tp.value_and_grad(lambda a, b: np.sum(solved(a, b) ** 2)))(a, b.astype(a.dtype))[0], solved(a, b)
        np.testing.assert_allclose(found, np.sum(expected ** 2), rtol=1e-12 if a.dtype == np.float64 else 1e-5)


def test_singular_triangles_and_factors(mode):
    with pytest.raises(np.linalg.LinAlgError):
        mode(tp.grad(lambda b: np.sum(scipy.linalg.solve_triangular(np.zeros((3, 3)), b))))(B)
    with pytest.raises(np.linalg.LinAlgError):
        mode(tp.grad(lambda a: np.sum(np.linalg.cholesky(a))))(-A)


@pytest.mark.parametrize('scale', [1e-3, 1.0, 40.0])
def test_exponentials_of_all_sizes(mode, scale):
    found = mode(tp.value_and_grad(lambda t: np.sum(scipy.linalg.expm(t * A)) / np.sum(A)))(scale)
    whole = scipy.linalg.expm(scale * A)
    np.testing.assert_allclose(found, (np.sum(whole) / np.sum(A), np.sum(A @ whole) / np.sum(A)), rtol=1e-10)


STACK = np.stack((A, A, A))
WITHOUT_A_MEANING = [
    (lambda a: np.sum(scipy.linalg.solve_triangular(a, a) ** 2), STACK, 'one matrix'),
    (lambda c: np.sum(scipy.linalg.toeplitz(c)), A, 'stacks'), (lambda x: np.sum(np.pad(x, -1, mode='edge')), B, 'negative'),
    (lambda y: np.sum(np.polyfit(np.array([1.0, 1.0, 2.0]), y, 2)), B, 'fewer points'),
    (lambda x: np.sum(np.abs(np.fft.fft(x, norm='odd'))), B, 'norm'),
]


@pytest.mark.parametrize(('f', 'x', 'message'), WITHOUT_A_MEANING)
def test_what_is_not_meant_is_refused(mode, f, x, message):
    """Where SciPy means a stack, or NumPy raises, or finds no fit: never other numbers."""
    with pytest.raises((ValueError, tp.TranspileError), match=message):
        mode(tp.grad(f))(x)


@pytest.mark.parametrize('f', [lambda x: scipy.linalg.expm(x), lambda x: scipy.linalg.block_diag(x, x[0]),
                               lambda x: scipy.signal.convolve2d(x, x[:2, :2])])
def test_single_precision_stays(f):
    x = A.astype(np.float32)
    assert tp.vmap(f)(np.stack((x, x))).dtype == f(x).dtype == np.float32


@pytest.mark.parametrize('a', [A.astype(np.float32)[:, [0, 1, 1]], np.array([[1, 2], [3, 4], [5, 6]])])
def test_small_singular_values_are_cut_off_where_scipy_does(mode, a):
    found, own = mode(tp.vmap(lambda a: scipy.linalg.pinv(a)))(a[None])[0], scipy.linalg.pinv(a)
    assert found.dtype == own.dtype
    np.testing.assert_allclose(found, own, rtol=1e-4, atol=1e-6)


def matrix(x):
    return 2 * np.eye(3) + np.outer(x, x)


def stack(x):
    return np.stack([matrix(x), matrix(2 * x)])


STACKED = {
    'one_column': lambda x: np.linalg.solve(stack(x), np.ones((2, 3, 1)) * x[0]),
    'a_vector': lambda x: np.linalg.solve(stack(x), x),
    'a_column_for_all': lambda x: np.linalg.solve(stack(x), x[:, None]),
    'one_matrix_for_all': lambda x: np.linalg.solve(matrix(x), np.ones((2, 3, 1)) * x[0]),
    'a_stack_of_one': lambda x: np.linalg.solve(stack(x)[:1], np.ones((2, 3, 1))),
    'one_row': lambda x: np.linalg.solve(stack(x)[:, :1, :1], x[None, :1, None]),
    'two_axes_of_stacks': lambda x: np.linalg.solve(stack(x)[:, None], x[:, None] * np.ones((5, 1, 1))),
    'products': lambda x: (stack(x)[:, :1] @ stack(x)[:1]) @ x[:, None],
}


@pytest.mark.parametrize('name', STACKED)
def test_stacks_with_axes_of_one_item_are_differentiated_for_all_examples(name):
    def f(x):
        return np.sum(STACKED[name](x) ** 2)

    examples = np.array([[0.5, -0.3, 1.2], [1.0, 2.0, 3.0]])
    expected = np.stack([tp.grad(f)(x) for x in examples])
    np.testing.assert_allclose(tp.vmap(tp.grad(f))(examples), expected, rtol=1e-9)
    np.testing.assert_allclose(tp.grad(lambda X: np.sum(tp.vmap(f)(X)))(examples), expected, rtol=1e-9)
    tangents = tp.vmap(lambda x: tp.jvp(f, (x,), (np.ones(3),))[1])(examples)
    np.testing.assert_allclose(tangents, expected.sum(1), rtol=1e-9)
