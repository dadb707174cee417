"""Lists in compiled code are of the type that all that is put on them needs, from the beginning: their zeros, too."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([0.5, 0.25, 1.5], np.float32)
C = np.array([0.1, 0.7, 0.2], np.float32)


def taken_away_and_put_on(x):
    t = [v * 2 for v in x]
    while len(t) > 1:
        t.pop()
    for v in x:
        t.append(v * v)
    return t


def ends(x):
    t = taken_away_and_put_on(x)
    return t[0] * t[-1]


def an_array_in_the_end(x):
    return np.sum(np.array(taken_away_and_put_on(x)) ** 2)


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


@pytest.mark.parametrize('program', [ends, an_array_in_the_end, in_a_loop, a_copy, two_lists])
def test_cotangents_of_lists_of_single_precision(program):
    plain, compiled = tp.value_and_grad(program)(X), tp.jit(tp.value_and_grad(program))(X)
    assert compiled[0] == plain[0] == program(X) and compiled[1].dtype == plain[1].dtype == np.float32
    np.testing.assert_allclose(compiled[1], plain[1], rtol=1e-6)
    np.testing.assert_allclose(plain[1], tp.grad(program)(X.astype(float)), rtol=1e-5)


def constants_first(x, c):
    t = list(x)
    for w in c:
        t.append(w)
    t[0] = c[0]
    return sum(t) * t[-1] * t[1]


def constants_last(x, c):
    t = [v for v in x]
    for w in c:
        t.append(w * np.float64(2.0))
    u = t + t
    while len(u) > 3:
        u.pop()
    return sum(u) * u[-1] * t[1]


def zeros_first(x, c):
    t = [x.dtype.type(0.0)] * len(x)
    for k in range(len(x)):
        t[k] = c[k]
    t.append(x[0])
    t[1] = x[1] * x[0]
    return sum(t) * t[-1]


@pytest.mark.parametrize('program', [constants_first, constants_last, zeros_first])
@pytest.mark.parametrize('dtype', [np.float32, np.float64])
def test_tangents_of_cotangents_of_lists_of_numbers(program, dtype):
    """The zeros of a list of numbers are numbers."""
    x, c = X.astype(dtype), C.astype(dtype)
    exact = 1e-5 if dtype == np.float32 else 1e-13
    found, plain = tp.jit(tp.hessian(program))(x, c), tp.hessian(program)(x, c)
    assert found.dtype == plain.dtype == dtype
    np.testing.assert_allclose(found, plain, rtol=exact, atol=exact)
    gradient = tp.grad(program)
    for k, step in enumerate(1e-5 * np.eye(3)):
        ahead, behind = (gradient(X.astype(float) + way * step, C.astype(float)) for way in (1, -1))
        np.testing.assert_allclose(plain[k], (ahead - behind) / 2e-5, rtol=1e-5, atol=1e-6)
