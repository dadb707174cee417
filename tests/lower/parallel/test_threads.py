"""Loops in parts: which may be, that they give the same, and how they read."""

from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests.support import from_many_threads

GOLDEN = Path(__file__).parents[2] / 'golden' / 'threads'
RNG = np.random.default_rng(0)
X, TABLE = RNG.normal(size=150), RNG.normal(size=(40, 150))


def chain(x, table):
    y = np.exp(-x * x)
    return y, np.sum(y * x), np.mean(x)


def rows(x, table):
    out = np.zeros(table.shape[0])
    for i in range(table.shape[0]):
        s = 0.0
        for j in range(table.shape[1]):
            s += table[i, j] * x[j]
        out[i] = np.tanh(s)
    return out


def extremes(x, table):
    return np.max(x * 2.0), np.min(x + 1.0), np.max(np.abs(table)), np.min(np.sin(table))


def sums(x, table):
    return np.sum(table * table), np.sum(np.cos(table)), np.mean(np.abs(table))


def from_one_on(x, table):
    y = np.zeros(x.size)
    for i in range(1, x.size - 1):
        y[i] = x[i - 1] - 2.0 * x[i] + x[i + 1]
    return y


def every_third(x, table):
    y = np.zeros(x.size)
    for i in range(2, x.size, 3):
        y[i] = np.exp(x[i])
    return y


def counted(x, table):
    many = 0
    for i in range(x.size):
        if x[i] > 0.5:
            many += 1
    return many


def paths(x, table):
    total = 0.0
    for p in range(x.size):
        s = x[p]
        for t in range(table.shape[0]):
            s = s + 0.1 * np.sin(s) + 0.01 * table[t, p]
        total += s * s
    return total


def grids(x, table):
    for t in range(4):
        table[1:-1, 1:-1] = 0.5 * table[1:-1, 1:-1] + 0.1 * np.exp(-np.abs(table[1:-1, 1:-1]))
    return table


def energies(x, table):
    total = 0.0
    for t in range(3):
        total += 0.5 * np.sum(table * table)
        table[...] = 0.9 * table
    return total


def own_memory(x, table):
    out = np.zeros(x.size)
    for i in range(x.size):
        row = np.zeros(3)
        row[i % 3] = x[i]
        out[i] = row[0] - row[1] + 2.0 * row[2]
    return out


def gathered(x, table):
    order = np.arange(x.size) * 7 % x.size
    out = np.zeros(x.size)
    for i in range(x.size):
        out[i] = 2.0 * x[order[i]]
    return out


def backwards(x, table):
    twos, ones, threes, others = 0.0, 0.0, 0.0, 0.0
    for i in range(x.size, -1, -2):
        twos += i * x[i - 1]
    for i in range(x.size - 1, -1, -1):
        ones += i * x[i]
    for i in range(x.size - 1, 1, -3):
        threes += i * x[i]
    step = -2 if x.size > 13 else 3
    for i in range(x.size - 1, -1, step):
        others += i * x[i]
    return twos, ones, threes, others


SHARED = {f.__name__: f for f in (
    chain, rows, extremes, sums, from_one_on, every_third, backwards, counted, paths, grids, energies, own_memory, gathered)}


def carried(x, table):
    v = 0.0
    out = np.zeros(x.size)
    for i in range(x.size):
        v = 0.5 * v + x[i]
        out[i] = v
    return out


def scattered(x, table):
    bins = np.zeros(3)
    for i in range(x.size):
        bins[i % 3] += x[i]
    return bins


def overlapping(x, table):
    for i in range(1, x.size):
        x[i] = x[i] + 0.5 * x[i - 1]
    return x


def fails(x, table):
    out = np.zeros(x.size)
    for i in range(x.size):
        if x[i] > 100.0:
            raise ValueError('too large')
        out[i] = x[i]
    return out


def left_early(x, table):
    s = 0.0
    for i in range(x.size):
        if x[i] > 1.5:
            break
        s += x[i]
    return s


def the_last_turn(x, table):
    v = 0.0
    for i in range(x.size):
        v = np.exp(x[i])
    return v


def looked_up(x, table):
    order = np.zeros(x.size, int)
    out = np.zeros(x.size)
    for i in range(x.size):
        out[order[i]] = x[i]
    return out


def two_numbers_for_a_place(x, table):
    out = np.zeros(x.size)
    for i in range(-x.size, x.size):
        out[i] = x[i] * (i + 0.5)
    return out


def from_an_unknown_place_on(x, table):
    out = np.zeros(x.size)
    first = int(x[0])
    for i in range(first - 3, 3):
        out[i] = x[i] * (i + 0.5)
    return out


def in_windows(x, table):
    out = np.zeros(table.shape[1] - 1)
    for k in range(table.shape[0] - 1):
        for j in range(table.shape[1] - 1):
            out[j] += np.max(table[k:k + 2, j:j + 2])
    return out


ALONE = {f.__name__: f for f in (
    carried, scattered, overlapping, fails, left_early, the_last_turn, looked_up,
    in_windows, two_numbers_for_a_place, from_an_unknown_place_on)}
CASES = SHARED | ALONE


def copies(size=150):
    return X[:size].copy(), TABLE[:, :size].copy()


def loops(f, **options):
    return tp.jit(f, **options).lower(*copies()).loops


