"""Values kept in nests whose inner bounds depend on outer turns: one block, and the turns numbered one after the other."""
import numpy as np
import pytest

import transpiler as tp
from transpiler.testing import check_grads

X = np.array([0.5, 0.6, -0.35, 0.45, 0.55])


def below_the_diagonal(x):
    total = 0.0
    for i in range(x.size):
        y = x[i]
        for j in range(i):
            y = np.sin(y) + x[j] * y
        total += y
    return total


def backwards_by_twos(x):
    total = 0.0
    for i in range(x.size - 1, -1, -1):
        y = x[i]
        for j in range(i, 0, -2):
            y = y * y + x[j]
        total += y
    return total


def three_deep(x):
    y = 0.5
    for i in range(x.size):
        for j in range(i, x.size):
            if x[j] > 0:
                for k in range(i, j + 1):
                    y = 0.5 * np.cos(y) * x[k] + 0.1 * y
    return y


def in_rows(x, starts):
    total = 0.0
    for row in range(starts.size - 1):
        y = 1.0
        first, last = starts[row], starts[row + 1]
        for k in range(first, last):
            y = y * y * x[k] + 0.1
        total += y
    return total


def rows_of_vectors(x):
    y = x.copy()
    for i in range(x.size):
        for j in range(i):
            y = np.sin(y) * x[j]
    return np.sum(y)


def repeated(x, n):
    y = x[0]
    for _ in range(n):
        for i in range(x.size):
            for j in range(i + 1, x.size):
                y = np.sin(y) * x[j] + x[i]
    return y


CASES = {
    below_the_diagonal: (X,), backwards_by_twos: (X,), three_deep: (X,), in_rows: (X, np.array([0, 2, 2, 5])),
    rows_of_vectors: (X,), repeated: (X, 3),
}
each = pytest.mark.parametrize('f', CASES, ids=lambda f: f.__name__)


@each
def test_kept_in_a_block(f):
    source = tp.grad(f).lower(*CASES[f]).source
    assert 'np.empty(' in source and '.append(' not in source and '.pop(' not in source
    check_grads(f, CASES[f], order=2)


@pytest.mark.parametrize('f', [three_deep, in_rows, backwards_by_twos], ids=lambda f: f.__name__)
def test_compiled(f):
    args = CASES[f]
    np.testing.assert_allclose(tp.jit(tp.grad(f))(*args), tp.grad(f)(*args), rtol=1e-13)


def counted_by_memory(x, early):
    """The number of turns is read where the nest itself has written it: nobody knows it before."""
    turns, y = np.zeros(3, dtype=int), x[0]
    for i in range(3):
        turns[i] = i + early
        m = turns[i]
        for _ in range(m):
            y = np.sin(y) + x[1]
    return y


def counted_where_it_may_fail(x, d):
    """Nobody divides by zero in a turn that does not come."""
    y = x[0]
    for _ in range(d):
        m = 6 // d
        for _ in range(m):
            y = np.sin(y) + x[1]
    return y


def left_early(x):
    y = x[0]
    for i in range(x.size):
        for j in range(i):
            y = np.sin(y) + x[j]
            if y > 2.0:
                break
    return y


def while_inside(x):
    y = x[0]
    for i in range(x.size):
        for j in range(i + 1):
            while y < 3.0:
                y = y * y + x[j] * x[j] + 0.5
    return y


@pytest.mark.parametrize('f, args', [(while_inside, (X,)), (counted_by_memory, (X, 1)), (counted_where_it_may_fail, (X, 2)),
                                     (counted_where_it_may_fail, (X, 0)), (left_early, (X,)), (left_early, (3 * X,))])
def test_counted_at_run_time(f, args):
    check_grads(f, args, order=2)


def test_no_turns():
    assert tp.grad(below_the_diagonal)(X[:1]) == [1.0]
    assert tp.grad(repeated)(X, 0).tolist() == [1, 0, 0, 0, 0]
