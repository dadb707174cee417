"""Operations on whole arrays as loop nests: what is one nest, what is not, and that it gives what NumPy gives."""

from pathlib import Path

import gast
import numpy as np
import pytest

import transpiler as tp
from tests.support import copied, same
from transpiler.core.text import parse
from transpiler.lower.fusion import fuse
from transpiler.values.dims import Dim
from transpiler.values.types import FLOAT, INT, Array

GOLDEN = Path(__file__).parents[2] / 'golden' / 'loops'
RNG = np.random.default_rng(0)
X, Y, TABLE = RNG.normal(size=9), RNG.normal(size=9), RNG.normal(size=(4, 9))


def chain(x, y):
    return np.exp(-x * x) / (1.0 + np.abs(y))


def spread(x, table):
    return table * x + x[:4, None]


def total(x, y):
    return np.sum(np.sin(x) * y) + np.mean(np.where(x > 0.0, x, 0.5 * y))


def stencil(u, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def corner_by_corner(table, x):
    for k in range(3):
        table[k:, k:] -= 0.1 * np.outer(x[k:4], x[k:])
    return np.sum(table * table)


def parts_that_move(x, n):
    s = 0.0
    for k in range(1, n):
        s += np.sum(x[k:] * x[:-k])
    return s


def backwards(x, table):
    for k in range(3, -1, -1):
        x[k:k + 4] += 0.5 * table[k, :4]
    return x


def rounded_where_stored(x):
    counts, y = np.zeros(len(x), int), np.zeros(len(x), x.dtype)
    y[:] = x * 2.0
    counts[:] = 1.5
    return y, y + counts, counts


def extremes(x, table):
    best = np.zeros(9, x.dtype)
    for j in range(9):
        best[j] = np.max(x + table[0, j]) * np.min(table[:, j])
    return best, np.max(np.abs(table)), np.min(x * x) + np.max(x)


def row_of_rows(table):
    rows = table[1:]
    return rows[0, ..., None] * table[-1][None, 2:-1] + rows[-1][-1]


def swapped(x, y, n):
    for _ in range(n):
        x, y = y, 0.5 * x + 0.25 * y
    return x - y


def reads_what_it_has_written(x):
    x[1:] = x[1:] + x[:-1]
    y = x * 2.0
    x[:-1] += y[1:]
    return x, y


def through_transposes(table):
    flipped = table.T * 2.0
    flipped[1:] += table.T[:-1]
    return flipped


def every_second(x, y):
    return x[::2] * y[1::2].sum() + y[4::-1]


CASES = {
    'chain': (chain, (X, Y)),
    'spread': (spread, (X, TABLE)),
    'total': (total, (X, Y)),
    'stencil': (stencil, (X, 3)),
    'corner_by_corner': (corner_by_corner, (TABLE, X)),
    'parts_that_move': (parts_that_move, (X, 5)),
    'backwards': (backwards, (X, TABLE)),
    'rounded_where_stored': (rounded_where_stored, (X,)),
    'row_of_rows': (row_of_rows, (TABLE,)),
    'extremes': (extremes, (X, TABLE)),
    'swapped': (swapped, (X, Y, 3)),
    'reads_what_it_has_written': (reads_what_it_has_written, (X,)),
    'through_transposes': (through_transposes, (TABLE,)),
    'every_second': (every_second, (X, Y)),
}
SHOWN = ['chain', 'spread', 'total', 'stencil', 'corner_by_corner', 'parts_that_move']


@pytest.mark.parametrize('name', CASES)
@pytest.mark.parametrize('dtype', [np.float64, np.float32])
def test_gives_what_numpy_gives(name, dtype):
    f, args = CASES[name]
    args = tuple(a.astype(dtype) if isinstance(a, np.ndarray) else a for a in args)
    mine, other = copied(args), copied(args)
    result, expected = tp.jit(f)(*mine), f(*other)
    same(result, expected, rtol=1e-12 if dtype == np.float64 else 1e-4)
    same(mine, other, rtol=1e-12 if dtype == np.float64 else 1e-4)
    assert np.asarray(result[0] if isinstance(result, tuple) else result).dtype == dtype


@pytest.mark.parametrize('name', SHOWN)
def test_loops_read_well(name, golden):
    f, args = CASES[name]
    golden(GOLDEN / f'{name}.py', str(tp.jit(f, parallel=False).lower(*copied(args)).loops))


def test_a_pullback_is_one_nest(golden):
    golden(GOLDEN / 'total_grad.py', str(tp.jit(tp.grad(total, argnums=(0, 1)), parallel=False).lower(X, Y).loops))


ROW = Array(np.dtype(float), (Dim.symbol('n', large=True),))
OTHER = Array(np.dtype(float), (None,))


@pytest.mark.parametrize('text, nests', [
    ('y = x * x; z = y + x; return z', 1),
    ('y = x * x; z = np.sum(y); return z', 1),
    ('y = x * x; z = np.sum(y); w = x * z; return w', 2),  # a sum has its value after the loop
    ('y = x * x; x[...] = y; return x', 1),  # at a place, what is read there is read before
    ('v = x[1:]; u = x[:-1]; y = u * 2.0; v[...] = y; return x', 2),  # the store overwrites what is read next
    ('y = np.copy(x); return y', 0),
    ('y = x * x; tape.push(t, y); z = y + x; return z', 1),
    ('y = x * x; tape.push(t, y); z = y + x; tape.push(t, z); return z', 1),
    ('y = x * x; tape.push(t, y); y[...] = x; return y', 2),  # what is on the list changes after that
    ('y = x * x; tape.push(t, y); w = tape.pop(t); z = w + x; return z', 2),
    ('w = tape.pop(t); y = w * x; u = tape.pop(t); z = y + x; return z', 1),
])
def test_what_becomes_one_nest(text, nests):
    arrays = {name: ROW for name in 'xyw'} | {'u': OTHER, 'v': OTHER}
    last = text.rsplit('return ', 1)[1]
    types = arrays | {'z': ROW if last == 'z' and 'np.sum' not in text else FLOAT}
    core = fuse(parse(text, params='xt', types=types), lambda statement: True)
    assert sum(type(statement).__name__ == 'For' for statement in core.body) == nests


def test_names_that_change():
    """What was known of a name is forgotten when it is given another value, in whatever way."""
    table = Array(np.dtype(float), (None, None))
    text = """
for t in range(n):
    y = np.transpose(x)
    x = y * 2.0
    z = x + 1.0
return z"""
    loops = next(s for s in fuse(parse(text, params='xn', types=dict(x=table, y=table, z=table, n=INT))).body)
    nest = next(s for s in loops.body if isinstance(s, gast.For))
    assert gast.unparse(nest.iter) == 'range(0, size, 1, add=())'
    sizes = [gast.unparse(s.value) for s in loops.body if isinstance(s, gast.Assign) and s.targets[0].id.startswith('size')]
    assert sizes == ['x.shape[0]', 'x.shape[1]']


@pytest.mark.parametrize('columns', [0, 2])
def test_an_index_that_is_wrong_raises_in_an_empty_row_too(columns):
    def f(table, k):
        row = table[k]
        return row * 2.0
    compiled = tp.jit(f)
    same(compiled(np.ones((3, columns)), -3), np.full(columns, 2.0))
    for wrong in (3, -4):
        with pytest.raises(IndexError):
            compiled(np.ones((3, columns)), wrong)


def sum_of_both(x, y, flags):
    return np.sum(x[flags] * y[:3])


def test_sizes_that_only_the_run_tells():
    """The sizes are taken to be equal; where one of them is 1, or they do not fit, another version runs."""
    compiled = tp.jit(sum_of_both)
    for count in (3, 1):
        flags = np.arange(9) < count
        same(compiled(X, Y, flags), sum_of_both(X, Y, flags))
    with pytest.raises(ValueError):
        compiled(X, Y, np.arange(9) < 2)


def written_before(x, y, flags):
    y[0] = 5.0
    return x[flags] + y[:3]


def test_sizes_are_not_guessed_after_something_was_written():
    compiled = tp.jit(written_before)
    for count in (3, 1):
        flags, mine, other = np.arange(9) < count, Y.copy(), Y.copy()
        same(compiled(X, mine, flags), written_before(X, other, flags))
        same(mine, other)


def test_shapes_that_do_not_fit_raise():
    with pytest.raises(ValueError):
        tp.jit(lambda x, y, n: x[:n] * y[:n + 1] + 1.0)(X, Y, 4)


@pytest.mark.parametrize('dtype, digits', [(np.float64, 1e-14), (np.float32, 1e-6)])
@pytest.mark.parametrize('shape', [(1_000_003,), (1000, 1001), (100_003, 10)])
def test_sums_are_accurate(dtype, digits, shape):
    x = np.random.default_rng(1).uniform(size=shape).astype(dtype)
    exact = np.sum(x.astype(np.longdouble) * x.astype(np.longdouble))
    assert abs(float(tp.jit(lambda x: np.sum(x * x))(x) / exact) - 1.0) < digits


@pytest.mark.parametrize('shape', [(0,), (1,), (0, 3), (3, 0), (1, 1), (1, 4), (4, 1)])
def test_small_shapes(shape):
    def f(x, y):
        return np.sum(x * y + 1.0), x + y * 2.0
    x, y = np.ones(shape), np.full(shape, 2.0)
    same(tp.jit(f)(x, y), f(x, y))


def test_nan_and_inf_behave():
    def f(x):
        y = np.maximum(x, 0.0) * np.where(x > 1.0, x, -x)
        return y, np.minimum(y, x), np.sum(x), np.max(x * 2.0), np.min(x[:3] + 1.0), np.max(x[1:] * 2.0)
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 2.0])
    with np.errstate(invalid='ignore'):
        same(tp.jit(f)(x), f(x))


