"""Comparisons that the pullback would make are made by the primal, where flags are less to keep than the numbers compared."""

import re
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from benchmarks.kernels.dynamic import pathfinder
from tests.support import PLAIN, check

GOLDEN = Path(__file__).parents[2] / 'golden' / 'storage'
RNG = np.random.default_rng(0)
WALL = RNG.normal(size=(5, 4))
X, W = RNG.normal(size=4), RNG.normal(size=(4, 4))


def rectified(x, w):
    for _ in range(3):
        x = np.maximum(w @ x, 0.0)
    return np.sum(x)


def rectified_in_place(x, w):
    t = 0
    while np.sum(x * x) < 50.0 and t < 4:
        x = w @ x
        np.maximum(x, 0.1 * t, out=x)
        t += 1
    return np.sum(x * x)


def larger_and_read(x, w):
    for _ in range(3):
        x = np.maximum(w @ x, x) * x
    return np.sum(x)


def only_sometimes(x, w):
    for k in range(4):
        y = w @ x
        if k % 2 == 0:
            x = np.minimum(y, x)
        else:
            x = np.maximum(y, 0.5)
    return np.sum(x)


def ragged(x, w):
    total = 0.0
    for k in range(1, 4):
        part = w[:k, :k] @ x[:k]
        total += np.sum(np.maximum(part, w[0, :k]))
    return total


CASES = {'pathfinder': (pathfinder, (WALL,)), **{
    f.__name__: (f, (X, W)) for f in (rectified, rectified_in_place, larger_and_read, only_sometimes, ragged)}}


@pytest.mark.parametrize('name', CASES)
def test_gradient(name, mode):
    f, args = CASES[name]
    check(mode, f, *args, argnums=tuple(range(len(args))))


@pytest.mark.parametrize('name', CASES)
def test_second_order(name):
    f, args = CASES[name]
    check(PLAIN, f, *args, order=2)


def kept(f, *args):
    return re.findall('(?m)# `(.*)` at .* kept in .*, (.*) bytes', str(tp.explain(tp.grad(f), *args)))


def test_flags_are_kept_and_no_numbers():
    assert {size for _, size in kept(pathfinder, WALL)} == {'1*(n - 1)*(m - 1)'}
    assert {size for _, size in kept(rectified, X, W)} == {'3*n'}


def test_numbers_that_are_needed_anyway_are_compared_by_the_pullback():
    assert sorted(kept(larger_and_read, X, W)) == [('wx', '24*n'), ('x', '24*n')]


def test_source(golden):
    golden(GOLDEN / 'pathfinder.py', str(tp.grad(pathfinder).lower(WALL).source))
