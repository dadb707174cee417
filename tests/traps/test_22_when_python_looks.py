"""Trap 22: mutable defaults, rebound globals, and closures over loop variables mean what they mean in Python, when they do."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError

X = np.array([0.3, 0.7, 1.1])
RATE = 2.0
TABLE = {'w': np.array([1.0, 2.0, 3.0]), 'rate': 0.5}
STEPS = [lambda a: a * a, np.sin]


def default_that_changes(x):
    def collect(v, seen=[]):
        seen.append(v)
        return seen
    collect(x[0])
    collect(x[1] * x[1])
    return sum(collect(x[2])) * len(collect(1.0))


def late_closures(x):
    late = [lambda a: a ** k for k in (1, 2, 3)]
    early = [lambda a, k=k: a ** k for k in (1, 2, 3)]
    return late[0](x[0]) + early[0](x[1])


def closure_over_a_changing_name(x):
    scale = x[0]

    def scaled(a):
        return a * scale
    first = scaled(x[1])
    scale = x[2] * x[2]
    return first * scaled(x[1])


def closure_over_a_loop_variable(x):
    total = 0.0
    for i in range(len(x)):
        def power(a):
            return a ** (i + 1)
        total = total + power(x[i])
    return total


def closure_over_a_list(x):
    seen = []

    def note(v):
        seen.append(v * v)
        return v
    for v in x:
        note(v)
    return sum(seen) * len(seen)


@pytest.mark.parametrize('f', (default_that_changes, late_closures, closure_over_a_changing_name, closure_over_a_loop_variable,
                               closure_over_a_list), ids=lambda f: f.__name__)
def test_closures_and_defaults(mode, f):
    check(mode, f, X, order=2)


def test_globals_are_read_at_each_call(mode, monkeypatch):
    def f(x):
        value = np.sum(TABLE['w'] * x) * TABLE['rate'] * RATE
        for step in STEPS:
            value = step(value)
        return value

    def slope(x, w, rate, factor, last):
        inner = np.sum(w * x) * rate * factor
        return last(inner * inner) * 2 * inner * w * rate * factor
    gradient = mode(tp.grad(f))
    np.testing.assert_allclose(gradient(X), slope(X, TABLE['w'], 0.5, 2.0, np.cos))
    monkeypatch.setitem(globals(), 'RATE', 3.0)
    np.testing.assert_allclose(gradient(X), slope(X, TABLE['w'], 0.5, 3.0, np.cos))
    monkeypatch.setitem(TABLE, 'rate', 0.25)
    monkeypatch.setitem(TABLE, 'w', np.ones(3))
    np.testing.assert_allclose(gradient(X), slope(X, np.ones(3), 0.25, 3.0, np.cos))
    STEPS[1] = np.exp
    try:
        np.testing.assert_allclose(gradient(X), slope(X, np.ones(3), 0.25, 3.0, np.exp))
    finally:
        STEPS[1] = np.sin


def test_a_captured_array_is_not_changed(mode):
    weights = np.array([1.0, 2.0, 3.0])

    def f(x):
        weights[0] = x[0] * x[1]
        return np.sum(weights * x)
    try:
        gradient = mode(tp.grad(f))(X)
        expected = weights.copy()
        expected[0] = X[0] * X[1]
        np.testing.assert_allclose(gradient, expected + np.array([X[0] * X[1], X[0] * X[0], 0.0]))
    except TranspileError:
        pass
    assert np.array_equal(weights, [1.0, 2.0, 3.0])


def test_defaults_of_functions_around_the_program_are_not_changed():
    def collect(v, seen=[]):
        seen.append(v)
        return sum(seen)
    with pytest.raises(TranspileError, match='belongs to the caller'):
        tp.grad(lambda x: _COLLECT(x))(1.0)
    assert _COLLECT.__defaults__ == ([1.0],) and collect.__defaults__ == ([],)


def _COLLECT(v, seen=[1.0]):
    seen.append(v)
    return sum(seen)