@pytest.mark.parametrize('f', [lambda x, n: np.max(x[:n] * 2.0), lambda x, n: np.min(x[:n])])
def test_an_extreme_of_nothing(f):
    same(tp.jit(f)(X, 2), f(X, 2))
    with pytest.raises(ValueError, match='zero-size array to reduction operation m'):
        tp.jit(f)(X, 0)


def test_compiled_for_any_sizes():
    compiled = tp.jit(lambda x, y: x * y + 1.0).lower(X, Y).compile()
    same(compiled(X[:3], Y[:3]), X[:3] * Y[:3] + 1.0)
    for x, y in ((X[:3], Y), (X, Y[:3])):
        with pytest.raises(ValueError):
            compiled(x, y)


def scaled_identity(x):
    return x[:, None] * np.eye(x.size) + np.full((x.size, x.size), x[0])


def identity_written(x):
    unit = np.eye(x.size)
    unit[0, 1] = 5.0
    return unit * x


def number_changed(x):
    c = x[0]
    filled = np.full(x.size, c)
    c = c + 1.0
    return filled * x + c


def returned_too(x):
    filled = np.full(x.size, 2.0)
    return filled * x, filled


@pytest.mark.parametrize('k', [-9, -1, 0, 8])
def test_rows_of_an_identity_count_from_the_end_too(k):
    def row(x, k):
        unit = np.eye(x.size)
        return x * unit[-1] + 2.0 * x * unit[k]

    assert np.array_equal(tp.jit(row)(X, k), row(X, k))
    with pytest.raises(IndexError):
        tp.jit(row)(X, 9)


