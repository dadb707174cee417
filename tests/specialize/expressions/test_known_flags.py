"""A flag that a branch has tested is known in its arms, and nowhere else: not after a loop that changes it, nor in one inside."""
import itertools

import numpy as np
import pytest

import transpiler as tp
from tests.support import check, numeric_grad, same


def negated_before_it_changes(x, m):
    flag, k = x > 0.5, 0
    while k < m:
        n = not flag
        flag = x > k
        k += 1
    y = x
    if n:
        y = x * x
        if flag:
            y = y * 7.0
    return y


def negated_in_an_early_turn(x, m):
    c, n = x > 0.5, False
    for k in range(m):
        c = x > k
        if k < 1:
            n = not c
    y = x
    if n:
        y = x * x
        if c:
            y = y * 5.0
    elif c:
        y = y * y * y
    return y


def changed_in_its_own_arm(x, m):
    flag, y, k = x > 0.5, x, 0
    if flag:
        while k < m and y < 100.0:
            if flag:
                y = y * x
            else:
                y = y + x * x
            flag = not flag
            k += 1
        if flag:
            y = y * 3.0
    elif not flag:
        y = y * x
    return y if flag else 2 * y


def bound_again(x, m):
    flag, y = x > 0.5, x
    if flag:
        flag = x > m
        if flag:
            y = y * x
        elif not flag:
            y = y * x * x
    return y


FUNCTIONS = negated_before_it_changes, negated_in_an_early_turn, changed_in_its_own_arm, bound_again


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_flags_that_change(mode, f):
    gradient = mode(tp.grad(f))
    for x, m in itertools.product((0.3, 0.9, 1.3, 2.5), (1, 2, 3)):
        same(gradient(x, m), numeric_grad(f, (x, m)), rtol=1e-4)


def asks_twice(x, flag):
    if flag:
        y = np.sin(x)
    z = x
    if flag:
        z = y * x
        if not flag:
            z = 0.0
    return z


def test_what_is_known_is_not_asked():
    gradient = tp.grad(asks_twice)
    same(gradient(0.7, True), np.sin(0.7) + 0.7 * np.cos(0.7))
    same(gradient(0.7, False), 1.0)
    generated = tp.grad(lambda x: asks_twice(x, x > 0.1))
    same(generated(0.7), np.sin(0.7) + 0.7 * np.cos(0.7))
    assert 'raise' not in generated.source and 'not' not in generated.source


def until_it_is_deep(x, depth):
    if x[0] > -5.0 and depth < 3:
        return until_it_is_deep(0.5 * x, depth + 1) + until_it_is_deep(x[::-1], depth + 1)
    if depth >= 0 or x[0] > 2.0:
        return np.sum(np.sin(x))
    return 0.0


def raised_on_the_way(x, flags):
    if flags[int(x)] and x > 9.0 and len(flags) > 9:
        return x
    return 2.0 * x


def test_what_decides_by_itself_is_known():
    """`a and False`, whatever `a` is; but `a` is asked."""
    x = np.array([0.3, -0.8, 1.1])
    gradient = tp.grad(lambda x: until_it_is_deep(x, 0))
    same(gradient(x), numeric_grad(lambda x: until_it_is_deep(x, 0), (x,)), rtol=1e-6)
    assert 'def until_it_is_deep' not in gradient.source and '2.0' not in gradient.source
    value = tp.grad(raised_on_the_way)
    same(value(1.0, np.array([True, False])), 2.0)
    with pytest.raises(IndexError):
        value(2.5, np.array([True, False]))


def test_calls_of_calls_in_loops_are_deep():
    loops = ''.join(f'{"    " * k}for k{k} in (1,):\n' for k in range(1, 15))
    text = f'def f(x, given=(1.0,)):\n{loops}{"    " * 15}return f(x * k1, (*given, x)) if len(given) < 24 else sum(given)\n'
    same(tp.grad(tp.from_source(text))(0.5), 23.0)


def never(x, flag):
    k, parts, total = 0, [], np.sum(x)
    while k < 0 and flag:
        total += np.sum(x[k] * x)
        parts.append(x)
        k += 1
    while (n := len(parts)) > 2 or parts:
        parts.pop()
    for _ in range(2):
        k = 3
        while k < 3:
            x *= 2.0
            k += 1
        total += x[n] * k
        x = x * total
    return total + np.sum(x) + len(parts)


def test_loops_that_never_begin(mode):
    """They are left out: no code is made for what is never computed."""
    check(mode, never, np.array([0.3, -0.8, 1.1]), True)
    generated = tp.grad(never)
    generated(np.array([0.3, -0.8, 1.1]), True)
    assert 'while' not in generated.source
