"""Arrays whose rank grows, or changes to and fro, from one iteration of a loop to the next."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X = np.array([1.5, 2.0])


def grows(x, n):
    y = x
    for _ in range(n):
        y = y[None] * 2
    return np.sum(y**2)


def there_and_back(x, n):
    y = x
    for i in range(n):
        y = np.stack([y, y]) if i % 2 == 0 else y.sum(0)
    return np.sum(y**2)


def flattened(x, n):
    y = x
    for i in range(n):
        if i % 2 == 0:
            y = np.stack([y, y * x[0]])
        else:
            y = y.reshape(-1)
    return np.sum(y * np.arange(y.size).reshape(y.shape))


def counted_down(x, n):
    y = x
    for i in reversed(range(2 * n)):
        y = y[None] * (i + 1) if i % 3 else y * 0.5
    return np.sum(y**2)


def until_a_test_fails(x, n):
    y, i = x, 0
    while i < n:
        y, i = y[None] * x[i % 2], i + 1
    return np.sum(y**2)


def until_left(x, n):
    y, i = x, 0
    while True:
        i += 1
        if i > n:
            break
        y = np.stack([y, y * x[0]])
    return np.sum(y**2)


def in_two_loops(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            y = y[None] * x[j % 2]
    return np.sum(y**2)


def left_when_large(x, n):
    y = x
    for _ in range(n):
        y = y[None] * 2
        if np.sum(y) > 20:
            return np.sum(y) * 5
    return np.sum(y**2)


def of_constant_length(x, n):
    y = x
    for i in range(5):
        y = y[..., None] * x if i < 2 else y[0] * i if y.ndim > 1 else y
    return np.sum(y**2)


PROGRAMS = [grows, there_and_back, flattened, counted_down, until_a_test_fails, until_left, in_two_loops, left_when_large,
            of_constant_length]


def slopes(f, x, n):
    steps = 1e-6 * np.eye(x.size)
    return np.array([(f(x + h, n) - f(x - h, n)) / 2e-6 for h in steps])


@pytest.mark.parametrize('program', PROGRAMS, ids=lambda f: f.__name__)
def test_every_iteration_is_written_down(program):
    gradient = tp.grad(program)
    for n in (0, 1, 3, 5):
        np.testing.assert_allclose(gradient(X, n), slopes(program, X, n), rtol=1e-6)


@pytest.mark.parametrize('program', [grows, flattened, until_a_test_fails], ids=lambda f: f.__name__)
def test_compiled(program):
    compiled = tp.jit(program)
    for n in (3, 5):
        same(compiled(X, n), program(X, n))


def test_forward_mode_and_batches():
    tangent = tp.jvp(lambda x: flattened(x, 3), (X,), (np.ones(2),))[1]
    np.testing.assert_allclose(tangent, slopes(flattened, X, 3).sum(), rtol=1e-6)
    rows = np.array([[1.5, 2.0], [-1.0, 0.5]])
    batched = tp.vmap(tp.grad(left_when_large), in_axes=(0, None))(rows, 3)
    np.testing.assert_allclose(batched, [slopes(left_when_large, row, 3) for row in rows], rtol=1e-6)


def of_unknown_length(x):
    y = x
    for _ in range(int(x[0] * 3)):
        y = y[None] * 2
    return np.sum(y**2)


def until_large(x):
    y = x
    while np.sum(y**2) < 50:
        y = y[None] * 2
    return np.sum(y**2)


@pytest.mark.parametrize('program', [of_unknown_length, until_large], ids=lambda f: f.__name__)
@pytest.mark.parametrize('transformation', [tp.grad, tp.jit], ids=['grad', 'jit'])
def test_a_length_that_nobody_knows_is_refused(program, transformation):
    with pytest.raises(tp.TranspileError, match='the rank of `y` changes with each iteration of this loop'):
        transformation(program)(X)