@pytest.mark.parametrize('f', [scaled_identity, identity_written, number_changed, returned_too])
def test_patterns_are_said_and_not_read(f):
    for dtype in (np.float64, np.float32):
        x = X.astype(dtype)
        for size in (9, 2):
            same(tp.jit(f)(x[:size]), f(x[:size]))
    text = tp.jit(f).lower(X).loops
    made = 'diagonal_ones' in text or 'np.full' in text
    assert made == (f not in (scaled_identity, number_changed)), text


def test_what_keeps_sizes_needs_no_check():
    def f(x):
        turned = np.roll(x, 1, axis=0) * np.flip(x, 1) + np.cumsum(x, axis=1)
        return np.sum(turned * np.roll(turned, -1, axis=1) + np.sort(x, axis=0) - np.tril(x))

    table = np.arange(12.0).reshape(3, 4) % 5.0
    assert 'raise' not in tp.jit(f).lower(table).loops
    for x in (table, table.T, np.zeros((0, 3))):
        assert tp.jit(f)(x) == pytest.approx(f(x), rel=1e-13)
    for g in (lambda x: np.cumsum(x) + np.ravel(x), lambda x: np.tril(x[0]) + x[0]):      # of another depth
        assert np.allclose(tp.jit(g)(table), g(table), rtol=1e-13)


def counted_after(x, steps):
    log = []
    while True:
        x = 0.5 * x
        log.append(np.sum(x * x))
        if len(log) >= steps:
            break
    return np.sum(x) + len(log)


def looked_at_after(x, steps):
    log = [0.0]
    for _ in range(steps):
        x = 0.5 * x
        log.append(np.sum(x * x))
        x = x * log[-1] + x
    return np.sum(x) + sum(log)


def under_another_name(x, steps):
    log = []
    same_log = log
    for _ in range(steps):
        x = x + 1.0
        log.append(np.sum(x * x))
        x = x * len(same_log)
    return np.sum(x)


