"""Trap 3: integers and booleans carry no derivative, and are never mistaken for ones that do."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same


def weighted(x, n):
    return np.sum(n * x)


def indexed(x, idx):
    total = 0.0
    for i in range(x.size):
        total += x[i] * idx[i]
    return total


def gathered(x, idx):
    total = 0.0
    for i in range(idx.size):
        total += x[idx[i]] ** 2
    return total


def divided(x, n, m):
    return np.sum(x) * (n / m) + x[0] * (n // m)


def cut(x):
    k = int(x * 2.0)
    return x * x * k


def counted(x):
    return np.sum(x) / len(x) + x.size * x[0] + x.shape[0] * x[1]


def masked(x):
    positive = x > 0
    return np.sum(x * positive) + np.sum(positive)


def rounded(x):
    return np.sum(x * np.floor(x)) + np.sum(np.round(x))


def stored_as_integers(x):
    counts = np.zeros(3, dtype=np.int64)
    for i in range(3):
        counts[i] = i * 2
    return np.sum(x * counts)


def of_the_largest(x):
    return x[np.argmax(x)] * 3.0


X = np.array([0.7, -1.2, 2.6])


@pytest.mark.parametrize('f, args', [
    (weighted, (X, 3)), (weighted, (X, np.array([1, 2, 3]))), (weighted, (X, True)), (weighted, (X, X > 0)),
    (indexed, (X, np.array([2, 0, 1]))), (gathered, (X, np.array([2, 2, 0, 1, 2]))), (divided, (X, 7, 2)), (counted, (X,)),
    (masked, (X,)), (rounded, (X,)), (stored_as_integers, (X,)), (of_the_largest, (X,)), (cut, (1.7,)),
])
def test_inactive_inside(mode, f, args):
    check(mode, f, *args)


@pytest.mark.parametrize('f, args', [(gathered, (X, np.array([2, 2, 0]))), (cut, (1.7,))])
def test_second_derivatives(mode, f, args):
    check(mode, f, *args, order=2)


def test_integer_division_is_float(mode):
    same(mode(tp.grad(divided))(X, 7, 2), np.array([3.5 + 3, 3.5, 3.5]))


@pytest.mark.parametrize('argument', [3, True, np.int64(3), np.array([1, 2]), np.array([True, False])])
def test_asking_for_it_is_an_error(mode, argument):
    with pytest.raises(TypeError, match='int|bool'):
        mode(tp.grad(weighted, argnums=1))(2.0, argument)
    with pytest.raises(TypeError, match='int|bool'):
        mode(tp.grad(weighted))(argument, 2.0)


def test_an_integer_leaf_of_a_pytree_is_an_error(mode):
    def loss(params):
        return params['w'] * params['n']
    with pytest.raises(TypeError, match='int'):
        mode(tp.grad(loss))({'w': 2.0, 'n': 3})


def test_an_integer_result_is_an_error(mode):
    def count(x):
        return int(np.sum(x))
    with pytest.raises(TypeError):
        mode(tp.grad(count))(X)
