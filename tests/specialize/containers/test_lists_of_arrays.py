"""Lists of arrays of one shape, of run-time length, that are written into: one array, each of them a part of it."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

U = np.ones((3, 3)) * 0.5 + np.arange(9.0).reshape(3, 3) / 7


def levels(u, n):
    grids = [np.zeros_like(u) for _ in range(n)]
    grids[0][...] = u
    for k in range(1, n):
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                grids[k][i, j] += grids[k - 1][i, j] * 0.5 * k
        grids[k][0] *= 2.0
    g = grids[1]
    g[1, 1] = u[0, 0] ** 2
    return np.sum(grids[n - 1] ** 2) + grids[1][1, 1] * len(grids)


def copies(u, n):
    found = [u.copy() for _ in range(n)]
    for k, g in enumerate(found):
        g += k
        g[0, 0] = u[1, 1] * k
    rest = found[1:]
    found[1][2, 2] = u[0, 1] ** 2
    rest[0][2, 1] = u[0, 2] ** 3
    return sum(np.sum(g ** 2) for g in found) + rest[0][2, 2] + np.sum(np.array(found)[:, 2, 1])


@pytest.mark.parametrize('f', [levels, copies])
def test_derivatives(f, mode):
    check(mode, f, U, 3)


def one_many_times(u, n):
    z = np.zeros_like(u)
    found = [z for _ in range(n)]
    found[0][0, 0] = u[0, 0] ** 2
    return found[1][0, 0] + z[0, 0]


def under_a_name_too(u, n):
    found = []
    for k in range(n):
        a = np.zeros_like(u)
        found.append(a)
        a[0, 0] = u[0, 0] * k
        found[k][1, 1] = u[1, 1] ** 2
    return found[2][0, 0] + found[1][1, 1]


def replaced(u, n):
    found = [np.zeros_like(u) for _ in range(n)]
    found[0][0, 0] = u[0, 0]
    found[1] = found[0]
    found[0][1, 1] = u[1, 1]
    return np.sum(found[1] ** 2)


def of_many_shapes(u, n):
    found = [np.zeros(k + 1) for k in range(n)]
    found[2][1] = u[0, 0] ** 2
    return found[2][1] * 3


@pytest.mark.parametrize('f', [one_many_times, under_a_name_too, replaced, of_many_shapes])
def test_refused(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(U, 3)


def centres(points, centre):
    """A list of arrays that is made an array in every turn, as k-means does."""
    for _ in range(2):
        nearest = ((points[:, None, :] - centre[None]) ** 2).sum(-1).argmin(axis=1)
        rows = []
        for k in range(len(centre)):
            mine = points[nearest == k]
            rows.append(np.sin(mine.sum(axis=0)) / max(len(mine), 1) + 0.1 * centre[k] ** 2)
        centre = np.array(rows) + 0.5 * np.stack(rows) ** 2
    return np.sum(centre ** 2)


@pytest.mark.parametrize('argnum', [0, 1])
def test_a_list_that_every_turn_makes_an_array(mode, argnum):
    points = np.array([[0.1, 0.9], [1.2, 0.3], [-0.4, 0.5], [2.0, 1.1], [0.3, -0.7]])
    check(mode, centres, points, points[:3] * 0.9, argnums=argnum)


def rows_with_starts(x):
    """What is put on the list is read before: its cotangent is added to in place."""
    rows, total = [], 0.0
    for k in range(len(x)):
        row = x[k] * 2.0
        total = total + row[0] ** 2
        rows.append(row)
    return np.array(rows), total


def test_a_cotangent_that_others_hold_is_not_changed_by_the_list():
    x, cotangent = np.arange(6.0).reshape(3, 2), np.ones((3, 2))
    _, pullback = tp.vjp(rows_with_starts, x)
    for _ in range(2):
        np.testing.assert_array_equal(pullback((cotangent, 1.0))[0], np.stack([2.0 + 8.0 * x[:, 0], [2.0, 2.0, 2.0]], axis=1))
    np.testing.assert_array_equal(cotangent, np.ones((3, 2)))


def test_lists_of_what_is_not_known_yet():
    assert 'points_bar' in tp.grad(lambda points: np.sum(rows_with_starts(points)[0])).source
