"""Tuples are compared by the first items that differ: `<`, `min`, `max`, `sorted` and `sort`."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([1.25, 2.5, -3.75, 0.5])


def compared(x):
    a, b = (x[0], 1), (x[0], 2, x[1])
    return (x[0] ** 2 * (a < b) + x[1] * (b >= a) + x[2] * ([1, x[0]] > [1, x[1]]) + x[3] * ((1, 2) < (x[0], 3))
            + x[1] * x[2] * ((2, x[1]) <= (2, x[0])) + x[3] ** 2 * ((x[1], x[0]) > (x[0],)))


def extremes(x):
    t = [(x[i], i, x[i] * 2) for i in range(x.size)]
    best = min((x[i] * (-1) ** i, i) for i in range(x.size))
    return (min([(2, x[0]), (1, x[1])])[1] * max((2, x[0]), (1, x[1]), (2, x[3]))[1] + max(t)[2] * max(t)[1]
            + best[0] * x[best[1]])


def in_order(x):
    t = sorted([(1, x[0]), (1, x[1]), (0, x[2])])
    u = [(i // 2, x[i]) for i in range(x.size)]
    u.sort(reverse=True)
    w = sorted([(x[i] // 2, x[i]) for i in range(4)], key=lambda p: (p[0], -p[1]))
    return t[0][1] * t[1][1] + u[0][1] * 10 * u[1][1] + sorted(u)[1][1] ** 2 + w[0][1] + 2 * w[1][1] ** 2 + 4 * w[2][1]


@pytest.mark.parametrize('f', [compared, extremes, in_order])
def test_tuples_in_order(mode, f):
    check(mode, f, X)
    rows = np.array([X, X[::-1] * 1.5])
    assert np.allclose(tp.vmap(f)(rows), [f(row) for row in rows])


def test_ties_stay_in_their_order_also_backwards():
    def f(x, turned):
        t = [(x[i] * 0.0, 1, i) for i in range(3)]
        return np.array([p[2] for p in sorted(t, key=lambda p: (p[0], p[1]), reverse=turned)])
    for turned in (False, True):
        assert np.array_equal(tp.jit(f)(np.ones(3), turned), [0, 1, 2])


def test_tuples_of_several_lengths_are_refused_in_batches_too():
    def f(x):
        return sorted([(1, x[0]), (1, x[1], x[2])])[0][1]
    with pytest.raises(tp.errors.UnsupportedFunction, match='by tuples of several lengths'):
        tp.vmap(f)(np.ones((2, 3)))


class Counting:
    def __init__(self, n):
        self.n, self.i = n, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i - 1


def test_iterators_of_the_program_are_refused_at_once():
    with pytest.raises(tp.errors.UnsupportedFunction, match='an iterator of the class `Counting` is not supported'):
        tp.grad(lambda x: sum(x[i] for i in Counting(3)))(X)


@pytest.mark.parametrize(('f', 'said'), [(lambda x: len(x[0]) * x[0], "object of type 'numpy.float64' has no len()"),
                                         (lambda x: len(x[..., 0]) * x[0], 'len() of unsized object')])
def test_numbers_have_no_length(f, said):
    for transformed in (tp.jit(f), tp.grad(f), lambda x: tp.vmap(f)(np.array([x, x]))):
        with pytest.raises(TypeError) as found:
            transformed(X)
        assert str(found.value) == said
