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


@pytest.mark.parametrize('matrix', [DEFINITE, np.stack([DEFINITE, DEFINITE.T + 1])], ids=['one', 'stack'])
@pytest.mark.parametrize('function', [of_inverse, of_factor, of_determinant, of_solution])
def test_complex_matrices(function, matrix):
    differentiated = tp.value_and_grad(function)
    value, bar = tp.jit(differentiated)(matrix)
    expected, expected_bar = differentiated(matrix)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(bar, expected_bar, rtol=1e-10, atol=1e-12)
