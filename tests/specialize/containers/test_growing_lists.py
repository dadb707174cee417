"""Lists whose length shows at run time: of numbers, of arrays, of tuples, of lists."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError, UnsafeMutation

X = np.array([0.3, 0.7, 1.1])


def squares(x):
    t = []
    for v in x:
        t.append(v*v)
    return np.sum(np.array(t)**2)


def recurrence(x):
    t = [x[0]]
    for i in range(1, len(x)):
        t.append(t[-1]*x[i] + t[i-1])
    return t[-1]*sum(t)*len(t)


def comprehensions(x):
    t = [np.sin(v) for v in x]
    u = [a*b for a, b in zip(t, x) if a > 0.3]
    return sum(u)*max(t)


def arrays(x):
    ys = []
    y = x
    for i in range(len(x)):
        y = y*0.5 + x[i]
        ys.append(y)
    return np.sum(np.stack(ys)**2) + np.sum(ys[1]*ys[-1])


def pairs(x):
    t = []
    for i in range(len(x)):
        t.append((x[i], x[i]**2))
    s = 0.0
    for a, b in t:
        s += a*b
    return s + t[0][1]


def popped(x):
    t = []
    if x[0] > 0:
        t.append(x[0]*2)
    t.append(x[1])
    s = 0.0
    while t:
        s = s*x[2] + t.pop()
    return s


def items_replaced(x):
    u = []
    for i in range(len(x)):
        u.append(x[i])
    for i in range(len(u)):
        u[i] = u[i]*u[i-1]
    return u[0]*u[1]+u[2]


def lists_of_lists(x):
    m = [[a*b for a in x] for b in x]
    return np.sum(np.array(m)[1:]) + m[0][1]


def a_list_in_each_turn(x):
    s = 0.0
    for j in range(len(x)):
        row = []
        for i in range(j+1):
            row.append(x[i]*x[j])
        s += row[-1]*row[0] + np.sum(np.array(row))
    return s


def in_branches(x):
    out = []
    for v in x:
        if v > 0.5:
            out.append(v**2)
        else:
            out.append(1.0)
            out.append(v)
    p = 1.0
    for i, v in enumerate(out):
        p = p*(v+i)
    return p


def extended(x):
    t = [x[0]]
    for v in x:
        t += [v*t[0]]
    u = t
    u.extend([x[1], 1.0])
    return sum(a*b for a, b in zip(t, reversed(t)))


def integrator(x):
    pos, vel = [x[0]], [x[1]]
    k = 0
    while pos[-1] < 2.0:
        vel.append(vel[-1] + 0.1*pos[-1])
        pos.append(pos[-1] + 0.3*vel[-1])
        k += 1
    return np.mean(np.array(pos)*np.array(vel))*k


def joined(x):
    rows = []
    for v in x:
        rows.append(x * v)
    flat, table = np.concatenate(rows), np.vstack(rows)
    return np.sum(flat[1:] * flat[:-1]) + np.sum(table[0] * np.hstack(rows)[:3])


def aliases(x):
    t = []
    u = t
    for v in x:
        u.append(v * v)
    return t[-1] * u[0] * len(t)


def sums_of_generators(x):
    return sum(v * v for v in x) * max(v for v in x) if all(v > 0 for v in x) else x[0]


def a_sum_of_lists(x):
    both = [v * 2.0 for v in x] + [x[0], 1.0]
    copy = list(both)
    copy[0] = x[2]
    return sum(a * b * b for a, b in zip(both, copy))


def conditional_growth(x):
    t = [1.0]
    if x[0] > 0.2:
        t.append(x[1] * x[2])
    if len(t) > 1:
        t[1] = t[1] * t[0] * x[0]
    return sum(t)


WORKING = (squares, recurrence, comprehensions, arrays, pairs, popped, items_replaced, lists_of_lists, a_list_in_each_turn,
           in_branches, extended, integrator, joined, aliases, sums_of_generators, a_sum_of_lists, conditional_growth)


@pytest.mark.parametrize('f', WORKING, ids=lambda f: f.__name__)
def test_lists(mode, f):
    check(mode, f, X, order=2)


def test_no_items(mode):
    def f(x):
        return sum(v * v for v in x if v > 10.0) + np.sum(x)
    assert np.array_equal(mode(tp.grad(f))(X), np.ones(3))


def test_float32(mode):
    def f(x):
        t = []
        for v in x:
            t.append(v * v)
        return t[0] * t[1] + np.sum(np.array(t))
    gradient = mode(tp.grad(f))(X.astype(np.float32))
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, 2 * X * np.array([X[1] ** 2 + 1, X[0] ** 2 + 1, 1]), rtol=1e-5)


def test_results(mode):
    def f(x):
        seen = [v * v for v in x]
        return sum(seen), seen
    gradient, seen = mode(tp.grad(f, has_aux=True))(X)
    assert isinstance(seen, list) and np.allclose(seen, X * X) and np.allclose(gradient, 2 * X)


def test_items_that_are_written_later_are_refused():
    def f(x):
        row, rows = np.zeros(2), []
        for v in x:
            row[0] = v
            rows.append(row)
        return np.sum(np.array(rows))

    def g(x):
        rows = []
        for v in x:
            rows.append(np.zeros(2))
            rows[-1][0] = v
        return np.sum(np.array(rows))
    for function in (f, g):
        with pytest.raises(UnsafeMutation):
            tp.grad(function)(X)


def test_containers_on_a_list_are_not_changed_afterwards():
    def f(x):
        pair, pairs = [0.0, 1.0], []
        for v in x:
            pair[0] = v
            pairs.append(pair)
        return pairs[0][0]
    with pytest.raises(UnsafeMutation, match='held by a list'):
        tp.grad(f)(X)


def test_what_a_list_takes():
    def mixed(x):
        t = []
        for v in x:
            t.append((v, 1.0) if v > 0.5 else v)
        return t[0]

    def under_way(x):
        t = [v for v in x]
        for v in t:
            t.append(v)
        return t[0]
    for function in (mixed, under_way):
        with pytest.raises(TranspileError):
            tp.grad(function)(X)


def test_nested_functions_under_grad_keep_their_surroundings():
    def f(x):
        seen = []

        def g(y):
            seen.append(y)
            return y * x
        return tp.grad(g)(x)
    with pytest.raises(UnsafeMutation, match='around the one that is differentiated'):
        tp.grad(f)(2.0)


@pytest.mark.parametrize('item', [2, 2.5, True])
def test_sums_of_pythons_numbers_take_the_dtype_of_what_they_meet(mode, item):
    def of_list(x):
        return np.sum((sum([item for v in x if v > 0]) + x) ** 2)
    x = np.array([0.5, -1.0, 2.0], np.float32)
    value, gradient = mode(tp.value_and_grad(of_list))(x)
    assert value.dtype == gradient.dtype == of_list(x).dtype == np.float32
    np.testing.assert_allclose(value, of_list(x), rtol=1e-6)
    assert mode(tp.vmap(of_list))(x[None]).dtype == np.float32


@pytest.mark.parametrize('item', [2, 2.5])
def test_extremes_of_pythons_numbers_take_the_dtype_of_what_they_meet(mode, item):
    def of_list(x):
        return np.sum((max([item for v in x if v > 0]) - 0.5 * min([item for v in x if v > 0])) * x * x)
    x = np.array([0.5, -1.0, 2.0], np.float32)
    value, gradient = mode(tp.value_and_grad(of_list))(x)
    assert value.dtype == gradient.dtype == of_list(x).dtype == np.float32
    np.testing.assert_allclose(value, of_list(x), rtol=1e-6)
    assert mode(tp.vmap(of_list))(x[None]).dtype == np.float32


def read_before_it_grows(x):
    alpha, beta, rows = [], [], [x / np.sqrt(np.sum(x**2))]
    for j in range(x.size):
        w = rows[j] * (j + 1.0)
        if j > 0:
            w = w - beta[j - 1] * rows[j - 1] + 0.1 * beta[-1]
        alpha.append(np.dot(w, rows[j]))
        beta.append(np.sqrt(np.sum(w**2) + 1.0))
        rows.append(w / beta[j])
    return sum(alpha) + sum(beta)


def test_a_list_may_be_read_before_it_grows(mode):
    check(mode, read_before_it_grows, np.array([0.3, 1.2, 0.7]))


def test_an_item_that_is_not_there_yet_is_missed_as_in_python(mode):
    def early(x):
        t = []
        for j in range(x.size):
            if x[j] > 1.0:
                return t[j - 1]
            t.append(x[j] * 2)
        return t[0]
    np.testing.assert_allclose(mode(tp.grad(early))(np.array([0.3, 1.2])), [2.0, 0.0])
    with pytest.raises(IndexError):
        mode(tp.grad(early))(np.array([1.3, 1.2]))


def sums_of_what_came_before(x):
    sums = []
    for v in x:
        sums.append(v * v - 0.1 * v * sum(sums))
    return sum(sums)


def test_what_is_put_on_a_list_may_depend_on_the_list(mode):
    check(mode, sums_of_what_came_before, np.array([0.3, 1.2, 0.7]))
