"""Systems and inverses of complex matrices compile, one matrix or a stack, with the numbers that plain Python gives."""
import numpy as np
import pytest

import transpiler as tp

RNG = np.random.default_rng(0)
MATRIX = RNG.normal(size=(4, 4)) + 1j * RNG.normal(size=(4, 4))
DEFINITE = MATRIX @ MATRIX.conj().T + 4 * np.eye(4)
SIDES = RNG.normal(size=(4, 2)) + 1j * RNG.normal(size=(4, 2))


def of_inverse(a):
    return np.sum(np.abs(np.linalg.inv(a)) ** 2)


def of_factor(a):
    return np.sum(np.abs(np.linalg.cholesky(a)) ** 2) + np.real(np.linalg.cholesky(a)[..., 1, 0].sum())


def of_determinant(a):
    return np.sum(np.abs(np.linalg.det(a)))


def of_solution(a):
    return np.sum(np.abs(np.linalg.solve(a, SIDES)) ** 2)


@pytest.mark.compiles
@pytest.mark.parametrize('matrix', [DEFINITE, np.stack([DEFINITE, DEFINITE.T + 1])], ids=['one', 'stack'])
@pytest.mark.parametrize('function', [of_inverse, of_factor, of_determinant, of_solution])
def test_complex_matrices(function, matrix):
    differentiated = tp.value_and_grad(function)
    value, bar = tp.jit(differentiated)(matrix)
    expected, expected_bar = differentiated(matrix)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(bar, expected_bar, rtol=1e-10, atol=1e-12)


def chained(x):
    y = np.abs(x) * 2.0 + np.abs(np.conj(x) * x - 1.0) ** 2
    return np.sum(y / (1.0 + y))


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
def test_complex_arithmetic_shares_loops(dtype):
    x = np.array([1.0 + 2.0j, -0.5j, 3.0, 0.25 - 1.0j, 2.0 + 0.5j], dtype)
    compiled, tolerance = tp.jit(tp.value_and_grad(chained)), 1e-5 if dtype is np.complex64 else 1e-12
    assert 'np.abs(' not in tp.jit(chained).lower(x).loops
    for found, expected in zip(compiled(x), tp.value_and_grad(chained)(x), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=tolerance)


def test_complex_numbers_are_divided_as_numpys_are():
    def f(x, y):
        return x / y + x[0] / y[0]
    x, y = np.array([1.0 + 2.0j, np.inf + 1.0j, 1.0 + 1.0j]), np.array([0.0, 1.0 + 1.0j, np.inf])
    with np.errstate(all='ignore'):
        np.testing.assert_array_equal(tp.jit(f)(x, y), f(x, y))
        np.testing.assert_array_equal(tp.jit(lambda x, y: x[1:] / y[1:])(x, y), x[1:] / y[1:])


def test_absolute_values_at_the_ends():
    x = np.array([complex(np.inf, np.nan), complex(np.nan, 1.0), complex(1e308, 1e308), complex(3e-320, 4e-320),
                  complex(-0.0, -0.0)])
    with np.errstate(all='ignore'):
        np.testing.assert_allclose(tp.jit(lambda x: np.abs(x) * 1.0)(x), np.abs(x), rtol=1e-15)


@pytest.mark.parametrize('shape', [(3, 3), (4, 3, 3)])
def test_equations_with_triangles(shape):
    rng = np.random.default_rng(0)
    a = rng.normal(size=shape)
    a, b = a @ np.swapaxes(a, -1, -2) + 3 * np.eye(3), rng.normal(size=(*shape[:-1], 2))

    def f(a, b):
        factor = np.linalg.cholesky(a)
        _, r = np.linalg.qr(a)
        return np.linalg.solve(factor, b) + np.linalg.solve(np.swapaxes(factor, -1, -2), b) + np.linalg.solve(r, b)
    compiled = tp.jit(f)
    assert compiled.lower(a, b).loops.count('solve_triangular') >= 3
    np.testing.assert_allclose(compiled(a, b), f(a, b), rtol=1e-10)


def test_a_triangle_that_is_written_into_is_none():
    def f(a, b):
        factor = np.linalg.cholesky(a)
        factor[0, 1] = 1.0
        return np.linalg.solve(factor, b)
    a, b = np.array([[4.0, 1.0], [1.0, 3.0]]), np.ones(2)
    np.testing.assert_allclose(tp.jit(f)(a, b), f(a, b))


def test_a_matrix_is_decomposed_once():
    def f(a):
        return np.sum(np.linalg.eigvalsh(a) ** 3) + np.sum(np.linalg.svd(a, compute_uv=False) ** 2)
    a = np.array([[2.0, 0.3], [0.3, 1.0]])
    source = tp.grad(f)
    np.testing.assert_allclose(source(a), 3 * np.tril(2 * a @ a - np.diag(np.diag(a @ a))) + 2 * a)
    lines = [line.strip() for line in source.source.splitlines()]
    assert 'eigvalsh_a, part = np.linalg.eigh(a)' in lines and 'np.linalg.svd(a, compute_uv' not in ' '.join(lines)

    def changed(a):
        values = np.linalg.eigvalsh(a)
        a[0, 0] += 1.0
        return np.sum(values ** 2 * np.linalg.eigh(a)[1][0])
    np.testing.assert_allclose(tp.value_and_grad(changed)(a)[0], changed(a.copy()))
