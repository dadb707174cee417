"""Trap 19: nested derivatives stay apart."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same

X = np.array([0.5, -1.5, 2.0])


def classic(x):
    return x * tp.grad(lambda y: x + y)(1.0)


def product(x):
    return x * tp.grad(lambda y: x * y)(2.0)


def same_name(x):
    inner = tp.grad(lambda x: x ** 3)
    return inner(x) * x


def both_ways(x):
    return tp.grad(lambda y: y * y * tp.grad(lambda z: x * y * z * z)(x))(x)


def three_deep(x):
    return tp.grad(lambda y: tp.grad(lambda z: tp.grad(lambda w: x * y * z * w * w)(z) * w_of(y))(x) * y)(x)


def w_of(y):
    return np.sin(y)


def through_a_loop(x):
    total = 0.0
    for k in range(3):
        total += tp.grad(lambda y, k=k: np.sin(x * y) * k)(total + 1.0) * x
    return total


def of_arrays(x):
    inner = tp.grad(lambda y: np.sum(x * y * y) + np.sum(y) * np.sum(x))
    return np.sum(inner(x * x) * x)


def in_place(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = tp.grad(lambda v, i=i: v ** 3 * x[i])(x[i]) + tp.grad(lambda v: v * v)(y[i - 1])
    return np.sum(y * y)


def newton(a):
    """The inner derivative drives an iteration that the outer one goes through."""
    x = a
    for _ in range(6):
        f = lambda y: y * y * y - a
        x = x - f(x) / tp.grad(f)(x)
    return x


SCALAR = [classic, product, same_name, both_ways, three_deep, through_a_loop, newton]


def test_the_classic(mode):
    assert mode(tp.grad(lambda x: x * tp.grad(lambda y: x + y)(1.0)))(1.0) == 1.0


@pytest.mark.parametrize('f', SCALAR, ids=lambda f: f.__name__)
def test_scalars(mode, f):
    plain = tp.jit(f) if mode.compiled else f
    same(mode(tp.grad(f))(1.3), (plain(1.3 + 1e-6) - plain(1.3 - 1e-6)) / 2e-6, rtol=1e-5)
    same(mode(tp.grad(tp.grad(f)))(1.3), (tp.grad(f)(1.3 + 1e-5) - tp.grad(f)(1.3 - 1e-5)) / 2e-5, rtol=1e-5)


@pytest.mark.parametrize('f', [of_arrays, in_place], ids=lambda f: f.__name__)
def test_arrays(mode, f):
    check(mode, f, X, order=2)


def test_one_gradient_at_two_depths(mode):
    def cube(x):
        return x * x * x
    slope = tp.grad(cube)
    curvature = tp.grad(lambda x: slope(x) * slope(slope(x)))
    expected = 6 * 1.1 * 3 * (3 * 1.1 ** 2) ** 2 + 3 * 1.1 ** 2 * 6 * (3 * 1.1 ** 2) * 6 * 1.1
    same(mode(curvature)(1.1), expected)
