"""Unsigned integers of 64 bits as indices, bounds and sizes: one that C's integers do not hold is out of range, not negative."""
import numpy as np
import pytest

import transpiler as tp

LARGE = [np.uint64(k) for k in (2**63, 2**63 + 5, 2**64 - 1)]


def read(a, v):
    return a[v]


def write(a, v):
    a[v] = 1.0


def add(a, v):
    a[v] += 1.0


def read_in_a_loop(a, v):
    s, places = 0.0, np.array([0, v], np.uint64)
    for i in range(2):
        s = s * 0.5 + a[places[i]]
    return s


def write_in_a_loop(a, v):
    a[0] = 0.0
    for _ in range(2):
        a[v] += 1.0


def of_table(a, v):
    return a[None, :][0, v]


def of_list(a, v):
    items = []
    for i in range(a.size):
        items.append(a[i])
    return items[v]


def into_list(a, v):
    items = []
    for i in range(a.size):
        items.append(a[i])
    items[v] = 1.0
    return items


def sizes(a, v):
    return np.zeros((v, 2))


def reshaped(a, v):
    return a.reshape(v, 2)


@pytest.mark.compiles
@pytest.mark.parametrize('f', [read, write, add, read_in_a_loop, write_in_a_loop, of_table, of_list, into_list, sizes, reshaped])
@pytest.mark.parametrize('v', LARGE)
def test_too_large_ones_raise(f, v):
    for kind in (f, tp.jit(f)):
        with pytest.raises((IndexError, OverflowError, ValueError)):
            kind(np.arange(4.0), v)


@pytest.mark.parametrize('f', [read, add, read_in_a_loop, of_table, of_list, into_list, sizes, reshaped])
def test_others_are_taken_as_they_are(f):
    expected, found = (kind(np.arange(4.0), np.uint64(2)) for kind in (f, tp.jit(f)))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize('v', [*LARGE, np.uint64(3), np.uint64(0)])
def test_slices_are_cut_off(v):
    def f(a, v):
        return a[:v], a[v:], a[0:4:v + np.uint64(v < 1)]
    for found, expected in zip(tp.jit(f)(np.arange(4.0), v), f(np.arange(4.0), v), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_ranges_run_or_raise():
    def f(v):
        s = 0
        for i in range(v - 1, v + 3, v):
            s += i
        return s
    assert tp.jit(f)(np.uint64(5)) == f(np.uint64(5))
    for v in LARGE[:2]:
        assert f(v) > 0
        with pytest.raises(OverflowError):
            tp.jit(f)(v)
