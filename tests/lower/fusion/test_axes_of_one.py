"""Axes of one item have no loops: a row or a column is gone through as a vector is, in several threads too."""

import re

import numpy as np
import pytest

import transpiler as tp
from tests.support import copied, same

X = np.random.default_rng(0).normal(size=3001)


def stored(x):
    y = np.zeros((1, x.size // 2))
    y[0] += x[:-1:2]
    y[:] *= x[None, 1::2]
    y[:, :] += np.sin(y)
    return y


def alone(x):
    first = x[:1]
    return np.sum(np.exp(first[None, :] * first[None, :])), first[None] * first[None]


def products(x, axis, keepdims):
    return np.sum(x[None, ::2] * np.cos(x[None, ::2]), axis=axis, keepdims=keepdims)


def of_column(x, axis, keepdims):
    return np.mean(x[::2, None] * np.cos(x[::2, None]), axis=axis, keepdims=keepdims)


CASES = {
    'row': lambda x: x[None, :] * 2.0 + np.sin(x)[None, ::-1],
    'outer': lambda x: np.outer(x[:1] * 2.0, x) * x,
    'stored': stored,
    'alone': alone,
    'sum': lambda x: products(x, None, False),
    'rows': lambda x: products(x, 0, False),
    'along': lambda x: products(x, -1, False),
    'along, kept': lambda x: products(x, 1, True),
    'mean of a column': lambda x: of_column(x, None, False),
    'rows of a column': lambda x: of_column(x, 0, False),
    'along a column': lambda x: of_column(x, -1, False),
    'along a column, kept': lambda x: of_column(x, 1, True),
    'extremes': lambda x: np.max(x[::2, None] * np.cos(x[::2, None])) + np.min(x[None, ::2] * np.cos(x[None, ::2])),
    'in the middle': lambda x: np.mean(x[None, ::2, None] * np.cos(x[None, ::2, None]), axis=-1),
    'at the front': lambda x: np.sum((x[None, None, ::2] - 1.0) * np.cos(x[None, None, ::2])),
}


@pytest.mark.compiles
@pytest.mark.parametrize('name', CASES)
def test_values(name):
    f = CASES[name]
    same(tp.jit(f)(*copied((X,))), f(*copied((X,))))


def test_rows_and_slices_are_shared_among_threads():
    """Of a row, its items are; how many there are in a slice is asked once, before the loop."""
    text = tp.jit(CASES['along']).lower(X).loops
    assert text.count('    for ') == 3 and 'size = x[None, ::2].shape[1]' in text  # blocks, their items, sums of parts
    for f in (lambda x: np.sum(np.exp(x[1:] * x[:-1])), lambda x: np.max(x[::2] * x[::2])):
        text = tp.jit(f).lower(X).loops
        assert 'in_parts' in text and text.count('].shape[0]') == 1
        same(tp.jit(f)(X), f(X))


def test_slices_that_are_changed_are_shared_among_threads():
    def f(x):
        x[1:] *= np.cos(x[1:])
        return x

    assert 'in_parts' in tp.jit(f).lower(X.copy()).loops
    same(tp.jit(f)(X.copy()), f(X.copy()))


def test_numbers_added_to_a_part_of_an_array_are_one_loop():
    """Numba would make a copy of the part, and text for errors that cannot be."""
    def f(x, n):
        x[1:] += 1.0
        x[::2, 1:] *= 0.5
        x[1:, :-2] /= 3.0
        x[:-n, 0] += 0.25
        x[5:2] += 7.0
        x -= 2.0
        for k in range(1, n):
            x[k:, k] -= 0.1
        return x

    for x in (np.arange(42.0).reshape(6, 7), np.arange(42.0).reshape(7, 6).T, np.arange(42.0).reshape(6, 7)[::-1, ::-2]):
        text = tp.jit(f).lower(x, 3).loops
        assert not re.search(r'\[[^\]]*:[^\]]*\] [+*/-]?= ', text), text
        same(tp.jit(f)(x.copy(order='K'), 3), f(x.copy(order='K'), 3))
