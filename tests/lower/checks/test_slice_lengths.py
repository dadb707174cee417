"""Slices that are as long as their bounds say, where that is sure or asked before; and where they are cut off after all."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X = np.arange(1.0, 12.0) * np.cos(np.arange(11.0))
A = np.outer(X, X[:7]) + 1.0


def pooled(a):
    out = np.zeros((a.shape[0] // 2, a.shape[1] // 3))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.max(a[2 * i:2 * i + 2, 3 * j:3 * j + 3])
    return np.sum(out ** 2)


def filtered(x, k):
    total = 0.0
    for i in range(x.size - 2):
        total += np.sum(x[i:i + 3] * k) ** 2
    return total


def smoothed(a):
    b = a.copy()
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = np.mean(a[i - 1:i + 2, j - 1:j + 2] * a[i, j])
    return np.sum(b * b)


def as_far_as_told(x, n):
    """Cut off for the last turns if `n` says so."""
    total = 0.0
    for i in range(n):
        total += np.sum(np.exp(0.1 * x[i:i + 4])) * x[i]
    return total


def from_behind_the_start(x):
    """The first windows begin at a negative index: they are empty."""
    total = 0.0
    for i in range(x.size):
        total += np.sum(x[i - 2:i + 1] ** 2)
    return total


def of_another_row(a):
    total = 0.0
    for i in range(a.shape[0] - 3):
        w = a[i:i + 3, i % 2:i % 2 + 2]
        w2 = w * w
        total += np.sum(w2) * w2[0, 1]
    return total


def into_windows(x):
    y = np.zeros(x.size)
    for i in range(x.size - 3):
        y[i:i + 4] += x[i:i + 4] ** 2 * x[i]
    return np.sum(y * x)


def in_steps(x):
    total = 0.0
    for i in range(0, x.size - 4, 2):
        w = x[i:i + 5:2]
        total += np.sum(w * w) * np.sum(x[i:i + 5:1])
    return total


CASES = [(pooled, (A,)), (pooled, (A[:5, :4],)), (filtered, (X, np.array([0.2, 0.5, 0.3]))), (smoothed, (A,)),
         (as_far_as_told, (X, 8)), (as_far_as_told, (X, 9)), (as_far_as_told, (X, 11)), (from_behind_the_start, (X,)),
         (of_another_row, (A,)), (into_windows, (X,)), (in_steps, (X,)), (filtered, (X[:3], X[:3]))]


@pytest.mark.compiles
@pytest.mark.parametrize(('f', 'args'), CASES)
def test_compiled_as_in_python(f, args):
    same(tp.jit(f)(*args), f(*args), rtol=1e-12)
    same(tp.jit(tp.grad(f))(*args), tp.grad(f)(*args), rtol=1e-12)


def test_their_loops_are_short():
    loops = tp.jit(tp.grad(pooled)).lower(A).loops
    assert 'Unproven' not in loops and 'range(2)' in loops and 'range(3)' in loops
    body = loops.partition('def pooled_grad(')[2]
    assert body.index(' = empty((2, 3)') < body.rindex('for i in range')


def test_what_may_be_cut_off_is_asked_before_the_loop():
    assert '(n > 0) & (n + 3 > x.shape[0]):' in tp.jit(as_far_as_told).lower(X, 8).loops


def test_arrays_of_one_turn_are_those_of_the_next():
    def f(x, n):
        total = 0.0
        for i in range(n):
            b = np.empty(3)
            for k in range(3):
                b[k] = x[i + k] * x[k]
            for k in range(3):
                total += b[k] ** 2 * b[0]
        return total
    assert abs(tp.jit(f)(X, 5) - f(X, 5)) < 1e-9 * abs(f(X, 5))
