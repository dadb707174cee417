"""A copy where NumPy may have a view: fine if what is written later is other memory under a name that loops give to both."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import numeric_grad

X = np.array([0.5, 1.25, 0.75])


def appended(x):
    a = np.zeros(1)
    for v in x:
        a = np.append(a, a[-1] + v**2)
    return np.sum(a[1:] * x)


def until_long_enough(x):
    a = np.array([x[0]])
    while a.size < 5:
        a = np.append(a, a[-1] * x[1])
    return np.dot(a[1:], a[:-1])


def beside(x):
    a = np.zeros(1)
    for v in x:
        a = np.hstack([a, v * v + a[-1]])
    return np.sum(np.sin(a[1:]))


def rows(x):
    a = np.zeros((1, 2))
    for v in x:
        a = np.vstack([a, a[-1] * v + 1])
    return np.sum(a[1:] ** 2)


@pytest.mark.parametrize('program', [appended, until_long_enough, beside, rows])
def test_arrays_that_grow_and_are_cut(mode, program):
    assert np.allclose(mode(tp.grad(program))(X), numeric_grad(program, (X,)), rtol=1e-6)
