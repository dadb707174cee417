"""Calls with arguments of the types and sizes of an earlier call skip all questions, but notice whatever else has changed."""

import numpy as np
import pytest

import transpiler as tp
from transpiler.api.shortcuts import MANY
from transpiler.errors import UnsafeMutation

X = np.array([1.0, 2.0, 3.0])


def taken(transformed, *args):
    return transformed._shortcuts.find(args) is not None


def test_the_second_call_is_short():
    f = tp.jit(lambda x, p: p['a'] * x + p['b'][0])
    args = X, {'a': 2.0, 'b': (X[:1],)}
    assert not taken(f, *args)
    assert np.array_equal(f(*args), f(*args))
    assert taken(f, X + 1.0, args[1])
    integer, turned = {'a': 2, 'b': (X[:1],)}, {'b': (X[:1],), 'a': 2.0}
    for other in ((X[:2], args[1]), (X.astype(np.float32), args[1]), (X, integer), (X, turned)):
        assert not taken(f, *other)
    assert not taken(f, X, {'a': 2.0, 'b': [X[:1]]})


def test_captured_values_are_read_at_every_call():
    factor = 2.0
    f = tp.jit(tp.grad(lambda x: np.sum(factor * x)))
    assert np.all(f(X) == 2.0)
    factor = 3.0
    assert taken(f, X) and np.all(f(X) == 3.0)
    factor = np.array([1.0, 2.0, 4.0])
    assert not taken(f, X) and np.array_equal(f(X), factor)
    factor = np.array([[5.0, 6.0, 7.0]])
    assert not taken(f, X) and np.array_equal(f(X), factor[0])


def test_captured_functions_may_change():
    step = np.sin
    f = tp.jit(lambda x: step(x))
    assert np.allclose(f(X), np.sin(X), rtol=1e-15)
    step = np.cos
    assert not taken(f, X) and np.allclose(f(X), np.cos(X), rtol=1e-15)


def test_an_error_is_told_as_in_a_first_call():
    def pick(x, k):
        return x[k] * 2.0

    f = tp.jit(pick)
    assert f(X, 1) == 4.0 and taken(f, X, 7)
    with pytest.raises(IndexError) as short:
        f(X, 7)
    with pytest.raises(IndexError) as whole:
        tp.jit(pick)(X, 7)
    assert str(short.value) == str(whole.value) and short.value.__notes__ == whole.value.__notes__


def test_arguments_of_which_more_than_the_type_matters_take_the_long_way():
    f = tp.jit(lambda x, axis: np.sum(x, axis=axis))
    table = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(f(table, 0), [3.0, 5.0, 7.0]) and np.array_equal(f(table, 1), [3.0, 12.0])
    assert not taken(f, table, 0)

    def scale(x, y):
        x *= 2.0
        return np.sum(x * y)

    g = tp.jit(tp.grad(scale))
    assert np.array_equal(g(X.copy(), X), 2.0 * X)
    with pytest.raises(UnsafeMutation):
        both = X.copy()
        g(both, both)


def test_only_so_many_are_remembered():
    f = tp.jit(lambda x: x + 1.0)
    for size in range(2, MANY + 10):
        f(np.zeros(size))
    assert 0 < len(f._shortcuts.known) <= MANY


def test_the_options_of_any_jit_hold():
    f = lambda x: np.sin(x)
    for asked in (tp.jit(f, accurate=True), tp.jit(tp.jit(f, accurate=True)), tp.jit(tp.jit(f), accurate=True),
                  tp.jit(tp.jacobian(tp.jit(f, accurate=True))), tp.jit(tp.jit(tp.jacobian(f), accurate=True))):
        assert 'vector_math' not in asked.lower(X).loops
    assert 'vector_math' in tp.jit(tp.jit(f)).lower(X).loops


def test_arguments_that_are_left_to_their_defaults():
    f = tp.jit(lambda x, a=2.0, b=X: a * x + b)
    assert np.array_equal(f(X), 3.0 * X) and taken(f, X)
    assert np.array_equal(f(X, 3.0), 4.0 * X) and taken(f, X, 3.0, X)
    assert np.array_equal(f(X + 1.0), 3.0 * X + 2.0) and not taken(f, X, 3)
    with pytest.raises(TypeError):
        f()
