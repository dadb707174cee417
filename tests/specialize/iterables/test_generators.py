"""Generator functions, names that are `nonlocal`, and `global` names that are read."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, 0.4, 2.1])
SCALE = 2.0


def growing(x, n):
    a, b = x, 1.0
    for _ in range(n):
        yield a
        a, b = b, a + b * x


def pairs(n):
    for i in range(n):
        if i == 1:
            continue
        yield from ((i, j) for j in range(i))


def halves(low, high):
    while high - low > 0.1:
        middle = 0.5 * (low + high)
        yield middle
        low = middle


def few(x):
    yield x * x
    if x > 10.0:
        return
    y = np.sin(x)
    yield y
    yield y * x


def looped_over(x):
    total = 0.0
    for v in growing(x[0], len(x)):
        if v > 5.0:
            break
        total += v * v
    for k, v in enumerate(growing(x[1], 5)):
        total += k * v
    for i, j in pairs(len(x)):
        total += 1.0 / (0.1 + (x[i] - x[j]) ** 2)
    for v, w in zip(few(x[2]), halves(0.0, x[3])):
        total += v * w
    return total


def collected(x):
    values = list(growing(x[0], 6))
    return sum(few(x[1])) * values[2] + np.sum(np.array(list(halves(0.0, x[3]))) ** 2) + max(growing(x[2], 4))


def of_a_function_inside(x):
    def squares(start):
        for k in range(start, len(x)):
            yield x[k] ** 2
    return sum(squares(1)) * sum(v * 2 for v in squares(2))


def counted(x):
    calls, total = 0, 0.0

    def f(t):
        nonlocal calls, total
        calls += 1
        if t > 1.0:
            total = total + t * t
        return t * t - 2.0

    calls = 0
    for v in x:
        for _ in range(2):
            f(v)
    return total * calls + f(x[0])


def counters(x):
    def counter(value):
        def step(d):
            nonlocal value
            value = value * d + 1.0
            return value
        return step

    a, b = counter(1.0), counter(x[0])
    return a(x[1]) * b(x[2]) + a(x[3]) + b(x[1])


def read_globally(x):
    global SCALE
    return np.sum(x * x) * SCALE


@pytest.mark.parametrize('f', [looped_over, collected, of_a_function_inside, counters, read_globally])
def test_derivatives(f, mode):
    check(mode, f, X)


def nonlocals(x):
    total, calls = 0.0, 0

    def f(t):
        nonlocal calls, total
        calls += 1
        if t > 1.0:
            total = total + t * t
        return [total for total in (t, 2 * t)]

    for v in x:
        for _ in range(2):
            f(v)
    return total * calls + sum(f(x[0]))


def test_a_name_that_functions_share(mode):
    check(mode, nonlocals, X)


def written_globally(x):
    global SCALE
    SCALE = 3.0
    return x * SCALE


def sent(x):
    def echo():
        y = yield x
        yield y
    return sum(echo())


def endless(x):
    def natural():
        k = 0
        while True:
            yield k
            k += 1
    for k in natural():
        if k > 3:
            break
        x = x * k
    return x


def changed_meanwhile(x):
    a = np.ones(3)

    def items():
        for k in range(3):
            yield a[k] * x
    total = 0.0
    for v in items():
        a[2] = 5.0
        total += v
    return total


def test_what_the_loop_changes_shows_in_its_items(mode):
    assert np.isclose(mode(tp.grad(changed_meanwhile))(2.0), 7.0)


@pytest.mark.parametrize('f', [written_globally, sent, endless])
def test_refused(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(2.0)


def until(x, most):
    for v in x:
        for w in x:
            if v * w > most:
                return
            yield v * w


def around_a_ring(x):
    k = 0
    while True:
        yield x[k] ** 2
        k += 1
        if k == x.size:
            return 'done'


def ended_inside(x):
    yield x[0]
    yield from until(x, 1.5)
    yield x[1]


def first_alone(x):
    if x.size < 2:
        return
    for v in x:
        yield v * v
        return


ENDED = [lambda x: sum(until(x, 1.2)), lambda x: sum(around_a_ring(x)) * x[0], lambda x: sum(v * v for v in ended_inside(x)),
         lambda x: np.sum(np.array(list(until(x, 2.5)))), lambda x: x[1] * sum(first_alone(x))]


@pytest.mark.parametrize('f', ENDED)
def test_returns_in_loops(mode, f):
    check(mode, f, X)
