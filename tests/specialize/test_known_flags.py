"""A flag that a branch has tested is known in its arms, and nowhere else: not after a loop that changes it, nor in one inside."""
import itertools

import numpy as np
import pytest

import transpiler as tp
from tests.support import numeric_grad, same


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
