"""Batches: what an example shows of one of its rows, by a number of its own, is a view where somebody writes."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same


def written(a, i):
    row = a[i, 1:]
    row[0] = 50.0
    return a


def shown(a, i):
    row = a[i, 1:]
    a[i] = 0.0
    return row * 1.0


def of_a_view(a, i):
    a[i, :2][0] = 9.0
    return a


def column(a, i):
    part = a[1:, i]
    part *= 3.0
    a[2, i] = 7.0
    return part + 0.0


def longer(a, i):
    part = a[i, 0, None]
    part[0] += 5.0
    return a


def halves(a, i):
    even, odd = a[i, ::2], a[i, 1::2]
    even += odd
    odd[0] = even[1]
    return a


def only_read(a, i):
    return a[i, 1:] * 2.0


FUNCTIONS = [written, shown, of_a_view, column, longer, halves, only_read]
TABLES, ROWS = np.arange(24.0).reshape(2, 3, 4), np.array([1, 0])


@pytest.mark.parametrize('f', FUNCTIONS)
def test_as_one_after_the_other(mode, f):
    expected = np.stack([f(table.copy(), i) for table, i in zip(TABLES, ROWS, strict=True)])
    same(mode(tp.vmap(f))(TABLES.copy(), ROWS), expected)


@pytest.mark.parametrize('f', FUNCTIONS)
def test_gradients(f):
    total = lambda a, i: np.sum(f(a.copy(), i) ** 2)
    expected = np.stack([tp.grad(total)(table, i) for table, i in zip(TABLES, ROWS, strict=True)])
    same(tp.vmap(tp.grad(total))(TABLES, ROWS), expected)


def test_what_is_only_read_is_taken_for_all_at_once():
    batched = tp.vmap(only_read)
    batched(TABLES, ROWS)
    assert '    for ' not in batched.source
