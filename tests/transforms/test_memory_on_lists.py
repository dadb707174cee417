"""Arrays that lie on a list while they are written: second derivatives of programs that keep arrays, and lists of the user's."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support import PLAIN, check


def between_loops(x):
    u, total = x.copy(), 0.0
    for _ in range(3):
        for t in range(2):
            u = u + 0.1 * np.sin(u + t)
        u[0] = np.sin(total)
        total = total + 0.1 * np.sum(u * u)
    return total


def anew_in_every_turn(x):
    u = x * 1.0
    for _ in range(2):
        u = u * u
        u[0] = u[1]
    return np.sum(u)


@pytest.mark.parametrize('f', [between_loops, anew_in_every_turn], ids=lambda f: f.__name__)
def test_second_derivatives(f):
    check(PLAIN, f, np.array([0.3, 0.9, -0.4, 0.7]), order=2)


def test_a_list_of_the_program():
    def shown(x):
        u = x * 1.0
        ys = []
        ys.append(u)
        u[0] = x[1]
        v = ys.pop()
        return np.sum(v * v)
    check(PLAIN, shown, np.array([0.5, 1.2, 0.7]), order=2)
