"""Trap 16: `z = y + w` must not make the cotangents of y and w the same memory, which later steps update in place."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same

X, Y = np.array([0.5, -1.5, 2.0]), np.array([1.0, 0.3, -0.7])
M = np.arange(6.0).reshape(2, 3) * 0.3 - 0.5


def sum_of_two(x, y):
    z = x + y
    return np.sum(z * x[::-1]) + x[0] * y[1]


def both_updated(x, y):
    a, b = x * 1.0, y * 1.0
    c = a + b
    a[0] *= 3.0
    b[1] *= a[2]
    return np.sum(c * c) + np.sum(a * b)


def twice_the_same(x, y):
    z = x + x
    z[1] = y[0] * z[2]
    return np.sum(z * x * y)


def copied_and_kept(x, y):
    a = x
    b = a.copy()
    b[0] = y[0] * b[0]
    return np.sum(a * b) + np.sum(b)


def in_a_loop(x, y):
    a, b = x.copy(), y.copy()
    for i in range(2):
        c = a + b
        a[i] += c[i + 1] * b[i]
        b[i + 1] = a[i] - c[0]
        a, b = c - b, a
    return np.sum(a * a) + np.sum(b * x)


def swapped(x, y):
    a, b = x, y
    for i in range(3):
        a, b = b, a + b
    return np.sum(a * a) + np.sum(a * b)


def by_branches(x, y):
    z = x + y
    if x[0] > 0.0:
        w = z
    else:
        w = y
    v = w * 1.0
    v[0] = w[1] * w[2]
    return np.sum(v * z) + np.sum(w)


def through_views(x, y):
    z = x + y
    top, rest = z[:2], z[1:]
    return np.sum(top * rest) + np.sum(z.reshape(3, 1) * x) + z[0]


def negated(x, y):
    z = x - y
    z[0] += x[1]
    return np.sum(z * z * x) - np.sum(y)


FUNCTIONS = [sum_of_two, both_updated, twice_the_same, copied_and_kept, in_a_loop, swapped, by_branches, through_views, negated]


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_both_gradients(mode, f):
    check(mode, f, X, Y, argnums=(0, 1), order=2)


def test_matrices(mode):
    def total(x, y):
        z = x + y
        x_row, y_row = x[0] * 1.0, y[1] * 2.0
        x_row += z[1]
        y_row[:2] = x_row[1:] * z[0, 0]
        return np.sum(z * z) + np.sum(x_row * y_row)
    check(mode, total, M, M[::-1] * 0.7, argnums=(0, 1), order=2)


def test_results_have_memory_of_their_own(mode):
    first, second = mode(tp.grad(lambda x, y: np.sum(x + y), argnums=(0, 1)))(X, Y)
    first += 5.0
    same(second, np.ones(3))
    value, gradient = mode(tp.value_and_grad(lambda x: (np.sum(x * x), x), has_aux=True))(X)
    assert not np.shares_memory(value[1], gradient)


def test_the_cotangent_of_an_argument_is_not_the_argument(mode):
    gradient = mode(tp.grad(lambda x, y: np.sum(x * y)))(X, Y)
    gradient += 1.0
    same(Y, np.array([1.0, 0.3, -0.7]), rtol=0, atol=0)
