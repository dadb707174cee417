"""Lists that nothing is put on, because the branch that would do it is never taken; that may show late, between two passes."""
import numpy as np
import pytest

from tests.support import check

X = np.array([0.3, 0.7, 1.1])


def numbers(x):
    y = x.copy()
    for i in range(3):
        if i % 2 == 1:
            break
        y[0] += sum([x[1] * i for r in x if i % 2 == 1])
    return np.sum(y * x)


def arrays(x):
    y = x
    for i in range(3):
        if i % 2 == 1:
            break
        rows = [x * r for r in x if i % 2 == 1]
        for row in rows:
            y = y + row
        if len(rows) > 1:
            y = y + np.stack(rows)[0]
    return np.sum(y * x)


def pairs(x):
    y = x
    for i in range(3):
        if i % 2 == 1:
            break
        for a, b in [(r, x) for r in x if i % 2 == 1]:
            y = y + a * b
    return np.sum(y * x)


def put(items, r):
    items.append(r)


def items_changed(x):
    s = 0.0
    for i in range(3):
        if i % 2 == 1:
            break
        t = []
        for r in x:
            if i % 2 == 1:
                put(t, r)
                t[-1] = t[-1] * 2
        s += sum([x[0], *t])
    return s


def one_of_two(x):
    s = 0.0
    for i in range(3):
        if i % 2 == 1:
            break
        t = [r for r in x if i % 2 == 1]
        if x[0] > 0.2:
            t = [r * r for r in x if r > 0.5]
        s += sum(t)
    return s


@pytest.mark.parametrize('program', [numbers, arrays, pairs, items_changed, one_of_two])
def test_what_is_never_put_on_a_list_still_says_what_it_is_a_list_of(mode, program):
    assert mode(program)(X) == pytest.approx(program(X), rel=1e-14)
    check(mode, program, X)
