"""Iterators are lazy in Python and used up by their first reader: right, or refused."""
import itertools

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.3, 1.2, 0.7])


def of_an_expression(x):
    w, total = x.copy(), 0.0
    for t in (w[i] * 1.0 for i in range(3)):
        w[2] += t
        total += t
    return total


def mapped(x):
    w, total = x.copy(), 0.0
    for t in map(lambda i: w[i] * 1.0, range(3)):
        w[2] += t
        total += t
    return total


def chained(x):
    w, total = x.copy(), 0.0
    for t in itertools.chain(w[:1], w[1:]):
        w[2] += t
        total += t
    return total


def filtered(x):
    w, total = x.copy(), 0.0
    for t in filter(lambda t: t > 0, w):
        w[2] += t
        total += t
    return total


def accumulated(x):
    w, total = x.copy(), 0.0
    for t in itertools.accumulate(w):
        w[2] += t
        total += t
    return total


def numbered(x):
    w, total = x.copy(), 0.0
    for t in (t for _, t in enumerate(t * t for t in w)):
        w[2] += t
        total += t
    return total


def from_a_name_that_changes(x):
    a, total = x[0], 0.0
    for t in (a * x[i] for i in range(3)):
        a = a + 1.0
        total += t
    return total


def from_a_list_that_changes(x):
    g, total = [x[0], x[1]], 0.0
    for t in map(lambda i: g[i], range(2)):
        g[1] = 2.0 * x[2]
        total += t
    return total


def beside_an_array(x):
    w, total = x.copy(), 0.0
    for a, t in zip((1.0, 2.0, 3.0), w):
        w[2] += t
        total += a * t
    return total


def through_a_view(x):
    w, total = x.copy(), 0.0
    tail = w[1:]
    for t in map(lambda i: w[i], range(3)):
        tail[1] += t
        total += t
    return total


def stopped_early(x):
    w = x.copy()

    def add(t):
        w[2] += t
        return t
    return w[2] if any(add(t) > 0.1 for t in w) else 0.0


def rotating(x):
    a, p, q, r = x * 1.0, x * 2.0, x * 3.0, x * 4.0
    for _ in range(x.size):
        p = q
        q = r
        r = a
    total = 0.0
    for t in (a[i] * a[i] for i in range(3)):
        p[2] += t
        total += t * t
    return total


def on_a_list(x):
    rows, total = [], 0.0
    w = x * 2.0
    for _ in range(x.size):
        rows.append(w)
    for t in (np.sum(row) for row in rows):
        w[0] += t
        total += t * t
    return total


@pytest.mark.parametrize('f', [of_an_expression, mapped, filtered, numbered, from_a_name_that_changes, from_a_list_that_changes,
                               through_a_view, stopped_early])
def test_items_that_the_loop_changes_are_made_in_their_turn(mode, f):
    check(mode, f, X)


@pytest.mark.parametrize('f', [rotating, on_a_list])
def test_items_that_the_loop_changes_by_another_name_are_made_in_their_turn(f):
    shifted = [f(X + 1e-6 * step) - f(X - 1e-6 * step) for step in np.eye(3)]
    value, tangent = tp.jvp(f, (X,), (np.ones(3),))
    assert np.isclose(value, f(X)) and np.isclose(tangent, np.sum(shifted) / 2e-6)
    with pytest.raises(tp.errors.UnsafeMutation, match='written in place'):
        tp.grad(f)(X)


@pytest.mark.parametrize('f', [chained, accumulated, beside_an_array])
def test_items_that_the_loop_changes_are_refused(f):
    with pytest.raises(tp.errors.UnsafeMutation, match='made'):
        tp.grad(f)(X)


def map_twice(x):
    items = map(lambda t: t * t, x)
    return len(list(items)) * x[0] + len(list(items))


def filter_twice(x):
    items = filter(lambda t: t > 0.5, x)
    return len(list(items)) * x[0] + len(list(items))


def chain_twice(x):
    items = itertools.chain(x, x)
    return len(list(items)) * x[0] + len(list(items))


def accumulate_twice(x):
    items = itertools.accumulate(x)
    return len(list(items)) * x[0] + len(list(items))


def islice_twice(x):
    items = itertools.islice(x, 2)
    return len(list(items)) * x[0] + len(list(items))


def combinations_twice(x):
    items = itertools.combinations(x, 2)
    return len(list(items)) * x[0] + len(list(items))


def permutations_twice(x):
    items = itertools.permutations((x[0], x[1]))
    return len(list(items)) * x[0] + len(list(items))


@pytest.mark.parametrize('f', [map_twice, filter_twice, chain_twice, accumulate_twice, islice_twice, combinations_twice,
                               permutations_twice])
def test_a_second_reader_is_refused(f):
    with pytest.raises(tp.errors.UnsupportedSyntax, match='something may have read it before'):
        tp.grad(f)(X)


def scaled(items):
    for t in items:
        yield t * items[0]


def a_list_changed_by_another_argument(x):
    items = [x[0], x[1]]

    def change():
        items[0] = x[2]
        return [1.0, 2.0]
    return sum(a * b for a, b in zip(scaled(items), change()))


def an_array_changed_by_another_argument(x):
    items = x.copy()

    def change():
        items[0] = x[2]
        return [1.0, 2.0]
    return sum([a * b for a, b in list(zip(scaled(items), change()))])


