"""Trap 10: a derivative leaves the caller's arrays alone, and is taken at the values passed in."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, copied, same


def first_element(x):
    x[0] *= x[1]
    return x.sum()


def overwritten(x):
    x[0] = 1.5
    x[1:] = x[1:] * x[:-1]
    return np.sum(x * x)


def smooth(u, steps):
    for _ in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] * u[i] + 0.25 * u[i + 1]
    return np.sum(u ** 2)


def swapped(x, y):
    for i in range(x.size):
        t = x[i]
        x[i] = y[i] * y[i]
        y[i] = t * t * t
    return np.sum(x * y) + x[0]


def scaled_in_place(a, b):
    a *= 2.0
    return np.sum(a * b)


def in_a_dict(params):
    w = params['w']
    w *= params['b']
    params['b'][0] = 0.0
    return np.sum(params['w'] * params['w']) + np.sum(params['b'])


def set_to_zero(x):
    for i in range(x.size):
        x[i] = x[i] ** 2
    return np.sum(x[1:] * x[:-1])


def by_a_helper(x):
    first_element(x)
    return np.sum(x * x)


X = np.array([3.0, 2.0, 0.5, -1.0])


@pytest.mark.parametrize('f', [first_element, overwritten, set_to_zero, by_a_helper])
def test_one_array(mode, f):
    check(mode, f, X.copy())


@pytest.mark.parametrize('f', [overwritten, set_to_zero])
def test_second_order(mode, f):
    check(mode, f, X.copy(), order=2)


def test_known_value(mode):
    x = np.array([3.0, 2.0])
    same(mode(tp.value_and_grad(first_element))(x), (8.0, np.array([2.0, 4.0])))
    same(x, np.array([3.0, 2.0]))


@pytest.mark.parametrize('steps', [0, 1, 3])
def test_stencil(mode, steps):
    check(mode, smooth, X.copy(), steps)


def test_two_arrays(mode):
    check(mode, swapped, X.copy(), X[::-1] + 0.3, argnums=(0, 1))


def test_a_pytree(mode):
    params = {'w': X.copy(), 'b': X + 1.0}
    before = copied(params)
    value, gradient = mode(tp.value_and_grad(in_a_dict))(params)
    same(params, before)
    w, b = params['w'], params['b']
    same(value, np.sum((w * b) ** 2) + np.sum(b[1:]))
    keep = np.array([0.0, 1.0, 1.0, 1.0])
    same(gradient, {'w': 2 * w * b * b, 'b': 2 * w * w * b + keep})


def test_the_same_array_twice_is_right_or_refused(mode):
    """In the primal both names see the write: 2 a * a at twice the value, so the total derivative is 4 * 2 a."""
    a = X.copy()
    try:
        left, right = mode(tp.grad(scaled_in_place, argnums=(0, 1)))(a, a)
    except tp.TranspileError:
        return
    finally:
        same(a, X)
    same(left + right, 8.0 * X)


def test_overlapping_views_are_right_or_refused(mode):
    base = np.arange(1.0, 6.0)
    try:
        value = mode(tp.value_and_grad(scaled_in_place))(base[:-1], base[1:])[0]
    except tp.TranspileError:
        return
    finally:
        same(base, np.arange(1.0, 6.0))
    x = np.arange(1.0, 6.0)
    same(value, scaled_in_place(x[:-1], x[1:]))


def test_jit_alone_keeps_the_effect():
    x = X.copy()
    assert tp.jit(first_element)(x) == first_element(X.copy())
    same(x, np.array([6.0, 2.0, 0.5, -1.0]))


def test_a_result_is_no_alias_of_an_argument(mode):
    def linear(x, y):
        return np.sum(x * y)
    x, y = X.copy(), X + 1.0
    gradient = mode(tp.grad(linear))(x, y)
    gradient[0] = 99.0
    same(y, X + 1.0)
