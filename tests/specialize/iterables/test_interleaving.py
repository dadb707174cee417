"""Iterators make an item when its turn comes: where that shows, a loop makes them one by one, or the program is refused."""
import itertools

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([1.25, 2.5, -3.75, 0.5])


def counted_until_left(x):
    n = 0

    def items():
        nonlocal n
        for v in x:
            n += 1
            yield v * v
    for v in items():
        if v > 2:
            break
    return n * x[0] * v


def noted_until_left(x):
    log = []

    def items():
        for v in x:
            log.append(v)
            yield v
    for k, v in enumerate(items()):
        if v > 2:
            return len(log) * x[0] * v + k
    return x[0]


def raising_behind(x):
    def items():
        for i in range(4):
            if i == 2:
                raise ValueError('no')
            yield x[i]
    total = 0.0
    for v in items():
        total += v * v
        if v > 2:
            break
    return total


def asserted(x):
    def items():
        for v in x:
            assert v > 0
            yield v
    for v in items():
        if v > 2:
            return v * x[0]
    return x[1]


def seen_by_the_loop(x):
    n, total = 0, 0.0

    def items():
        nonlocal n
        while n < 3:
            n += 1
            yield x[n]
    for v in items():
        n += 1
        total += v * v * n
    return total * n


def in_parts(x):
    y = x * 1.0

    def items(count, scale=2.0):
        for k in range(count):
            y[k] *= scale
            yield y[k]
            if k == 2:
                return
            yield from (v * x[0] for v in (y[k], k))
    total = 0.0
    for v in items(4):
        if v > 4:
            total = total * 2
            continue
        if total < -60:
            return total
        total += v * v
    return total + np.sum(y)


def of_an_expression(x):
    w, total = x.copy(), 0.0
    for i, j in ((i, j) for i in range(4) for j in range(4) if i != j):
        total += w[i] * w[j]
        if total > 3:
            break
        w[i] += x[j]
    return total


def mapped(x):
    total = x[0]
    for v in map(lambda k, w: [1, 2][k] * w, (0, 5), x):
        total += v * v
        break
    return total


def filtered(x):
    w, total = x.copy(), 0.0
    for v in filter(lambda k: w[k] > 0, range(4)):
        w[2] += 8.0
        total += v * x[v] ** 2
    for v in filter(None, (0, 2, 1)):
        w[v] += total
        total += w[2]
    return total


def decided(x):
    log = []

    def large(v):
        log.append(v)
        return v > 2
    many = len(log) if any(large(v) for v in x) else 0
    return x[0] ** 2 * many * len(log) if any(10 // k > 1 for k in (5, 0)) else x[1]


@pytest.mark.parametrize('f', [counted_until_left, noted_until_left, raising_behind, asserted, seen_by_the_loop, in_parts,
                               of_an_expression, mapped, filtered, decided])
def test_items_are_made_when_their_turn_comes(mode, f):
    check(mode, f, X)
    rows = np.array([X, X + 0.125])
    assert np.allclose(tp.vmap(f)(rows), [f(row) for row in rows])


def test_output_comes_in_the_order_of_python(capsys):
    def items(x):
        for k in range(3):
            print('made', k)
            yield x[k]

    def f(x):
        total = 0.0
        for v in items(x):
            total += v
            print('read')
        return total
    f(X)
    expected = capsys.readouterr().out
    tp.jit(f)(X)
    assert capsys.readouterr().out == expected


def noting(x, log):
    for v in x:
        log.append(v)
        yield v


def never_read(x):
    y = x.copy()

    def items():
        y[0] = 100.0
        yield 1.0
    it = items()  # noqa: F841
    return y[0] * 2


def mapped_and_never_read(x):
    log = []
    m = map(log.append, x)  # noqa: F841
    return len(log) + x[0]


def a_line_of_its_own(x):
    log = []
    map(log.append, x)
    return len(log) + x[0]


def rebound_unread(x):
    log = []
    it = map(log.append, x)
    it = 2.0
    return len(log) * it + x[0]


def given_to_who_does_not_read_it(x):
    log = []
    ignore = lambda items: 1.0
    return ignore(log.append(v) for v in x) * x[0] + len(log)


def cut_off(x):
    log = []
    for v in itertools.islice(noting(x, log), 2):
        x = x * v
    return np.sum(x) * len(log)


def beside_fewer(x):
    log, total = [], 0.0
    for v, w in zip(np.ones(2), noting(x, log)):
        total += v * w
    return total * len(log)


def raising_beside_fewer(x):
    total = 0.0
    for v, w in zip([1.0], (1.0 / float(v) for v in (x[0], 0.0))):
        total += v * w
    return total


def accumulated_until_left(x):
    log = []
    for v in itertools.accumulate(noting(x, log)):
        if v > 2:
            break
    return len(log) * v


def under_a_name_until_left(x):
    items, total = (10 // k for k in (5, 0)), x[0]
    for v in items:
        total += v
        break
    return total


UNREAD = [never_read, mapped_and_never_read, a_line_of_its_own, rebound_unread, given_to_who_does_not_read_it, cut_off,
          beside_fewer, raising_beside_fewer, accumulated_until_left, under_a_name_until_left]


@pytest.mark.parametrize('f', UNREAD)
def test_items_that_python_would_not_make_are_refused(f):
    with pytest.raises(tp.errors.UnsafeMutation, match='making (one|an item of it) (changes something|raises|may raise)'):
        tp.grad(f)(X)


def read_in_between(x):
    log = []
    items = noting(x, log)
    n = len(log)
    return sum(items) * n + x[0]


def read_by_another_argument(x):
    log = []
    return sum(noting(x, log), len(log)) * x[0]


@pytest.mark.parametrize('f', [read_in_between, read_by_another_argument])
def test_what_reads_meanwhile_what_the_making_changes_is_refused(f):
    with pytest.raises(tp.TranspileError, match='may have changed|may change each other'):
        tp.grad(f)(X)


def taken_whole(x):
    log, total = [], 0.0
    for v, w in zip(noting((x[0], x[1]), log), (x[2], x[3], x[1])):
        total += v * w
    items = noting(x[1:], log)
    return total + sum(items) * len(log) + max(noting(x, log)) * len(log)


def test_iterators_that_are_read_to_their_end(mode):
    check(mode, taken_whole, X)
