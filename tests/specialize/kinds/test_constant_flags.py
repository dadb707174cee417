"""Flags of NumPy's that are constants: for Python's compiler, and beside `~`, they are no integers."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.25, 2.5, -3.75, 0.5])


def on_a_path(x):
    flag = np.True_
    if x[0] > 9:
        flag = np.False_
    return x * ~flag


def from_turn_to_turn(x):
    flag = np.True_
    for _ in range(3):
        flag = ~flag
    return x * flag, flag


def known_in_the_first_turn(x):
    s, flag = 0.0, np.True_
    for k in range(x.size):
        s = s + x[k] * ~flag
        flag = x[k] > 0
    return s


PROGRAMS = {
    'path': on_a_path, 'turns': from_turn_to_turn, 'first': known_in_the_first_turn,
    'operator': lambda x: x[0] * ~np.bool_(True),
    'invert': lambda x: x[0] * np.invert(True),
    'invert of a flag': lambda x: x[0] * np.invert(np.bool_(True)),
    'not': lambda x: x[0] * np.bitwise_not(np.bool_(False)),
    'index': lambda x: x[~np.bool_(True)],
    'where': lambda x: np.where(~np.bool_(True), x, 2 * x),
    'results': lambda x: (~np.bool_(True), ~np.True_, np.invert(True), np.True_ + np.True_, [np.False_, False]),
    'sum': lambda x: x * ((np.True_ if x[0] > 0 else np.False_) + np.True_),
    'integers': lambda x: x * ~True,
}


@pytest.mark.parametrize('f', PROGRAMS.values(), ids=PROGRAMS)
def test_as_in_numpy(mode, f):
    found, expected = mode(tp.jvp(f))(X, x_dot=np.ones(4))[0], f(X)
    assert repr(found) == repr(expected)
