"""Trap 4: a branch that is not taken contributes nothing, not `0 * inf`."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same


def where_root(x):
    return np.sum(np.where(x > 0, np.sqrt(x), 0.0))


def where_quotient(x):
    return np.sum(np.where(x == 0, 1.0, np.sin(x) / x))


def where_log(x):
    return np.sum(np.where(x > 1, np.log(x), x - 1))


def if_root(x):
    if x > 0:
        return np.sqrt(x)
    return 0.0


def if_expression(x):
    return np.sqrt(x) if x > 0 else 3.0 * x


def if_in_a_loop(x):
    total = 0.0
    for i in range(x.size):
        if x[i] > 0:
            total += np.sqrt(x[i])
    return total


def and_guards(x):
    y = 0.0
    if x != 0 and 1 / x > 0.5:
        y = 1 / x
    return y


def pairs_but_itself(x):
    total = 0.0
    for i in range(x.size):
        for j in range(x.size):
            r = np.sqrt((x[i] - x[j]) ** 2)
            if i != j:
                total += 1 / r
    return total


def upper_pairs(x):
    distances = x[:, None] - x[None, :]
    r = np.sqrt(distances * distances)
    total = 0.0
    for i in range(x.size):
        for j in range(i + 1, x.size):
            total += 2 / r[i, j]
    return total


def masked_pairs(x):
    r = np.sqrt((x[:, None] - x[None, :]) ** 2)
    r[r > 0] = 1 / r[r > 0]
    return np.sum(np.where(r > 0, r, 0.0))


def stored_pairs(x):
    r = np.zeros((x.size, x.size))
    for i in range(x.size):
        for j in range(x.size):
            r[i, j] = ((x[i] - x[j]) ** 2) ** 0.5
    inverse = 1 / (r + np.eye(x.size))
    return 2 * np.sum(np.triu(inverse, 1))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('function', [pairs_but_itself, upper_pairs, masked_pairs, stored_pairs])
def test_an_infinite_slope_where_nothing_is_read(mode, function):
    """The distance of a particle to itself is 0, and its slope infinite; nothing reads it."""
    x = np.array([0.5, 1.5, 3.5])
    by_first = [2 / 1.0 ** 2 + 2 / 3.0 ** 2, 2 / 2.0 ** 2 - 2 / 1.0 ** 2, -2 / 2.0 ** 2 - 2 / 3.0 ** 2]
    same(mode(tp.grad(function))(x), np.array(by_first))
    near, far, between = 4 / 1.0 ** 3, 4 / 3.0 ** 3, 4 / 2.0 ** 3
    by_second = [[near + far, -near, -far], [-near, near + between, -between], [-far, -between, far + between]]
    same(mode(tp.hessian(function))(x), np.array(by_second))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_an_infinite_slope_that_is_read_is_infinite(mode):
    same(mode(tp.grad(read_root))(np.array([0.0, 4.0])), np.array([np.inf, 0.25]))


def read_root(x):
    y = np.sqrt(x)
    total = 0.0
    for i in range(x.size):
        total += y[i]
    return total


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('point, expected', [(-1.0, 0.0), (0.0, 0.0), (4.0, 0.25)])
def test_where_selects_the_cotangent(mode, point, expected):
    same(mode(tp.grad(where_root))(point), expected)
    same(mode(tp.grad(where_root))(np.array([point, 4.0])), np.array([expected, 0.25]))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_where_with_a_quotient(mode):
    x = np.array([0.0, 1.0, -2.0])
    expected = np.array([0.0, np.cos(1) - np.sin(1), np.cos(2) / -2 - np.sin(-2) / 4])
    same(mode(tp.grad(where_quotient))(x), expected)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_where_with_a_logarithm(mode):
    same(mode(tp.grad(where_log))(np.array([-3.0, 0.0, 1.0, 2.0])), np.array([1.0, 1.0, 1.0, 0.5]))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_where_second_order(mode):
    """At 0 both orders are 0: the cotangent of the branch not taken is zero before it meets an infinity."""
    second = mode(tp.grad(tp.grad(where_root)))
    same(second(4.0), -0.25 * 4.0 ** -1.5)


@pytest.mark.parametrize('point, expected', [(-1.0, 0.0), (0.0, 0.0), (4.0, 0.25)])
def test_if_contributes_nothing(mode, point, expected):
    same(mode(tp.grad(if_root))(point), expected)


@pytest.mark.parametrize('point, expected', [(-1.0, 0.0), (0.0, 0.0), (4.0, -0.25 * 4.0 ** -1.5)])
def test_if_second_order(mode, point, expected):
    same(mode(tp.grad(tp.grad(if_root)))(point), expected)


@pytest.mark.parametrize('point, expected', [(-1.0, 3.0), (0.0, 3.0), (4.0, 0.25)])
def test_if_expression(mode, point, expected):
    same(mode(tp.grad(if_expression))(point), expected)


def test_if_in_a_loop(mode):
    x = np.array([-1.0, 0.0, 4.0, 1.0])
    same(mode(tp.grad(if_in_a_loop))(x), np.array([0.0, 0.0, 0.25, 0.5]))


@pytest.mark.parametrize('point, expected', [(0.0, 0.0), (1.0, -1.0), (4.0, 0.0)])
def test_and_stops_early(mode, point, expected):
    same(mode(tp.grad(and_guards))(point), expected)


def test_against_differences(mode):
    check(mode, if_in_a_loop, np.array([-1.0, 2.0, 4.0]), order=2)


def fitted(x):
    """At x[0] = 4 the residual is zero, and so is the cotangent of an item that is read."""
    y = np.sqrt(x)
    return 0.5 * (y[0] - 2.0) ** 2


def fitted_all(x):
    y = np.cbrt(x[:2])
    y[1] = np.arcsin(x[2]) - 0.5
    return np.sum((y - np.array([2.0, 0.0])) ** 2)


@pytest.mark.parametrize('f, x, second', [
    (fitted, [4.0, 1.0], [1 / 16, 0.0]), (fitted, [4.0, 0.0], [1 / 16, 0.0]),
    (fitted_all, [8.0, 0.3, np.sin(0.5)], [2 / 144, 0.0, 2 / np.cos(0.5) ** 2])])
def test_a_cotangent_that_happens_to_be_zero_has_derivatives(mode, f, x, second):
    x, second, gradient = np.array(x), np.array(second), tp.grad(f)
    with np.errstate(all='ignore'):
        same(mode(gradient)(x), np.zeros(len(x)))
        for jacobian in (tp.jacrev, tp.jacfwd):
            same(mode(jacobian(gradient))(x), np.diag(second))
        same(mode(tp.grad(lambda x, v: np.sum(gradient(x) * v)))(x, np.ones(len(x))), second)
        same(tp.linearize(gradient, x)[1](np.ones(len(x))), second)
        same(tp.vjp(gradient, x)[1](np.ones(len(x)))[0], second)
