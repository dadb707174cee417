"""What a keyword says is done, or refused by name: it is never passed over."""
import numpy as np
import pytest
import scipy.linalg
import scipy.signal

import transpiler as tp

X, Y = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]]), np.array([[1.0, 0.2, -0.4], [0.1, 0.9, 0.6]])

REFUSED = [
    (lambda x, y: np.sum(np.quantile(x, 0.5, weights=y)), 'weights'),
    (lambda x, y: np.sum(np.linalg.tensorsolve(x[:, :2], y[0, :2], axes=(0,))), 'axes='),
    (lambda x, y: np.sum(scipy.signal.fftconvolve(x, y, axes=(0, 1))), 'axes='),
    (lambda x, y: np.sum(np.histogram_bin_edges(x, 3, weights=y)), 'weights='),
    (lambda x, y: np.sum(scipy.linalg.cholesky(x[:, :2] @ x[:, :2].T, overwrite_a=True)), 'overwrite_a=True'),
]


@pytest.mark.parametrize(('f', 'message'), REFUSED)
def test_a_keyword_that_is_not_supported_is_refused_by_name(f, message):
    with pytest.raises(tp.TranspileError, match=message):
        tp.grad(f)(X, Y)


@pytest.mark.parametrize('order', [0, 1, 2, 3, -1, -2, np.inf, -np.inf])
def test_norms_of_vectors(mode, order):
    value, slope = mode(tp.value_and_grad(lambda x: np.linalg.norm(x, order)))(X[0])
    np.testing.assert_allclose(value, np.linalg.norm(X[0], order), rtol=1e-14)
    moved = [np.linalg.norm(X[0] + h * Y[0], order) for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(slope @ Y[0], (moved[0] - moved[1]) / 2e-6, rtol=1e-8, atol=1e-9)


def test_a_number_is_rounded_to_the_dtype_of_the_array_that_it_fills(mode):
    """It was written in place of the array, unrounded."""
    def f(x, s):
        return np.sum(np.full_like(x, s, dtype=int) * x * Y), np.sum(np.full(x.shape, s, dtype=np.float32) * x * Y)

    run = mode(lambda x, s, d: tp.jvp(f, (x, s), (d, 0.0))[1])
    np.testing.assert_allclose(run(X, 2.7, X), (2 * np.sum(X * Y), np.float64(np.float32(2.7)) * np.sum(X * Y)), rtol=1e-15)
