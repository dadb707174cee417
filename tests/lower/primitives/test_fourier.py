"""Compiled Fourier transforms: what NumPy gives, whatever the axis, the number of points, the precision and the layout."""
import numpy as np
import pytest

import transpiler as tp

X = np.random.default_rng(0).normal(size=(3, 8, 5))
FORMS = [
    lambda x: np.fft.fft(x), lambda x: np.fft.fft(x, axis=0), lambda x: np.fft.fft(x, 5, axis=1, norm='ortho'),
    lambda x: np.fft.ifft(x, 11, norm='forward'), lambda x: np.fft.rfft(x.real, axis=1), lambda x: np.fft.rfft(x.real, 7),
    lambda x: np.fft.rfft(x.real, 4, 0, norm='forward'), lambda x: np.fft.irfft(x), lambda x: np.fft.irfft(x, 7, axis=1),
    lambda x: np.fft.irfft(x, x.shape[0], axis=1, norm='ortho'), lambda x: np.fft.irfft2(np.fft.rfft2(x.real)),
]


@pytest.mark.compiles
@pytest.mark.parametrize('dtype', [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize('f', FORMS)
def test_values(f, dtype):
    x = X.astype(dtype) * (1 if dtype in (np.float32, np.float64) else 1 - 2j)
    compiled = tp.jit(f)
    for given in (x, x.transpose(2, 0, 1), x[::-1, ::2]):
        found, expected = compiled(given), f(given)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, atol=1e-12 if expected.dtype.itemsize > 8 or dtype == np.float64 else 1e-4)


@pytest.mark.compiles
@pytest.mark.parametrize('f', FORMS)
def test_gradients(f):
    def loss(x):
        y = f(x * (1 + 0.5j))
        return np.sum(np.real(y) ** 2 + np.imag(y))

    np.testing.assert_allclose(tp.jit(tp.grad(loss))(X), tp.grad(loss)(X), rtol=1e-10, atol=1e-10)
    h, d = 1e-6, np.cos(np.arange(X.size)).reshape(X.shape)
    slope = (loss(X + h * d) - loss(X - h * d)) / (2 * h)
    np.testing.assert_allclose(np.sum(tp.grad(loss)(X) * d), slope, rtol=1e-7)


def test_no_points(mode):
    with pytest.raises(ValueError):
        mode(lambda x: np.fft.fft(x, 0))(np.ones(3))
    with pytest.raises(ValueError):
        mode(lambda x: np.fft.irfft(x))(np.ones(1))
