"""`[None] * n`, filled in by index, for a number that shows when the program runs."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import same
from transpiler import TranspileError

X = np.array([0.5, 1.5, 2.5])


def numbers(x, n):
    out = [None] * n
    for i in range(n):
        out[i] = x[i] * i
    return np.sum(np.array(out) ** 2) + out[n - 1] * len(out)


def arrays(x, n):
    out = [None] * n
    for i in reversed(range(n)):
        out[i] = np.sin(x * i)
    return np.sum(np.stack(out)[-1] * np.concatenate(out)[:3])


def states(x, n):
    h = [None] * (n + 1)
    h[0] = np.zeros(3)
    for t in range(n):
        h[t + 1] = np.tanh(h[t] + x[t])
    return np.sum(h[n] * h[n - 1])


def asked(x, n):
    memo, total = [None] * n, 0.0
    for k in range(2 * n):
        if memo[k % n] is None:
            memo[k % n] = x[k % n] ** 2
        total += memo[k % n] * k
    return total


def pairs(x, n):
    out = [None] * n
    for i in range(0, n, 2):
        out[i] = x[i], x[i] ** 2
    s = 0.0
    for item in out:
        if item is not None:
            s += item[0] * item[1]
    return s


@pytest.mark.parametrize('f', [numbers, arrays, states, asked, pairs])
def test_lists_that_are_filled_in(mode, f):
    for n in (3, 1):
        same(mode(f)(X, n), f(X, n))
        columns = [(f(X + 1e-6 * e, n) - f(X - 1e-6 * e, n)) / 2e-6 for e in np.eye(3)]
        assert np.allclose(mode(tp.grad(f))(X, n), columns, rtol=1e-5, atol=1e-8)
    assert np.allclose(tp.jacfwd(f)(X, 1), columns, rtol=1e-5, atol=1e-8)
    same(tp.vmap(f, in_axes=(0, None))(np.stack([X, 2 * X]), 3), np.array([f(X, 3), f(2 * X, 3)]))


def left_out(x, n):
    out = [None] * n
    for i in range(n - 1):
        out[i] = x[i]
    return np.array(out)


def test_what_is_not_filled_in(mode):
    with pytest.raises(TypeError, match='None'):
        mode(tp.grad(lambda x: np.sum(left_out(x, 3))))(X)


def never(x, n):
    out = [None] * n
    return x[len(out) - 1]


def beyond(x, n):
    out = [None] * n
    return x[0] if out[n] is None else x[1]


def test_nothing_is_ever_written(mode):
    assert np.array_equal(mode(tp.grad(never))(X, 2), [0.0, 1.0, 0.0])
    with pytest.raises(IndexError):
        mode(tp.grad(beyond))(X, 2)


def every_other(x, n):
    out = [None] * n
    for i in range(0, n, 2):
        out[i] = x * i
    return out


def positive(x, n):
    out = [None] * n
    for i in range(n):
        if x[i] > 1.0:
            out[i] = x[i], i
    return out, {'all': every_other(x, n), 'none': [None] * n}


def test_results_with_none_in_them():
    for f in (every_other, positive):
        for n in (3, 1, 0):
            assert repr(tp.jit(f)(X, n)) == repr(f(X, n))


def test_results_whose_items_have_several_parts():
    f = lambda x: [(i, v, v * x) for i, v in enumerate(x) if v > 1.0]
    for x in (X, -X):
        assert repr(tp.jit(f)(x)) == repr(f(x))
    with pytest.raises(TranspileError, match='each of its items is a tuple'):
        tp.jvp(f, (X,), (X,))


def test_derivatives_have_no_none():
    with pytest.raises(TypeError, match='None'):
        tp.jvp(every_other, (X, 2), (X, None))
    values, tangents = tp.jvp(every_other, (X, 1), (X, None))
    assert len(values) == len(tangents) == 1
