"""`x[..., i]` where no axis is left: an array without axes that shows the memory of `x`; `x[i]` is a number."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import numeric_grad, same

X = np.array([1.0, 3.0, 2.0])
A = np.arange(1.0, 5.0).reshape(2, 2)


def written_beside(x):
    a = x[..., 0]
    x[0] = 5.0 * x[1]
    return np.sum(x) * a


def written_through(x):
    a = x[..., -1]
    a += x[0]
    a[...] = a * 2
    b = x[::-2][1, ...]
    b[()] = a * x[1]
    return np.sum(x * x) * a


def among_rows(x):
    first, last, total = x[0, ..., 1], x.T[..., 1, 0], 0.0
    for i in range(2):
        first += i * x[1, 0]
        total += last * x[..., i, 1]
        x[0, 1] *= 2.0
    return total


def only_read(x):
    best = x[..., 0]
    for i in range(1, 3):
        best = np.maximum(best, x[..., i])
    return best * np.sin(x[..., 1])


def number_elsewhere(x):
    a = x[..., 0] if x[1] > 0 else 0.0
    return a * x[1]


CASES = [(written_beside, X), (written_through, X), (among_rows, A), (only_read, X), (number_elsewhere, X)]


@pytest.mark.parametrize('f, x', CASES)
def test_values_and_memory(f, x, mode):
    mine, other = x.copy(), x.copy()
    same(mode(tp.vmap(f))(np.stack([x, x + 1]))[1], f(x + 1))
    same(tp.jit(f)(mine), f(other))
    assert np.array_equal(mine, other)


@pytest.mark.parametrize('f, x', CASES)
def test_derivatives(f, x, mode):
    given = x.copy()
    expected = numeric_grad(f, (x,))
    for derivative in (tp.grad, tp.jacfwd):
        assert np.allclose(mode(derivative(f))(given), expected, atol=1e-5)
    assert np.array_equal(given, x)


def test_what_is_returned():
    def f(x, k):
        picked = x[..., k[..., 1]]      # an array in an index: a copy
        a = x[1, ...]
        x[1] = 7.0
        return a, a * 2, a[()], a[...], picked

    found, expected = tp.jit(f)(X.copy(), np.array([0, 1])), f(X.copy(), np.array([0, 1]))
    assert list(map(type, found)) == list(map(type, expected))
    assert all(map(np.array_equal, found, expected))


def reshaped_and_written(x):
    y = x.copy()
    a = y[..., 1]
    b = a.reshape(1)
    b[0] = 3.0 * x[0]
    return a * y[1]


def test_an_array_without_axes_is_in_c_order(mode):
    x = np.array([1.25, 2.5, 0.75])
    assert mode(tp.jit(reshaped_and_written))(x) == reshaped_and_written(x)
    assert np.isclose(mode(tp.jvp(reshaped_and_written))(x, np.ones(3))[1], 18 * x[0])


def on_a_list(x):
    y = x.copy()
    t = [y[..., i] for i in range(x.size)]
    y[1] = 7.0
    return t[1] * x[0] + sum(t) + sum((x[..., i] for i in range(x.size)), x[..., 2])


def test_lists_of_views_without_axes(mode):
    x = np.array([1.25, 2.5, 0.75])
    assert mode(tp.jit(on_a_list))(x) == on_a_list(x)
    summed = lambda x: sum((x[..., i] for i in range(x.size)), x[..., 2]) * x[0]
    assert np.allclose(mode(tp.grad(summed))(x), numeric_grad(summed, (x,)))
