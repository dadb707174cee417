"""Closures and globals: read at each call, differentiated where they depend on an argument."""
import types

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


def settings(**values):
    module = types.ModuleType('settings')
    vars(module).update(values)
    return module


def test_members_of_a_module_are_read_anew(mode):
    config = settings(mode='a', scale=2.0, activation=np.sin)

    def f(x):
        return config.activation(x) * config.scale if config.mode == 'a' else x * x
    gradient = mode(tp.grad(f))
    same(gradient(1.0), 2.0 * np.cos(1.0))
    config.scale = 3.0
    same(gradient(1.0), 3.0 * np.cos(1.0))
    config.activation = np.exp
    same(gradient(1.0), 3.0 * np.e)
    config.mode = 'b'
    same(gradient(1.0), 2.0)


def test_attributes_of_an_object_are_read_anew(mode):
    class Config:
        mode = 'a'
    instance = Config()
    for holder in (Config, instance):
        def f(x, holder=holder):
            return x if holder.mode == 'a' else x * x

        def g(x):
            return f(x)
        holder.mode = 'a'
        gradient = mode(tp.grad(g))
        same(gradient(1.0), 1.0)
        holder.mode = 'b'
        same(gradient(1.0), 2.0)


def test_containers_that_change_in_place(mode):
    parts = ['a', 2.0, np.array([1.0, 2.0]), {'f': np.sin}]

    def f(x):
        return parts[3]['f'](x) * parts[1] * parts[2][1] if parts[0] == 'a' else x * x
    gradient = mode(tp.grad(f))
    same(gradient(1.0), 4.0 * np.cos(1.0))
    parts[1] = 3.0
    same(gradient(1.0), 6.0 * np.cos(1.0))
    parts[2][1] = 5.0
    same(gradient(1.0), 15.0 * np.cos(1.0))
    parts[3]['f'] = np.exp
    same(gradient(1.0), 15.0 * np.e)
    parts[0] = 'b'
    same(gradient(1.0), 2.0)


def test_a_mutable_default_of_a_helper(mode):
    def helper(x, factors=['a', 2.0]):      # noqa: B006
        return x * factors[1]

    def f(x):
        return helper(x)
    gradient = mode(tp.grad(f))
    same(gradient(1.0), 2.0)
    helper.__defaults__[0][1] = 7.0
    same(gradient(1.0), 7.0)


class Units(np.ndarray):
    """Operators of a class of its own may mean anything."""


@pytest.mark.parametrize('special', [np.ones(2).view(Units), np.ma.masked_array([1.0, 2.0], mask=[True, False])],
                         ids=['own', 'masked'])
def test_arrays_of_other_classes_are_refused(mode, special):
    with pytest.raises(tp.TranspileError, match='np.asarray'):
        mode(tp.grad(lambda x: np.sum(x * x)))(special)


def test_an_argument_that_was_a_constant_may_be_something_else(mode):
    def f(x, axis):
        return np.sum(np.sum(x, axis=axis) ** 2)
    gradient, x = mode(tp.grad(f)), np.arange(6.0).reshape(2, 3)
    same(gradient(x, 0), np.broadcast_to(2 * x.sum(axis=0), (2, 3)))
    same(gradient(x, None), np.full((2, 3), 30.0))
    same(gradient(x, (0, 1)), np.full((2, 3), 30.0))
    same(gradient(x, 1), np.broadcast_to(2 * x.sum(axis=1)[:, None], (2, 3)))


def test_a_method_is_the_same_at_every_call():
    """It is made anew whenever it is read: `np.add.outer is not np.add.outer`."""
    gradient = tp.grad(lambda x: np.sum(np.add.outer(x, x) ** 2))
    made = [gradient.lower(np.ones(3)).specialisation for _ in range(2)]
    assert made[0] is made[1]


def test_lambdas_within_each_other_on_one_line():
    call = lambda make: make()
    slopes = call(lambda: (tp.grad(lambda x: x if x > 0 else -2 * x), tp.grad(lambda x: x if x > 0 else -3 * x)))
    assert [slope(-1.0) for slope in slopes] == [-2.0, -3.0]
    assert tp.grad(lambda x: call(lambda: x * x if x > 0 else x))(3.0) == 6.0
