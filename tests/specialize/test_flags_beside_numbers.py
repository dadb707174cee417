"""Flags that share a name with numbers: whether a value is True itself, or an index, is refused where only the run tells."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.5, 0.3, -2.0])


def flag(x, n):
    mode = True
    if n > 5:
        mode = 2
    return x[0] * 3 if mode is True else x[0]


def in_a_loop(x, n):
    mode = n < 3
    for i in range(n):
        mode = i
    return x[0] * 3 if mode is not False else x[0]


def in_a_dict(x, n):
    d = {'flag': False}
    if n > 5:
        d['flag'] = 2
    return x[0] * 3 if d['flag'] is False else x[0]


def beside_a_float(x, n):
    found = False
    if n > 1:
        found = x[0]
    return x[1] if found is False else found * 2


def found_at(x, limit):
    for i in range(len(x)):
        if x[i] < limit:
            return i
    return False


def of_a_function(x, n):
    j = found_at(x, n)
    return x[0] * 5 if j is False else x[j]


def as_an_index(x, n):
    b = True
    if n > 5:
        b = 2
    return np.sum(x[b])


WAYS = {
    'value_and_grad': lambda f: tp.value_and_grad(f)(X, 3),
    'jit': lambda f: tp.jit(f)(X, 3),
    'vmap': lambda f: tp.vmap(f, in_axes=(0, None))(X[None], 3),
    'compiled gradient': lambda f: tp.jit(tp.grad(f))(X, 3),
}


@pytest.mark.parametrize('f', [flag, in_a_loop, in_a_dict, beside_a_float, of_a_function, as_an_index])
@pytest.mark.parametrize('way', WAYS)
def test_refused(f, way):
    with pytest.raises(tp.TranspileError, match='one path'):
        WAYS[way](f)


def by_value(x, n):
    mode = True
    if n > 5:
        mode = 2
    return x[0] * 3 if mode == 1 else x[0]


@pytest.mark.parametrize('n', [3, 9])
def test_compared_by_value(n):
    assert tp.value_and_grad(by_value)(X, n)[0] == by_value(X, n) == tp.jit(by_value)(X, n)
