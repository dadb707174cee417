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


NUMBERS = '''k[i] * n % 5 | np.sum(k[:i]) % 7 | np.searchsorted(k, i) % 7 | k[:2] @ k[1:3] * i % 7 | max(k[i], n) % 7
abs(k[i]) ** n % 5 | k[k[i] * n % 5] - 1 | np.argmax(k[i:]) * n % 5 | int(z[i] * n) % 5 | k[i] if k[i] * n > 0 else n
np.where(k[i] > 0, k[i] * n % 5, 1)'''
NUMBERS = [text.strip() for text in NUMBERS.replace('\n', '|').split('|')]


def test_an_index_that_is_a_number_is_taken_for_one():
    """What is written in the index may be an array elsewhere: of one number Numba has no `np.add.at`, and needs none."""
    lines = [line for k in NUMBERS for line in (f'a[{k}] += 0.5', f't[2, {k}] -= z[i]', f't[1:, {k}] += t[0, :3]')]
    f = tp.from_source('\n        '.join(['import numpy as np\ndef f(a, t, k, z, n):\n    for i in range(5):', *lines]) +
                       '\n    return a, t\n')
    k, z = np.array([3, -1, 2, 0, 5]), np.array([1.5, 2.5, 0.25, 3.75, 1.0])
    found, expected = (g(np.ones(7), np.arange(28.0).reshape(4, 7), k, z, 3) for g in (tp.jit(f), f))
    same(found, expected)


def picked_from_neighbours(t, k, n):
    s = 0.0
    for i in range(5):
        s = s * 0.5 + t[0, (k[i] - n) % 5] * t[1, (k[i] * n) % 5]
    return s


def test_gradients_of_neighbours_on_a_circle(mode):
    t, k = np.arange(20.0).reshape(4, 5), np.array([3, -1, 2, 0, 5])
    expected = np.zeros((4, 5))
    for i in range(5):
        a, b = (k[i] - 3) % 5, k[i] * 3 % 5
        expected[0, a] += 0.5 ** (4 - i) * t[1, b]
        expected[1, b] += 0.5 ** (4 - i) * t[0, a]
    same(mode(tp.grad(picked_from_neighbours))(t, k, 3), expected)
