"""Where NumPy takes a list or a tuple for an array, so do derivatives."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import UnsafeMutation, UnsupportedFunction

X = np.array([0.4, 1.3, 0.9])


def reductions(x):
    return np.sum([x[0], x[1]*x[1]]) + np.max([x[0]*x[2], 0.1]) + np.linalg.norm((x[0], 2.0))


def products(x):
    return np.dot([x[0], x[1], 2.0], x) + np.sum(x @ [[1.0, x[0]], [0.0, 2.0], [x[1], 1.0]])


def functions(x):
    return np.sum(np.sin([x[0], x[1]])) + np.sum(np.cumsum((x[0], x[1]*x[1])))


def places(x):
    return np.sum(np.take(x, [0, 1])**2) + np.sum(x.take([[0, 1], [2, 1]])**3) + np.sum(np.take(np.outer(x, x), (0, 1), axis=1))


def matrices(x):
    return np.sum(np.linalg.solve([[2.0, x[0]], [0.1, 1.0]], x[:2]))


def operators(x):
    return np.sum(x*[1, 2, 3]) + np.sum([1.0, x[0], 2.0]*x) + np.sum((1.0, 2.0, 3.0) - x**2)


def comparisons(x):
    return np.sum(np.where(x > [0.5, 2.5, 0.1], x**2, [1.0, 2.0, x[0]]))


def in_place(x):
    z = x.copy()
    z += [1.0, x[2], 3.0]
    z *= (1, 2, 3)
    z[1:] -= [x[0], 0.5]
    return np.sum(z*z)


def beside_numbers(x):
    return np.sum(x[0] + [1.0, x[1]]) + np.sum(((0.5, 2.0) < x[1])*x[2]**2) + np.all(x[0] == [x[0], x[0]])*x[1]


def options(x):
    return np.average([x[0], x[1]], weights=[1.0, x[2]]) + np.trapezoid((x[0], x[1], x[2]), x=[0.0, 1.0, x[1] + 2.0])


def nested(x):
    return np.sum([x*2, x**2]) + np.max([[x[0], x[1]], [x[2], x[0]*x[1]*4]]) + np.mean([v*v for v in x])


def growing(x):
    ys = []
    for v in x:
        ys.append(v*v)
    return np.sum(x*ys) + np.sum(ys + x) + np.dot(ys, x) + np.linalg.norm(ys)


FUNCTIONS = [reductions, products, functions, places, matrices, operators, comparisons, in_place, beside_numbers, options, nested,
             growing]


@pytest.mark.parametrize('function', FUNCTIONS, ids=lambda function: function.__name__)
def test_derivatives(mode, function):
    check(mode, function, X, order=1 if mode.compiled else 2)


def test_an_array_of_integers_repeats_no_list():
    def scaled(x, m):
        return np.sum(x)*np.sum(m*[1.0, 2.0, 3.0])
    assert tp.grad(scaled)(X, np.array([2])).tolist() == [12.0]*3
    assert tp.grad(scaled)(X, np.array([1, 2, 3])).tolist() == [14.0]*3


def test_a_number_of_numpy_equals_a_list_item_by_item(mode):
    def chosen(x):
        return x[1] if x[0] == [0.4, 2.0] else x[2]
    for function in (chosen, mode(tp.grad(chosen))):
        with pytest.raises(ValueError, match='ambiguous'):
            function(X)


def test_tuples_are_compared_item_by_item():
    def sorted_pairs(x, n):
        s = 0.0
        for a, b in ((1, 2), (2, 1), (n, 1)):
            if (a, b) < (b, a):
                s += x[0]
            if (a, b) >= (b, a):
                s += 10.0*x[1]
        return s
    assert tp.grad(sorted_pairs)(X, 2).tolist() == [1.0, 20.0, 0.0]
    assert tp.grad(sorted_pairs)(X, 0).tolist() == [2.0, 10.0, 0.0]


def test_what_numpy_refuses():
    def lengths(x):
        return np.sum(x*[1.0, 2.0])

    def casts(x):
        z = np.zeros(3, dtype=int)
        z += [0.5, 1.0, 2.0]
        return np.sum(x*z)
    with pytest.raises((UnsupportedFunction, ValueError)):
        tp.grad(lengths)(X)
    with pytest.raises((UnsafeMutation, TypeError)):
        tp.grad(casts)(X)
