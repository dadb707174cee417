"""`try` that shows which way it goes."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

TABLE = {'a': 1.5}
X = np.array([1.2, 0.7])


def in_the_end(x):
    y = x * x
    try:
        y = y * 2.0
        if y[0] > 1.0:
            y = y + x[1]
    finally:
        y = y + x
    return np.sum(y)


def known_keys(x):
    try:
        a = TABLE['a']
    except KeyError:
        a = 0.0
    else:
        a = a * x[1]
    try:
        b = TABLE['z']
    except KeyError:
        b = 4.0 * x[0]
    return a * b * x[0]


def remembered(x):
    known = {}

    def fibonacci(k):
        try:
            return known[k]
        except KeyError:
            pass
        found = x[0] + k if k < 2 else fibonacci(k - 1) * 0.5 + fibonacci(k - 2) * x[1]
        known[k] = found
        return found
    return fibonacci(6)


@pytest.mark.parametrize('f', [in_the_end, known_keys, remembered])
def test_derivatives(f, mode):
    check(mode, f, X)


def left_inside(x):
    try:
        return x * x
    finally:
        x = 0.0


def seen_in_the_end(x):
    y = np.zeros(2)
    try:
        y[0] = x
    finally:
        print('done')
    return np.sum(y)


def another_error(x):
    try:
        y = 1.0 / x
    except ZeroDivisionError:
        y = 0.0
    return y


@pytest.mark.parametrize('f', [left_inside, another_error, seen_in_the_end])
def test_refused(f):
    with pytest.raises(tp.TranspileError, match='try'):
        tp.grad(f)(2.0)
