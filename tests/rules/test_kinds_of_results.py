"""Functions that give another class or dtype in special cases, and methods that take what their functions take."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.25, 2.5, -3.75, 0.5])
WEIGHTS = np.array([1, 2, 3, 4], dtype=np.int8)

PROGRAMS = {
    'integral': lambda x: np.trapezoid(x, np.array([0.0, 1.0, 3.0, 4.0])),
    'integrals': lambda x: np.trapezoid(np.outer(x, x), np.array([0.0, 1.0, 3.0, 4.0]), axis=0),
    'average': lambda x: np.average(x.astype(np.float32), weights=WEIGHTS),
    'average of double': lambda x: np.average(x, weights=WEIGHTS),
    'long weights': lambda x: np.average(x.astype(np.float32), weights=np.array([1, 2, 3, 4])),
    'sum': lambda x: (np.sum([]), np.prod(()), np.cumsum([]), np.max([], initial=1), x),
    'index': lambda x: x[[]],
    'repeat': lambda x: x.repeat([1, 0, 2, 1]),
    'repeat along': lambda x: x.reshape(2, 2).repeat([1, 2], axis=1),
    'compress': lambda x: x.compress([True, False, True, False]),
    'compress along': lambda x: x.reshape(2, 2).compress([True, False], axis=1),
    'bessel': lambda x: np.i0(x),
    'text': lambda x: complex('1+2j') * x[0],
}


@pytest.mark.parametrize('f', PROGRAMS.values(), ids=PROGRAMS)
def test_as_in_numpy(mode, f):
    found, expected = mode(tp.jvp(f))(X, x_dot=np.ones(4))[0], f(X)
    for one, other in zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]:
        assert type(one) is type(other)
        np.testing.assert_array_equal(np.asarray(one).dtype, np.asarray(other).dtype)
        np.testing.assert_allclose(one, other, rtol=1e-6)


@pytest.mark.parametrize('name', ['integral', 'average of double', 'repeat', 'compress', 'bessel'])
def test_gradients(name):
    f = PROGRAMS[name]
    gradient = tp.grad(lambda x: np.sum(f(x)))(X)
    steps = 1e-6 * np.eye(4)
    np.testing.assert_allclose(gradient, [(np.sum(f(X + h)) - np.sum(f(X - h))) / 2e-6 for h in steps], rtol=1e-6)
