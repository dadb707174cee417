"""Trap 6: a loop that runs zero times hands the gradient through, and leaves the loop variable alone."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same


def accumulated(x, n):
    total = x
    for i in range(n):
        total = total * x + i
    return total


def variable_read_afterwards(x, n):
    i = 5
    for i in range(n):
        x = x * 2.0
    return x * i


def float_variable_before(x, n):
    last = x * 3.0
    for k in range(n):
        last = x * x * k
    return last * x


def while_never_true(x):
    y = x * x
    while y > 10.0:
        y = y / 2.0 - x
    return y


def nested(x, n, m):
    total = 0.0
    for i in range(n):
        for j in range(m):
            total += x * (i + 1) * (j + 2)
        total = total * x
    return total + x


def triangular(x):
    total = x[0]
    for i in range(x.size):
        for j in range(i):
            total = total * x[j]
    return total


def elements(x):
    total = 1.0
    for i in range(x.size):
        total = total * x[i]
    return total


def written(x, n):
    a = x * 2.0
    for i in range(n):
        a[i] = a[i] * x[i]
    return np.sum(a * a)


@pytest.mark.parametrize('n', [0, 1, 2])
@pytest.mark.parametrize('f', [accumulated, variable_read_afterwards, float_variable_before])
def test_counted(mode, f, n):
    check(mode, f, 1.3, n)


@pytest.mark.parametrize('n', [-3, 0])
def test_gradient_passes_through(mode, n):
    same(mode(tp.value_and_grad(accumulated))(1.3, n), (1.3, 1.0))
    same(mode(tp.value_and_grad(variable_read_afterwards))(1.3, n), (6.5, 5.0))


@pytest.mark.parametrize('n', [0, 2])
def test_second_order(mode, n):
    def second(x, n):
        return tp.grad(accumulated)(x, n)
    check(mode, second, 1.3, n)


def test_while(mode):
    for x in (1.3, 5.0):
        check(mode, while_never_true, x)
    same(mode(tp.grad(tp.grad(while_never_true)))(1.3), 2.0)


@pytest.mark.parametrize('n, m', [(0, 0), (0, 3), (2, 0), (2, 3)])
def test_nested(mode, n, m):
    check(mode, nested, 1.3, n, m)


@pytest.mark.parametrize('size', [1, 2, 4])
def test_triangular(mode, size):
    check(mode, triangular, np.linspace(0.5, 1.5, size))


def test_empty_array(mode):
    value, gradient = mode(tp.value_and_grad(elements))(np.zeros(0))
    assert value == 1.0 and gradient.shape == (0,)


@pytest.mark.parametrize('n', [0, 3])
def test_writes(mode, n):
    check(mode, written, np.array([0.5, -1.0, 2.0]), n, order=1)
