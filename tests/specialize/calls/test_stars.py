"""Starred arguments, parameters, targets and displays."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError

X = np.array([0.3, 0.7, 1.1, 0.9])


def product(first, *rest, scale=1.0, **options):
    total = first
    for part in rest:
        total = total * part
    return total * scale + options.get('bias', 0.0)


def calls(x):
    args, options = (x[0], x[1], x[2]), {'scale': x[3], 'bias': x[1] ** 2}
    return product(*args, **options) + product(x[0], *args[1:], scale=2.0)


def targets(x):
    first, *middle, last = x[0], x[1], x[2], x[3]
    (a, *rest), b = (first, last), middle
    return a * rest[0] ** 2 + b[0] * b[1] * len(middle)


def displays(x):
    pair = (x[0], x[1])
    row = [*pair, x[2] * x[2], *pair]
    both = {**{'a': x[0], 'b': x[1]}, 'b': x[3] ** 2}
    return row[2] * row[4] + both['a'] * both['b'] + np.sum(np.array([*row]))


def an_index(x):
    place = (1,)
    return x[(*place,)] ** 3


@pytest.mark.parametrize('f', (calls, targets, displays, an_index), ids=lambda f: f.__name__)
def test_inside(mode, f):
    check(mode, f, X, order=2)


def test_parameters_of_the_function_itself(mode):
    def f(x, *rest, k=2.0, **options):
        return x ** 2 * rest[0] * k * options['w'] + rest[1]
    assert mode(tp.grad(f))(2.0, 3.0, 1.0, k=1.5, w=0.5) == 9.0
    assert mode(tp.grad(tp.grad(f)))(2.0, 3.0, 1.0, w=0.5) == 6.0
    assert 'def f_grad(x, *rest, k=2.0, **options):' in tp.grad(f).lower(2.0, 3.0, 1.0, w=0.5).source




def test_errors():
    with pytest.raises(TranspileError, match='given twice'):
        tp.grad(lambda x: product(x, scale=x, **{'scale': 1.0}))(1.0)
    with pytest.raises(TranspileError, match='unexpected keyword'):
        tp.grad(lambda x: (lambda a: a)(x, b=1.0))(1.0)
    with pytest.raises(ValueError, match='not enough values to unpack'):
        tp.grad(lambda x: _too_many(x))(1.0)


def _too_many(x):
    a, b, *c = (x,)
    return a


def test_arrays_of_another_length_are_not_unpacked(mode):
    def two(x):
        a, b = x
        return a * b

    def unread(x):
        a, b = x
        return np.sum(x)
    assert np.array_equal(mode(tp.grad(two))(np.array([2.0, 3.0])), [3.0, 2.0])
    for f in (two, unread):
        for size in (3, 4):
            with pytest.raises(ValueError, match='values to unpack'):
                mode(tp.grad(f))(np.ones(size))