def a_name_changed_by_another_argument(x):
    k = x[0]

    def change():
        nonlocal k
        k = x[2]
        return [1.0, 2.0]
    return sum(a * b for a, b in zip((t * k for t in x[:2]), change()))


def noted(x, log):
    for t in x:
        log.append(t)
        yield t


def read_by_another_argument(x):
    log, total = [x[0]], 0.0
    for a, b in zip(noted(x, log), [log[-1], 2.0, 3.0]):
        total = total + a * b
    return total


def read_while_it_is_made(x):
    log, total = [x[0]], 0.0
    for a, b in zip(log, noted(x, log)):
        total = total + a * b
    return total


@pytest.mark.parametrize('f', [a_list_changed_by_another_argument, an_array_changed_by_another_argument,
                               a_name_changed_by_another_argument, read_by_another_argument, read_while_it_is_made])
def test_items_and_other_arguments_that_change_each_other_are_refused(f):
    with pytest.raises(tp.errors.UnsafeMutation, match='argument of this call'):
        tp.grad(f)(X)


def one_of_two(x, first):
    if first:
        return iter([x[0], x[1]])
    return zip(x, x)


def given_by_functions(x):
    total = sum(t * t for t in one_of_two(x, True))
    for a, b in one_of_two(x, False):
        total = total + a * b
    return total + sum(list(noted(x, [])), x[0]) * len(list(enumerate(noted(x, []))))


def test_iterators_that_functions_give(mode):
    check(mode, given_by_functions, X)


def squares_beside(x):
    out, seen, total = np.zeros(3), [], 0.0
    for k, t in enumerate(map(lambda t: t * t, x)):
        out[k] = t
        seen.append(t * x[0])
        total += t
    return np.sum(out) + seen[1] * total


def changing_what_was_listed(x):
    w, total = x.copy(), 0.0
    for t in list(map(lambda i: w[i] * 1.0, range(3))):
        w[2] += t
        total += t * w[2]
    return total


def until_one_is_large(x):
    total, scale = 0.0, np.ones(2)
    for t in itertools.chain(x, x * x):
        scale[0] *= t
        if t > 1.0:
            break
        total += t
    return total + scale[0] + sum(map(lambda a, b: a * b, x, x[::-1]))


@pytest.mark.parametrize('f', [squares_beside, changing_what_was_listed, until_one_is_large])
def test_what_no_turn_can_notice(mode, f):
    check(mode, f, X)


def through_a_function(x):
    c = 1.0

    def scale(t):
        return t * c
    total = 0.0
    for t in map(scale, x):
        c = c + 1.0
        total += t
    return total


class Scale:
    def __init__(self):
        self.by = 1.0

    def __call__(self, t):
        return t * self.by

    def times(self, t):
        return t * self.by


def through_a_method(x):
    scale, total = Scale(), 0.0
    for t in map(scale.times, x):
        scale.by += 1.0
        total += t
    return total


def through_a_list(x):
    by, total = [1.0], 0.0
    for t in (t * by[0] for t in x):
        by[0] += 1.0
        total += t
    return total


@pytest.mark.parametrize('f', [through_a_function, through_a_method, through_a_list])
def test_what_items_are_made_of_elsewhere_is_watched(mode, f):
    check(mode, f, X)


def products(pairs):
    total = 0.0
    for a, b in pairs:
        total += a * b
    return total


def read_once(x):
    w, items = x.copy(), [x[0], x[1]]
    numbered, pairs = enumerate(w), zip(items, w)
    w[0], items[1] = 5.0 * x[1], x[2]**2
    return products(zip(x, x[1:])) + sum(k * t for k, t in numbered) + sum([a * b for a, b in pairs])


def read_twice(x):
    pairs = zip(x, x)
    return products(pairs) + products(pairs)


def read_in_a_loop(x):
    pairs, total = zip(x, x), 0.0
    for _ in range(2):
        for a, b in pairs:
            total += a * b
    return total


def read_by_a_function(x):
    rest = reversed(x)
    add = lambda: sum(rest)
    return add() + add()


def kept_in_a_tuple(x):
    kept = zip(x, x), 1
    return products(kept[0])


def test_a_name_that_is_read_once(mode):
    check(mode, read_once, X)


@pytest.mark.parametrize('f', [read_twice, read_in_a_loop, read_by_a_function, kept_in_a_tuple])
def test_a_name_that_may_be_read_again(f):
    with pytest.raises(tp.TranspileError, match='used up|may have read it before|may have changed'):
        tp.grad(f)(X)


def test_items_that_read_a_name_which_gets_its_value_later_are_refused(mode):
    def f(x):
        products = (v * w for v in x)
        w = 2.0
        return sum(products)
    with pytest.raises(tp.errors.UnsupportedSyntax, match='`w` has no value where an iterator is made whose items read it'):
        mode(tp.grad(f))(np.ones(3))


def test_items_that_read_a_name_without_a_value_on_one_path_raise_there(mode):
    def f(x):
        if x[0] > 0:
            w = 2.0
        return sum(v * w for v in x)
    assert np.array_equal(mode(tp.grad(f))(np.ones(3)), [2.0, 2.0, 2.0])
    with pytest.raises(UnboundLocalError):
        mode(tp.grad(f))(-np.ones(3))