def as_an_array(x, steps):
    log = []
    total = 0.0
    for _ in range(steps):
        x = 0.5 * x
        log.append(np.sum(x * x))
        total += np.array(log).sum()
    return total


def taken_off(x, steps):
    log = [0.1, 0.2]
    for _ in range(steps):
        x = 0.5 * x
        log.append(np.sum(x * x))
        x = x + log.pop()
    return np.sum(x) + sum(log)


def of_arrays(x, steps):
    log = []
    for _ in range(steps):
        y = x * 2.0
        log.append(y)
        x = x + 0.1 * len(log) * log[0]
    return np.sum(x)


@pytest.mark.compiles
@pytest.mark.parametrize('f', [counted_after, looked_at_after, under_another_name, as_an_array, taken_off, of_arrays])
@pytest.mark.parametrize('steps', [1, 3])
def test_lists_that_get_sums_of_a_nest_are_read_after_it(f, steps):
    for g in (f, tp.grad(f)):
        assert np.allclose(tp.jit(g)(X, steps), g(X, steps), rtol=1e-12), g


def test_whole_arrays_are_gone_through_item_by_item():
    """Where they lie in C order: short rows would keep loops from being vectors."""
    def f(x, y):
        z = np.exp(-x) * y
        return z, np.sum((x - y) ** 2), np.max(z), np.mean(x * y)

    def moved(x, y, steps):
        p = x.copy()
        for _ in range(steps):
            p += y * 0.1
            p *= 0.9
        return p

    def written(x, y):
        x *= 2.0
        x[:] = x - y
        return np.sum(x * y)

    x, y = np.random.default_rng(0).normal(size=(2, 40, 3))
    columns = np.asfortranarray
    orders = {'C': (x, y), 'F': (columns(x), columns(y)), 'mixed': (x, columns(y)),
              'strided': (np.repeat(x, 2, axis=1)[:, ::2], y), 'cube': np.random.default_rng(0).normal(size=(2, 4, 5, 3))}
    for order, args in orders.items():
        for g, more in (f, ()), (moved, (3,)), (written, ()):
            compiled, own = tp.jit(g), [a.copy('K') for a in args]
            got, expected = compiled(*own, *more), g(*(a.copy('K') for a in args), *more)
            for one, other in zip(got, expected, strict=True) if g is f else [(got, expected)]:
                assert np.allclose(one, other, rtol=1e-12)
            assert order not in ('C', 'cube') or 'flat(' in compiled.lower(*args, *more).loops
    assert not any('flat(' in tp.jit(f).lower(*orders[order]).loops for order in ('F', 'mixed', 'strided'))
    for wrong in (y[:-1], y[:, :2]):
        with pytest.raises(ValueError):
            tp.jit(f)(x, wrong)


def test_written_arguments_are_written_item_by_item():
    def f(x, y):
        x *= y
        return np.sum(x)
    for x in (np.ones((4, 3)), np.ones((4, 6))[:, ::2], np.ones((3, 4)).T, np.ones((2, 4, 3))[1]):
        y = np.arange(12.0).reshape(4, 3)
        expected = x * y
        assert tp.jit(f)(x, y) == np.sum(expected) and np.array_equal(x, expected)


def test_an_identity_matrix_is_not_made_for_its_items():
    loops = tp.jit(tp.hessian(lambda x: np.sum(np.square(x)))).lower(np.ones(5)).loops
    assert 'diagonal_ones' not in loops and 'i == j' in loops


def test_flags_are_turned_over_in_the_nest_that_makes_them():
    def f(x):
        return ~(x > 0.0), np.sum(np.where(~(x > 1.0), x, 0.0))
    x = np.array([[0.5, -1.0, np.nan], [2.0, 0.0, -0.0]])
    flags, total = tp.jit(f)(x)
    assert flags.dtype == bool and np.array_equal(flags, f(x)[0]) and np.isnan(total)
    assert 'logical_not' in tp.jit(f).lower(x).loops and '~' not in tp.jit(f).lower(x).loops


def test_what_an_index_array_picks_is_looked_up_once_and_not_copied_again():
    def f(x, rows):
        return np.take(x, rows, axis=0)
    x, rows = np.arange(12.0).reshape(4, 3), np.array([3, -4, 0])
    loops = tp.jit(f).lower(x, rows).loops
    assert 'copy' not in loops and loops.index('raise') < loops.index('for k1')
    assert np.array_equal(tp.jit(f)(x, rows), x[rows])
    for wrong in (np.array([4]), np.array([0, -5])):
        with pytest.raises(IndexError):
            tp.jit(f)(x, wrong)


