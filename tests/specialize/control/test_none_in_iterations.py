"""Names that are None in some iterations: which, the run decides."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X = np.array([1.5, 2.0, 3.0])


def products(x, n):
    h = None
    for i in range(n):
        if i == 0:
            h = x[0]
        else:
            h = x[i] * h
    return 0.0 if h is None else h * 1.0


def hidden(x, n):
    h, s = None, 0.0
    for i in range(n):
        first = i == 0
        if first:
            h = x[:2] * 1.0
        elif i == 1:
            h += x[i]
            h[0] = h[1] * 2
        else:
            s = s + h.sum() * h.shape[0] * len(h)
            for v in h:
                s = s + v**2
            a, b = h
            s = s + a * b
    return s


def pairs(x, n):
    h, i, d = None, 0, {'best': None}
    while i < n:
        h = (x[0], x[1:]) if i == 0 else (h[0] * x[i], h[1] * 2)
        if i == 0:
            d['best'] = x[2]
        else:
            d['best'] = d['best'] * h[0]
        i += 1
    return 0.0 if h is None else h[0] * np.sum(h[1]) * d['best']


def rotation(x, n):
    a, b, c = x[0], x, None
    for _ in range(n):
        a, b, c = b, c, a
    s = 0.0
    for k, v in enumerate((a, b, c)):
        if v is not None:
            s = s + np.sum(v) ** 2 * (k + 1)
    return s


def nested(x, n):
    s, last = 0.0, None
    for i in range(n):
        for j in range(i):
            if j == 0:
                last = x[:2]
            elif j == 1:
                last = x[0]
            s = s + np.sum(last) * x[j]
        last = None if i == 2 else last
    return s


def numbers_and_arrays(x, n):
    h, s = None, 0.0
    for i in range(n):
        if i == 0:
            h = x[0]
        elif i == 1:
            h = x * h
        elif i == 2:
            h = h[0] + h[1]
        s = s + np.sum(h)
    return s * 1.0


PROGRAMS = [products, hidden, pairs, rotation, nested, numbers_and_arrays]


@pytest.mark.parametrize('f', PROGRAMS)
def test_derivatives_and_batches(f):
    for n in (3, 2, 1, 0):
        columns = [(f(X + 1e-6 * e, n) - f(X - 1e-6 * e, n)) / 2e-6 for e in np.eye(3)]
        assert np.allclose(tp.grad(f)(X, n), columns, rtol=1e-5, atol=1e-8)
        if n == 3:
            assert np.allclose(tp.jacfwd(f)(X, n), columns, rtol=1e-5, atol=1e-8)
            same(tp.vmap(f, in_axes=(0, None))(np.stack([X, 2 * X]), n), np.array([f(X, n), f(2 * X, n)]))


@pytest.mark.parametrize('f', [products, rotation])
def test_compiled(f):
    for n in (3, 1):
        same(tp.jit(f)(X, n), f(X, n))
        assert np.allclose(tp.jit(tp.grad(f))(X, n), tp.grad(f)(X, n))


def turned(x, n):
    a, b, c = x[0], x, None
    for _ in range(n):
        a, b, c = b, c, a
    return a, b, c


def test_results():
    for n in range(5):
        assert repr(tp.jit(turned)(X, n)) == repr(turned(X, n))


def missing(x, n):
    h = None
    for i in range(n):
        if i == 1:
            h = x[0]
        else:
            h = x[i] * h
    return x[0] if h is None else h


def test_none_on_the_path_that_is_taken(mode):
    gradient = mode(tp.grad(missing))
    assert np.array_equal(gradient(X, 0), [1.0, 0.0, 0.0])
    with pytest.raises(TypeError):
        missing(X, 1)
    with pytest.raises(TypeError):
        gradient(X, 1)
