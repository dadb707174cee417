"""What derivatives keep: nothing that is not needed, once, where an expert would keep it."""

import re

import numpy as np
import pytest

import transpiler as tp
from transpiler.testing import check_grads
from transpiler.transforms.storage.min_cut import least_kept

X = np.array([0.5, 0.6, -0.35, 0.45, 0.55, 0.15])
A = np.outer(X, X) + np.eye(6)


def linear_stencil(u, steps):
    for _ in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1])
    return np.sum(u * u)


def linear_slices(u, steps):
    for _ in range(steps):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def linear_recurrence(x, n):
    y = 0.0
    for _ in range(n):
        y = 0.5 * y + x
    return y


def factorised(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a[n - 1, n - 1]


def written_once(x):
    y = np.zeros(x.size)
    y[0], y[1] = x[0], x[1]
    for i in range(2, x.size):
        y[i] = np.sin(y[i - 1]) * y[i - 2] + x[i]
    return np.sum(y)


def independent(x):
    total = 0.0
    for i in range(x.size):
        root = np.sqrt(x[i] * x[i] + 1.0)
        total += root / (1.0 + root)
    return total


NOTHING = {
    'linear stencil': (linear_stencil, X, 7),
    'linear slices': (linear_slices, X, 7),
    'linear recurrence': (linear_recurrence, 0.3, 50),
    'factorisation': (factorised, A),
    'values that stay where they are': (written_once, X),
    'independent turns': (independent, X),
}


def remarks(f, *args) -> list[str]:
    """What `explain` says that the gradient keeps."""
    return re.findall(r'^# (`.*)$', tp.explain(tp.grad(f), *args), re.MULTILINE)


@pytest.mark.parametrize('f, args', [(f, args) for f, *args in NOTHING.values()], ids=NOTHING)
def test_nothing_is_kept(f, args):
    assert remarks(f, *args) == []
    source = tp.grad(f).lower(*args).source
    assert 'append' not in source and 'np.empty' not in source


def nonlinear_recurrence(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) + x
    return y


def two_carried(x, n):
    y, z = x, 1.0
    for _ in range(n):
        y, z = y * z, y + np.tanh(z)
    return y


def gauss_seidel(u, steps):
    for _ in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.3 * (u[i - 1] * u[i + 1]) + u[i] ** 2
    return np.sum(u * u)


def swapped(u, steps):
    v = u.copy()
    for _ in range(steps):
        v[1:-1] = u[1:-1] * u[2:] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return np.sum(u * u)


def until_small(x):
    while x > 0.01:
        x = x * x * 0.9
    return x


def pivoted(a):
    n = a.shape[0]
    for k in range(n):
        other = k + np.argmax(np.abs(a[k:, k]))
        for j in range(n):
            a[k, j], a[other, j] = a[other, j], a[k, j]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= factor * a[k, j]
    return a[n - 1, n - 1]


ONCE = {
    'one number a turn': (nonlinear_recurrence, (0.3, 50), 1),
    'two numbers a turn': (two_carried, (0.3, 50), 2),
    'one number a place': (gauss_seidel, (X, 4), 1),
    'one buffer a turn': (swapped, (X, 4), 1),
    'one number a turn of a while': (until_small, (0.9,), 1),
    'the pivot, and what a factor is made of': (pivoted, (A,), 2),
}


@pytest.mark.parametrize('f, args, count', ONCE.values(), ids=ONCE)
def test_a_value_is_kept_once(f, args, count):
    assert len(remarks(f, *args)) == count


def test_what_is_said():
    line = swapped.__code__.co_firstlineno + 3
    assert remarks(swapped, X, 4) == [
        f'`old_v` at line {line} kept in an array, 8*steps*(n - 2) bytes: read by the pullback of line {line}'
    ]
    line = until_small.__code__.co_firstlineno + 1
    assert remarks(until_small, 0.9) == [
        f'`x` at line {line} kept in a list, 8*(iterations of line {line}) bytes: read by the pullback of line {line + 1}'
    ]


def test_what_a_kept_value_was_computed_from_is_not_kept():
    def stencil(u, k, steps):
        for _ in range(steps):
            u[1:-1] += k * (u[:-2] - 2.0 * u[1:-1] + u[2:])
        return np.sum(u ** 2)
    said = [line for line in tp.explain(tp.grad(stencil, argnums=1), np.ones(6), 0.2, 3).splitlines() if ' kept in ' in line]
    assert len(said) == 1 and '8*steps*(n - 2) bytes' in said[0]


def test_a_million_steps_without_a_tape():
    value, gradient = tp.jit(tp.value_and_grad(linear_recurrence))(0.3, 1_000_000)
    assert value == pytest.approx(0.6) and gradient == pytest.approx(2.0)


def reaction(u, steps):
    inner = u[1:-1]
    for _ in range(steps):
        around = u[2:] + u[:-2]
        rate = inner * inner
        inner += 0.1 * around - rate * inner + 0.5 * (1.0 - inner) * rate
    return np.sum(u * u)


def rows(x, y):
    """Each turn makes an array of its own: what the turn before has made stays."""
    before = np.sqrt(1.0 + y * y)
    for i in range(x.size):
        row = np.empty(y.size)
        row[0] = before[0]
        for j in range(1, y.size):
            row[j] = min(before[j - 1] * x[i], before[j] * y[j], row[j - 1] * row[j - 1])
        before = row
    return before[-1]


def overwritten_at_once(x, y):
    """What a statement makes is not what the turn started with."""
    for _ in range(1):
        ratio = y / y
        x[1:] += ratio
        ratio[...] = y
    return np.sum(x)


def test_views_are_kept_once_and_what_is_computed_from_them_is_computed_again():
    text = tp.grad(reaction).lower(X, 3).source
    assert text.count('np.empty(') == 1
    check_grads(reaction, (X, 3), order=2)


def test_arrays_of_the_turn_before_are_read_again():
    text = tp.grad(rows, argnums=(0, 1)).lower(X, X[:4]).source
    assert text.count('np.empty((') == 1 and '.append(' not in text
    check_grads(rows, (X, X[:4]), order=2)


def test_what_a_turn_overwrites_itself_is_copied():
    np.testing.assert_allclose(tp.grad(overwritten_at_once, argnums=1)(X[:2], X[2:3]), 0.0, atol=1e-15)


def three_of_two(x, steps):
    """What is needed of a turn are three arrays, each made of the same two."""
    y = x
    for _ in range(steps):
        a, b = np.sin(x), np.exp(-y)
        x = x + 0.1 * np.cos(a + b)
        y = y + 0.1 * np.cos(a - b) + 0.1 * np.cos(a * b)
    return np.sum(x * y)


def test_two_arrays_are_kept_if_three_are_made_of_them():
    text = tp.grad(three_of_two).lower(X, 3).source
    assert sorted(re.findall(r'(\w+)_at = np.empty\(', text)) == ['a', 'b', 'x']
    check_grads(three_of_two, (X, 3), order=2)


def of_rank_one(x, steps):
    """A table is more than the two rows that it is made of."""
    a = np.outer(x, x)
    for _ in range(steps):
        v, w = np.sin(a[0]), np.exp(-a[:, 1])
        table = np.outer(v, w)
        a = a + 0.1 * table * table
    return np.sum(a * a)


def test_tables_are_made_again_of_rows_that_are_kept():
    text = tp.grad(of_rank_one).lower(X, 3).source
    kept = re.findall(r'(\w+)_at = np.empty\((.+)\)\n', text)
    assert sorted(kept) == [(name, '(length_steps, n)') for name in ('a_item', 'v', 'w')], text
    check_grads(of_rank_one, (X, 3), order=2)


def test_the_least_kept_of_very_much():
    """Weights that together pass the integers of 32 bits."""
    many = [f'x{k}' for k in range(4000)]
    sources = {name: ['x'] for name in many}
    assert least_kept(many, sources, lambda name: 2**22, lambda name: 0) == {'x'}
