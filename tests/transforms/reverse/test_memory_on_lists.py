"""Arrays that lie on a list while they are written: second derivatives of programs that keep arrays, and lists of the user's."""

from __future__ import annotations

import numpy as np
import pytest

import transpiler as tp
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


def test_lists_that_nobody_changes_any_more_are_read_again():
    def cubes(x, n):
        parts = [x[:k + 1] * (k + 1.0) for k in range(n)]
        return sum(np.sum(part ** 3) for part in parts) + np.sum(np.sin(np.concatenate(parts)))

    def cubes_in_place(x, n):
        parts = [x * (k + 1.0) for k in range(n)]
        total = 0.0
        for k in range(n):
            total += np.sum(parts[k] ** 3)
            parts[k] = np.sin(parts[k])
        return total + np.sum(parts[0])

    x = np.array([0.5, 1.2, 0.7])
    for f in cubes, cubes_in_place:
        check(PLAIN, f, x, 3)
    assert '_tape' not in tp.grad(cubes).lower(x, 3).source
