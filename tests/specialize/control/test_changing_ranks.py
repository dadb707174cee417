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


def guarded(x, n):
    s = x
    for i in range(n):
        if s.ndim == 1:
            s = s[:, None] * x
            continue
        if s.shape[1] == 2:
            s = s[:, :1]
        else:
            s = s.sum(0)
    return np.sum(s**2)


def asked_beside_a_number(x, n):
    s = x
    for i in range(n):
        if s.ndim == 1 and i < 4:
            s = s[:, None] * x
            continue
        if s.ndim == 2:
            s = s[:, 0]
    return np.sum(s**2)


def over_rows(x, n):
    s = x
    for v in x:
        if v > 1.7:
            continue
        if s.ndim == 1:
            s = s[:, None] * x
            continue
        s = s.sum(1)
        if s[0] > 3:
            break
    return np.sum(s**2) * n


def left_by_rank(x, n):
    s = x
    for _ in range(n):
        if s.ndim == 2:
            return np.sum(s[:, 0] * 3)
        s = s[:, None] * x
    return np.sum(s**2)


@pytest.mark.parametrize('program', [guarded, asked_beside_a_number, over_rows, left_by_rank], ids=lambda f: f.__name__)
def test_what_a_test_says_of_the_rank_holds_behind_it(program):
    gradient = tp.grad(program)
    for n in (0, 1, 2, 3, 5):
        np.testing.assert_allclose(gradient(X, n), slopes(program, X, n), rtol=1e-6)


def test_what_a_test_says_of_the_rank_holds_when_compiled():
    compiled = tp.jit(guarded)
    for n in (0, 1, 2, 3, 5):
        same(compiled(X, n), guarded(X, n))


def by_itself(x, n):
    def grown(y, k):
        if k == 0:
            return np.sum(y**2)
        return grown(np.stack([y, y]), k - 1)
    return grown(x, n)


def by_itself_and_back(x, n):
    def folded(y, k):
        if k == 0:
            return np.sum(y**2)
        return folded(y[0] if y.ndim > 1 else np.stack([y, y]), k - 1)
    return folded(x, n)


def by_itself_until_large(x, n):
    def grown(y):
        return np.sum(y**2) if np.sum(y) > 50 else grown(y[None] * 2)
    return grown(x) * n


@pytest.mark.parametrize('program', [by_itself, by_itself_and_back], ids=lambda f: f.__name__)
def test_functions_that_call_themselves_with_another_rank(program):
    for n in (0, 1, 3, 5):
        np.testing.assert_allclose(tp.grad(program)(X, n), slopes(program, X, n), rtol=1e-6)


def test_functions_that_call_themselves_with_any_rank_are_refused():
    with pytest.raises(tp.TranspileError, match='`grown` calls itself with an array of another rank each time'):
        tp.grad(by_itself_until_large)(X, 2)


def doubled_often(x):
    for _ in range(26):
        x = np.stack([x, x])
    return np.sum(x)


def test_no_large_array_is_made_to_find_a_type():
    with pytest.raises(tp.TranspileError, match='an array of 2. axes is too large to try'):
        tp.grad(doubled_often)(X)


def ranks_on_a_list(x, n):
    items = [x]
    for _ in range(n):
        items.append(np.multiply.outer(items[-1], x))
    return np.sum(items[-1])


def put_in_place(x, n):
    items = [x for _ in range(n)]
    items[0] = np.outer(x, x)
    return np.sum(items[0])


def beside_numbers(x, n):
    items = [x]
    for k in range(n):
        items.append(x[k])
    return np.sum(items[-1])


@pytest.mark.parametrize('f', [ranks_on_a_list, put_in_place, beside_numbers])
def test_items_of_several_ranks_are_refused_by_compiled_code(f):
    with pytest.raises(tp.TranspileError, match='have several ranks') as found:
        tp.jit(f)(np.ones(3), 2)
    assert found.value.origin.line > f.__code__.co_firstlineno
    assert np.shape(tp.grad(f)(np.ones(3), 2)) == (3,)


NUMBERS_BESIDE_VIEWS = [lambda y: min(2, y[..., -1]) * 1.0, lambda y: (3 if y[0] > 5 else y[..., 1]) * 2.0,
                        lambda y: min(y[..., 0], 1) * y[1], lambda y: (y[..., 0] and 3) ** 2 * y[1]]


@pytest.mark.parametrize('f', NUMBERS_BESIDE_VIEWS)
def test_tangents_of_numbers_beside_views_without_axes(mode, f):
    x = np.array([1.25, 2.5, 0.75])
    numeric = [(f(x + step) - f(x - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    value, tangent = mode(tp.jvp(f))(x, np.arange(3.0))
    assert np.isclose(value, f(x)) and np.isclose(tangent, np.dot(numeric, np.arange(3.0)))
    assert np.allclose(mode(tp.jvp(tp.grad(f)))(x, np.ones(3))[0], numeric)
