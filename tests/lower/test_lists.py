"""Lists in compiled code are of the type that all that is put on them needs, from the beginning: their zeros, too."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([0.5, 0.25, 1.5], np.float32)


def taken_away_and_put_on(x):
    t = [v * 2 for v in x]
    while len(t) > 1:
        t.pop()
    for v in x:
        t.append(v * v)
    return t[0] * t[-1]


def in_a_loop(x):
    s = x[0]
    for _ in range(2):
        t = [v * s for v in x]
        u = [2.0 * v for v in t]
        while len(t) > 1:
            s = s + t.pop()
        for v in u:
            t.append(v * v)
        s = s + t[0] * t[-1] * len(t)
    return s


def an_array_in_the_end(x):
    t = [v * 2 for v in x]
    while len(t) > 1:
        t.pop()
    for v in x:
        t.append(v * v)
    return np.sum(np.array(t) ** 2)


def a_copy(x):
    t = [v * 2 for v in x]
    u = t.copy()
    u.pop()
    u[0] = u[1] * x[0]
    return sum(u) + np.sum(np.array(t) ** 2) * t[1]


def two_lists(x):
    t = list(x * x)
    u = t + t
    while len(u) > 4:
        u.pop()
    u[0] = t[1]
    return np.sum(np.array(u) ** 2)


@pytest.mark.parametrize('program', [taken_away_and_put_on, in_a_loop, an_array_in_the_end, a_copy, two_lists])
def test_cotangents_of_lists_of_single_precision(program):
    plain, compiled = tp.value_and_grad(program)(X), tp.jit(tp.value_and_grad(program))(X)
    assert compiled[0] == plain[0] == program(X) and compiled[1].dtype == plain[1].dtype == np.float32
    np.testing.assert_allclose(compiled[1], plain[1], rtol=1e-6)
    np.testing.assert_allclose(plain[1], tp.grad(program)(X.astype(float)), rtol=1e-5)
