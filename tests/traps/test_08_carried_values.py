"""Trap 8: a value carried by a loop and read after it gets that cotangent in the last turn only."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check


def product_and_sum(x):
    p, q = 1.0, 0.5
    for i in range(x.size):
        p = x[i] * q
        q = q + p
    return p * q


def swapped(x, n):
    a, b = x, 2.0
    for _ in range(n):
        a, b = b * x, a + b
    return a * b + a


def fibonacci(x, n):
    before, now = 0.0, x
    for _ in range(n):
        before, now = now, now * before + x
    return before * now


def last_element(x):
    last = 0.0
    total = 0.0
    for i in range(x.size):
        last = x[i] * x[i]
        total += last * x[i]
    return total * last


def conditionally_carried(x):
    best, second = x[0], 0.0
    for i in range(1, x.size):
        if x[i] > best:
            second = best
            best = x[i] * 1.5
        else:
            second = second + x[i] * best
    return best * second


def inner_to_outer(x, n):
    p, q = x, 1.0
    for i in range(n):
        for j in range(i + 1):
            p = p * q + 0.1 * j
            q = q * x
        q = q + p
    return p * q


def in_a_while(x):
    p, q = x, 1.0
    while q < 20.0:
        p = p * x * 0.9
        q = q + p * p + 1.0
    return p * q


def arrays_carried(x):
    state, previous = x, x * 0.0
    for _ in range(3):
        previous = state
        state = np.tanh(state * x + previous)
    return np.sum(state * previous)


X = np.array([0.7, -1.2, 1.6, 0.4])


@pytest.mark.parametrize('f', [product_and_sum, last_element, conditionally_carried, arrays_carried])
def test_over_arrays(mode, f):
    check(mode, f, X)


@pytest.mark.parametrize('f', [product_and_sum, conditionally_carried])
def test_second_order_over_arrays(mode, f):
    check(mode, f, X, order=2)


@pytest.mark.parametrize('f', [swapped, fibonacci, inner_to_outer])
@pytest.mark.parametrize('n', [0, 1, 4])
def test_counts(mode, f, n):
    check(mode, f, 0.3, n)


@pytest.mark.parametrize('f', [swapped, inner_to_outer])
def test_second_order_counts(mode, f):
    def slope(x, n):
        return tp.grad(f)(x, n)
    check(mode, slope, 0.3, 3)


def test_while(mode):
    check(mode, in_a_while, 1.3, order=2)


def read_in_a_loop_inside(x):
    c = np.full(4, 0.25)
    for _ in range(1, 4):
        k = 0
        while k < 2:
            x = x - c[k] * np.sum(x) * x[k]
            k += 1
        c = c * c
    return np.sum(x)


def an_index_that_alternates(x):
    total, n = 0.0, 0
    for _ in range(3):
        k = 0
        while k < 2:
            total += x[k + n] * x[k] ** 2
            k += 1
        n = 1 - n
    return total


def rebound_under_a_test(x):
    total, c = 0.0, np.full(3, 0.25)
    for i in range(3):
        if x[i] > -5.0:
            j = 0
            while j < 2:
                total += c[j] * x[i]
                j += 1
            c = c * c
    return total


@pytest.mark.parametrize('f', [read_in_a_loop_inside, an_index_that_alternates, rebound_under_a_test])
def test_what_loops_inside_read_may_be_carried(mode, f):
    """What such a loop computes again in the pullback, it computes from values of that turn."""
    check(mode, f, X, order=2)


def the_last_slice(x):
    s = x * 2
    for i in range(3):
        t = s[i:]
    return np.sum(t ** 2)


def the_last_window(x, n):
    s = x * 2
    for i in range(n):
        t = s[max(i - 1, 0):i + 1] * s[0]
        u = t[1:].copy()
    return np.sum(t ** 2) + np.sum(u)


def a_slice_of_either_side(x, n):
    s = x * 2
    for i in range(n):
        if x[i] > 0:
            t = s[i:] * x[0]
        else:
            t = s[:i + 1]
    return np.sum(t ** 3)


def the_last_slice_of_a_while(x, n):
    s = x * 2
    i = 0
    while i < n:
        t = s[i:] * s[0]
        i += 1
    return np.sum(t ** 2)


def the_last_slice_before_a_break(x, n):
    s = x * 2
    for i in range(n):
        t = s[i:] * x[0]
        if x[i] < 0:
            break
        s = np.sin(s)
    return np.sum(t ** 3)


def the_last_slice_of_an_inner_loop(x, n):
    s = x * 2
    for j in range(2):
        for i in range(j, n):
            t = s[i:] * x[j]
        s = s * np.sum(t)
    return np.sum(t ** 2)


@pytest.mark.parametrize('f, args', [
    (the_last_slice, ()),
    (the_last_window, (3,)),
    (a_slice_of_either_side, (1,)),
    (a_slice_of_either_side, (3,)),
    (the_last_slice_of_a_while, (3,)),
    (the_last_slice_before_a_break, (3,)),
    (the_last_slice_of_an_inner_loop, (3,)),
])
def test_what_is_made_anew_may_be_of_another_size_in_each_turn(mode, f, args):
    """Its cotangent is that of the last turn; in the turns before, it is zero in the size that it has there."""
    check(mode, f, X, *args, order=2)
