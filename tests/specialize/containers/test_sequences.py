"""Sequences whose length shows at run time: unpacked, sliced, searched, used as queues."""
import collections
import itertools

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, -0.4, 2.0])


def lists_beside_arrays(x):
    padded = np.concatenate([[0.0], x, (x[0], 1.0)])
    piled = np.vstack([x, [1.0, 2.0, x[1], 4.0], range(4)])
    turned = np.stack([x, [x[3], x[2], x[1], x[0]]], axis=1)
    return np.sum(padded[1:] * padded[:-1]) + np.sum(piled.prod(axis=0)) + np.sum(turned[:, 0] * turned[:, 1]**2)


def falling(x):
    stack, total = [], 0.0
    for t in x:
        while stack and stack[-1] > t:
            total += stack.pop() * t
        if not (stack and stack[-1] > 5.0) or len(stack) > 8:
            stack.append(t)
    return total + sum(stack)


def best_by_key(x):
    k = max(range(len(x)), key=lambda i: x[i])
    j, t = max(enumerate(x), key=lambda pair: pair[1])
    a, b = min(zip(x, x**2), key=lambda pair: pair[1])
    step = min(range(1, len(x)), key=lambda i: abs(x[i] - x[i - 1]))
    return x[k]**2 + t * j + a * b + x[step] * x[step - 1]


def taken_apart(x):
    a, b, c, d = [t * t for t in x]
    e, f, *rest = map(lambda t: t**3, x)
    first, *middle, last = x
    *init, end = x[:2]
    return a * b + c / d + e * f * sum(rest) + first * middle[1] * last + init[0] * end


def displayed(x):
    return np.dot([1.0, *x, 2.0], [*(t * t for t in x), x[0], x[1]])


def as_a_queue(x):
    queue = collections.deque(x)
    queue.appendleft(x[1]**2)
    total, k = 0.0, 1
    while queue:
        t = queue.popleft()
        total += t**2 * k
        k += 1
        if k < 4:
            queue.append(0.5 * t)
    return total


def changed_in_the_middle(x):
    items = [t for t in x if t > -9]
    items.insert(1, x[0]**2)
    del items[0]
    items[1:2] = [x[1], 2 * x[2], 3.0]
    del items[-1:]
    return sum(t * k for k, t in enumerate(items)) + items.pop(0) * items.pop(1)


def counted_for_ever(x):
    root = 1.0
    for _ in itertools.count():
        root -= (root**2 - x[1]) / (2 * root)
        if abs(root**2 - x[1]) < 1e-13:
            break
    return root + sum(k * t**2 for k, t in zip(itertools.count(1), x))


def flat(x):
    table, total = np.outer(x, x), 0.0
    for t in table.T.flat:
        table[1, 0] = 0.5 * x[0]  # what comes later is seen
        total = 0.5 * total + t**2
    return total + table.flat[3] + max(x.flat) * sum(x.tolist())


def sliced_iterators(x):
    held, total = [x[0], x[1], x[2]], 0.0
    for t in itertools.islice(held, 1, None):
        held[2] *= 3.0
        total += t**2
    for k, t in enumerate(itertools.islice(x, 1, x.size - 1)):
        total += k * t**2
    return total + sum(a * b for a, b in zip(x, itertools.islice(x, 1, None))) + sum(reversed(x)) * x[0]


def with_a_default(x):
    return max((t for t in x if t > 1.0), default=0.0)**2 + min([t for t in x if t > 100.0], default=x[0])


@pytest.mark.parametrize('f', [
    lists_beside_arrays, falling, best_by_key, taken_apart, displayed, as_a_queue, changed_in_the_middle, counted_for_ever, flat,
    sliced_iterators, with_a_default])
def test_derivatives(f, mode):
    check(mode, f, X)


def cut(x, a, b):
    turns, items = range(1, 2 * x.size, 2), [t for t in x]
    found = [0.1 * items[k // 2] for k in turns[a:b]] + [10.0 * items[k // 2] for k in turns[b:a:-1]]
    found = found + items[a:b] + items[::2] + items[b::-1]
    items[a:b] = [7.0, 8.0]
    return np.array(found + items + items[-2:])


@pytest.mark.parametrize('a', [-6, -2, -1, 0, 1, 3, 4, 9])
@pytest.mark.parametrize('b', [-5, -1, 0, 2, 4, 7])
def test_slices_are_those_of_python(a, b):
    np.testing.assert_allclose(tp.jvp(cut, (X, a, b), (X, None, None))[0], cut(X, a, b), rtol=1e-15)


@pytest.mark.parametrize(('f', 'message'), [
    (lambda x: x[max(range(int(np.sum(x > 9))), key=lambda k: x[k])], 'empty'),
    (lambda x: [t for t in x if t > 9].pop(0), 'empty|out of range'),
    (lambda x: range(int(np.sum(x > 1)))[2] * x[0], 'out of range'),
])
def test_what_is_not_there_is_missed_as_in_python(f, message):
    for call in (f, tp.value_and_grad(f)):
        with pytest.raises((IndexError, ValueError), match=message):
            call(X)


@pytest.mark.parametrize('f', [
    lambda x: [a * b for a, b, c in [[t for t in x]]][0],
    lambda x: [a for a, b, *c in [[t for t in x if t > 1.5]]][0],
])
def test_too_few_values_are_missed_as_in_python(f):
    for call in (f, tp.grad(f)):
        with pytest.raises(ValueError, match='values to unpack'):
            call(X)


@pytest.mark.parametrize('f', [
    lambda x: print('a', file='a') or x[0],
    lambda x: collections.deque(x, 2)[0],
    lambda x: [k for k in itertools.count(0.5)][0],
])
def test_refused(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(X)


def test_as_many_as_less_than_none():
    with pytest.raises(ValueError, match='islice'):
        tp.grad(lambda x: sum(t for t in itertools.islice(x, -1)))(X)
