"""Tables that are asked for an item at run time, members of sets, and whether two objects are one."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, 0.4, 2.1])
KINDS = np.array([0, 3, 1, 2])
COEFFICIENTS = (0.5, -1.2, 0.3, 2.0)
NODES = [-0.7745966692414834, 0.0, 0.7745966692414834]
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
MASSES = {0: 0.5, 1: 1.5, 2: 4.0, 3: 2}
EDGE = {0, 3}


def numbers(x, kinds):
    total = 0.0
    for i in range(len(x)):
        total += COEFFICIENTS[kinds[i]] * x[i] ** 2 + NODES[kinds[i] % 3] * x[i] + COEFFICIENTS[-1 - kinds[i]]
    return total


def of_its_own(x, kinds):
    table = (x[0], 2.0, x[1] * x[2])
    total, k = 0.0, 0
    while k < len(kinds):
        total += table[kinds[k] % 3] ** 2
        k += 1
    return total


def rows(x, kinds):
    u, r, c, total = np.outer(x, x), 1, 1, 0.0
    for k in kinds:
        dr, dc = STEPS[k]
        r, c = (r + dr) % 4, (c + dc) % 4
        total += u[r, c] ** 2 * STEPS[(k + 1) % 4][0]
    return total


def by_number(x, kinds):
    total = 0.0
    for i in range(len(x)):
        total += MASSES[kinds[i]] * x[i] ** 2
    return total


def members(x, kinds):
    total = 0.0
    for i in range(len(x)):
        if kinds[i] in EDGE:
            total += x[i] ** 2
        if i not in {1, 2} and i in (0, 3, 5):
            total += 3 * x[i]
        if 2 in frozenset([1, 2]) and 'a' in {'a', 'b'}:
            total += x[0]
    return total


@pytest.mark.parametrize('f', [numbers, of_its_own, rows, by_number, members])
def test_derivatives(f, mode):
    check(mode, f, X, KINDS)


def test_what_is_not_there(mode):
    with pytest.raises(IndexError):
        mode(tp.grad(numbers))(X, np.array([0, 4, 1, 2]))
    with pytest.raises(KeyError):
        mode(tp.grad(by_number))(X, np.array([0, 4, 1, 2]))


def test_a_global_set_that_changes():
    one = tp.grad(members)(X, KINDS)
    EDGE.add(1)
    try:
        assert not np.array_equal(tp.grad(members)(X, KINDS), one)
    finally:
        EDGE.discard(1)


class Body:
    def __init__(self, mass, place):
        self.mass, self.place, self.force = mass, place, 0.0


def each_other(x):
    found = [Body(1.0 + v, v) for v in x]
    fixed = [Body(1.0, x[0]), Body(2.0, x[1])]
    for some in (found, fixed):
        for a in some:
            for b in some:
                if a is not b:
                    a.force += b.mass * (b.place - a.place) ** 2
    return sum(b.force for b in found) + fixed[0].force * fixed[1].force


def names_of_one(x):
    a = [x[0], x[1]]
    b, c, d = a, [x[0], x[1]], {'k': x[0]}
    total = 0.0
    if a is b and a is not c and b is not None:
        total += x[2] ** 2
    if d is not c and None is not a:
        total += x[3] ** 3
    return total


def one_of_several(x):
    total, n = 0.0, x.size
    for k in range(n + 2):
        if k in (0, n - 1, n):
            total += x[k % n] ** 2
        if k not in [n - 2, 7]:
            total += np.sin(x[k % n])
        if 3 in (k, 3) and k not in ():
            total += 2 * x[k % n] if x[0] in (x[1], x[k % n]) else x[k % n]
    return total


@pytest.mark.parametrize('f', [each_other, names_of_one, one_of_several])
def test_one_or_two(f, mode):
    check(mode, f, X)


def numbers_that_are_one(x):
    return x * 2 if x is not abs(x) else x


def one_of_two(x):
    a, b = [x], [2 * x]
    c = a if x > 1 else b
    return x * 2 if c is a else x


@pytest.mark.parametrize('f', [numbers_that_are_one, one_of_two])
def test_refused(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(2.0)


def changing(x):
    table = [[x, 1.0], [2.0, x]]
    k = int(x)
    row = table[k % 2]
    table[0][1] = x * x
    return row[1]


def test_a_list_in_a_list_that_may_change_is_refused():
    with pytest.raises(tp.TranspileError):
        tp.grad(changing)(2.0)


def joined(x):
    d = {'a': x[0], 'b': x[1]} | {'b': x[2]}
    d |= {'c': x[3] ** 2}
    best = float('inf')
    for v in d.values():
        best = min(best, v)
    return best * d['c'] + d['b']


def test_dicts_are_joined(mode):
    check(mode, joined, X)
