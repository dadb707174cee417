"""`:=` in a comprehension or a generator expression gives a name of the function around it its value."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.45, 0.7, 3.0])


def last(x):
    s = 0.0
    items = [(s := v * 2) for v in x]
    return s + items[0]


def running(x):
    s = 1.0
    items = [s := s * v for v in x]
    entries = {k: (s := s + x[k] * items[1]) for k in range(3)}
    return s * entries[0] + sum(items)


def until(x):
    total = sum((end := v) * v for v in x) * end
    if not all((bad := v) < 2 for v in x):
        total = total * bad
    if any((big := a * b) > 0.3 for a in x for b in x if b > 0.6):
        return big * x[2] * total
    return x[0]


def nested(x):
    n, v = 0, 10.0
    rows = [[(s := a * b) for b in x if (n := n + 1)] for a in x]
    if any(any((h := a + v) > 1.3 for v in x) for a in x):
        return h * s * n + rows[0][1] * v
    return s


def seen_by_functions(x):
    s, v = 1.0, 10.0

    def scale():
        return s * v
    items = [(s := s * v) * scale() for v in x]
    return (lambda y: [(s := v) for v in y][0] * s)(x) * scale() + items[1]


def written_by_functions(x):
    s = 0.0

    def add():
        nonlocal s
        return [(s := s + v) for v in x][0]
    return add() * s


def in_tests(x):
    p, i, big = 1.0, 0, 0.0
    while any((big := v) > 1.0 for v in x) and i < 3:
        x, i = x * 0.5, i + 1
    if x[0] > 0 and [p := p * v for v in x][1] > 1e-6:
        p = p * 2
    return big * p * i + x[2]


def making_functions(x):
    functions = [lambda a, v=v, k=k: (end := a * v) * v * k * end * k for k, v in enumerate((x[0], x[1])) if (n := k + 1)]
    later = [lambda v: v * k * n for k in (1, 2) if (n := n + k)]
    return functions[1](x[0]) + later[0](x[2]) * n


PROGRAMS = last, running, until, nested, seen_by_functions, written_by_functions, in_tests, making_functions


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_names_of_the_function(f):
    batch = np.stack([X, X[::-1] * 1.1])
    value, gradient = tp.value_and_grad(f)(X)
    numeric = [(f(X + step) - f(X - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(value, f(X))
    np.testing.assert_allclose(gradient, numeric, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(tp.jvp(f)(X, np.arange(3.0))[1], np.arange(3.0) @ numeric, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(tp.vmap(f)(batch), [f(row) for row in batch])


def as_long_as_it_takes(x, n):
    s = 1.0
    total = sum((s := s * x[i % 3]) * 2 for i in range(n))
    if any((big := x[i % 3]) > 0.6 for i in range(n)):
        return big * x[2] + total * s
    return x[0]


@pytest.mark.parametrize('n', (0, 1, 4))
def test_run_time_length(mode, n):
    check(mode, lambda x: as_long_as_it_takes(x, n), X)


def test_no_item_was_made():
    def f(x, n):
        if all((bad := x[i]) < 2 for i in range(n)):
            return bad
        return x[0]
    assert tp.value_and_grad(f)(X, 2)[0] == 0.7
    with pytest.raises(UnboundLocalError, match="'bad'"):
        tp.value_and_grad(f)(X, 0)


def test_names_that_nothing_else_reads():
    def f(x):
        total = 0.0
        for a, b in zip((y * y for v in x if (y := 2 * v) > 1), x):
            total = total + a * b
        return total
    np.testing.assert_allclose(tp.grad(f)(X), [4 * 0.7 ** 2, 8 * 0.7 * 0.45 + 4 * 9.0, 24 * 0.7])
    assert tp.vmap(f)(X[None]) == pytest.approx(f(X))


def named(x):
    items = ((end := v) * 2 for v in x)
    return sum(items) * end


def interleaved(x):
    total = 0.0
    for a, b in zip(((end := v) for v in x), x):
        total = total + a * b * end
    return total


def with_a_key(x):
    end = 1.0
    return max(((end := v) for v in x), key=lambda v: v * end)


@pytest.mark.parametrize('f', (named, interleaved, with_a_key), ids=lambda f: f.__name__)
def test_items_one_by_one_are_refused(f):
    with pytest.raises(tp.TranspileError, match='`:=` in this generator expression') as error:
        tp.grad(f)(X)
    assert '^' in str(error.value) and 'a list comprehension' in str(error.value)
