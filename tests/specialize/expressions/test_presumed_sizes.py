"""Slices whose ends are sizes and integers: what is taken for granted of a call is asked at the next one."""
from __future__ import annotations

import numpy as np
import pytest

import transpiler as tp
from tests.support import check


def gates(x, w, h):
    n = h.shape[0]
    for t in range(3):
        g = w @ np.concatenate([h, x])
        h = np.tanh(g[:n]) * np.exp(-g[n:2 * n] ** 2) + g[2 * n:]
    return np.sum(h)


def flat(theta, x, hidden):
    n = x.shape[1]
    w = theta[:n * hidden].reshape(n, hidden)
    b = theta[n * hidden:(n + 1) * hidden]
    out = theta[(n + 1) * hidden:(n + 2) * hidden]
    return np.sum((np.tanh(x @ w + b) @ out + theta[-1]) ** 2)


def halves(y, k):
    for t in range(3):
        n = len(y) // 2
        q, p = y[:n], y[n:]
        y = y + 0.1 * np.concatenate([p, -k * q])
    return np.sum(y ** 2)


def window(x, k):
    return np.sum(np.sin(x[k:]) * 2.0) + np.sum(x[:k] ** 2) + np.sum(x[1:k])


def cut_off(x, y):
    n = y.size
    return np.sum(x[:n] ** 2) + np.sum(x[n:2 * n] * 3.0) + np.sum(x[2:5] ** 3) + np.sum(x[-3:])


def branches(x, y, flag):
    n = y.size
    if flag > 0:
        r = x[:n] * y
    else:
        r = x[n:] * 2.0
    return np.sum(r ** 2) + np.sum(x[:n])


WIDTH = 2


def captured(x):
    return np.sum(x[:WIDTH] * x[WIDTH:2 * WIDTH])


def numbers(*shape):
    return np.cos(np.arange(np.prod(shape, dtype=int)) * 1.7 + 0.3).reshape(shape)


@pytest.mark.parametrize(('n', 'm'), [(2, 3), (4, 2), (1, 3), (3, 1)])
def test_gates(mode, n, m):
    check(mode, gates, numbers(m), numbers(3 * n, n + m), numbers(n), argnums=(0, 1, 2))


def test_gates_read_as_written():
    source = tp.grad(gates, argnums=(0, 1, 2)).lower(numbers(3), numbers(12, 7), numbers(4)).source
    assert 'w: float64[3*p, n + p]' in source.splitlines()[0]
    assert 'unbroadcast' not in source and '_tape' not in source


@pytest.mark.parametrize(('n', 'hidden'), [(3, 4), (4, 4), (3, 1), (1, 3), (2, 2)])
def test_parameters_in_one_vector(mode, n, hidden):
    check(mode, flat, numbers((n + 2) * hidden + 1), numbers(5, n), hidden)


def test_parameters_in_one_vector_read_as_written():
    source = tp.grad(flat).lower(numbers(21), numbers(5, 3), 4).source
    assert 'theta: float64[' in source and 'hidden' in source.splitlines()[0]
    assert 'unbroadcast' not in source


@pytest.mark.parametrize('n', [2, 4, 6, 8])
def test_halves(mode, n):
    check(mode, halves, numbers(n), 0.7, argnums=(0, 1))


def test_one_function_meets_all_sizes(mode):
    """Each call gets what is true of it, whatever earlier calls were like."""
    derivative = mode(tp.grad(window))
    for n, k in [(7, 3), (7, 7), (7, 6), (7, 0), (7, 1), (7, 9), (2, 1), (7, 2), (7, 5), (9, -2), (4, 4), (7, 3)]:
        x = numbers(n)
        expected = np.concatenate([2.0 * x[:k], 2.0 * np.cos(x[k:])]) if k <= n else 2.0 * x
        expected[1:k] += 1.0
        np.testing.assert_allclose(derivative(x, k), expected, rtol=1e-12)


