"""Functions that wait for no turn are computed ahead, so many turns at a time; counters that go backwards say where they end."""
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT, check
from transpiler.core.text import parse
from transpiler.lower.vectorize.fission import compute_ahead
from transpiler.values.types import FLOAT, INT

GOLDEN = Path(__file__).parents[2] / 'golden' / 'ahead'
RNG = np.random.default_rng(0)
X, Y = RNG.uniform(0.1, 0.9, size=150), RNG.uniform(0.1, 0.9, size=150)


def forced(x, y):
    s = 0.0
    for i in range(x.size):
        s = 0.5 * s + np.exp(x[i]) * y[i]
    return s


def downward(x, y):
    s = 0.0
    for i in range(x.size - 2, 1, -1):
        s = s * y[i] + np.sin(x[i]) ** y[i + 1]
    return s


def left_behind(x, y):
    s, e, i = 0.0, 1.0, 0
    for i in range(3, x.size):
        e = np.log(x[i])
        s = s * y[i] - e
    return s * e * i


def choices(x, y):
    s, count = 1.0, 0
    for i in range(x.size):
        wave = np.cos(3 * i + x[i])
        big = wave > 0.2
        if big:
            s = s * 0.9 + wave * y[i]
            count += 1
        else:
            s = s / (1.5 + wave)
    return s * count


def in_place(x, y):
    for i in range(1, x.size):
        y[i] += 0.5 * y[i - 1] * np.tanh(x[i] * 2.0)
    return np.sum(y * y)


def changed_meanwhile(x, y):
    for i in range(1, x.size):
        x[i] += 0.1 * np.exp(-x[i - 1]) * y[i]
    return np.sum(x)


def rows(x, y):
    a = np.outer(x[:5], y)
    for r in range(3, -1, -1):
        for i in range(a.shape[1]):
            a[r, i] += a[r + 1, i] * a[r, i]
    return np.sum(a ** 2)


FUNCTIONS = [forced, downward, left_behind, choices, in_place, changed_meanwhile, rows]


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python_does(f):
    check(JIT, f, X, Y, argnums=(0, 1))


@pytest.mark.parametrize('size', (0, 1, 5, 64, 65, 128))
@pytest.mark.parametrize('f', (forced, downward, choices), ids=lambda f: f.__name__)
def test_any_length(f, size):
    np.testing.assert_allclose(tp.jit(f)(X[:size], Y[:size]), f(X[:size], Y[:size]), rtol=1e-13)


def test_single_precision():
    x, y = X.astype(np.float32), Y.astype(np.float32)
    gradient = tp.jit(tp.grad(forced))(x, y)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, tp.grad(forced)(X, Y), rtol=1e-5, atol=1e-30)


@pytest.mark.parametrize('f', (forced, rows), ids=lambda f: f.__name__)
def test_golden(f, golden):
    golden(GOLDEN / f'{f.__name__}.py', tp.jit(tp.grad(f)).lower(X.copy(), Y.copy()).loops)


def test_what_the_loop_changes_waits():
    assert '_ahead[' not in tp.jit(changed_meanwhile).lower(X.copy(), Y.copy()).loops
    assert '_ahead[' in tp.jit(forced).lower(X.copy(), Y.copy()).loops


@pytest.mark.parametrize('change', ('n = n - 1', 'i = i + 1', 's = s + 1.0'))
def test_ranges_that_the_loop_changes_stay(change):
    """Programs that users write have names of their own for bounds; the language allows more."""
    types = {'s': FLOAT, 'e': FLOAT, 'p': FLOAT, 'i': INT, 'n': INT}
    text = f's = 0.0\nfor i in range(0, n, 1):\n    e = np.exp(i)\n    p = s * e\n    s = p + 1.0\n    {change}\nreturn s'
    core = parse(text, types=types, params='n')
    assert (compute_ahead(core) is core) == (not change.startswith('s'))


def test_complex_powers():
    def turned(x, y):
        s = 0.0
        for i in range(x.size):
            s = 0.5 * s + (x[i] ** (0.5 + 1j)).real + x[i] ** np.inf
        return s
    np.testing.assert_allclose(tp.jit(turned)(X, Y), turned(X, Y), rtol=1e-12)


def test_what_was_done_before_an_index_is_out_of_range():
    def written(x, y):
        for i in range(y.size):
            y[i] = np.exp(x[i]) + y[i - 1]
    expected, found = Y[:100].copy(), Y[:100].copy()
    with pytest.raises(IndexError):
        written(X[:70], expected)
    with pytest.raises(IndexError):
        tp.jit(written)(X[:70], found)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert found[69] != Y[69]


def test_what_was_done_before_an_exception():
    def guarded(x, y):
        for i in range(1, y.size):
            if x[i] > 0.85:
                raise ValueError('too large')
            y[i] = np.exp(x[i]) + y[i - 1]
    expected, found = Y.copy(), Y.copy()
    with pytest.raises(ValueError, match='too large'):
        guarded(X, expected)
    with pytest.raises(ValueError, match='too large'):
        tp.jit(guarded)(X, found)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
