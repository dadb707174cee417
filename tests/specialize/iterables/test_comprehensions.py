"""Comprehensions and generator expressions over containers."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.3, 0.7, 1.1])


def of_pairs(x):
    l = [2 * a for a in (x[0], x[1])]
    d = {n: v * v for n, v in zip('ab', l)}
    e = {k: v for k, v in d.items() if k != 'a'}
    return sum(v*v for v in d.values())*e['b'] + max(a for a in l)


def of_dict_items(x):
    params = {'w': x[:2], 'b': x[2]}
    for t in range(4):
        g = {k: 2*v for k, v in params.items()}
        params = {k: params[k] - 0.1*g[k]*params['b'] for k in params}
    return np.sum(params['w'])*params['b']


def of_functions(x):
    fs = [lambda a, k=k: a**k for k in (1, 2, 3)]
    gs = [lambda a: a*k for k in (1, 2, 3)]
    return sum(f(x[0]) for f in fs)+gs[0](x[1])


def quantifiers(x):
    ok = all(a > 0 for a in (x[0], x[1])) and any([a > 1 for a in (x[0], x[2])])
    return x[0]*x[1] if ok else x[2]


def generators(x):
    if any(v < 0 for v in [x[0], x[1]]):
        return x[0]
    t = tuple(v**2 for v in (x[0], x[1], x[2]))
    return t[0]*t[2] + dict(a=x[1])['a'] + dict([('q', x[2])])['q']**3


@pytest.mark.parametrize('f', (of_pairs, of_dict_items, of_functions, quantifiers, generators), ids=lambda f: f.__name__)
def test_comprehensions(mode, f):
    check(mode, f, X, order=2)


def test_scopes():
    def f(x):
        a = 10.0
        items = [a * v for a in (x, 2.0) for v in (a, 1.0)]
        return sum(items) * a
    assert tp.grad(f)(3.0) == (2 * 3.0 + 1.0) * 10.0
