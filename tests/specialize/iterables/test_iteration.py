"""What a `for` runs over: arrays, ranges, containers, and `zip`, `enumerate` and `reversed` of them."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError

X, Y = np.array([0.3, 0.7, 1.1, 0.9]), np.array([0.5, 0.2, 0.8])


def pairs(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b * b
    return s


def pairs_starred(x, y):
    s = 0.0
    for a, *rest in zip(x, y, x):
        s += a * rest[0] * rest[1]
    return s


def numbered(x, y):
    s = 0.0
    for i, v in enumerate(x):
        s = s * 0.5 + v * v * i
    return s


def numbered_from(x, y):
    s = 0.0
    for i, v in enumerate(y, start=2):
        s += v ** 3 / i
    return s * x[0]


def backwards(x, y):
    s = 0.0
    for v in reversed(x):
        s = s * 0.5 + v * v
    return s


def range_backwards(x, y):
    s = 0.0
    for i in reversed(range(1, len(x), 2)):
        s = s * 0.5 + x[i] ** 2
    return s


def nested(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y[1:])):
        s += a * b ** 2 * i + s * b
    return s


def range_beside_an_array(x, y):
    s = 0.0
    for i, v in zip(range(2, 100, 3), x):
        s += v ** 2 * i
    return s


def container_beside_an_array(x, y):
    s = 0.0
    for name, v in zip(('a', 'b'), x):
        s += v * v if name == 'b' else v ** 3
    return s


def rows_of_two(x, y):
    s = 0.0
    for row, v in zip(np.outer(x, y), x):
        s += np.sum(row * row) * v
    return s


def backwards_beside(x, y):
    s = 0.0
    for a, (i, b) in zip(reversed(x), enumerate(y)):
        s += a * b * b * (i + 1)
    return s


FUNCTIONS = (pairs, pairs_starred, numbered, numbered_from, backwards, range_backwards, nested, range_beside_an_array,
             container_beside_an_array, rows_of_two, backwards_beside)


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_loops(mode, f):
    check(mode, f, X, Y, order=2)


def test_one_program_for_all_lengths():
    gradient = tp.grad(pairs)
    for m, n in ((4, 3), (2, 5), (3, 3), (0, 2)):
        x, y = np.arange(1.0, m + 1), np.arange(1.0, n + 1)
        expected = np.zeros(m)
        expected[:min(m, n)] = y[:min(m, n)] ** 2
        assert np.array_equal(gradient(x, y), expected)


def test_dict_items(mode):
    def f(parts):
        s = 0.0
        for k, v in parts.items():
            s += v ** 2 * (2.0 if k == 'a' else 3.0)
        for k, value in zip(parts, parts.values()):
            s += value ** 3
        return s
    check(mode, f, {'a': 0.5, 'b': 0.7})


def test_an_array_that_is_too_short():
    def f(x):
        s = 0.0
        for name, v in zip(('a', 'b', 'c'), x):
            s += v * v if name == 'b' else v ** 3
        return s
    with pytest.raises(ValueError, match='shorter'):
        tp.grad(f)(np.ones(2))
    assert np.array_equal(tp.grad(f)(np.ones(1)), [3.0])        # of so few items the number is known


def test_iterators_that_are_read_twice_get_no_names():
    def f(x):
        both = zip(x, x)
        s = 0.0
        for a, b in both:
            s += a * b
        return s + sum(a for a, b in both)
    with pytest.raises(TranspileError, match='may have read it before'):
        tp.grad(f)(X)
