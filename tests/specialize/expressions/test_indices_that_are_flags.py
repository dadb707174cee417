"""Indices that are one flag: a mask that adds an axis to an array, a place in a list."""
import numpy as np
import pytest

import transpiler as tp

X, TABLE = np.array([1.5, 0.3, -2.0]), (1.0, 2.0)


def picked(x, n):
    return np.sum(x[n > 1] * np.exp(x)) + x[x[0] > n].size + np.sum(np.outer(x, x)[n > 1][:, 0]) + x[False].shape[1]


def places(x, n):
    t = []
    for i in range(3):
        t.append(x[i] * n)
    return t[n > 1] * TABLE[n > 2] + {False: 1.0, True: x[0]}[n > 1] * [x[0], x[1]][n > 2] + {False: x[1], True: 2.0}[x[0] > n]


def flag_or_place(x, n):
    b = False
    for i in range(n):
        b = i % 3
    return np.sum(x[b] * 2)


@pytest.mark.parametrize('f', [picked, places, flag_or_place])
@pytest.mark.parametrize('n', [0, 1, 3])
def test_are_what_they_are_in_python(mode, f, n):
    value, gradient = mode(tp.value_and_grad(f))(X, n)
    assert np.isclose(value, f(X, n), rtol=1e-15)
    slopes = [(f(X + e, n) - f(X - e, n)) / 2e-6 for e in np.eye(3) * 1e-6]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-8, atol=1e-8)
    assert np.isclose(mode(tp.vmap(f, in_axes=(0, None)))(X[None], n)[0], value, rtol=1e-15)


@pytest.mark.parametrize('n', [0, 3])
def test_shapes(n):
    def f(x, n):
        return x[n > 1], x[True], np.outer(x, x)[n > 1]

    for found, wanted in zip(tp.jit(f)(X, n), f(X, n), strict=True):
        np.testing.assert_array_equal(found, wanted, strict=True)


def of_a_list(x, n):
    return [x[0], x[1]][x[0] > n]


def of_a_list_that_grows(x, n):
    t = []
    for i in range(3):
        t.append(x[i] * n)
    return t[x[0] > n]


@pytest.mark.parametrize('f', [of_a_list, of_a_list_that_grows])
def test_flags_of_numpys_are_no_places(mode, f):
    with pytest.raises(TypeError):
        mode(tp.value_and_grad(f))(X, 1)


def written(x, n):
    y = x.copy()
    y[n > 1] = 3.0
    return y


@pytest.mark.parametrize('f', [written, lambda x, n: np.outer(x, x)[0, n > 1]])
def test_refused_with_what_to_write_instead(f):
    with pytest.raises(tp.TranspileError, match='`x\\[0\\]\\[flag\\]` for `x\\[0, flag\\]`'):
        tp.jit(f)(X, 1)
