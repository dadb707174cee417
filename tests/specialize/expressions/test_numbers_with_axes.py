"""NumPy's numbers, indexed as arrays without axes are: by None, `...` and `()`."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X = np.array([1.5, -2.0, 3.0])


def one_axis(x):
    return np.sum(x)[None]


def among_others(x):
    return x[0][..., None, np.newaxis] * np.concatenate([x.max()[None], x[1:] * x[0][()], np.array(x[1])[None]])


def no_axis(x):
    return x[0][...]


@pytest.mark.parametrize('f', [one_axis, among_others, no_axis])
def test_values_and_derivatives(f):
    expected = f(X)
    for found in (tp.jit(f)(X), tp.vmap(f)(X[None])[0]):
        same(found, expected)
        assert np.shape(found) == np.shape(expected)
    numeric = np.stack([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)], axis=-1)
    for derivative in (tp.jacrev, tp.jacfwd):
        assert np.allclose(derivative(f)(X), numeric, atol=1e-6)


def test_python_s_numbers_take_none_of_them(mode):
    def f(x, n):
        return x[0] if n < 1 else float(n)[None]

    with pytest.raises(TypeError, match='not subscriptable'):
        mode(tp.value_and_grad(f))(X, 2)
