"""Lists of run-time length turned round in place; and what is refused of lists says what to write instead, which works."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.5, -2.25, 3.0, 0.5])


class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __lt__(self, other):
        return self.a < other.a


def numbers(x):
    t = [v for v in x if v > 0]
    same = t
    t.reverse()
    return sum(v * k for k, v in enumerate(same)) + t[0] * t[-1]


def pairs_each_time(x):
    t = []
    for v in x:
        t.append((v, v * v))
        t.reverse()
    return sum(a * k + b * b for k, (a, b) in enumerate(t))


def ragged(x):
    t = [x[: k + 1] for k in range(len(x))]
    t.reverse()
    return sum(np.sum(r * r) * k for k, r in enumerate(t))


def objects(x):
    t = []
    for v in x:
        if v > 0:
            t.append(Point(v, v * 2))
    t.reverse()
    t[0].a = t[0].a * 5
    return sum(o.a * o.b * k for k, o in enumerate(t, 1))


def perhaps_none(x):
    t = []
    for v in x:
        t.append(v if v > 0 else None)
    t.reverse()
    total = 0.0
    for k, v in enumerate(t):
        if v is not None:
            total = total + v * v * k
    return total


def slope(f, x, h=1e-6):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


@pytest.mark.parametrize('f', [numbers, pairs_each_time, ragged, objects, perhaps_none])
def test_lists_are_reversed_in_place(f):
    for derivative in (tp.grad, tp.jacfwd):
        np.testing.assert_allclose(derivative(f)(X), slope(f, X), atol=1e-6)


def test_compiled_code_reverses_them(mode):
    np.testing.assert_allclose(mode(tp.grad(pairs_each_time))(X), slope(pairs_each_time, X), atol=1e-6)


def one_or_the_other(x):
    t = [v for v in x if v > 0]
    u = [a * b for a, b in zip(t, t[1:])] or [x[0]]
    return sum(u)


def arrays_instead(x):
    t = np.array([v for v in x if v > 0])
    u = t[1:] * t[:-1] if len(t) > 1 else np.array([x[0]])
    return sum(u)


def rows_filled_afterwards(x):
    t = []
    for i in range(x.size):
        t.append([])
        for j in range(i):
            t[i].append(x[i] * x[j])
    return sum(sum(r) for r in t)


def rows_filled_before(x):
    t = []
    for i in range(x.size):
        row = []
        for j in range(i):
            row.append(x[i] * x[j])
        t.append(row)
    return sum(sum(r) for r in t)


def in_parts(x):
    if len(x) < 2:
        return x
    p = x[0]
    return in_parts([v for v in x[1:] if v < p]) + [p] + in_parts([v for v in x[1:] if not v < p])


def sorted_lists(x):
    return sum(v * k for k, v in enumerate(in_parts(list(x))))


def in_parts_of_arrays(x):
    if x.size < 2:
        return x
    p, rest = x[0], x[1:]
    return np.concatenate([in_parts_of_arrays(rest[rest < p]), np.array([p]), in_parts_of_arrays(rest[rest >= p])])


def sorted_arrays(x):
    return np.sum(in_parts_of_arrays(x) * np.arange(x.size))


def by_themselves(x):
    s = sorted([Point(x[0], x[1]), Point(x[1], x[2]), Point(x[2], 0.2)])
    return s[0].b + 2 * s[1].b


def by_a_key(x):
    s = sorted([Point(x[0], x[1]), Point(x[1], x[2]), Point(x[2], 0.2)], key=lambda point: point.a)
    return s[0].b + 2 * s[1].b


@pytest.mark.parametrize(('refused', 'said', 'instead'), [
    (one_or_the_other, 'what is chosen has no single kind.*make an array of each', arrays_instead),
    (rows_filled_afterwards, 'fill a list before it is put on the other', rows_filled_before),
    (sorted_lists, '`in_parts` calls itself with a list whose length.*pass arrays', sorted_arrays),
    (by_themselves, '`sorted` by objects of the class `Point`.*give a key', by_a_key),
])
def test_what_is_refused_says_what_works(refused, said, instead):
    with pytest.raises(tp.TranspileError, match=f'(?s){said}'):
        tp.grad(refused)(X)
    np.testing.assert_allclose(tp.grad(instead)(X), slope(refused, X), atol=1e-6)
