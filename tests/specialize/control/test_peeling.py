"""What begins as a number, or as None, and becomes an array in a loop."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X = np.array([0.5, 1.5, 2.5])
M = np.arange(6.0).reshape(2, 3) + 0.5


def state(x, n):
    h = 0
    for i in range(n):
        h = np.tanh(x * h + i * x)
    return h


def in_place(x, n):
    loss = 0.0
    for i in range(n):
        loss += x * i
        loss *= 0.5
    return loss


def while_it_counts(x, n):
    s, i = 0, 0
    while i < n:
        s = s + x * i
        i += 1
    return s * 2


def one_after_another(x, n):
    p, q = 0, 0
    for _ in range(n):
        p, q = q, x * np.cos(q) + p
    return p + q


def left_early(x, n):
    s = 0
    for _ in range(n):
        s = s + x
        if s[0] > 1.2:
            break
    return s


class Filter:
    def __init__(self):
        self.h = 0

    def step(self, v):
        self.h = self.h * 0.5 + v


def in_an_object(x, n):
    f = Filter()
    for i in range(n):
        f.step(x * i)
    return f.h


def from_none(x, n):
    acc = None
    for i in range(n):
        acc = x * i if acc is None else acc + x
    return acc


BEGINNINGS = [state, in_place, while_it_counts, one_after_another, left_early, in_an_object]


@pytest.mark.parametrize('n', [0, 1, 3])
@pytest.mark.parametrize('f', BEGINNINGS)
def test_accumulators_that_begin_as_numbers(f, n):
    same(tp.vmap(f, in_axes=(0, None))(np.stack([X, X]), n), np.stack([f(X, n)] * 2))
    columns = [(f(X + 1e-6 * e, n) - f(X - 1e-6 * e, n)) / 2e-6 for e in np.eye(3)]
    wanted = np.stack(columns, axis=-1) if n else np.zeros(3)
    assert np.allclose(tp.jacrev(f)(X, n), wanted, atol=1e-6) and np.allclose(tp.jacfwd(f)(X, n), wanted, atol=1e-6)


@pytest.mark.parametrize('f', [state, in_place, from_none])
def test_the_same_compiled(f):
    compiled = tp.jit(f)
    for n in (3, 0, 1, 5):
        given, wanted = compiled(X, n), f(X, n)
        assert type(given) is type(wanted) and np.array_equal(given, wanted)


def triangle(m, x):
    total = 0
    for i in range(m.shape[0]):
        for j in range(i):
            total += m[i] * x[j]
    return total


def test_the_first_iterations_of_two_loops():
    same(tp.jit(triangle)(M, X), triangle(M, X))
    assert np.allclose(tp.jacrev(triangle)(M, X)[:, 1, :], 0.5 * np.eye(3))


def as_it_comes(x, limit):
    s, k = 0, 0
    while k < limit * x[0]:
        s = s + x
        k += 1
    return s


def of_what_comes(x, limit):
    h = as_it_comes(x, limit)
    parts = {'h': h, 'pair': (h, 2.0)}
    h = h + 1
    h += 0.5 * parts['pair'][0]
    total = sum(v * v for v in h) if np.ndim(h) else h
    return total + np.sum(as_it_comes(x, limit) * 2) + np.sum(parts['h']).sum()


@pytest.mark.parametrize('limit', [-1.0, 4.5])
def test_where_the_run_decides_whether_it_is_an_array(mode, limit):
    same(mode(of_what_comes)(X, limit), of_what_comes(X, limit))
    columns = [(of_what_comes(X + 1e-6 * e, limit) - of_what_comes(X - 1e-6 * e, limit)) / 2e-6 for e in np.eye(3)]
    assert np.allclose(mode(tp.grad(of_what_comes))(X, limit), columns, atol=1e-5)


def test_the_result_is_what_it_is_on_each_path():
    compiled = tp.jit(as_it_comes)
    for limit in (4.5, -1.0):
        same(compiled(X, limit), as_it_comes(X, limit))
    assert np.array_equal(tp.jvp(lambda x: as_it_comes(x, 4.5), (X,), (X,))[1], 3 * X)
    with pytest.raises(tp.errors.NotDifferentiable, match='a number on one path'):
        tp.jit(tp.jacrev(as_it_comes))(X, 4.5)


def unpacked(x, limit):
    a, b, c = as_it_comes(x, limit)
    return a * b + c


def test_a_number_where_an_array_is_needed_raises(mode):
    assert mode(unpacked)(X, 4.5) == unpacked(X, 4.5)
    with pytest.raises(TypeError):
        mode(unpacked)(X, -1.0)


def added_where(x):
    s = 0
    for v in x:
        if v > 1:
            s = s + x * v
        else:
            s = s - 1
    return np.sum(s * x)


def test_a_branch_may_make_it_an_array(mode):
    same(mode(added_where)(X), added_where(X))
    columns = [(added_where(X + 1e-6 * e) - added_where(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    assert np.allclose(mode(tp.grad(added_where))(X), columns, rtol=1e-5)


def largest(x, limit):
    best = None
    for v in x:
        if v > limit:
            best = v if best is None else max(best, v)
    return best, 1


def test_none_as_a_result():
    for limit in (0.0, 9.0):
        assert tp.jit(largest)(X, limit) == largest(X, limit)


def test_the_text_of_a_peeled_loop():
    source = tp.grad(lambda x: np.sum(state(x, 3))).lower(X).source
    assert 'for i in range(1, 3)' in source and 'if' not in source
