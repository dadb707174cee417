"""What definitions raise, and the values that their examples do not reach."""
import numpy as np
import pytest
import scipy.special

import transpiler as tp

X = np.array([0.7, -1.2, 2.5, 0.1, 1.9, -0.3, 0.8])


def split(x):
    return np.split(x, 2)[0] * 2.0


def deleted(x):
    return np.delete(x, 9)


def quantile(x):
    return np.quantile(x, 1.0 + np.sum(x * x))


@pytest.mark.parametrize(('f', 'error'), [(split, ValueError), (deleted, IndexError), (quantile, ValueError)])
def test_errors_are_those_of_numpy(mode, f, error):
    with pytest.raises(error):
        f(X)
    with pytest.raises(error):
        mode(tp.grad(lambda x: np.sum(f(x))))(X)


def convolved(x, v):
    return np.convolve(x, v, mode='same') + np.correlate(x, v, mode='same')


@pytest.mark.parametrize('size', [1, 2, 5, 7])
def test_convolutions_of_the_same_size(mode, size):
    v = np.linspace(-1.0, 1.5, size)
    found = mode(tp.vmap(convolved, in_axes=(0, None)))(np.stack((X, 2 * X)), v)
    np.testing.assert_allclose(found[1], convolved(2 * X, v), atol=1e-12)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('x', [X + 800.0, X - 800.0, np.array([-np.inf, 0.0, 1.0]), np.full(3, -np.inf)])
def test_sums_of_exponentials_far_out(mode, x):
    def total(x):
        return scipy.special.logsumexp(x)

    np.testing.assert_allclose(mode(tp.value_and_grad(total))(x)[0], total(x), rtol=1e-14)