def test_shorter_rows_are_not_gone_through_item_by_item():
    def read(x, w):
        return x[:, :2] * 2.0, x[:3] * 3.0, np.sum(x[:2, :1] + w), x[:w.shape[0], :w.shape[1]] - w

    def written(x, w):
        x[0:2, :1] *= np.sum(x)
        x[:3] += 1.0
        return x

    x = np.arange(15.0).reshape(5, 3)
    for w in np.ones((2, 2)), np.ones((2, 3)):
        for one, other in zip(tp.jit(read)(x, w), read(x, w), strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(tp.jit(written)(x.copy(), w), written(x.copy(), w))


def test_what_a_product_of_matrices_takes_is_computed_in_loops():
    """Written with `@` or with a function: the product goes through rows, so what it takes has to be there."""
    def layers(x, w, b, v):
        return np.tanh(x @ w + b) @ v

    def by_functions(x, w, b, v):
        return np.dot(np.tanh(np.matmul(x, w) + b), v)

    rng = np.random.default_rng(3)
    args = tuple(rng.normal(size=shape) for shape in ((5, 3), (3, 4), (4,), (4, 2)))
    for f in (layers, by_functions):
        text = tp.jit(f).lower(*args).loops
        assert text.count('    for j in range(w_size):') == 1 and 'raise ValueError' not in text
        same(tp.jit(f)(*args), f(*args))
        with pytest.raises(ValueError):
            tp.jit(f)(*args[:2], args[2][:3], args[3])


def test_functions_are_computed_as_vectors_for_what_becomes_no_loop():
    """Remainders of arrays, and integers made of them, stay expressions; a sine in one is a loop all the same."""
    def remainder(x):
        return (np.sin(x) + 2.0) % 0.7

    def floors(x):
        return np.floor(np.exp(x)).astype(np.int64)

    x = np.linspace(-2.0, 2.0, 11)
    for f, function in (remainder, 'sin'), (floors, 'exp'):
        text = tp.jit(f).lower(x).loops
        assert f'from transpiler_kernels.vector_math import {function}' in text and f'np.{function}' not in text
        same(tp.jit(f)(x), f(x))


def times_a_vector(a, m, x):
    return (a * m) @ x


def a_vector_times(a, m, x):
    return np.dot(x, np.exp(-a * m))


def in_a_loop(a, m, x):
    for _ in range(3):
        x = np.matmul(a * m - np.eye(x.size, dtype=m.dtype), x)
    return x


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
@pytest.mark.parametrize('f', [times_a_vector, a_vector_times, in_a_loop])
def test_a_matrix_that_only_a_product_with_a_vector_takes_is_not_made(f, dtype):
    rng = np.random.default_rng(4)
    for size in 60, 40, 1, 0:
        m, x = rng.normal(size=(size, size)).astype(dtype), rng.normal(size=size).astype(dtype)
        found, expected = tp.jit(f)(0.5, m, x), f(0.5, m, x)
        assert found.dtype == expected.dtype and np.allclose(found, expected, rtol=1e-11 if dtype == np.float64 else 1e-4)
        assert size < 2 or 'matrix_product' not in tp.jit(f).lower(0.5, m, x).loops
    m, x = rng.normal(size=(60, 60)).astype(dtype), rng.normal(size=40).astype(dtype)
    for wrong in x, x[:1]:
        with pytest.raises((ValueError, tp.TranspileError)):
            tp.jit(f)(0.5, m, wrong)


def test_a_matrix_that_is_there_is_multiplied_by_the_library():
    def needed_twice(a, m, x):
        scaled = a * m
        return scaled @ x, np.sum(scaled)

    def given(a, m, x):
        return m @ (a * x)

    def in_columns(a, m, x):
        return (a * m.T) @ x[:1].repeat(60)

    m, x = np.arange(2400.0).reshape(60, 40), np.arange(40.0)
    for f in needed_twice, given, in_columns:
        assert 'matrix_product' in tp.jit(f).lower(0.5, m, x).loops
        same(tp.jit(f)(0.5, m, x), f(0.5, m, x))


def test_a_matrix_with_nan_or_inf_times_a_vector():
    m, x = np.array([[1.0, np.nan], [np.inf, 2.0], [3.0, 4.0]]), np.array([0.0, 1.0])
    for f, args in (times_a_vector, (2.0, m, x)), (a_vector_times, (2.0, m, np.array([0.0, np.inf, 1.0]))):
        with np.errstate(invalid='ignore'):
            same(tp.jit(f)(*args), f(*args))
