"""Trap 9: the bounds of a loop are evaluated once, and writing its variable changes no turn but the present one."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check


def backwards_by_two(x):
    n = x.size
    total = 1.0
    for i in range(n - 1, -1, -2):
        total = total * x[i] + i
    return total


def variable_and_bound_written(x):
    n = x.size
    total = 0.0
    for i in range(n):
        total = total * 0.5 + x[i] * x[i]
        i = i * 2
        n = 0
        total += i * x[0] + n
    return total + n + i


def bound_carried(x, n):
    m = n
    total = x
    for _ in range(m):
        m = m + 2
        total = total * x + m
    return total * m


def bound_from_outer(x):
    total = 0.0
    for i in range(x.size):
        for j in range(i, x.size, 2):
            total += x[i] * x[j] * (j - i + 1)
    return total


def counting_down(x):
    total = 1.0
    for i in range(3, 0, -1):
        total = total * x ** i + i
    return total


def step_by_argument(x, step):
    total = 0.0
    for i in range(0, 7, step):
        total = total * x + i
    return total


def variable_after_the_loop(x, n):
    total = x
    for i in range(2, n, 3):
        total = total * x
    return total * i


def while_with_a_counter(x, n):
    i = 0
    total = x
    while i < n:
        total = total * x + i
        i += 2
        n -= 1
    return total * n


X = np.array([0.7, -1.2, 1.6, 0.4, 0.9])


@pytest.mark.parametrize('f', [backwards_by_two, variable_and_bound_written, bound_from_outer])
@pytest.mark.parametrize('size', [1, 2, 5])
def test_over_arrays(mode, f, size):
    check(mode, f, X[:size])


@pytest.mark.parametrize('f', [backwards_by_two, variable_and_bound_written])
def test_second_order(mode, f):
    check(mode, f, X, order=2)


@pytest.mark.parametrize('n', [0, 1, 4])
@pytest.mark.parametrize('f', [bound_carried, while_with_a_counter])
def test_counts(mode, f, n):
    check(mode, f, 0.8, n)


@pytest.mark.parametrize('n', [3, 6, 9])
def test_variable_after_the_loop(mode, n):
    check(mode, variable_after_the_loop, 0.8, n)


@pytest.mark.parametrize('step', [1, 2, 3, 10, -1])
def test_steps(mode, step):
    check(mode, step_by_argument, 0.8, step)


def test_counting_down(mode):
    check(mode, counting_down, 0.8, order=2)


def test_a_step_of_zero_is_an_error(mode):
    with pytest.raises(ValueError):
        mode(tp.grad(step_by_argument))(0.8, 0)
