"""`np.split` and `np.array_split` into a number of parts that shows only when the program runs."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X = np.array([0.5, 1.5, 2.5, 3.5, 4.5, 6.5])


def looped(x, n):
    s = 0.0
    for k, part in enumerate(np.array_split(x, n)):
        s += k * np.sum(part) ** 2
    return s


def read(x, n):
    parts = np.split(x, n)
    return np.sum(parts[0] * parts[-1]) * len(parts)


def joined(x, n):
    whole = np.concatenate([np.sin(part) * len(part) for part in np.array_split(x, n)])
    return np.sum(whole * x)


def of_a_matrix(x, n):
    return sum(np.sum(part * k) for k, part in enumerate(np.hsplit(np.reshape(x, (2, 3)), n)))


@pytest.mark.parametrize(('f', 'n'), [(looped, 4), (read, 3), (joined, 4), (of_a_matrix, 3)])
def test_parts_of_a_number_that_the_run_shows(mode, f, n):
    same(mode(f)(X, n), f(X, n))
    columns = [(f(X + 1e-6 * e, n) - f(X - 1e-6 * e, n)) / 2e-6 for e in np.eye(6)]
    assert np.allclose(mode(tp.grad(f))(X, n), columns, rtol=1e-5)
    assert np.allclose(tp.jacfwd(f)(X, n), columns, rtol=1e-5)
    same(tp.vmap(f, in_axes=(0, None))(np.stack([X, 2 * X]), n), np.array([f(X, n), f(2 * X, n)]))


def test_the_parts_themselves(mode):
    for n in (1, 2, 4):
        given, wanted = mode(lambda x, n: np.array_split(x, n))(X, n), np.array_split(X, n)
        assert type(given) is list and all(map(np.array_equal, given, wanted)) and len(given) == n


def test_parts_that_are_not_equal(mode):
    with pytest.raises(ValueError):
        mode(lambda x, n: np.split(x, n))(X, 4)
    with pytest.raises(ValueError):
        mode(lambda x, n: np.array_split(x, n))(X, 0)
