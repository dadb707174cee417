"""Loops whose turns have nothing to do with each other are run together with their pullbacks, where that is legal."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN, check, numeric_grad, same

GOLDEN = Path(__file__).parents[2] / 'golden' / 'storage'
RNG = np.random.default_rng(0)
X, W = RNG.normal(size=5), RNG.normal(size=(5, 5)) / 2.0


def root_of_each(x):
    total = 0.0
    for v in x:
        y = 1.0 + v * v
        for _ in range(6):
            y = 0.5 * (y + (1.0 + v * v) / y)
        total += np.sin(y)
    return total / x.size


def energy(x, w):
    e = 0.0
    for i in range(x.size):
        for j in range(i + 1, x.size):
            d = x[i] - x[j]
            e += w[i, j] / np.sqrt(d * d + 0.1)
    return e


def recurrent(x, w):
    loss = 0.0
    for b in range(w.shape[1]):
        h = np.zeros(3)
        for t in range(x.size):
            h = np.tanh(h * x[t] + w[t, b])
        loss += np.sum(h * h)
    return loss


def written_by_turns(x, w):
    y = np.zeros(x.size)
    for i in range(x.size):
        row = w[i] * x[i]
        row[1:] *= row[:-1]
        y[i] = np.sum(row)
    return np.sum(3.0 * y)


def two_loops(x, w):
    s = 0.0
    for i in range(x.size):
        s += np.exp(x[i]) * w[i, 0]
    for i in range(x.size):
        s -= x[i] ** 3
    return 2.0 * s


def until_small(x):
    turns = 0.0
    for k in range(x.size):
        v = x[k]
        while abs(v) > 0.1:
            v = v * np.cos(v)
            turns += 0.5 * v
    return turns


MERGED = {f.__name__: (f, args) for f, args in (
    (root_of_each, (X,)), (energy, (X, W)), (recurrent, (X, W)), (written_by_turns, (X, W)), (two_loops, (X, W)),
    (until_small, (X,)))}


def squared(x):
    s = 0.0
    for v in x:
        s += np.sin(v)
    return s * s


def not_linear_afterwards(x):
    y = np.zeros(x.size)
    for i in range(x.size):
        y[i] = np.exp(x[i])
    return np.sum(y * y)


def what_the_last_turn_left(x):
    s, previous = 0.0, 1.0
    for v in x:
        s += v * v * previous
        previous = np.sin(v)
    return s


def only_from_the_second_turn_on(x):
    s = 0.0
    for i in range(x.size):
        if i > 0:
            s += last * x[i]  # noqa: F821
        last = np.exp(x[i])
    return s


def neighbours(x, n):
    for i in range(1, n):
        x[i] = x[i] * x[i - 1]
    return np.sum(x)


def overwritten_in_the_next_turn(x, w):
    buffer, s = np.zeros(x.size), 0.0
    for i in range(x.size):
        buffer[:] = buffer * x[i] + w[i]
        s += np.sum(buffer * buffer)
    return s


def changed_afterwards(x):
    s = 0.0
    for i in range(x.size):
        s += x[i] ** 3
    x *= 2.0
    return s + np.sum(x * x)


def overwritten_afterwards(x, w):
    y = np.zeros(x.size)
    for i in range(x.size):
        v = x[i]
        for j in range(x.size):
            v = 0.5 * np.tanh(v * v) + w[i, j]
            y[j] += 0.2 * v
        y[x.size - 1 - i] += v
    x[0] = 0.0
    return np.sum(y)


def a_weight_that_comes_later(x):
    s = 0.0
    for i in range(x.size):
        s += x[i] ** 3
    weight = np.sum(x)
    return s * weight


def depends_on_the_end(x):
    s = 0.0
    for i in range(x.size):
        s += x[i] ** 3
    return np.sin(s)


APART = {f.__name__: (f, args) for f, args in (
    (squared, (X,)), (not_linear_afterwards, (X,)), (what_the_last_turn_left, (X,)), (only_from_the_second_turn_on, (X,)),
    (neighbours, (X, 5)), (overwritten_in_the_next_turn, (X, W)), (depends_on_the_end, (X,)))}
def roots_squared(x):
    root = root_of_each(x)
    return root * root


def rows_of_turns(x, w):
    y = np.zeros(x.size)
    for i in range(x.size):
        h, t = np.zeros(3), 0
        while t < i + 1:
            h = np.tanh(h * x[i] + w[t, i - 1])
            t += 1
        y[i] = np.sum(h)
    return np.sum(y * y)


def chosen_in_turns(x):
    total = 0.0
    for i in range(x.size):
        v = x[i]
        for _ in range(3):
            if v > 0.0:
                v = v * v - 0.3
            else:
                v = np.sin(v) + 0.2
        total += v
    return np.exp(total)


AGAIN = {f.__name__: (f, args) for f, args in ((roots_squared, (X,)), (rows_of_turns, (X, W)), (chosen_in_turns, (X,)))}


def read_and_then_overwritten(x, w):
    y = np.zeros(x.size)
    for i in range(x.size):
        h = 0.0
        for t in range(3):
            h = np.tanh(h * x[i] + w[t, i])
        y[i] = h
    x *= 2.0
    return np.sum(y * y * x)


def read_from_earlier_turns(x, w):
    y = np.ones(x.size)
    for i in range(1, x.size):
        h = 0.0
        for t in range(3):
            h = np.tanh(h * y[i - 1] + w[t, i] * x[i])
        y[i] = h
    return np.sum(y * y)


def counted_on(x):
    s, n, total = 0.0, 0, 0.0
    for i in range(x.size):
        v = x[i]
        for _ in range(2):
            n += 1
            v = np.sin(v * n)
        total += v
    return total * total


KEPT = {f.__name__: (f, args) for f, args in (
    (read_and_then_overwritten, (X, W)), (read_from_earlier_turns, (X, W)), (counted_on, (X,)))}
OTHERS = AGAIN | KEPT | {f.__name__: (f, args) for f, args in (
    (changed_afterwards, (X,)), (overwritten_afterwards, (X, W)), (a_weight_that_comes_later, (X,)))}
CASES = MERGED | APART | OTHERS


@pytest.mark.parametrize('name', CASES)
def test_gradient(name, mode):
    f, args = CASES[name]
    floats = tuple(k for k, a in enumerate(args) if isinstance(a, np.ndarray))
    check(mode, f, *args, argnums=floats)


@pytest.mark.parametrize('name', CASES)
def test_second_order(name):
    f, args = CASES[name]
    check(PLAIN, f, *args, order=2)


def outer_loops(f, args):
    """How many loops the function has, and how many its derivative."""
    derivative = str(tp.value_and_grad(f).lower(*args).source)
    return [len(re.findall(r'(?m)^    for ', text)) for text in (inspect.getsource(f), derivative)]


@pytest.mark.parametrize('name', MERGED)
def test_one_loop_with_both_sweeps(name):
    loops, both = outer_loops(*MERGED[name])
    assert both == loops


@pytest.mark.parametrize('name', APART)
def test_two_loops(name):
    loops, both = outer_loops(*APART[name])
    assert both == 2 * loops


def kept(f, args):
    return re.findall('(?m)# `.*` at .* kept in .*, (.*) bytes', str(tp.explain(tp.grad(f), *args)))


@pytest.mark.parametrize('name', AGAIN)
def test_a_turn_that_is_run_once_more_is_kept_alone(name):
    assert not [size for size in kept(*AGAIN[name]) if 'n' in size.replace('iterations', '').replace('line', '')]


@pytest.mark.parametrize('name', KEPT)
def test_turns_that_would_give_something_else_are_kept(name):
    assert [size for size in kept(*KEPT[name]) if 'n' in size.replace('iterations', '').replace('line', '')]


def test_source(golden):
    for f, args in (MERGED['root_of_each'], MERGED['energy'], MERGED['recurrent'], AGAIN['rows_of_turns']):
        golden(GOLDEN / f'{f.__name__}.py', str(tp.value_and_grad(f, argnums=tuple(range(len(args)))).lower(*args).source))


def test_a_pullback_that_stands_alone_keeps_its_loop():
    value, pullback = tp.vjp(energy, X, W)
    same(pullback(1.0), tp.grad(energy, argnums=(0, 1))(X, W))
    same(tp.jacrev(energy)(X, W), tp.grad(energy)(X, W))
    same(value, energy(X, W))


def halved(x):
    total = 0.0
    for _ in range(3):
        square = x * x
        x = x * 0.5
        total += np.sum(square) ** 2
    return total


def test_what_a_loop_leaves_is_given_as_it_is():
    gradient = tp.grad(halved)
    same(gradient(X), numeric_grad(halved, (X,)))
    body = gradient.source.split('# pullback of line', 1)[1]
    assert '.copy()' not in body                                   # nobody else holds it
    assert body.count('x_bar +=') == 1 and '4 * ' in body          # `x * x` adds one part, twice as large
