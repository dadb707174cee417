"""Iterators under a name: read once, each where it is; read again, refused."""

import numpy as np
import pytest

import transpiler as tp

X = np.array([0.5, 1.5, 2.5])


def a_generator(x):
    squares = (v * v for v in x)
    return sum(squares)


def a_chain_of_iterators(x):
    items = map(np.sin, x)
    items = filter(lambda v: v > 0.6, items)
    return sum(items)


def total(items):
    s = 0.0
    for v in items:
        s = s + v
    return s


def handed_on(x):
    doubled = (2 * v for v in x)
    return total(doubled) * total(v * k for k, v in enumerate(x))


def given_back(x):
    def squares():
        return (v * v for v in x)

    first, second = squares(), squares()
    return sum(first) * max(second)


def of_iterators(x):
    pairs = zip(x, x[1:])
    s = sum(a * b for a, b in pairs)
    pairs = zip(x, 3 * x)
    return s + sum(a * b for a, b in pairs)


READ_ONCE = [(a_generator, [1.0, 3.0, 5.0]), (a_chain_of_iterators, [0.0, np.cos(1.5), 0.0]), (handed_on, None),
             (given_back, None), (of_iterators, None)]


@pytest.mark.parametrize(('f', 'slope'), READ_ONCE)
def test_read_once(mode, f, slope):
    assert np.isclose(mode(f)(X), f(X))
    found = mode(tp.grad(f))(X)
    if slope is None:
        shifted = [f(X + 1e-6 * e) - f(X - 1e-6 * e) for e in np.eye(3)]
        slope = np.array(shifted) / 2e-6
    assert np.allclose(found, slope, rtol=1e-5)


def read_twice(x):
    squares = (v * v for v in x)
    return sum(squares) + sum(squares)


def with_another_factor(x):
    k = 2.0
    scaled = (k * v for v in x)
    k = x[0]
    return sum(scaled)


def of_an_array_that_changes(x):
    y = x.copy()
    squares = (v * v for v in y)
    y[0] = 7.0
    return sum(squares)


def of_an_array_that_the_loop_changes(x):
    y, s = x.copy(), 0.0
    squares = (v * v for v in y)
    for v in squares:
        s += v
        y[1] = s
    return s


def in_every_iteration(x):
    squares, s = (v * v for v in x), 0.0
    for _ in range(2):
        s += sum(squares)
    return s


@pytest.mark.parametrize('f', [read_twice, with_another_factor, of_an_array_that_changes, of_an_array_that_the_loop_changes,
                               in_every_iteration])
def test_what_would_not_be_what_python_gives_is_refused(f):
    with pytest.raises(tp.TranspileError, match='iterator|may change what the items are made of'):
        tp.grad(f)(X)
