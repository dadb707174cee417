"""Iterations that take other ways than the first one, since what they begin with has another shape: what these change counts."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.0, 2.0, 3.0])


def by_shape(x):
    h, total = np.zeros((1, 2)), 0.0
    for i in range(x.size):
        if h.shape[1] == 3:
            total = total + np.sum(h @ np.ones((3, 2)))
        h = np.ones((1, 3)) if i % 2 == 0 else np.ones((1, 2))
    return total * x[0]


def by_size(x):
    h, total, last = np.zeros(1), 0.0, x
    for i in range(x.size):
        if h.size > 1:
            total, last = total + np.sum(h), last * x[i]
        h = np.append(h, x[i])
    return total + last[0]


def nested(x):
    h, total = np.zeros(1), 0.0
    for _ in range(2):
        for v in x:
            if h.size == 1:
                continue
            total += v * h[1]
        h = np.append(h, x[1])
    return total


def until(x):
    h, total, i = np.zeros(1), 0.0, 0
    while i < 3:
        if h.size == 2:
            total = total + h[1]
        h = np.append(h, x[i])
        i += 1
    return total


def of_nothing(x):
    h, total, place = np.zeros(0), 0.0, None
    for i in range(x.size):
        if i > 0:
            total, place = total + np.max(h), np.argmax(h)
        h = np.append(h, x[i])
    return total if place is None else total * (1 + place)


def of_other_sizes(x):
    h, total = np.zeros(2), 0.0
    for i in range(x.size):
        if i > 0:
            total = total + np.sum(h * np.ones(3))
        h = np.ones(3) * x[i]
    return total


@pytest.mark.parametrize('f', [by_shape, by_size, nested, until, of_nothing, of_other_sizes])
def test_they_count(f):
    steps = 1e-6 * np.eye(3)
    slopes = [(f(X + step) - f(X - step)) / 2e-6 for step in steps]
    assert np.isclose(tp.vmap(f)(X[None])[0], f(X))
    value, gradient = tp.value_and_grad(f)(X)
    assert np.isclose(value, f(X)) and np.allclose(gradient, slopes, atol=1e-8)
    assert np.isclose(tp.jvp(f, (X,), (np.ones(3),))[1], np.sum(slopes))


@pytest.mark.compiles
def test_compiled():
    f = lambda x: (by_shape(x), until(x), of_nothing(x))
    assert np.allclose(tp.jit(f)(X), f(X))
