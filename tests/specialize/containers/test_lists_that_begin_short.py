"""Lists of lists that begin with known ones, and get others of other lengths in loops: triangles, prefixes, groups."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check


def triangle(x):
    rows = [[1.0]]
    for v in x:
        last = rows[-1]
        rows.append([1.0] + [last[k] + last[k + 1] * v for k in range(len(last) - 1)] + [1.0])
    return sum(rows[-1])


def binomials(x):
    rows = [[1]]
    for _ in range(len(x)):
        last = rows[-1]
        rows.append([1] + [last[k] + last[k + 1] for k in range(len(last) - 1)] + [1])
    total = 0.0
    for k in range(len(x)):
        total += rows[-1][k] * x[k] ** 2
    return total


def prefixes(x):
    rows = [[]]
    for v in x:
        rows.append(rows[-1] + [v * v])
    return sum(rows[-1]) + len(rows[0]) + sum([len(row) * sum(row) for row in rows])


def joined(x):
    rows = [[x[0]], [x[1], x[2]]]
    for v in x:
        rows.append([v])
    return np.sum(np.concatenate(rows) ** 2)


def grown_while(x):
    rows = [[1.0]]
    while len(rows) < 4:
        rows.append([x[0] * v for v in rows[-1]] + [x[1]])
    return rows[-1][0] + rows[-1][-1] * rows[2][1]


PROGRAMS = [triangle, binomials, prefixes, joined, grown_while]
X = np.array([0.5, 1.25, -0.75])


@pytest.mark.parametrize('program', PROGRAMS)
def test_derivatives(mode, program):
    check(mode, program, X)


@pytest.mark.parametrize('program', PROGRAMS)
def test_batches(program):
    batch = np.stack([X, X[::-1]])
    np.testing.assert_allclose(tp.vmap(program)(batch), [program(x) for x in batch])


def test_tuples_are_refused_by_their_lengths():
    def f(x):
        pairs = []
        for v in x:
            if v > 1.0:
                pairs.append((v,))
            else:
                pairs.append((v, v))
        return sum([sum(pair) for pair in pairs])

    with pytest.raises(tp.TranspileError, match='a tuple of 1 item, another a tuple of 2 items'):
        tp.grad(f)(X)
