"""Slices with steps of lists that grow, written to and deleted; nested lists of arrays; places that are inserted and deleted."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([1.25, 2.5, -3.75, 0.5])


def deleted(x):
    t, u = [x[i] for i in range(x.size)], [x[i] for i in range(x.size)]
    del t[::2]
    del u[-1:0:-2]
    return sum(t) * t[1] + u[0] * u[1] * len(u)


def written(x):
    t = [x[i] for i in range(x.size)]
    t[::-1] = list(x)
    t[::2] = [x[0], x[0] * x[2]]
    return t[0] * 3 + t[1] + t[2] * t[3]


def as_lists(x):
    t = x.reshape(2, 1, 2).tolist()
    t[0][0][1] = 3.0
    return t[0][0][1] * x[0] + t[1][0][1] * x.reshape(2, 2).tolist()[0][1]


def without_places(x):
    return (np.sum(np.delete(x.reshape(2, 2), [1], axis=1) * x[0]) + np.sum(np.delete(x, slice(0, 2)) * x[0])
            + np.sum(np.delete(x, np.array([True, False, False, True]))) * x[1] + np.delete(x, [-1, 0])[1])


def with_places(x):
    several = np.insert(x, [3, 0, 0], x[1:] * 2.0) @ np.arange(7.0)
    one = np.insert(x, np.array([1]), [7.0, x[0], 8.0]) @ np.arange(7.0)
    return several * one + np.sum(np.insert(x, slice(0, 2), 1.5) ** 2)


@pytest.mark.parametrize('f', [deleted, written, as_lists, without_places, with_places])
def test_derivatives(mode, f):
    check(mode, f, X)
    rows = np.array([X, X[::-1] * 1.5])
    assert np.allclose(tp.vmap(f)(rows), [f(row) for row in rows])


def too_few(x):
    t = [x[i] for i in range(x.size)]
    t[::2] = [x[0]]
    return t[0]


@pytest.mark.parametrize(('f', 'error', 'said'), [
    (too_few, ValueError, 'attempt to assign sequence of size 1 to extended slice of size 2'),
    (lambda x: np.sum(np.delete(x, [7])), IndexError, 'out of bounds'),
    (lambda x: np.sum(np.insert(x, [7], 2.0)), IndexError, 'out of bounds')])
def test_what_python_raises(mode, f, error, said):
    with pytest.raises(error, match=said):
        mode(tp.grad(f))(X)


def test_what_is_not_supported_is_a_refusal_in_batches_too():
    f = lambda x: np.sum(np.insert(x, np.array([True, False, False, False]), 2.0))
    with pytest.raises(tp.errors.UnsupportedFunction, match='`insert` does not take these arguments'):
        tp.vmap(f)(np.array([X, X]))
