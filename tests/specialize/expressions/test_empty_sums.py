"""The sum of no arrays is Python's 0; a number on one path and an array on another are kept apart, compiled and in batches."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN

M = np.arange(6.0).reshape(2, 3) / 10
X = np.array([0.5, 1.5, 2.5])


def of_rows(m, k):
    return sum(m[:k]), sum(m[:k], 5.0), sum(m[:k], start=m[1])


def of_listed(x, least):
    rows, parts = [], []
    for i in range(x.size):
        if x[i] > least:
            rows.append(x * 2)
            parts.append(x[i:] * x[i])
    return sum(rows), sum(p[:1] for p in parts), sum(rows, 1.5) * x


def by_a_loop(x, k):
    y = 0
    for i in range(k):
        y = y + x * i
    z = y if k > 1 else x[0]
    return y, z * x, np.sum(y) + 0.0


CALLS = [(of_rows, M, 0), (of_rows, M, 2), (of_listed, X, 9.0), (of_listed, X, 1.0), (by_a_loop, X, 0), (by_a_loop, X, 3)]


def test_values_compiled():
    compiled = {f: tp.jit(f) for f, *_ in CALLS}
    for f, *args in CALLS:
        for got, expected in zip(compiled[f](*args), f(*args), strict=True):
            assert np.shape(got) == np.shape(expected) and np.array_equal(got, expected)
            assert isinstance(got, (int, float)) == isinstance(expected, (int, float))


@pytest.mark.parametrize(('f', 'args'), [pytest.param(f, args, id=f'{f.__name__}-{args[1]}') for f, *args in CALLS])
def test_batches(f, args):
    batch = tp.vmap(f, in_axes=(0, None))(np.stack([args[0]] * 2), args[1])
    for got, expected in zip(batch, f(*args), strict=True):
        assert np.array_equal(got, np.stack([expected] * 2))


def test_examples_may_not_differ_in_rank():
    assert np.array_equal(tp.vmap(of_rows)(np.stack([M, M]), np.array([1, 2]))[0], [M[0], M.sum(axis=0)])
    with pytest.raises(ValueError, match='different shapes'):
        tp.vmap(of_rows)(np.stack([M, M]), np.array([0, 2]))


def loss(m, k):
    t = sum(m[:k])
    return np.sum(np.sin(t) * m[0]) + np.sum(sum([row * row[0] for row in m[:k]])) + np.sum(t * t)


def chosen(x, c):
    y = x if c > 0 else 2.0
    w = np.outer(x, x) if c > 1 else x[0]
    return np.sum(y * x * w + y)


@pytest.mark.parametrize(('f', 'x', 'calls'), [(loss, M, (0, 1, 2)), (chosen, X, (0, 1, 2))])
def test_derivatives(mode, f, x, calls):
    slope, forward, second = mode(tp.grad(f)), tp.jacfwd(f), tp.hessian(f)
    for k in calls:
        steps = 1e-6 * np.eye(x.size).reshape(x.size, *x.shape)
        expected = np.reshape([(f(x + h, k) - f(x - h, k)) / 2e-6 for h in steps], x.shape)
        assert np.allclose(slope(x, k), expected, atol=1e-8)
        if mode is PLAIN:
            assert np.allclose(forward(x, k), expected, atol=1e-8)
            curved = np.reshape([(tp.grad(f)(x + h, k) - tp.grad(f)(x - h, k)) / 2e-6 for h in steps], 2 * x.shape)
            assert np.allclose(second(x, k), curved, atol=1e-7)


def test_what_certainly_has_items_is_not_asked():
    for f in (lambda m: np.sum(sum(m)), lambda m: np.sum(sum(np.sin(row) for row in m)), lambda m: np.sum(sum(m[:0]) + m)):
        assert ' if ' not in tp.grad(f).lower(M).source
    assert 'if M_part.shape[0] > 0' in tp.grad(lambda M, k: np.sum(sum(M[:k]) * M)).lower(M, 0).source.replace('mask = ', 'if ')
