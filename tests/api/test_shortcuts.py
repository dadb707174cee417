"""Calls with arguments of the types and sizes of an earlier call skip all questions, but notice whatever else has changed."""

import sys
import threading

import numpy as np
import pytest

import transpiler as tp
from transpiler.api.calls.fast_path import MANY
from transpiler.errors import TranspileError, UnsafeMutation

X = np.array([1.0, 2.0, 3.0])


def taken(transformed, *args):
    return transformed._shortcuts.find(args, []) is not None


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


def test_a_short_call_goes_through_few_functions():
    f = tp.jit(tp.value_and_grad(lambda x, y: np.sum(x * y)))
    for _ in range(2):
        f(X, X)
    entered = []
    sys.setprofile(lambda frame, event, _: entered.append(frame.f_code) if event == 'call' else None)
    try:
        f(X, X)
    finally:
        sys.setprofile(None)
    own = [code.co_name for code in entered if code.co_filename.startswith(tp.__path__[0])]
    assert own == ['__call__', 'find', 'compiled', 'converted']


SCALE = 2.0


def test_globals_may_be_taken_away_and_come_back():
    f = tp.jit(lambda x: abs(x) * SCALE)
    assert f(-1.0) == 2.0 == f(-1.0)
    module = globals()
    module['abs'] = np.negative
    try:
        assert f(-1.0) == 2.0 and f(1.0) == -2.0
    finally:
        del module['abs']
    assert f(1.0) == 2.0
    kept = module.pop('SCALE')
    try:
        with pytest.raises(TranspileError):
            f(1.0)
    finally:
        module['SCALE'] = kept
    assert f(1.0) == 2.0


def test_short_calls_from_several_threads_keep_their_arguments_apart():
    f = tp.jit(tp.grad(lambda p: np.sum(p['a'] ** 2) * p['b']))
    f({'a': X, 'b': 1.0})
    wrong = []

    def call(own):
        for _ in range(300):
            found = f({'a': X, 'b': own})
            if not np.array_equal(found['a'], 2.0 * own * X) or found['b'] != 14.0:
                wrong.append(own)

    threads = [threading.Thread(target=call, args=(float(k),)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
