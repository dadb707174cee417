"""A name of a function that certainly has no value raises UnboundLocalError, whatever has that name around the function."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([0.5, 0.7, 3.0])
i, y = 5, 7.0


def no_iterations(x):
    for k in range(0):
        y = x[k]
    return y * x[0]


def no_rows(x):
    for i in x[:0]:
        pass
    return i * x[0]


def never(x):
    if False:
        y = x[0]
    return y * x[0]


def updated(x):
    for k in range(0):
        y = x[k]
    y += x[0]
    return y


def named_in_a_test(x):
    for k in range(0):
        [(y := v) for v in x]
    return y * x[0]


@pytest.mark.parametrize('f', (no_iterations, no_rows, never, updated, named_in_a_test), ids=lambda f: f.__name__)
def test_certainly_no_value(f):
    for transformed, argument in ((f, X), (tp.grad(f), X), (tp.jit(f), X), (tp.vmap(f), X[None])):
        with pytest.raises(UnboundLocalError, match="cannot access local variable '[iy]'"):
            transformed(argument)


def test_read_inside_before_it_has_a_value():
    def f(x):
        def inside():
            return y * x[0]
        first = inside()
        y = x[1]
        return first
    with pytest.raises(NameError, match="'y'"):
        tp.grad(f)(X)


def test_names_of_comprehensions_are_not_the_functions():
    def f(x):
        items = [y for y in x]
        return y * items[0]
    np.testing.assert_allclose(tp.grad(f)(X), [7.0, 0.0, 0.0])
    assert tp.vmap(f)(X[None]) == 3.5


def test_on_another_path():
    def f(x):
        for k in range(0):
            y = x[k]
        if x[0] > 1:
            return y * x[0]
        return x[0] * x[0]
    np.testing.assert_allclose(tp.grad(f)(X), [1.0, 0.0, 0.0])
    with pytest.raises(UnboundLocalError):
        tp.grad(f)(X * 3)
