"""Trap 29: what nothing reads, and where nothing flows, has no influence, be the slope infinite; a mere zero has."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')
X = np.array([0.0, 0.5, 0.7, 0.0])
V = np.array([0.0, 1.0, 0.0, 0.0])


def padded(x):
    return np.sum(np.sqrt(np.pad(x[1:3], 1)))


def joined(x):
    return np.sum(np.sqrt(np.concatenate([np.zeros(1), x[1:3] * x[2], np.zeros(1)])))


def filled_in_a_loop(x):
    b = np.zeros(4)
    for i in range(1, 3):
        b[i] = x[i] * x[1]
    return np.sum(b ** 0.5)


def bordered(x):
    b = np.zeros(4)
    b[1:3] = x[1:3] ** 2
    return np.sum(np.sqrt(b))


def scaled(x):
    return (2.0 * np.sqrt(x))[1]


def two_logarithms(x):
    return np.log(x)[1] * np.sqrt(x)[2] + np.sum((x[1] * np.log(x))[1:3])


def reciprocal(x):
    return (1.0 / x)[1] * x[2] + (x ** 1.5)[1] * x[2]


def arcs(x):
    q = np.arcsin(1.0 - x)
    return q[1] * q[2] + np.arccosh(x + 1.0)[1]


def nested(x):
    y = np.sqrt(x)
    w = np.exp(y * x) * y
    return w[1] + y[2] + (np.sin(np.log(x)) * x)[1]


def masked(x):
    return np.sum(np.log(x)[x > 0]) + np.sum(np.where(x > 0, np.sqrt(x) * np.log(x), 0.0))


def read_in_a_loop(x):
    total = 0.0
    for i in range(1, 3):
        total += np.sqrt(x)[i] * x[1]
    return total


def largest(x):
    return np.max(np.sqrt(x)[1:3] * x[1:3])


def added_up(x):
    b = np.ones(4)
    b += np.sqrt(x) * x[1]
    for i in range(4):
        b[i] += np.log(x[i])
    np.add.at(b, [0, 1, 2, 3], 1.0 / x)
    return b[1] * b[2]


def handed_through(s, n):
    return s if n == 0 else handed_through(1.0 * s, n - 1)


def roots_on_the_way(x, n):
    return np.sqrt(x) if n == 0 else roots_on_the_way(1.0 * x, n - 1) + np.sqrt(x)


def recursively(x):
    return handed_through(np.sqrt(x), x.size)[1] * roots_on_the_way(x, x.size)[2]


def ordered(x):
    b = np.zeros(4)
    b[1:3] = x[1:3]
    return np.sum(np.sort(b) ** 0.5)


FUNCTIONS = [padded, joined, filled_in_a_loop, bordered, scaled, two_logarithms, reciprocal, arcs, nested, masked,
             read_in_a_loop, largest, added_up, recursively, ordered]


def by_differences(f, step):
    """The first and second derivatives by the two items that have an influence."""
    moves = step * np.eye(4)[1:3]
    first, second = np.zeros(4), np.zeros((4, 4))
    for k, a in enumerate(moves, 1):
        first[k] = (f(X + a) - f(X - a)) / (2.0 * step)
        for j, b in enumerate(moves, 1):
            second[k, j] = (f(X + a + b) - f(X + a - b) - f(X - a + b) + f(X - a - b)) / (4.0 * step * step)
    return first, second


@pytest.mark.parametrize('f', FUNCTIONS)
def test_every_way_of_taking_a_derivative(f):
    first, second = by_differences(f, 1e-3)
    for derivative in (tp.grad, tp.jacfwd, tp.jacrev):
        same(derivative(f)(X), first, rtol=1e-3, atol=1e-4)
    same(tp.jvp(f, (X,), (V,))[1], first[1], rtol=1e-3)
    same(tp.linearize(f, X)[1](V), first[1], rtol=1e-3)
    for derivative in (tp.hessian(f), tp.jacrev(tp.grad(f)), tp.jacfwd(tp.jacfwd(f)), tp.jacrev(tp.jacfwd(f))):
        same(derivative(X), second, rtol=1e-2, atol=1e-3)
    same(tp.jvp(tp.grad(f), (X,), (V,))[1], second[1], rtol=1e-2, atol=1e-3)


@pytest.mark.compiles
@pytest.mark.parametrize('f', [bordered, nested])
def test_compiled(f):
    first, second = by_differences(f, 1e-3)
    same(tp.jit(tp.jacfwd(f))(X), first, rtol=1e-3, atol=1e-4)
    same(tp.jit(tp.hessian(f))(X), second, rtol=1e-2, atol=1e-3)


def buffer(x):
    b = np.zeros(4)
    b[1:3] = x[1:3] * x[1]
    return b


AT_POLES = [
    lambda b: 1.0 / b, np.log, lambda b: b ** -1, lambda b: b * np.log(b), lambda b: b / b, lambda b: np.cos(b) / b,
    np.reciprocal, lambda b: np.log1p(b - 1.0), lambda b: np.arctanh(1.0 - b), lambda b: np.exp(0.5 * np.log(b)),
    lambda b: np.exp(-1.0 / b), lambda b: np.exp(-(1.0 + b) / b), lambda b: np.arctan2(b, b), lambda b: np.hypot(b, b),
    lambda b: np.power(b, -0.5),
    lambda b: b / np.sqrt(b * b), lambda b: np.linalg.norm(np.stack([b, b]), axis=0),
    lambda b: np.std(np.stack([b, b * b]), axis=0),
    lambda b: 1.0 / np.pad(b[1:3], 1), lambda b: 1.0 / np.where(b > 0, b, 0.0), lambda b: 1.0 / np.concatenate([[0.0], b[1:]]),
    lambda b: np.array([np.log(v) for v in b]), lambda b: np.array([1.0 / v for v in b]) * b[1]]


@pytest.mark.parametrize('of', AT_POLES)
def test_the_border_of_a_buffer_at_poles(of):
    """Also where the result there is infinite, or no number."""
    inner = lambda x: of(buffer(x))[1:3]
    first = np.stack([by_differences(lambda x: inner(x)[k], 1e-4)[0] for k in range(2)])
    forward, backward = tp.jacfwd(lambda x: of(buffer(x)))(X), tp.jacrev(lambda x: of(buffer(x)))(X)
    np.testing.assert_allclose(forward[1:3], first, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(forward[1:3], backward[1:3], atol=1e-12)
    assert np.array_equal(np.isnan(forward), np.isnan(backward)) and not np.isnan(forward).any()
    total = lambda x: np.sum(inner(x) ** 2)
    second = by_differences(total, 1e-3)[1]
    for derivative in (tp.hessian(total), tp.jacrev(tp.jacrev(total)), tp.jacfwd(tp.jacfwd(total)), tp.jacrev(tp.jacfwd(total))):
        same(derivative(X), second, rtol=1e-2, atol=1e-2)


def test_products_with_what_is_not_read(mode):
    f = lambda x, m: (m * np.sqrt(x))[1]
    x = np.array([0.0, 1.0])
    assert mode(tp.jvp(tp.grad(f, argnums=1), argnums=(0,)))(x, 2.0, np.ones(2))[1] == 0.5
    blocks = tp.hessian(f, argnums=(0, 1))(x, 2.0)
    same(blocks[1][0], np.array([0.0, 0.5]))
    same(blocks[0][1], np.array([0.0, 0.5]))
    same(blocks[0][0], np.diag([0.0, -0.5]))


def test_parameters_may_be_called_like_tangents():
    root = lambda x, w: w * np.sqrt(x)
    named = lambda x, w_dot: w_dot * np.sqrt(x)
    zeros, ones = (np.zeros(2),) * 2, (np.ones(2),) * 2
    for by in (0, 1):
        expected = tp.jvp(tp.grad(lambda *a: np.sum(root(*a)), by), zeros, ones)
        same(tp.jvp(tp.grad(lambda *a: np.sum(named(*a)), by), zeros, ones), expected)
        assert np.isnan(expected[1]).all() == (by == 0)


def roots(x):
    return np.sqrt(x)


def two_roots(x):
    return np.array([np.sqrt(x[0]), np.sqrt(x[1]) + x[0]])


def steps(x):
    u = np.zeros(6)
    u[1:5] = x
    for _ in range(3):
        new = u.copy()
        new[2:4] = u[2:4] + 0.1 * (u[1:3] + u[3:5])
        u = new
    return np.sqrt(u)


def buffers_that_swap(x):
    u, v = np.zeros(6), np.zeros(6)
    u[2:4] = x[1:3]
    v[1:3] = x[1:3]
    for _ in range(3):
        v[2:4] = 0.5 * u[2:4] * x[1]
        u, v = v, u
    return np.sqrt(u) * np.cbrt(v)


def norms(x):
    return np.array([np.sqrt(np.sum(x[:1] ** 2)), np.sqrt(np.sum(x[1:3] ** 2))])


def sums_in_a_loop(x):
    r = np.zeros(3)
    for i in range(3):
        s = 0.0
        for _ in range(2):
            s = s + x[i] ** 2
        r[i] = np.sqrt(s)
    return r


def a_branch_not_taken(x):
    s, t = np.sum(x), 0.0
    if s > 100.0:
        t = s
    return np.array([np.sqrt(t), s])


def under_another_name(x):
    b = np.zeros(4)
    c = b
    c[1] = x[1]
    d = b[0:2]
    d[0] = x[1] ** 2
    y = b * 2.0
    b[1] = 3.0
    return np.sqrt(y) + np.sqrt(b)


def through_a_view(x):
    b = np.zeros(4)
    v = b[1:3]
    v[0] = x[0]
    y = b * 1.0
    v[0] = 1.0
    return np.sqrt(y)


def through_another_shape(x):
    b = np.zeros((2, 2))
    f = b.reshape(4)
    f[1] = x[0]
    f[2] += x[1]
    return np.sqrt(b)


def in_a_function(x):
    return helper(x[1]) * x[2]


def helper(v):
    b = np.zeros(3)
    b[1] = v
    return np.sqrt(b)


def at_places(x):
    b = np.zeros(4)
    b[[1, 2]] = x[[1, 0]]
    return np.sqrt(b) * x[1] ** 0.5


def powers(x):
    return x ** x[1] + np.roll(x, 1) ** 0.5


def selected(x):
    b = np.where(np.arange(4) % 3 > 0, x, 0.0)
    v = x[2] if x[1] > 9.0 else 0.0
    return np.abs(b) ** 0.3 + np.sqrt(v)


def a_part_in_another_shape(x):
    b = np.zeros((3, 4))
    b[1] = np.where(x > 0.0, x, 0.0)
    return np.sqrt(b[:, 1:3].reshape(-1))


AGREE = [roots, selected, a_part_in_another_shape, two_roots, steps, buffers_that_swap, a_branch_not_taken,
         under_another_name, through_a_view, through_another_shape, in_a_function, at_places, powers]


@pytest.mark.parametrize('f', AGREE)
def test_both_modes_agree_and_no_zero_is_none(f):
    forward, backward = tp.jacfwd(f)(X), tp.jacrev(f)(X)
    assert not np.isnan(forward).any()
    np.testing.assert_allclose(forward, backward)


SINGULAR = [
    (lambda x: np.sqrt(x * x), [[0, 0], [3, 3]]), (lambda x: np.cbrt(x ** 3), [[0, 0], [3, 3]]),
    (lambda x: np.sqrt(x) * np.sqrt(x), [[0, 0], [3, 3]]), (norms, [[0, 0]]), (sums_in_a_loop, [[0, 0]]),
    (lambda x: np.array([np.sqrt(x)[0] ** 2, np.sqrt(x)[1]]), [[0, 0]]),
    (lambda x: np.array([np.sqrt(x[0]) * 2.0, np.sqrt(x[0] * x[1])]), [[1, 1]]),
    (lambda x: np.array([np.max(np.roll(np.sqrt(x[:1] * np.ones(2)), 1)) ** 2]), [[0, 0]]),
    (lambda x: np.array([np.take(np.sqrt(x), [0])[0] ** 2]), [[0, 0]]),
    (lambda x: np.array([np.sum(np.where(x > 0.6, 0.0, np.roll(np.sqrt(x[:1]), 1)) ** 2)]), [[0, 0]])]


@pytest.mark.parametrize('f, places', SINGULAR)
def test_what_has_an_influence_is_none_where_zero_meets_infinity(f, places):
    """Nobody can tell from a zero and an infinity what the derivative is: cbrt(x ** 3) has 1, sqrt(x ** 2) none."""
    forward, backward = tp.jacfwd(f)(X), tp.jacrev(f)(X)
    assert np.argwhere(np.isnan(forward)).tolist() == places
    np.testing.assert_allclose(forward, backward)


READ_ON = [
    lambda s: np.tile(s, 2)[1], lambda s: np.repeat(s, 2)[2], lambda s: np.pad(s, 1)[2], lambda s: np.cumsum(s[1:3])[0],
    lambda s: np.sum(np.outer(s, np.ones(2)), axis=1)[1], lambda s: (np.diag(s) @ np.ones(4))[1], lambda s: s[None].T[1, 0],
    lambda s: np.flip(s)[2], lambda s: np.diag(s)[1, 1], lambda s: (s[:, None] + s)[1, 2], lambda s: np.sort(s)[3],
    lambda s: np.var(np.outer(s, np.array([1.0, 2.0])), axis=1)[1], lambda s: np.take(s, [2, 1])[0],
    lambda s: np.squeeze(s[:, None])[1], lambda s: np.broadcast_to(s, (3, 4))[2, 1]]


@pytest.mark.parametrize('read', READ_ON)
def test_what_is_read_on_the_way(read):
    """A flag goes with each item, through views, copies, sums and products."""
    f = lambda x: read(np.sqrt(x))
    first, second = by_differences(f, 1e-3)
    for derivative in (tp.grad, tp.jacfwd):
        same(derivative(f)(X), first, rtol=1e-3, atol=1e-4)
    same(tp.hessian(f)(X), second, rtol=1e-2, atol=1e-3)


def test_one_array_of_flags_tells_what_is_read_in_several_places():
    def f(x):
        y = np.sqrt(x)
        return y[1] * y[2] + np.sum(y[1:3])

    source = tp.grad(f).lower(X).source
    assert source.count('is_read = ') == 1 and 'is_read_1' not in source


def test_what_is_read_on_the_way_compiled():
    f = lambda x: np.tile(np.sqrt(x), 2)[1] + np.broadcast_to(np.sqrt(x), (3, 4))[2, 1] + (np.diag(np.sqrt(x)) @ np.ones(4))[2]
    assert np.array_equal(tp.jit(tp.grad(f))(X), tp.grad(f)(X)) and np.isfinite(tp.grad(f)(X)).all()


def recursive(s, n):
    return 2.0 * s[0] if n == 0 else recursive(s, n - 1)


READ_TWICE = [
    lambda s: s[1] + 2.0 * np.flip(s)[3], lambda s: s[1] + s[None][0, 0], lambda s: s[1] + s.reshape(2, 2)[0, 0],
    lambda s: s[1] + recursive(s, 2), lambda s: s[1] + (1.0 * s)[::-1][3], lambda s: s[1] + np.take(s, [0, 2])[0]]


@pytest.mark.parametrize('read', READ_TWICE)
def test_what_is_read_in_another_way_too(read):
    f = lambda x: read(np.sqrt(x))
    found = tp.grad(f)(X)
    assert found[0] == np.inf and np.array_equal(found, tp.jacfwd(f)(X))


@pytest.mark.parametrize('f', [through_a_view, buffers_that_swap])
def test_both_modes_agree_compiled(f):
    np.testing.assert_allclose(tp.jit(tp.jacfwd(f))(X), tp.jit(tp.jacrev(f))(X))


def test_what_cannot_be_infinite_is_left_alone():
    smooth = lambda x: np.sum((np.tanh(x) * np.exp(x))[1:3]) + x[0] / (1.0 + x[1] ** 2)
    for derivative in (tp.grad(smooth), tp.jacfwd(smooth), tp.hessian(smooth)):
        assert 'where' not in derivative.lower(X).source
    softmax = lambda x: np.exp(x) / np.sum(np.exp(x)) + x / x[1]
    assert 'where' not in tp.jacfwd(softmax).lower(X).source
    softened = lambda x: np.sum(1.0 / np.sqrt((x[:, None] - x) ** 2 + 0.1))
    for derivative in (tp.jacfwd(softened), tp.hessian(softened)):
        assert 'where' not in derivative.lower(X).source
    total = lambda x: np.sum(np.sqrt(x))
    assert 'where' not in tp.grad(total).lower(X).source
    logistic = lambda w, X, y: np.mean(np.log1p(np.exp(-y * (X @ w))))
    for derivative in (tp.jacrev(logistic), tp.hessian(logistic)):
        assert 'where' not in derivative.lower(X[1:3], np.ones((5, 2)), np.ones(5)).source
