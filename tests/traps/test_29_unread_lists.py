"""Trap 29, on lists of run-time length: items that nothing reads have no influence, be the slope of what is on them infinite."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same
from tests.traps.test_29_no_influence import X, by_differences
from tests.traps.test_29_no_influence import test_every_way_of_taking_a_derivative as agrees

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')


def an_item(x):
    e = [np.sqrt(v) for v in x]
    return e[1] * e[2]


def appended(x):
    e = []
    for v in x:
        e.append(np.sqrt(v))
    e.pop(0)
    return e[0] + e[1] ** 2


def part_of_a_sum(x):
    e = [np.sqrt(v) for v in x]
    return sum(e[1:3]) + max(e[1:3])


def as_an_array(x):
    e = [np.log(v) for v in x]
    return np.sum(np.array(e)[1:3] * x[1:3])


def of_lists(x):
    e = [[np.sqrt(v), v] for v in x]
    return e[1][0] * e[2][1] + sum(p for p, _ in e[1:3])


def of_arrays(x):
    e = [np.sqrt(v) * x for v in x]
    return e[1][2] + e[2][1]


def filled_by_index(x):
    e = [0.0] * x.size
    for i in range(x.size):
        e[i] = np.sqrt(x[i])
    return e[1] * e[2]


def made_of_another(x):
    e = [np.sqrt(v) for v in x]
    w = [u * 2.0 for u in e[::-1]]
    return w[1] * w[2]


def read_under_a_test(x):
    s = 0.0
    for i, u in enumerate([np.sqrt(v) for v in x]):
        if 0 < i < 3:
            s += u * x[i]
    return s


def filled_with_zeros(x):
    e = [0.0] * x.size
    e[1] = x[1] * x[2]
    return sum(np.sqrt(v) for v in e)


def powers_of_pythons_zeros(x):
    e = [0.0] * x.size
    e[1] += x[1] * x[2]
    return sum(v ** 0.5 for v in e)


def of_zeros(x):
    e = [0.0 for _ in x]
    for i in range(1, 3):
        e[i] = x[i] * x[1]
    return np.sum(np.sqrt(np.array(e[::-1])))


def rows_with_borders(x):
    rows, total = [], 0.0
    for i in range(x.size):
        r = np.zeros(4)
        r[1:3] = x[1:3] * (i + 1)
        rows.append(r)
    for r in rows:
        total += np.sum(np.sqrt(r))
    return total


def rows_written_on_the_list(x):
    rows = [np.zeros(3) for _ in x]
    rows[1][1] = x[1] * x[2]
    rows[2][0] = x[2]
    return sum(np.sum(np.sqrt(r)) for r in rows)


def beside_another_list(x):
    rows, others = [], []
    for _ in x:
        row = np.zeros(4)
        row[1] = x[1]
        rows.append(row)
        others.append(x)
    return np.sum(rows[1] ** 0.5) + others[1][2]


def states(x):
    h = [np.zeros(4)]
    for _ in range(3):
        new = h[-1].copy()
        new[1:3] = new[1:3] + x[1:3]
        h.append(new)
    return np.sum(np.sqrt(h[-1])) + np.sum(np.sqrt(h[1]))


def states_in_place(x):
    h, states = np.zeros(4), []
    for _ in range(3):
        h = h.copy()
        h[1:3] += x[1:3]
        states.append(h)
    return np.sum(np.sqrt(np.array(states)))


def a_stack(x):
    waiting, total = [0.0], 0.0
    for v in x[1:3]:
        waiting.append(v * x[2])
    for _ in x[1:]:
        total += np.sqrt(waiting.pop())
    return total


FUNCTIONS = [filled_with_zeros, powers_of_pythons_zeros, of_zeros, rows_with_borders, rows_written_on_the_list,
             beside_another_list, states, states_in_place, an_item, appended, part_of_a_sum, as_an_array, of_lists,
             of_arrays, filled_by_index, made_of_another, read_under_a_test]


@pytest.mark.parametrize('f', FUNCTIONS)
def test_every_way_of_taking_a_derivative(f):
    agrees(f)


@pytest.mark.parametrize('f', [appended, as_an_array])
def test_compiled_and_in_a_batch(f):
    first, _ = by_differences(f, 1e-3)
    same(tp.jit(tp.grad(f))(X), first, rtol=1e-3, atol=1e-4)
    same(tp.vmap(tp.grad(f))(np.stack([X, X])), np.stack([first, first]), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize('f', [of_zeros, states, a_stack])
def test_forward_mode_compiled(f):
    same(tp.jit(tp.jacfwd(f))(X), tp.jacrev(f)(X))


def test_lists_of_flags_are_called_after_what_moves():
    source = tp.jvp(rows_with_borders).lower(X, X).source
    assert 'rows_moves.append(r_moves)' in source and 'r_moves[1:3] = x_moves[1:3]\n' in source


def test_lists_that_are_read_whole_are_left_alone():
    whole = lambda x: np.sum(np.array([np.sqrt(v) for v in x]))
    assert 'isfinite' not in tp.grad(whole).lower(X).source
