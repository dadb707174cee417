"""Lists of lists whose lengths show at run time: the lists in them behave as lists, though they are kept in arrays."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([[1.0, 2.0], [3.0, 4.0]])


def operators_of_lists(x):
    rows = [[v for v in r] for r in x]
    total = sum(rows[0] + [1.0]) + (rows[0] * 3)[0] + sum([x[0, 0]] + rows[1]) + len(rows[0] * 2)
    total += (rows[0] + rows[1])[0] + max(rows[1]) * min(rows[1][1:])
    for row in rows:
        total += sum(row + [x[0, 0]]) * row[-1]
    return total * 3 if rows[0] else total


def unpacked_and_joined(x):
    rows = [[v for v in r] for r in x]
    (a, b), c = rows
    d, *e = rows[1]
    whole = np.sum(np.array(rows) @ np.array(rows[0])) + np.dot(rows[0], rows[1]) + np.sum(np.concatenate(rows)**2)
    return a * b + sum(c) * d * e[0] + whole + sum(u * v for u, v in zip(rows[0], rows[1]))


def whole_numbers(x):
    n = x.shape[0]
    rows = [[k + 1 for k in range(n)] for _ in range(n)]
    return x[0, 0] * rows[0][1]**-1 + x[1, 1] * x[rows[0][0], rows[0][0]]


def complex_items(x):
    z = [v * 1j for v in x[0]]
    z.append(1 + 2j * x[1, 1])
    z += [0j] * x.shape[0]
    return abs(z[0] * z[2]) + (z[1] * z[-1]).real


@pytest.mark.parametrize('f', [operators_of_lists, unpacked_and_joined, whole_numbers, complex_items])
def test_derivatives(f, mode):
    check(mode, f, X)


def compared(x):
    rows = [[v for v in r] for r in x]
    return x[0, 0] * 3 if rows[0] == rows[1] else x[0, 1]


def given_back(x):
    return [[v for v in r] for r in x]


def test_refused():
    with pytest.raises(tp.TranspileError):
        tp.grad(compared)(X)


def test_a_list_of_lists_is_no_result():
    with pytest.raises(tp.TranspileError, match='each of its items is a list'):
        tp.jvp(given_back, (X,), (X,))
