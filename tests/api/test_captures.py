"""Closures and globals: read at each call, differentiated where they depend on an argument."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

SCALE = 2.0
WEIGHTS = np.array([1.0, 2.0, 3.0])
SETTINGS = {'rate': 0.5, 'power': 2}


def uses_globals(x):
    return np.sum(x * WEIGHTS) * SCALE


def helper(x):
    return x * SCALE


def uses_a_helper(x):
    return helper(x) * helper(x)


def uses_a_dict(x):
    return x ** SETTINGS['power'] * SETTINGS['rate']


def test_globals(mode):
    same(mode(tp.grad(uses_globals))(np.ones(3)), 2.0 * WEIGHTS)


def test_a_rebound_global_is_seen(mode, monkeypatch):
    gradient = mode(tp.grad(uses_globals))
    same(gradient(np.ones(3)), 2.0 * WEIGHTS)
    monkeypatch.setitem(globals(), 'SCALE', 5.0)
    same(gradient(np.ones(3)), 5.0 * WEIGHTS)
    monkeypatch.setitem(globals(), 'WEIGHTS', np.array([1.0, 0.0, -1.0]))
    same(gradient(np.ones(3)), np.array([5.0, 0.0, -5.0]))
    monkeypatch.setitem(globals(), 'WEIGHTS', 2.0)
    same(gradient(np.ones(3)), np.full(3, 10.0))


def test_a_global_written_in_place_is_seen(mode, monkeypatch):
    weights = WEIGHTS.copy()
    monkeypatch.setitem(globals(), 'WEIGHTS', weights)
    gradient = mode(tp.grad(uses_globals))
    same(gradient(np.ones(3)), 2.0 * weights)
    weights[1] = -7.0
    same(gradient(np.ones(3)), 2.0 * weights)


def test_globals_of_a_helper(mode, monkeypatch):
    gradient = mode(tp.grad(uses_a_helper))
    same(gradient(3.0), 24.0)
    monkeypatch.setitem(globals(), 'SCALE', 1.0)
    same(gradient(3.0), 6.0)


def test_a_rebound_helper_is_seen(mode, monkeypatch):
    gradient = mode(tp.grad(uses_a_helper))
    same(gradient(3.0), 24.0)
    monkeypatch.setitem(globals(), 'helper', lambda x: x * x)
    same(gradient(3.0), 108.0)


def test_a_global_dict(mode, monkeypatch):
    gradient = mode(tp.grad(uses_a_dict))
    same(gradient(3.0), 3.0)
    monkeypatch.setitem(SETTINGS, 'rate', 2.0)
    same(gradient(3.0), 12.0)
    monkeypatch.setitem(SETTINGS, 'power', 3)
    same(gradient(3.0), 54.0)


def test_a_closure(mode):
    factor = 3.0

    def f(x):
        return x * x * factor
    gradient = mode(tp.grad(f))
    same(gradient(2.0), 12.0)
    factor = 1.0
    same(gradient(2.0), 4.0)


def test_closures_are_apart(mode):
    def make(power):
        def f(x):
            return x ** power
        return f
    square, cube = mode(tp.grad(make(2))), mode(tp.grad(make(3)))
    same((square(2.0), cube(2.0), square(3.0)), (4.0, 12.0, 6.0))


def test_closures_over_a_loop_variable(mode):
    functions = [lambda x: x * k for k in range(3)]
    same([mode(tp.grad(f))(1.0) for f in functions], [2.0, 2.0, 2.0])


def test_closures_are_differentiated(mode):
    def outer(a):
        def inner(x):
            return a * x * x
        return tp.grad(inner)(3.0)
    same(mode(outer)(2.0), 12.0)
    same(mode(tp.grad(outer))(2.0), 6.0)


def test_nested_functions_and_lambdas(mode):
    def f(x):
        def inner(y, scale=2.0):
            return y * scale + x
        double = lambda v, k=2: v * k
        return inner(x) * inner(x, scale=3.0) + double(x) * (lambda z: z * x)(x)
    # (3x)(4x) + 2x * x^2
    same(mode(tp.grad(f))(2.0), 24 * 2.0 + 6 * 4.0)


def test_several_lambdas_on_a_line(mode):
    f, g, h = (lambda x: x * x), (lambda x: x * x * x), (lambda x, n=2.0: x * n)
    same([mode(tp.grad(each))(2.0) for each in (f, g, h)], [4.0, 12.0, 2.0])


def test_lambdas_on_a_line_that_read_globals(mode):
    f, g = (lambda x: np.exp(x)), (lambda x: np.sin(x))
    same([mode(tp.grad(f))(0.5), mode(tp.grad(g))(0.5)], [np.exp(0.5), np.cos(0.5)])


def test_lambdas_over_several_lines(mode):
    table = {
        'square': lambda x:
            x * x,
        'cube': lambda x: (
            x * x
            * x),
    }
    same([mode(tp.grad(table[name]))(2.0) for name in ('square', 'cube')], [4.0, 12.0])


def test_late_defined_names(mode):
    def f(x):
        return later(x)
    gradient = mode(tp.grad(f))

    def later(x):
        return x * x
    same(gradient(2.0), 4.0)


def test_an_undefined_name(mode):
    def f(x):
        return x * undefined_anywhere
    with pytest.raises((NameError, tp.TranspileError), match='undefined_anywhere'):
        mode(tp.grad(f))(2.0)


def test_defaults_are_taken_at_definition(mode):
    base = 2.0

    def f(x, factor=base):
        return x * factor
    base = 5.0
    same(mode(tp.grad(f))(1.0), 2.0)
