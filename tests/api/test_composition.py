"""Transformations of transformed functions, to third order, with `jit` anywhere."""
import itertools

import numpy as np
import pytest

import transpiler as tp
from tests.support import numeric_grad, same


def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))


def with_control_flow(x):
    r = 1.0
    if x < 0.0:
        for i in range(3):
            r *= x
        r = -r
    else:
        for i in range(4):
            r *= x
    return r


def with_a_while(x):
    y = x
    while y < 5.0:
        y = y * x + 1.0
    return y


def of_an_array(x):
    return np.sum(np.sin(x) * x ** 3)


def plain(f):
    return f


@pytest.mark.parametrize('jitted', list(itertools.product([False, True], repeat=4)), ids=str)
def test_jit_anywhere_to_third_order(jitted):
    """d3/dx3 of the logistic function at 1 is s(1-s)(1-6s+6s^2)."""
    first, second, third, inner = (tp.jit if one else plain for one in jitted)
    s = logistic(1.0)
    same(first(tp.grad(second(tp.grad(third(tp.grad(inner(logistic)))))))(1.0), s * (1 - s) * (1 - 6 * s + 6 * s * s))


@pytest.mark.parametrize('x, expected', [(2.0, (32.0, 48.0, 48.0)), (-3.0, (-27.0, 18.0, -6.0)), (0.0, (0.0, 0.0, 0.0))])
def test_control_flow_to_third_order(mode, x, expected):
    f = with_control_flow
    for value in expected:
        f = tp.grad(f)
        same(mode(f)(x), value)


def test_while_to_third_order(mode):
    first, second = tp.grad(with_a_while), tp.grad(tp.grad(with_a_while))
    same(mode(first)(1.3), numeric_grad(with_a_while, (1.3,)))
    same(mode(second)(1.3), numeric_grad(first, (1.3,)))
    same(mode(tp.grad(second))(1.3), numeric_grad(second, (1.3,)), rtol=1e-4)


def test_grad_within_a_function(mode):
    def penalty(x):
        slope = tp.grad(of_an_array)(x)
        return np.sum(slope * slope)
    x = np.array([0.5, -1.0, 2.0])
    same(mode(tp.grad(penalty))(x), numeric_grad(penalty, (x,)))


def test_value_and_grad_within_a_function(mode):
    def both(x):
        value, slope = tp.value_and_grad(of_an_array)(x)
        return value * np.sum(slope)
    x = np.array([0.5, -1.0])
    same(mode(tp.grad(both))(x), numeric_grad(both, (x,)))


def test_grad_of_value_and_grad(mode):
    def picked(x):
        return tp.value_and_grad(logistic)(x)[1]
    s = logistic(0.3)
    same(mode(tp.grad(picked))(0.3), s * (1 - s) * (1 - 2 * s))


def test_perturbations_stay_apart(mode):
    same(mode(tp.grad(lambda x: x * tp.grad(lambda y: x + y)(1.0)))(1.0), 1.0)
    same(mode(tp.grad(lambda x: x * tp.grad(lambda y: x * y * y)(2.0)))(3.0), 24.0)


def test_mixed_arguments(mode):
    def f(x, y):
        return x ** 3 * y ** 2
    same(mode(tp.grad(tp.grad(f, argnums=0), argnums=1))(2.0, 3.0), 72.0)
    same(mode(tp.grad(tp.grad(f, argnums=1), argnums=0))(2.0, 3.0), 72.0)
    same(mode(tp.grad(tp.grad(f, argnums=1), argnums=1))(2.0, 3.0), 16.0)


def test_jit_of_jit():
    same(tp.jit(tp.jit(logistic))(0.5), logistic(0.5))


def test_jit_inside_a_plain_function(mode):
    fast = tp.jit(logistic)

    def f(x):
        return fast(x) * x
    same(mode(tp.grad(f))(0.5), numeric_grad(f, (0.5,)))


def test_a_gradient_of_an_array_has_no_gradient(mode):
    with pytest.raises(TypeError, match='scalar'):
        mode(tp.grad(tp.grad(of_an_array)))(np.ones(3))


def test_generated_source_can_be_fed_back():
    for f, x in [(logistic, 0.3), (with_control_flow, 1.5), (with_a_while, 1.3)]:
        gradient = tp.grad(f)
        gradient(x)
        again = tp.from_source(gradient.source)
        same(again(x), gradient(x))
        same(tp.grad(again)(x), tp.grad(gradient)(x))
