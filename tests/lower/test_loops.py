"""Loops of compiled code: reversed ones run forward where that gives the same, sums into one place are kept in numbers."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT, check, copied


def product(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return np.sum(c * c)


def beyond_the_end(x):
    total = np.zeros(x.size)
    for i in range(x.size):
        for j in range(i + 1, min(i + 3, x.size)):
            total[i] += x[i + 1] * x[j] * x[j]
    return np.sum(total)


def prefix(x):
    for i in range(1, x.size):
        x[i] += np.sin(x[i - 1])
    return np.sum(x * x)


def scattered(x, where):
    y = np.zeros(3)
    for i in range(x.size):
        y[where[i]] += x[i] * x[i]
    for i in range(x.size):
        y[where[i]] *= x[i]
    return np.sum(y ** 3)


def chained(x):
    where = np.array([0, 1, 1, 0, 2, 1])
    for i in range(where.size - 1, -1, -1):
        where[where[i] % 6] += 1
    return np.sum(x[where % 6] * x)


def last_one(x):
    last = 0.0
    for i in range(x.size):
        if x[i] > 0:
            last = x[i] * x[i]
    return last * x[0]


X = np.array([0.5, 1.2, -0.7, 0.9, 1.1, 0.3])
A, B, C = (np.random.default_rng(0).normal(size=shape) for shape in ((3, 4), (4, 2), (3, 2)))


@pytest.mark.parametrize('f', (beyond_the_end, prefix, chained, last_one), ids=lambda f: f.__name__)
def test_vectors(f):
    check(JIT, f, X, order=2)


def test_a_product():
    check(JIT, product, A, B, C, argnums=(0, 1, 2))
    loops = tp.jit(tp.grad(product, argnums=(0, 1, 2))).lower(*copied((A, B, C))).loops
    inner = [line for line in loops.splitlines() if 'for j' in line]
    assert inner and not any('-1' in line for line in inner)
    assert 'sum_ +=' in loops


def test_scattered():
    check(JIT, scattered, X, np.array([0, 1, 0, 2, 1, 0]))


def test_what_depends_on_the_turn_before_stays_reversed():
    def products(x):
        for i in range(1, x.size):
            x[i] *= x[i - 1]
        return np.sum(x)
    assert ', -1)' in tp.jit(tp.grad(products)).lower(X).loops


def solved_by_rows(a, b):
    x = np.zeros(b.size)
    for i in range(b.size):
        x[i] = b[i]
        for j in range(i):
            x[i] -= a[i, j] * x[j]
        x[i] /= a[i, i]
    return np.sum(x * x)


def counted_from_the_end(x):
    y = np.zeros(x.size)
    for i in range(x.size):
        y[-1] = x[i]
        for j in range(x.size):
            y[j] += y[-1] * x[j]
    return np.sum(y)


def read_and_written(x, i):
    for j in range(x.size):
        x[j] += x[i] * x[i]
    return np.sum(x)


def read_if_there_is_a_turn(x, i, n):
    total = np.zeros(x.size)
    for j in range(n):
        total[j] += x[i] * x[i]
        x[j + 3] = 1.0
    return np.sum(total)


def test_what_a_loop_does_not_write_is_read_before_it():
    a, b = np.tril(A[:, :3] + 3.0 * np.eye(3)), C[:, 0].copy()
    check(JIT, solved_by_rows, a, b, argnums=(0, 1))
    assert ', -1)' not in str(tp.jit(tp.grad(solved_by_rows)).lower(a, b).loops).split('for i')[-1]


@pytest.mark.parametrize('f, args', [
    (counted_from_the_end, (X,)), (read_and_written, (X, 2)), (read_if_there_is_a_turn, (X, 2, 2))])
def test_what_a_loop_may_write_is_read_in_it(f, args):
    check(JIT, f, *args)


def test_nothing_is_read_for_a_loop_without_turns():
    assert tp.jit(read_if_there_is_a_turn)(X.copy(), 100, 0) == 0.0
    with pytest.raises(IndexError):
        tp.jit(read_if_there_is_a_turn)(X.copy(), 100, 1)


def rates(x, r, k, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = np.tanh(np.exp(r[k - 1])) * x[0] ** 0.3
    return y


def test_what_functions_of_loops_are_about_is_read_before_them():
    x, r = np.array([0.5, 2.0]), np.array([0.2, 0.3, 0.4])
    f = tp.jit(rates)
    np.testing.assert_allclose(f(x, r, 3, 4), rates(x, r, 3, 4), rtol=1e-14)
    assert f(x, r, 30, 0).size == 0
    with pytest.raises(IndexError):
        f(x, r, 4, 4)
    loop = str(f.lower(x, r, 3, 4).loops).split('for ')[1].split('\n\n')[0]
    assert 'x[' not in loop and 'r[' not in loop   # LLVM took 90 seconds to look at such a loop


def in_two_ways(x, table):
    for j in range(3):
        v = table[0, 2]
        table[..., j] += v * x[j]
    return np.sum(table)


def test_places_are_compared_axis_by_axis():
    check(JIT, in_two_ways, X[:3], A[:, :3].copy(), argnums=(0, 1))
