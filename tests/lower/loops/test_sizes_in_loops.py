"""Sizes that no turn of a loop changes are known in it, after it and of what comes off lists; those that change are not."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X, Y = np.linspace(0.5, 1.5, 12).reshape(4, 3), np.linspace(1.0, -0.4, 12).reshape(4, 3)


def stepped(x, y, end=0.35):
    momentum, t = x * y, 0.0
    while t < end:
        velocity = momentum / x
        x = x - 0.1 * np.roll(velocity, 1, 0)
        momentum = momentum - 0.1 * velocity * velocity
        t += 0.1
    return np.sum(x * momentum)


def exchanged(x, y):
    for _ in range(3):
        x, y = np.sin(y) * x, x
    return np.sum(x * y * y)


def turned(x, y):
    """Four by three, three by four, four by three ..."""
    for _ in range(3):
        x = np.sin(x.T)
        y = np.cos(y.T) * x
    return np.sum(x * y)


def coarser(x, y):
    """A new size in every turn."""
    total = 0.0
    while len(x) > 1:
        x = np.sin(x[::2]) * 1.5
        total += np.sum(x * x)
    return total * np.sum(y)


def widened(x, y):
    """From one row to all of them, in the first turn."""
    row = x[:1]
    for k in range(3):
        row = row * y + np.sin(row)
        row = row * (k + 1)
    return np.sum(row)


def nested(x, y):
    for _ in range(2):
        z = x * y
        for _ in range(2):
            z = np.exp(-z) * x
            x = x + 0.1 * z
        y = y * np.sum(z, axis=0)
    return np.sum(x * y)


def sometimes(x, y):
    for k in range(4):
        if k == 2:
            x = x[:, :2]
        y = np.sin(y[:, : x.shape[1]]) * x
        x = x * y
    return np.sum(x * y)


def shorter_inside(x, y):
    """The size of `z` is one before the loop inside, that of `x` is another: neither may stand for the other."""
    for _ in range(2):
        w = x[1:]
        z = w * 2.0
        for _ in range(2):
            z, w = np.sin(w) + z, w[:]
            x = np.cos(x) * 1.1
        x = x * np.sum(z)
        y = np.concatenate((z, y[:1]))
    return np.sum(x * y)


def of_several_lists(x, y):
    """Pushed in two loops, of two sizes, and read in the opposite order."""
    rows = []
    for k in range(3):
        rows.append(np.sin(x[k]))
        rows.append(np.cos(y[:, 0]))
    return sum([np.sum(row**2) for row in rows])


@pytest.mark.parametrize('f', [stepped, exchanged, turned, coarser, widened, nested, sometimes, shorter_inside, of_several_lists])
def test_values_and_gradients(mode, f):
    check(mode, f, X, Y, argnums=(0, 1))


@pytest.mark.parametrize('f', [stepped, exchanged])
def test_nothing_is_asked_that_is_known(f):
    for function in (f, tp.grad(f, argnums=(0, 1))):
        loops = tp.jit(function).lower(X, Y).loops
        assert 'could not be broadcast' not in loops


def test_no_turn():
    np.testing.assert_allclose(tp.jit(stepped)(X, Y, 0.0), np.sum(X * (X * Y)))
    np.testing.assert_allclose(tp.jit(tp.grad(stepped))(X, Y, 0.0), 2.0 * X * Y)


def test_sizes_that_do_not_fit():
    with pytest.raises(ValueError, match='broadcast'):
        tp.jit(stepped)(X, Y[:2])


def test_what_is_pushed_does_not_keep_neighbours_apart():
    def f(x, end):
        t = 0.0
        while t < end:
            x = x + 0.1 * np.sin(np.exp(-x) * x)
            t += 0.1
        return np.sum(x)
    loops = tp.jit(tp.grad(f)).lower(X[0], 0.35).loops
    body = loops.partition('while t')[2].partition('# pullback')[0]
    assert body.count('for i in') == 1, body
