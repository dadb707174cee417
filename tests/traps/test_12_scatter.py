"""Trap 12: scattered additions never race: the same numbers, whatever the indices, on every run."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

SIZE, RUNS = 100_000, 100


def picked(x, idx, weights):
    return np.sum(weights * x[idx] ** 2)


def picked_one_by_one(x, idx, weights):
    total = 0.0
    for i in range(idx.size):
        total += weights[i] * x[idx[i]] ** 2
    return total


def scattered(x, idx, weights):
    bins = np.zeros(3)
    np.add.at(bins, idx, weights * x[idx])
    return np.sum(bins ** 2)


@pytest.mark.parametrize('f', [picked, picked_one_by_one, scattered])
def test_all_indices_equal(f):
    idx, x = np.full(SIZE, 2), np.array([1.0, 2.0, 3.0])
    weights = np.random.default_rng(0).normal(size=SIZE)
    gradient = tp.jit(tp.grad(f, argnums=(0, 2)))
    first = gradient(x, idx, weights)
    same(first, tp.grad(f, argnums=(0, 2))(x, idx, weights) if f is not picked_one_by_one else
         tp.grad(picked, argnums=(0, 2))(x, idx, weights), rtol=1e-9)
    for _ in range(RUNS):
        for again, before in zip(gradient(x, idx, weights), first, strict=True):
            assert np.array_equal(again, before)
