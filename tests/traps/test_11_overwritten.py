"""Trap 11: what a nonlinear operation has read may be overwritten later: its value then is the one that counts."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN, check, numeric_grad, same


def gauss_seidel(u):
    for _ in range(4):
        for i in range(1, u.size - 1):
            u[i] = 0.3 * (u[i - 1] * u[i + 1]) + u[i] ** 2
    return np.sum(u * u)


def running_product(x):
    for i in range(1, x.size):
        x[i] *= x[i - 1]
    return np.sum(x * x)


def buffers_that_swap(u):
    v = np.zeros(u.size)
    for _ in range(5):
        for i in range(1, u.size - 1):
            v[i] = u[i] * u[i] + 0.1 * (u[i + 1] - 2 * u[i] + u[i - 1])
        u, v = v, u
    return np.sum(u * u)


def slices_that_swap(u):
    v = u.copy()
    for _ in range(5):
        v[1:-1] = u[1:-1] * u[2:] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return np.sum(u * u)


def three_levels(u):
    before, now, after = u.copy(), u * u, np.zeros_like(u)
    for _ in range(4):
        after[1:-1] = 2 * now[1:-1] - before[1:-1] * now[:-2]
        before, now, after = now, after, before
    return np.sum(now * before)


def neighbours_exchanged(x):
    for i in range(x.size - 1):
        x[i], x[i + 1] = x[i + 1] * x[i], x[i]
    return np.sum(x * x)


def squared_then_cleared(x):
    s = np.sum(x * x)
    x[:] = 0.0
    x += s
    t = np.sum(x * x)
    x *= t
    return np.sum(x)


def written_under_a_test(x):
    s = 0.0
    for i in range(x.size):
        if x[i] > 0.4:
            s += x[i] ** 3
            x[i] = s * s
    return s + np.sum(x ** 2)


def factorised_in_place(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    s = 0.0
    for i in range(n):
        s += np.log(np.abs(a[i, i]))
    return s


def until_small(x):
    turns = 0
    while np.max(x) > 0.5:
        x *= x * 0.9
        x[turns % x.size] += 0.01
        turns += 1
    return np.sum(x * x * x)


def made_and_changed_in_a_turn(x):
    t = 0.0
    for k in range(3):
        u = x * x[k]
        u[0] = u[1] * u[0]
        u[2:] *= u[:-2]
        t = t * np.sum(u * u) + u[1] * u[0]
    return t


def swapped_in_some_turns(x):
    u, v = x * 1.0, np.zeros(x.size)
    for k in range(4):
        if x[k] > 0.52:
            u[k] *= v[0] + 1.0
        else:
            v[:] = u * u * 0.6
            u, v = v, u
    return np.sum(u * v)


def swapped_until_large(x):
    u, v, k = x * 1.0, np.zeros(x.size), 0
    while np.sum(u) < 30 and k < 3:
        v[1:] = u[:-1] * u[1:]
        v[0] = u[3] * 1.5
        u, v = v, u
        k += 1
    return np.sum(u * v)


def chosen_and_stored(x):
    w, t = np.zeros(x.size), 1.0
    for k in range(x.size):
        p = x[k] * t
        if p > 0.52:
            r = p
        else:
            r = t
        w[k] = r
        t = t * r * r + w[0]
        w[0] = r * 2.0
    return t + np.sum(w)


X = np.array([0.5, 0.6, -0.35, 0.45, 0.55, 0.15])
ZERO_INSIDE = np.array([0.5, 0.6, 0.0, 0.45, 0.0, 0.15])
A = np.array([[1.5, 0.2, 0.3], [0.4, 1.7, -0.3], [0.25, 0.6, 1.3]])
OVERWRITTEN = (
    gauss_seidel,
    running_product,
    buffers_that_swap,
    slices_that_swap,
    three_levels,
    neighbours_exchanged,
    squared_then_cleared,
    written_under_a_test,
    until_small,
    made_and_changed_in_a_turn,
)


@pytest.mark.parametrize('f', OVERWRITTEN, ids=lambda f: f.__name__)
def test_overwritten(mode, f):
    check(mode, f, X, order=2)


def test_an_undo_by_another_name():
    same(tp.grad(swapped_in_some_turns)(X), numeric_grad(swapped_in_some_turns, (X,)))


@pytest.mark.parametrize('f', [swapped_until_large, chosen_and_stored], ids=lambda f: f.__name__)
def test_what_is_read_again(f):
    check(PLAIN, f, X, order=2)


def test_a_factorisation(mode):
    check(mode, factorised_in_place, A, order=2)


def test_a_product_with_zeros(mode):
    check(mode, running_product, ZERO_INSIDE, order=2)
