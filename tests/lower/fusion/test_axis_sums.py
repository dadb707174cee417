"""Sums and means along the first axis or the last one, taken where a loop nest computes what they add up."""

from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests.support import check, copied, same

GOLDEN = Path(__file__).parents[2] / 'golden' / 'loops'
RNG = np.random.default_rng(0)


def normalised(x):
    """Every row by its own sum, every column by its deviation."""
    e = np.exp(x)
    rows = e / np.sum(e, axis=1, keepdims=True)
    return rows / np.sqrt(np.mean(rows * rows, axis=0))


def all_of_them(x):
    d = x * x
    return d.sum(0), d.sum(-1), d.sum(), d.mean(axis=-1, keepdims=True), d.mean(axis=0, keepdims=True), d.mean(), d


def layer(x, w, b):
    h = np.tanh(x @ w + b)
    return np.sum((h - h.mean(0)) ** 2 * h) + np.sum(np.sqrt(np.sum(h * h, axis=1)))


def in_turns(x, steps):
    for _ in range(steps):
        x = x - 0.1 * np.sum(x * x, axis=0) + 0.1 * np.mean(np.sin(x), axis=1)[:, None]
    return np.sum(x * x)


def few_rows(x):
    table = np.zeros((3, 2))
    table[...] = x[:2]
    return np.sum(np.exp(table), axis=0) * x[0]


def through_views(x):
    y = x * 2
    part = y[1:]
    return y.T.sum(0), y.T.sum(-1), part.sum(0), (part * part).sum(0), y


def before_and_after_a_write(x):
    y = x * 2
    total = y.sum(0)
    y[...] = y + total
    return total, y.sum(0), y.mean(1)


def read_at_once(x):
    y = x + x.sum(0)
    z = y + y.sum(1, keepdims=True)
    return z.sum(0), z.mean(1), z.mean(), z.max()


def on_one_path(x):
    y = x * x
    total = y[0]
    if x[0, 0] > 0:
        total = y.sum(0)
    return total, np.sum(y, axis=-2), np.sum(y, axis=(0, 1)), np.sum(y > 1, axis=0)


@pytest.mark.parametrize('f', [through_views, before_and_after_a_write, read_at_once, on_one_path])
@pytest.mark.parametrize('shape', [(70, 5), (5, 5)])
def test_in_programs(f, shape):
    x = RNG.normal(size=shape)
    for result, expected in zip(tp.jit(f)(x.copy()), f(x.copy()), strict=True):
        assert np.asarray(result).dtype == np.asarray(expected).dtype
        same(result, expected, rtol=1e-11)


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
@pytest.mark.parametrize('shape', [(100, 7), (1, 3), (33, 1), (3, 4, 5), (40, 2, 3), (5, 3000), (0, 4), (4, 0)])
@pytest.mark.filterwarnings('ignore:Mean of empty slice', 'ignore:invalid value')
def test_gives_what_numpy_gives(shape, dtype):
    x = RNG.normal(size=shape).astype(dtype)
    for result, expected in zip(tp.jit(all_of_them)(x.copy()), all_of_them(x.copy()), strict=True):
        assert np.shape(result) == np.shape(expected) and np.asarray(result).dtype == np.asarray(expected).dtype
        same(result, expected, rtol=1e-12 if dtype == np.float64 else 1e-5)


@pytest.mark.filterwarnings('ignore:overflow')
def test_nan_and_inf_stay_where_they_are():
    x = RNG.normal(size=(70, 5))
    x[3, 1], x[40, 2], x[69, 4] = np.nan, np.inf, 1e200
    for result, expected in zip(tp.jit(all_of_them)(x.copy()), all_of_them(x.copy()), strict=True):
        same(result, expected, rtol=1e-12)


@pytest.mark.parametrize('threads', [False, True])
def test_sums_do_not_depend_on_threads(threads):
    x = RNG.normal(size=(5000, 40))
    for result, expected in zip(tp.jit(all_of_them, parallel=threads)(x), all_of_them(x), strict=True):
        same(result, expected, rtol=1e-11)


@pytest.mark.parametrize('f, args, argnums', [
    (layer, (RNG.normal(size=(9, 4)), RNG.normal(size=(4, 3)), RNG.normal(size=3)), (0, 1, 2)),
    (in_turns, (RNG.normal(size=(4, 4)), 3), 0),
    (lambda x: np.sum(few_rows(x)), (RNG.normal(size=2),), 0),
], ids=['layer', 'in_turns', 'few_rows'])
def test_derivatives(mode, f, args, argnums):
    check(mode, f, *args, argnums=argnums)


def test_loops_read_well(golden):
    golden(GOLDEN / 'axis_sums.py', str(tp.jit(normalised).lower(*copied((RNG.normal(size=(50, 20)),))).loops))


def test_what_few_rows_give_is_added_up_apart():
    assert 'sum_rows' in str(tp.jit(few_rows).lower(np.ones(2)).loops)
    assert 'bands' not in str(tp.jit(few_rows).lower(np.ones(2)).loops)
