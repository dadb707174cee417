"""Trap 16: two cotangents that start as one value must not share the memory in which each then changes."""

import numpy as np
import pytest

from tests.support import check


def both_written_before(x):
    y, w = x * 1.0, x * 2.0
    y[0] = x[1] * x[2]
    w[1] = x[0] * x[2]
    z = y + w
    return np.sum(z * z)


def both_written_in_a_loop(x):
    y, w = x.copy(), 2 * x
    z = y
    for i in range(1, x.size):
        z = y + w
        y[i] = z[i - 1] * x[i]
        w[i - 1] = z[i] * y[i]
    return np.sum(z * y * w)


def the_same_twice(x):
    y = x + x
    y[0] *= y[1]
    z = y + y
    z[1] = y[0]
    return np.sum(z * y)


@pytest.mark.parametrize('f', (both_written_before, both_written_in_a_loop, the_same_twice), ids=lambda f: f.__name__)
def test_apart(mode, f):
    check(mode, f, np.array([0.5, 1.2, -0.7, 0.9]), order=2)