@pytest.mark.parametrize('name', CASES)
def test_values(name):
    f = CASES[name]
    for size in (150, 13, 3):
        shared, alone = tp.jit(f), tp.jit(f, parallel=False)
        mine, other, plain = copies(size), copies(size), copies(size)
        found, single, expected = shared(*mine), alone(*other), f(*plain)
        for parts in zip(*(r if isinstance(r, tuple) else (r,) for r in (found, single, expected)), strict=True):
            for part in parts[:2]:
                np.testing.assert_allclose(part, parts[2], rtol=1e-12, atol=1e-13)
                assert np.asarray(part).dtype == np.asarray(parts[2]).dtype
        for a, b in zip(mine, plain, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize('name', CASES)
def test_which_are_shared(name):
    assert ('in_parts' in loops(CASES[name])) == (name in SHARED)
    assert 'in_parts' not in loops(CASES[name], parallel=False)


def test_short_loops_inside_of_loops_are_not_worth_it():
    def steps(x, table):
        for t in range(5):
            x[1:-1] = 0.5 * x[:-2] + 0.5 * x[2:]
        return x

    assert 'in_parts' not in loops(steps)


@pytest.mark.parametrize('name', ['chain', 'paths', 'grids', 'energies', 'extremes'])
def test_source(name, golden):
    golden(GOLDEN / f'{name}.py', loops(SHARED[name]))


def test_lowered_text_runs_as_plain_python():
    namespace: dict = {}
    exec(loops(rows), namespace)
    np.testing.assert_allclose(namespace['rows'](*copies()), rows(*copies()), rtol=1e-12)


@pytest.mark.parametrize('name', ['chain', 'sums', 'paths'])
def test_gradients(name):
    def loss(x, table):
        found = SHARED[name](x, table)
        return sum(np.sum(part) for part in found) if isinstance(found, tuple) else found

    for found, expected in zip(
        tp.jit(tp.grad(loss, argnums=(0, 1)))(*copies()), tp.grad(loss, argnums=(0, 1))(*copies()), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_every_call_gives_the_same():
    f = tp.jit(sums)
    first = f(*copies())
    assert all(f(*copies()) == first for _ in range(100))


def test_single_precision():
    f = tp.jit(lambda x: (np.sum(x * x), np.max(x), 2.0 * x))
    total, largest, twice = f(X.astype(np.float32))
    assert total.dtype == largest.dtype == twice.dtype == np.float32
    assert np.isclose(total, np.sum(X * X), rtol=1e-6) and largest == np.max(X.astype(np.float32))


def divided(x, table):
    out = np.zeros(x.size)
    for i in range(x.size):
        out[i] = 7 // int(x[i] + 9.0)
    return out


@pytest.mark.parametrize('kind', ['int8', 'uint8', 'int32', 'int64', 'uint64', 'bool'])
def test_sums_of_parts_wrap_around_as_those_in_parts_do(kind):
    """Their sum was taken in 64 bits, which shows where it goes on without a dtype."""
    def halved(x):
        total = x[0]
        for v in x:
            total = total + v
        return total * 0.5 if total > 0 else total + 0.5

    x = np.full(400, True if kind == 'bool' else np.iinfo(kind).max, kind)
    with np.errstate(over='ignore'):
        assert tp.jit(halved)(x) == halved(x)


def test_an_index_out_of_range_is_told_as_in_one_thread():
    def pick(x, order):
        out = np.zeros(order.size)
        for i in range(order.size):
            out[i] = x[order[i]] * 2.0
        return out

    f, order = tp.jit(pick), np.arange(100) % 7
    assert 'in_parts' in f.lower(X, order).loops
    assert np.array_equal(f(X, order), pick(X, order)) and np.array_equal(f(X, -order), pick(X, -order))
    for wrong in (150, -151):
        order[71] = wrong
        with pytest.raises(IndexError) as caught:
            f(X, order)
        assert 'out[i] = x[order[i]] * 2.0' in caught.value.__notes__[0]


def test_nan_is_the_largest():
    x = X.copy()
    x[77] = np.nan
    assert np.isnan(tp.jit(lambda x: np.max(2.0 * x))(x)) and np.isnan(tp.jit(lambda x: np.min(2.0 * x))(x))


def test_callers_in_several_threads():
    f, wrong = tp.jit(tp.value_and_grad(lambda x, table: np.sum(np.sin(table) * x) ** 2)), []
    value, gradient = f(*copies())

    def call():
        for _ in range(500):
            other, slope = f(*copies())
            if other != value or not np.array_equal(slope, gradient):
                wrong.append(other)

    from_many_threads(call)
    assert not wrong


def test_explain_says_what_shares_a_loop_and_what_runs_in_threads():
    said = tp.explain(tp.jit(chain), *copies()).split('for Numba')[1]
    assert '# 5 operations of lines 17, 18 in one loop over one axis' in said, said
    assert 'runs as `chain_part`, in several threads if there is enough to do' in said
    assert 'runs in order: iterations need each other' in tp.explain(tp.jit(carried), *copies())
    assert 'in one thread: something in it might fail' in tp.explain(tp.jit(divided), *copies())
    assert 'take their steps together' in tp.explain(tp.jit(paths), *copies())


def two_alike(x, y):
    return np.tanh(x * 2.0), np.tanh(y * 2.0)


def two_that_differ(x, y):
    return np.tanh(x * 2.0), np.tanh(y * 3.0)


def swapped(x, y):
    return np.exp(x - y[0]), np.exp(x[0] - y)


@pytest.mark.parametrize('f, functions', [(two_alike, 1), (two_that_differ, 2), (swapped, 2)])
def test_loops_in_which_only_names_differ_share_a_function(f, functions):
    x, y = np.linspace(-1.0, 1.0, 7), np.linspace(-2.0, 3.0, 9)
    loops = tp.jit(f).lower(x, y).loops
    assert (loops.count('_part(part') + loops.count('_part_1(part'), loops.count('in_parts(')) == (functions, 2)
    for found, expected in zip(tp.jit(f)(x, y), f(x, y), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-14)
    single = tp.jit(f).lower(x, y.astype(np.float32)).loops
    assert single.count('(part, low, count') == 2
