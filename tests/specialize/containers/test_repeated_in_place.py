"""`items *= count` changes the list, under all its names, however long it is."""
import numpy as np
import pytest

import transpiler as tp


def another_name(x, n):
    items = [x] * n
    other = items
    items *= 2
    return sum(other) * len(other)


def of_a_run_time_count(x, n):
    items = [x, 2.0]
    other = items
    items *= n
    return sum(other) + len(items)


def in_a_dict(x, n):
    table = {'k': [x] * n}
    other = table['k']
    table['k'] *= 3
    return sum(other)


def by_a_function(x, n):
    def double(items):
        items *= 2
    items = [x] * n
    double(items)
    return sum(items)


def to_nothing(x, n):
    items = [x * k for k in range(n)]
    other = items
    items *= n - 4
    return sum(other) + x * len(other)


@pytest.mark.parametrize('f', [another_name, of_a_run_time_count, in_a_dict, by_a_function, to_nothing])
def test_as_python(mode, f):
    for n in (1, 3):
        value, slope = mode(tp.value_and_grad(f))(1.5, n)
        assert value == f(1.5, n) and abs(slope - (f(2.5, n) - f(0.5, n)) / 2.0) < 1e-12


def test_a_product_with_an_array_is_another_array(mode):
    def f(x):
        items = [1.0, x]
        other = items
        items *= np.array([2.0, 3.0])
        return np.sum(items) * len(other)
    assert f(1.5) == 13.0 and mode(tp.value_and_grad(f))(1.5) == (13.0, 6.0)
