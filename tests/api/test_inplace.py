"""Functions that write into an argument: `out=`, `np.add.at` and its kin, `np.put`, methods that change their array."""
import inspect

import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.rules.arrays.inplace import FUNCTIONS


def ufuncs(x, idx):
    y = np.empty(4)
    np.multiply(x, 2.0, out=y)
    np.add(y, x, y)
    z = np.sin(y, out=(y,))
    np.exp(0.1 * x, out=z)
    return np.sum(y * z)


def where_it_holds(x, idx):
    y = np.ones(4)
    np.divide(x[0], x - 0.4, out=y, where=x > 0.5)
    np.sqrt(y, y, where=y > 0.5)
    table = np.outer(x, x)
    np.log(x - 0.4, table, where=x > 0.5)
    return np.sum(y * x) + np.sum(table ** 2)


def reductions(x, idx):
    row, numbers, table = np.zeros(4), np.zeros(1), np.outer(x, x)
    np.sum(table, axis=0, out=row)
    np.cumsum(row, out=row)
    np.dot(table, row, out=row)
    table.mean(axis=1, out=row)
    row.sum(keepdims=True, out=numbers)
    np.clip(row, 1.0, 90.0, out=row)
    return np.sum(row * x) * numbers[0]


def ufunc_methods(x, idx):
    table = np.subtract.outer(x, x[:3]) * np.multiply.outer(x, np.add.accumulate(x[:3]))
    return np.sum(np.add.reduce(table) ** 2) + np.maximum.reduce(x) * np.multiply.reduce(table, axis=1)[0]


def at_repeated_places(x, idx):
    y = np.ones(4)
    np.add.at(y, idx, x)
    np.subtract.at(y, idx[:2], 0.3)
    np.multiply.at(y, idx, x)
    np.maximum.at(y, [3, 3], x[:2])
    table = np.outer(x, x)
    np.add.at(table, (idx, idx), x)
    np.add.at(table, np.s_[:, idx], x[0])
    np.divide.at(table, (slice(None), 1), 1.5)
    return np.sum(y * y) + np.sum(table ** 2)


def puts(x, idx):
    y, table = x * 1.0, np.outer(x, x)
    np.put(y, idx, x[1:3] ** 2)
    y.put([0, -1], x[0] * x[1])
    np.put(table, [0, 5, -1], x)
    np.put_along_axis(table, np.argmax(table, axis=1)[:, None], 3.0 * x[:, None], axis=1)
    np.put_along_axis(y, idx, x ** 2, None)
    return np.sum(y * y) + np.sum(table ** 2 * x)


def masked(x, idx):
    y, table = x * 1.0, np.outer(x, x)
    np.place(table, table > 1.0, x[:3])
    np.putmask(table, table < 0.5, x[:2])
    np.putmask(y, y > 1.0, y * x)
    np.copyto(y, x[0] ** 2, where=x < 0.9)
    np.copyto(table, x[:, None])
    table[0, 0] = y[1]
    return np.sum(y * y) + np.sum(table ** 2 * x)


def diagonals(x, idx):
    table, tall, cube = np.outer(x, x), np.outer(x, x[:2]), np.multiply.outer(np.outer(x, x), x)
    np.fill_diagonal(table, x * x)
    np.fill_diagonal(tall, x[0] ** 2)
    np.fill_diagonal(cube, x[:3])
    return np.sum(table ** 2) + np.sum(tall ** 2) + np.sum(cube ** 2)


def sorted_and_filled(x, idx):
    y, table = x * 2.0, np.outer(x, x)
    y.sort()
    table.sort(axis=0)
    z = np.empty_like(y)
    z.fill(x[1])
    return np.sum(y * np.arange(4) * z) + np.sum(table[0] ** 2)


def by_flat_index(x, idx):
    table, turned = np.zeros((2, 2)), x.reshape(2, 2).copy().T
    table.flat[3] = x[0]
    table.flat[-4] = x[1] * table.flat[3]
    turned.flat[1:3] *= x[3]
    turned.flat[::2] += [x[0], x[1]]
    turned.flat[idx[:2]] += x[2]
    for i in range(4):
        table.flat[i] += turned.flat[i] * x[i]
    whole = np.ones((2, 2))
    whole.flat = x[::-1]
    whole.flat[x > 1.0] = x[0]
    return np.sum(table ** 2 * turned * whole)


X, IDX = np.array([1.3, 0.4, 1.9, 0.8]), np.array([0, 3, 3, 1])
PROGRAMS = [ufuncs, where_it_holds, reductions, ufunc_methods, at_repeated_places, puts, masked, diagonals, sorted_and_filled,
            by_flat_index]


@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('f', PROGRAMS)
def test_derivatives(mode, f):
    check(mode, f, X, IDX, order=1 if mode.compiled else 2)


@pytest.mark.parametrize('function', FUNCTIONS, ids=lambda function: function.__name__)
def test_parameters_are_those_of_numpy(function):
    theirs = inspect.signature(function).parameters
    for name, parameter in inspect.signature(FUNCTIONS[function]).parameters.items():
        assert name in theirs and parameter.default == theirs[name].default


@pytest.mark.parametrize('function, args', [
    (np.put, ([0, 7, -1], [1.5, 2.5])), (np.put, (np.array([[1, 1], [2, 3]]), 4.0)), (np.place, (X > 1.0, [7.0])),
    (np.place, (np.eye(4, 3) > 0, [7.0, 8.0])), (np.putmask, (np.eye(4, 3) > 0, [7.0, 8.0, 9.0])), (np.fill_diagonal, (5.0,)),
    (np.fill_diagonal, ([1.0, 2.0],)), (np.copyto, (np.array([1.0, 2.0, 3.0]),)),
    (np.put_along_axis, (np.array([[2, 1, 0]]), 9.0, 0)), (np.put_along_axis, (np.array([3, 5]), [1.0, 2.0], None)),
], ids=lambda value: getattr(value, '__name__', ''))
def test_definitions_agree_with_numpy(function, args):
    mine, theirs = np.arange(12.0).reshape(4, 3), np.arange(12.0).reshape(4, 3)
    if function is np.place and args[0].ndim == 1:
        mine, theirs = mine[:, 0].copy(), theirs[:, 0].copy()
    FUNCTIONS[function](mine, *args)
    function(theirs, *args)
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize('write', [
    lambda x: np.sin(x, where=x > 1), lambda x: np.sum(x, out=np.zeros((), np.float32)),
    lambda x: np.add(x, x, out=np.zeros(4, int)), lambda x: np.add.at(np.zeros(4, int), [0], x[:1]),
    lambda x: np.put(x, [9], 1.0, mode='clip'), lambda x: np.fill_diagonal(np.outer(x, x), 1.0, wrap=True),
    lambda x: np.add.reduceat(x, [0, 2]), lambda x: np.cumsum(np.outer(x, x), out=np.zeros((4, 4)))])
def test_refused(write):
    def f(x):
        write(x)
        return np.sum(x)
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(X)


def without_axes(x):
    s = np.zeros(())
    s += x[0]
    t = np.array(3.0)
    t[()] = x[2]
    for i in range(3):
        t *= x[i]
    u = np.array(1.0)
    u[...] = s * t
    return s * 2.0 + t * t + u


def test_arrays_without_axes(mode):
    x = np.array([1.5, 2.5, 3.5])
    check(mode, without_axes, x, order=2)
    np.testing.assert_allclose(tp.vmap(without_axes)(np.stack((x, 2 * x))), [without_axes(x), without_axes(2 * x)])
