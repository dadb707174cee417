"""What is given where eigenvalues or singular values are equal is for the user to choose."""
import numpy as np
import pytest

import transpiler as tp

A = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.0]])
EQUAL, TURN = 2.0*np.eye(3), np.array([[0.1, 0.5, -0.3], [0.5, 0.2, 0.4], [-0.3, 0.4, 0.6]])
pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')


def eigenvectors(a):
    return np.sum(np.linalg.eigh(a)[1]**3)


def singular_vectors(a):
    left, values, right = np.linalg.svd(a, full_matrices=False)
    return np.sum(left**3) + np.sum(values**2) + np.sum(right**3*np.arange(3.0))


FUNCTIONS = [eigenvectors, singular_vectors]


def test_compiled():
    gradient = tp.jit(tp.grad(eigenvectors))
    assert not np.isfinite(gradient(EQUAL)).all()
    with tp.equal_eigenvalues('raise'), pytest.raises(ValueError, match='have no derivative'):
        gradient(EQUAL)


@pytest.mark.parametrize('f', FUNCTIONS)
def test_policies(f):
    gradient, plain = tp.grad(f), tp.grad(f)(A)
    assert not np.isfinite(gradient(EQUAL)).all()
    with tp.equal_eigenvalues('raise'):
        np.testing.assert_allclose(gradient(A), plain, rtol=1e-13)
        with pytest.raises(ValueError, match='have no derivative'):
            gradient(EQUAL)
        with tp.equal_eigenvalues('regularise'):
            np.testing.assert_allclose(gradient(A), plain, rtol=1e-10)
            assert np.isfinite(gradient(EQUAL)).all() and np.isfinite(gradient(0.0*EQUAL)).all()
        with pytest.raises(ValueError, match='have no derivative'):
            gradient(EQUAL)
    assert not np.isfinite(gradient(EQUAL)).all()


@pytest.mark.parametrize('f', FUNCTIONS)
def test_tangents_and_second_order(f):
    with tp.equal_eigenvalues('regularise'):
        value, slope = tp.jvp(f)(A, TURN)
        np.testing.assert_allclose(slope, np.sum(tp.grad(f)(A) * TURN), rtol=1e-9)
        assert np.isfinite(tp.hessian(f)(EQUAL)).all()


def test_batches_and_calls_inside():
    def outer(a):
        return np.sum(tp.grad(eigenvectors)(a)**2)

    with tp.equal_eigenvalues('raise'), pytest.raises(ValueError, match='have no derivative'):
        outer(EQUAL)
    with tp.equal_eigenvalues('regularise'):
        np.testing.assert_allclose(outer(EQUAL), 0.0)
        np.testing.assert_allclose(tp.vmap(tp.grad(eigenvectors))(np.stack((EQUAL, A))),
                                   [tp.grad(eigenvectors)(EQUAL), tp.grad(eigenvectors)(A)], rtol=1e-12)


def test_functions_of_values_alone_ask_nothing():
    with tp.equal_eigenvalues('raise'):
        np.testing.assert_allclose(tp.grad(lambda a: np.sum(np.linalg.eigh(a)[0]**2))(EQUAL), 2*EQUAL)


def test_other_policies():
    with pytest.raises(ValueError, match="not 'zero'"), tp.equal_eigenvalues('zero'):
        pass
