"""Lists of run-time length whose arrays differ in length, joined and added up; and lists of parts, as NumPy gives them."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN, check, same
from transpiler.errors import TranspileError


def by_rows_of_indices(x):
    rows = np.concatenate([np.arange(c + 1, x.size) for c in range(x.size - 1)])
    return np.sum(x[rows] ** 2)


def appended(x):
    parts = []
    for c in range(x.size - 1):
        parts.append(x[c:] ** 2)
    return np.sum(np.hstack(parts) ** 2)


def wide_and_high(x):
    high, wide = [np.outer(x[c:], x) for c in range(x.size)], [np.outer(x, x[c:]) for c in range(x.size)]
    down = np.sum(np.vstack(high) ** 2) + np.sum(np.concatenate(high)[0] ** 3) + np.sum(np.concatenate(high, axis=None) ** 2)
    return down + np.sum(np.hstack(wide) ** 2) + np.sum(np.concatenate(wide, axis=-1)[:, -1]) + np.sum(np.column_stack(wide)[0])


def copied(x):
    parts = [x[c:] ** 2 for c in range(x.size)]
    more = parts.copy()
    more.append(x * 2)
    return np.sum(np.concatenate(more) ** 2) + np.sum(np.concatenate(parts))


def added_up(x):
    parts = [x[c:c + 1 if c > 0 else x.size] for c in range(x.size)]
    return np.sum(sum(parts) ** 2)


def made_of_the_last(x):
    parts = [x]
    while parts[-1].size > 1:
        parts.append(parts[-1][1:] * parts[-1][:-1])
    return np.sum(np.concatenate(parts) ** 2)


def overwritten(x):
    parts = [x[c:] for c in range(x.size)]
    parts[1] = parts[0] * parts[1][0]
    parts.insert(0, x[1:] ** 2)
    last = parts.pop()
    return np.sum(np.hstack(parts) ** 2) + np.sum(last)


def numbers_in_lists(x):
    rows = [[x[i] * x[j] for j in range(i + 1)] for i in range(x.size)]
    return np.sum(np.concatenate(rows) ** 2) + sum(sum(row) for row in rows)


def by_a_condition(x):
    parts = []
    for c in range(x.size):
        if x[c] > 0.35:
            parts.append(x[:c + 1] ** 2)
        else:
            parts.extend([x[c:], x])
    joined = np.concatenate(parts)
    return np.sum(joined * joined[::-1]) + np.sum(np.concatenate(parts[::2]) ** 3)


def joined_again(x):
    first = np.concatenate([x[c:] for c in range(x.size)])
    return np.sum(np.concatenate([first[c:c + x.size] for c in range(x.size)]) ** 2) + np.sum(np.concatenate([x, *[x[1:]]]))


def of_one_length(x):
    numbers, rows, tables = [v ** 2 for v in x], [x * v for v in x], [np.outer(x, x) * v for v in x]
    flat = np.sum(np.hstack(numbers) ** 2) + np.sum(np.vstack(numbers) @ x[:1]) + np.sum(np.column_stack(numbers) @ x)
    lines = np.sum(np.vstack(rows)[0]) + np.sum(np.column_stack(rows)[0] * x) + np.sum(np.stack(rows, axis=-1) @ x)
    deep = np.sum(np.dstack(numbers)[0, 0] * x) + np.sum(np.dstack(rows)[0] @ x) + np.sum(np.dstack(tables)[:, 0] ** 2)
    return flat + lines + deep + np.sum(np.hstack(tables)[0] ** 2) + np.sum(np.column_stack(tables)[1] ** 3)


def of_the_rows_of_an_array(x):
    m, deep = np.outer(x, x), np.stack([np.outer(x, x), np.outer(x, x ** 2)])
    flat = np.sum(np.column_stack(m) @ x) + np.sum(np.dstack(m)[0, 1] * x) + np.sum(np.hstack(m) ** 2) + np.sum(np.vstack(m)[0])
    wide = np.sum(np.column_stack(deep)[0] ** 2) + np.sum(np.dstack(deep)[0, 1] ** 2) + np.sum(np.concatenate(deep, axis=1)[0])
    return flat + wide + np.sum(np.hstack(deep)[:, 1]) + np.sum(np.concatenate(deep)[-1] ** 2)


def joined_as_it_goes(x):
    out, total = x[:0], np.zeros(0)
    for c in range(x.size):
        out = np.r_[out, x[c:] ** 2]
        total = np.hstack([np.append(total, x[:c + 1]), x[c], total[:2]])
    return np.sum(out ** 2) + np.sum(total * np.cos(np.arange(total.size)))


PROGRAMS = [by_rows_of_indices, appended, wide_and_high, copied, added_up, made_of_the_last, overwritten, numbers_in_lists,
            by_a_condition, joined_again, of_one_length, of_the_rows_of_an_array, joined_as_it_goes]
POINTS = [np.array([0.3, 0.7, 0.2, 0.9]), np.array([0.5, 0.1, 0.8])]


@pytest.mark.parametrize('f', PROGRAMS)
def test_any_lengths(f):
    for x in POINTS:
        check(PLAIN, f, x)
    batch = np.stack([POINTS[0], POINTS[0][::-1]])
    same(tp.vmap(tp.grad(f))(batch), np.stack([tp.grad(f)(x) for x in batch]))


@pytest.mark.parametrize('f', [appended, copied, overwritten])
def test_second_order(f):
    gradient, steps = tp.grad(f), 1e-5 * np.eye(4)
    slopes = [(gradient(POINTS[0] + step) - gradient(POINTS[0] - step)) / 2e-5 for step in steps]
    same(tp.hessian(f)(POINTS[0]), np.stack(slopes, axis=1))


@pytest.mark.parametrize('f', [copied, overwritten])
def test_compiled(f):
    same(tp.jit(tp.value_and_grad(f))(POINTS[0]), tp.value_and_grad(f)(POINTS[0]))


def test_what_numpy_refuses():
    def of_other_widths(x):
        return np.sum(np.concatenate([x[c:, None] * x[:c + 1] for c in range(x.size)]))

    def of_nothing(x):
        return np.sum(np.concatenate([x[c:] for c in range(x.size - 5)]))

    def of_several_ranks(x):
        parts = [x]
        for c in range(x.size):
            parts.append(x if c > 5 else np.outer(x, x))
        return np.sum(np.concatenate(parts))

    for f in (of_other_widths, of_nothing):
        for call in (f, tp.grad(f)):
            with pytest.raises(ValueError):
                call(POINTS[0])
    with pytest.raises(TranspileError, match='one structure'):
        tp.grad(of_several_ranks)(POINTS[0])


PARTS = [
    lambda x, m: np.split(x, 2),
    lambda x, m: np.split(m, [1, 2]),
    lambda x, m: np.array_split(x, 4),
    lambda x, m: np.hsplit(m, 3),
    lambda x, m: np.vsplit(m, 2),
    lambda x, m: np.dsplit(np.reshape(m, (2, 2, 3)), [1]),
    lambda x, m: np.unstack(m[:2], axis=0),
    lambda x, m: np.meshgrid(x, x),
    lambda x, m: np.broadcast_arrays(m, m[0], x[0]),
]


@pytest.mark.parametrize('parts', PARTS)
def test_parts_are_held_as_numpy_holds_them(parts):
    x, m = np.arange(1.0, 7.0), np.arange(1.0, 13.0).reshape(4, 3)
    expected = parts(x, m)
    found, pullback = tp.vjp(parts, x, m)
    assert type(found) is type(expected)
    same(found, type(expected)(map(np.array, expected)))
    bars = pullback(type(expected)(np.ones_like(part) for part in expected))
    same(np.sum(bars[0]) + np.sum(bars[1]), float(sum(part.size for part in expected)))


def test_split_at_places_that_the_run_tells(mode):
    def f(x, places):
        pieces = np.split(x, places)
        return np.sum(np.concatenate([piece ** 2 * piece[-1] for piece in pieces])) + len(pieces) * x[0]

    check(mode, f, np.linspace(0.5, 1.5, 6), np.array([1, 3]))


@pytest.mark.parametrize('decomposed', [np.linalg.eigh, np.linalg.slogdet])
def test_results_that_numpy_names_have_these_names(mode, decomposed):
    f, m = (lambda m: decomposed(m @ m.T)), np.arange(4.0).reshape(2, 2) + np.eye(2)
    found = tp.vjp(f, m)[0] if not mode.compiled else tp.jit(f)(m)
    assert type(found) is type(decomposed(m))


def counted_rows(x):
    rows = [[0.0] * (i + 1) for i in range(x.size)]
    rows[1][0] = x[0]
    return rows[1][0] * 2


def counted_in_a_comprehension(x):
    rows = [[x[j] for j in range(i)] for i in range(1, x.size)]
    rows[1][0] = x[0]
    return rows[1][0] * 2


@pytest.mark.parametrize('f', [counted_rows, counted_in_a_comprehension])
def test_rows_of_counted_lengths_that_are_written_to_are_refused(f):
    for transformed in (tp.grad(f), tp.jit(f)):
        with pytest.raises(TranspileError, match='lists of different lengths in a list, which are written to'):
            transformed(np.ones(4))