def test_slices_that_are_cut_off(mode):
    derivative = mode(tp.grad(cut_off))
    for n, m in [(8, 4), (8, 3), (8, 8), (8, 9), (3, 2), (2, 5), (5, 2), (4, 1), (8, 4)]:
        x = numbers(n)
        expected = np.zeros(n)
        expected[:m] += 2.0 * x[:m]
        expected[m:2 * m] += 3.0
        expected[2:5] += 3.0 * x[2:5] ** 2
        expected[-3:] += 1.0
        np.testing.assert_allclose(derivative(x, numbers(m)), expected, rtol=1e-12)


@pytest.mark.parametrize('flag', [1, -1])
@pytest.mark.parametrize(('n', 'm'), [(7, 3), (3, 3), (4, 3)])
def test_what_branches_presume(mode, n, m, flag):
    check(mode, branches, numbers(n), numbers(m), flag)


def test_captured_integers(mode, monkeypatch):
    derivative = mode(tp.grad(captured))
    for width in (2, 3, 1, 2):
        monkeypatch.setitem(globals(), 'WIDTH', width)
        x = numbers(2 * width + 1)
        expected = np.concatenate([x[width:2 * width], x[:width], [0.0]])
        np.testing.assert_allclose(derivative(x), expected, rtol=1e-12)


def test_sizes_that_do_not_fit_raise(mode):
    derivative = mode(tp.grad(gates))
    derivative(numbers(3), numbers(12, 7), numbers(4))
    for rows in (11, 13, 10, 14):
        with pytest.raises(ValueError):
            derivative(numbers(3), numbers(rows, 7), numbers(4))


def added(theta, y, hidden):
    return np.sum(theta + y) + np.sum(theta[:3 * hidden + 1]) + 0.0 * np.sum(theta[2 * hidden:])


def test_what_numpy_demands_is_asked_where_sizes_follow_from_integers(mode):
    for size in (12, 14):
        derivative = mode(tp.grad(added))
        with pytest.raises(ValueError):
            derivative(numbers(13), numbers(size), 4)
        assert derivative(numbers(13), numbers(13), 4).shape == (13,)
        with pytest.raises(ValueError):
            derivative(numbers(13), numbers(size), 4)


def shrinking(x, k):
    total = 0.0
    for t in range(3):
        total += np.sum(x[:k] ** 2) * (t + 1)
        k -= 1
    while k > 0:
        total += np.sum(np.sin(x[:k]))
        k = k // 2
    return total


@pytest.mark.parametrize(('n', 'k'), [(7, 6), (7, 3), (7, 7), (7, 2), (5, 5)])
def test_integers_that_change(mode, n, k):
    check(mode, shrinking, numbers(n), k)


def by_items(theta, x, hidden):
    n = x.shape[0]
    w, total = theta[:n * hidden].reshape(n, hidden), 0.0
    for j in range(hidden):
        a = theta[n * hidden + j]
        for i in range(n):
            a += theta[i * hidden + j] * x[i] + np.sin(w[i, j])
        total += np.tanh(a) * theta[(n + 1) * hidden + j]
    return total


@pytest.mark.parametrize(('n', 'hidden'), [(3, 4), (4, 4), (1, 3), (3, 1)])
def test_parameters_in_one_vector_item_by_item(mode, n, hidden):
    check(mode, by_items, numbers((n + 2) * hidden), numbers(n), hidden)


def of_a_narrow_integer(x, k, m):
    return np.sum(x[:k * m] ** 2)


def test_products_of_narrow_integers_wrap_around(mode):
    x, k = numbers(300), np.int8(16)
    with np.errstate(over='ignore'):
        np.testing.assert_allclose(mode(tp.grad(of_a_narrow_integer))(x, k, k), 2.0 * np.where(np.arange(300) < k * k, x, 0.0))


def test_many_ways_to_compare_share_one_program():
    derivative = tp.grad(window)
    for k in range(12):
        derivative(numbers(12), k)
        derivative(numbers(13 + k), k)
    assert sum(map(len, derivative._known.values())) <= 8
