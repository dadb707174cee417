"""`type(f)` where `f` may be None, a number or a function: a class on each path."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check


def a_number(x):
    factor = None if x[0] > 100.0 else 2.5
    if type(factor) is float:
        return x[0] * factor
    return x[0] * x[1]


def a_function(x):
    f = None if x[0] > 100.0 else (lambda v: v * v)
    if type(f) is float:
        return x[0] * f
    return x[1] ** 2 if f is None else f(x[0])


def in_a_loop(x):
    factor = None
    for v in x:
        if v > 100.0:
            factor = 2.5
    return x[0] * factor if type(factor) == float else x[1] ** 2  # noqa: E721


def of_none(x):
    factor = 2.5 if x[0] > 100.0 else None
    return x[0] * factor if type(factor) is not type(None) else x[1] ** 2


def any_of_these(x):
    def applied(f):
        return x[0] * (f if type(f) is float else f(x[1]))
    return applied(2.0) + applied(np.cos) + applied(lambda v: v * v)


@pytest.mark.parametrize('first', [200.0, 2.0])
@pytest.mark.parametrize('f', [a_number, a_function, in_a_loop, of_none, any_of_these])
def test_on_each_path(mode, f, first):
    x = np.array([first, 0.5, 0.75])
    check(mode, f, x)
    batch = np.array([[2.0, 0.5, 0.75], [200.0, 1.5, 0.25]])
    np.testing.assert_allclose(mode(tp.vmap(f))(batch), [f(row) for row in batch])
