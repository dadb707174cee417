"""None on lists of run-time length, among numbers, arrays and tuples."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import same
from transpiler.errors import UnsafeMutation

X = np.array([1.5, 2.0, 3.0])


def chosen(x, n):
    t = []
    for i in range(n):
        t.append(None if i == 1 else x[i] * 2)
    return t


def branches(x, n):
    t = []
    for i in range(n):
        if i % 2 == 0:
            t.append(None)
        else:
            t.append((x[i], i))
    return t


def inserted(x, n):
    t = []
    for i in range(n):
        t.insert(0, None if x[i] > 1.7 else (x[:2] * i, i))
    return t


def put(x, n):
    t = []
    for v in x[:n]:
        t.append(v)
    for i in range(0, n, 2):
        t[i] = None
    return t


def added(x, n):
    t = []
    for i in range(n):
        t = t + [None]
        t = t + [x[i] ** 2]
    return t


def extended(x, n):
    t = [None]
    for i in range(n):
        t.extend([x[i], None])
    return t


def listed(x, n):
    return [x[i] if i != 1 else None for i in range(n)]


def nothing(x, n):
    t = []
    for _ in range(n):
        t.append(None)
    return t


def beside(x, n):
    t = []
    for i in range(n):
        t.append((i, None if i == 0 else x[i - 1]))
    return t


MAKERS = [chosen, branches, inserted, put, added, extended, listed, nothing, beside]


def shown(make):
    return lambda x, n: (make(x, n), make(x, n)[:1], make(x, n)[::-1], len(make(x, n)))


@pytest.mark.parametrize('make', MAKERS)
def test_results(make):
    for n in (3, 1, 0):
        assert repr(tp.jit(shown(make))(X, n)) == repr(shown(make)(X, n))


def weighed(x, t):
    s = 0.0
    for k, v in enumerate(t):
        if v is None:
            s = s * 0.5 + x[0]
        else:
            s = s + (k + 1) * np.sum(v[0] if isinstance(v, tuple) else v) ** 2
    return s


def taken(x, t):
    s = len(t) * x[1]
    while len(t) > 0:
        v = t.pop()
        if v is not None:
            s = s * 1.5 + np.sum(v[0] if isinstance(v, tuple) else v)
    return s


def filtered(x, t):
    kept = [v for v in t if v is not None]
    s = sum(np.sum(v[0] if isinstance(v, tuple) else v) ** 2 for v in t if v is not None)
    return s + len(kept) * x[0] + (x[2] if any(v is None for v in t) else 0.0)


def counted(x, n):
    t = chosen(x, n)
    return t.count(None) * x[1] + (x[1] ** 2 if None in t else x[2])


def columns(f, n):
    return [(f(X + 1e-6 * e, n) - f(X - 1e-6 * e, n)) / 2e-6 for e in np.eye(3)]


@pytest.mark.parametrize('make', MAKERS[:-1])
@pytest.mark.parametrize('use', [weighed, taken, filtered])
def test_derivatives_and_batches(make, use):
    f = lambda x, n: use(x, make(x, n)) * 1.0
    for n in (3, 1, 0):
        assert np.allclose(tp.grad(f)(X, n), columns(f, n), rtol=1e-5, atol=1e-8)
    same(tp.vmap(f, in_axes=(0, None))(np.stack([X, 0.5 * X]), 3), np.array([f(X, 3), f(0.5 * X, 3)]))
    assert np.allclose(tp.jvp(f, (X, 3), (X, None))[1], X @ columns(f, 3), rtol=1e-5, atol=1e-8)


def both(x, n):
    return weighed(x, chosen(x, n)) + taken(x, branches(x, n)) + counted(x, n)


def test_compiled_and_of_second_order():
    assert np.allclose(tp.jit(tp.grad(both))(X, 3), columns(both, 3), rtol=1e-5)
    same(tp.jit(both)(X, 3), both(X, 3))
    slopes = [(tp.grad(both)(X + 1e-6 * e, 3) - tp.grad(both)(X - 1e-6 * e, 3)) / 2e-6 for e in np.eye(3)]
    assert np.allclose(tp.hessian(both)(X, 3), slopes, rtol=1e-5, atol=1e-7)


def summed(x, n):
    return sum(chosen(x, n)) * 1.0


def arrays(x, n):
    return np.sum(np.array(chosen(x, n)) * 2.0)


def of_known_length(x, n):
    v = None if n > 1 else x[0]
    return sum([v, x[1]]) * max([x[0], v])


def one_by_one(x, n):
    s = 0.0
    for v in chosen(x, n):
        s = s + v
    return s


@pytest.mark.parametrize('f', [summed, arrays, of_known_length, one_by_one])
def test_none_that_is_used_as_a_number(f, mode):
    with pytest.raises(TypeError):
        f(X, 3)
    with pytest.raises(TypeError):
        mode(tp.grad(f))(X, 3)
    assert np.allclose(mode(tp.grad(f))(X, 1), columns(f, 1), rtol=1e-5)


def questions(x):
    v = x[0] if x[0] > 1.0 else None
    w = None if x[1] > 1.0 else x[1]
    t = [v, w, 3.0]
    return [v == None, v != w, v in t, None in t, v in (None, 2.0), 3.0 not in t, t.count(None), bool(v), isinstance(w, float)]  # noqa: E711


def test_questions():
    for x in (X, X - 1.0, -X):
        assert tp.jit(lambda x: questions(x))(x) == [bool(q) if isinstance(q, np.bool_) else q for q in questions(x)]


def test_printed(capsys):
    def f(x, n):
        for v in listed(x, n):
            print(v, 'stands here')
        return x[0] ** 2

    f(X, 3)
    expected = capsys.readouterr().out
    tp.grad(f)(X, 3)
    assert capsys.readouterr().out == expected


def test_names():
    text = tp.grad(one_by_one).lower(X, 3).source
    for line in ('has_t = []', '    t = []', 'has_v = has_t[k]', 'length_t = len(t)'):
        assert line in text


def test_lists_or_none_made_in_one_expression():
    def f(x, n):
        t = []
        for i in range(n):
            t.append(None if i == 1 else [x[j] for j in range(i + 1)])
        return sum(sum(v) for v in t if v is not None)

    with pytest.raises(UnsafeMutation, match='put into another list'):
        tp.grad(f)(X, 3)
