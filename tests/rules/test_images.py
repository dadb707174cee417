"""Filters of `scipy.ndimage` in all modes, for weights of even and odd sizes."""
import numpy as np
import pytest
import scipy.ndimage

import transpiler as tp

X = np.cos(np.arange(20.0)).reshape(4, 5)
W = np.array([[0.5, -1.0], [0.3, 0.2], [1.5, -0.4]])
MODES = ('reflect', 'grid-mirror', 'constant', 'grid-constant', 'nearest', 'mirror', 'wrap', 'grid-wrap')


@pytest.mark.parametrize('kind', MODES)
def test_values_and_slopes(kind):
    def filtered(x, w):
        return np.sum(scipy.ndimage.convolve(x, w, mode=kind, cval=0.3) ** 2 + scipy.ndimage.correlate(x, w, mode=kind) ** 3)

    value, (x_bar, w_bar) = tp.value_and_grad(filtered, argnums=(0, 1))(X, W)
    np.testing.assert_allclose(value, filtered(X, W), rtol=1e-13)
    for bar, moved in ((x_bar, lambda h: filtered(X + h * X[::-1], W)), (w_bar, lambda h: filtered(X, W + h * W[::-1]))):
        along = X[::-1] if bar.shape == X.shape else W[::-1]
        np.testing.assert_allclose(np.sum(bar * along), (moved(1e-5) - moved(-1e-5)) / 2e-5, rtol=1e-7)


def test_a_line_of_weights_compiled(mode):
    def filtered(x, w):
        return scipy.ndimage.convolve1d(x, w, axis=0, mode='nearest', origin=-1)

    found = mode(tp.vmap(filtered, in_axes=(0, None)))(np.stack((X, 2 * X)), W[:, 0])
    np.testing.assert_allclose(found[1], filtered(2 * X, W[:, 0]), rtol=1e-13, atol=1e-15)


def test_what_is_not_supported_is_refused():
    with pytest.raises(tp.TranspileError, match='axes='):
        tp.grad(lambda x: np.sum(scipy.ndimage.convolve(x, W, axes=(0, 1))))(X)
    with pytest.raises((RuntimeError, tp.TranspileError), match='boundary mode'):
        tp.grad(lambda x: np.sum(scipy.ndimage.convolve(x, W, mode='around')))(X)
