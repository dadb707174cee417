"""Flags of Python's in batches: it counts with them, whoever holds them, and what only asks them reads as before."""
import contextlib
import io
import math
from functools import reduce
from operator import add

import numpy as np
import pytest

import transpiler as tp

X = np.array([[0.5, 0.7, 3.0], [0.5, -0.7, 0.6], [-0.5, -0.7, -3.0]])


def inside(v):
    return bool(0 < v < 1)


def of_two_paths(x):
    if x[0] > 0:
        c = bool(x[1] > 0)
    else:
        c = not x[2] > 0
    return (c + c) * x[0]


def of_and_or(x):
    within = not (x[0] < 0 or x[1] > 1)
    near = not x[2] < 1
    return x[0] * (within + near)


def accumulated(x):
    n = True
    n += not x[0] < 0
    d = {'n': True}
    d['n'] += bool(x[1] > 0)
    d['n'] *= not x[2] < 0
    return n * x[1] + d['n'] * x[2]


def counted(x):
    n = False
    for v in x:
        n = n + (not v < 0)
    return n * x[2]


def counted_on_a_list(x):
    votes = [not v < 0.6 for v in x]
    return (votes[0] + votes[1] + votes[2]) * x[0] + sum(votes) / len(votes)


def until(x):
    k = False
    while k + (not x[0] < 0) < 3:
        k += True
    return k * x[1]


def stored(x):
    a, b = np.zeros(3), np.zeros(2, bool)
    for i in range(3):
        a[i] = (not x[i] < 0) + bool(x[0] > 0)
    b[0] = not x[0] < 0
    return a * x, b + b


PROGRAMS = [
    of_two_paths, of_and_or, accumulated, counted, counted_on_a_list, until, stored,
    lambda x: (bool(x[0] > 0) + bool(x[1] > 0) + bool(x[2] > 0)) * x[0],
    lambda x: math.isnan(x[0]) + math.isfinite(x[1]) + math.isclose(x[0], 0.5),
    lambda x: any(x > 0) + all(x > 0) + all(v > 0 for v in x),
    lambda x: sum((not x[0] < 0, not x[1] < 0, not x[2] < 0)) * x[2],
    lambda x: (sum([not x[0] < 0, x[1] > 0]), sum([x[1] > 0, not x[0] < 0]), (not x[0] < 0).real + (not x[1] < 0).real),
    lambda x: reduce(add, [not v < 0 for v in x]),
    lambda x: x[0] * (inside(x[0]) + inside(x[1]) - inside(x[2])),
    lambda x: (bool(x[0] > 0) - bool(x[1] > 0), -bool(x[0] > 0), +(not x[0] < 0), ~(not x[0] < 0), abs(not x[0] < 0)),
    lambda x: ((not x[0] < 0) << (not x[1] < 0), (not x[0] < 0) >> True, True - (not x[0] < 0), (not x[0] < 0) * True),
    lambda x: ((not x[0] < 0) / (1 + bool(x[1] > -9)), (not x[0] < 0) // True, bool(x[0] > 0) % 2, (not x[0] < 0) ** 2 + 1),
    lambda x: ((not x[0] < 0) & (not x[1] < 0), (not x[0] < 0) ^ True, (not x[0] < 0) + (x[1] > 0), bool(x[0] > 0) < True),
    lambda x: x[(not x[0] < 0) + (not x[1] < 0)] + [1.0, 2.0][not x[0] < 0],
    lambda x: np.where((not x[0] < 0) + (not x[1] < 0) == 2, x, 0.0) + (not x[0] < 0) + np.add(not x[0] < 0, not x[1] < 0),
    lambda x: (x[0] in (0.5,)) + (x[1] in (0.7,)) - (x[2] not in [3.0, x[1]]),
]


def kinds_and_values(results):
    results = results if isinstance(results, tuple) else (results,)
    return [(np.asarray(part).dtype, np.asarray(part).tolist()) for part in results]


@pytest.mark.parametrize('f', PROGRAMS)
def test_examples_are_counted_as_python_counts(f):
    rows = [f(x) for x in X]
    stacked = tuple(map(np.array, zip(*rows))) if isinstance(rows[0], tuple) else np.array(rows)
    assert kinds_and_values(tp.vmap(f)(X)) == kinds_and_values(stacked)


@pytest.mark.parametrize('f', [of_two_paths, counted_on_a_list])
def test_compiled(f):
    np.testing.assert_array_equal(tp.jit(tp.vmap(f))(X), [f(x) for x in X])


@pytest.mark.parametrize('f', [of_and_or, accumulated, counted])
def test_gradients(f):
    slopes, values = tp.vmap(tp.value_and_grad(f))(X)[::-1]
    np.testing.assert_array_equal(values, [f(x) for x in X])
    np.testing.assert_array_equal(slopes, [tp.grad(f)(x) for x in X])


def test_texts():
    def f(x):
        print([bool(x[0] > 0), not x[0] < 0], bool(x[0] > 0) + bool(x[1]), -(x[0] in (0.5,)), f'{x[0] in (0.5,)!r}')
        return x[0]

    said, wanted = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said):
        tp.vmap(f)(X)
    with contextlib.redirect_stdout(wanted):
        for x in X:
            f(x)
    assert said.getvalue() == wanted.getvalue()


def test_conditions_read_as_before():
    def f(x):
        found = x[0] in (0.5, 0.7)
        return x[1] if found or not x[2] < 1 else x[2]

    source = tp.vmap(f).lower(X).source
    assert 'bool' not in source and 'astype' not in source
