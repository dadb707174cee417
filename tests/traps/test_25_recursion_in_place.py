"""Trap 25: functions that call themselves, write into what they are given, and give that back."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same
from transpiler.errors import UnsafeMutation


def smoothed(u, f, times):
    for _ in range(times):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + f[1:-1])
    return u


def cycle(u, f, level):
    u = smoothed(u, f, 2)
    if level == 0:
        return u
    residual = np.zeros_like(u)
    residual[1:-1] = f[1:-1] - (2 * u[1:-1] - u[:-2] - u[2:])
    coarse = cycle(np.zeros_like(residual[::2]), 4.0 * residual[::2], level - 1)
    u[::2] += coarse
    u[1::2] += 0.5 * (coarse[:-1] + coarse[1:])
    return smoothed(u, f, 1)


def multigrid(u, f, levels):
    solution = cycle(u.copy(), f, levels)
    return np.sum(solution * solution * solution)


def butterflies(x, scale):
    """In place on views, and a number beside the array."""
    if x.size == 1:
        return x, 1.0
    m = x.size // 2
    first, norm = butterflies(x[:m], scale)
    second, other = butterflies(x[m:], 0.5 * scale)
    kept = first.copy()
    first += scale * second
    second *= kept
    return x, norm + other * np.sum(first)


def transformed(x, scale):
    y, norm = butterflies(1.0 * x, scale)
    return norm * np.sum(np.sin(y))


def grown(x, n):
    """What is given, or something new."""
    if n == 0:
        return x
    x *= 1.1
    return grown(x, n - 1) if n % 2 else grown(np.sin(x), n - 1)


def of_both_kinds(x, n):
    y = x * x
    return np.sum(grown(y, n) ** 2) + np.sum(y)


def swept(x, y, n):
    """One of two that are given, the same one on every path."""
    if n == 0:
        y[1:] += x[:-1] * y[:-1]
        return y
    x[0] = x[0] * y[-1]
    return swept(x, y, n - 1)


def handed_through(x, n):
    a, b = np.sin(x), np.cos(x)
    c = swept(a, b, n)
    b[0] *= 2.0
    return np.sum(c * a)


X = np.linspace(0.3, 1.2, 9)
PROGRAMS = [
    (multigrid, (np.sin(X), X[::-1].copy(), 2), (0, 1)),
    (transformed, (X[:8], 0.7), (0, 1)),
    (handed_through, (X, 2), 0),
]


@pytest.mark.parametrize('f, args, argnums', PROGRAMS, ids=[f.__name__ for f, _, _ in PROGRAMS])
def test_what_is_given_back_is_the_argument(mode, f, args, argnums):
    check(mode, f, *args, argnums=argnums)
    check(mode, f, *args, order=2)


@pytest.mark.parametrize('f, args, argnums', PROGRAMS[1:], ids=[f.__name__ for f, _, _ in PROGRAMS[1:]])
def test_in_a_batch(f, args, argnums):
    x, *others = args
    batch = np.stack([x, 0.5 * x])
    for g in (f, tp.grad(f)):
        found = tp.vmap(g, in_axes=(0, *(None for _ in others)))(batch, *others)
        same(found, np.stack([g(x.copy(), *others), g(0.5 * x, *others)]), rtol=1e-12)


def test_nothing_comes_back_but_what_was_given():
    source = tp.grad(multigrid, argnums=(0, 1)).lower(*PROGRAMS[0][1]).source
    assert '\n    cycle_fwd(solution, f, levels' in source, source


def test_what_may_be_given_back_or_not_is_refused():
    with pytest.raises(UnsafeMutation, match='`grown` writes into `y`, which may share its memory'):
        tp.grad(of_both_kinds)(X, 3)
    same(tp.jit(of_both_kinds)(X, 3), of_both_kinds(X, 3))


def halved(p):
    if p.shape[0] < 2:
        return 0.5
    p[0] *= 0.5
    return halved(p[:0])


def views_on_a_list(x, n):
    views = []
    for i in range(n):
        halved(x)
        views.append(x[i:])
    return np.sum(views[0] ** 2) + np.sum(views[1])


def views_on_a_list_that_each_turn_makes_anew(x, n):
    views = [x]
    for i in range(2):
        if x[1] > n:
            break
        halved(x)
        views = [x[i:], *views]
    return np.sum(views[0] ** 2) + np.sum(views[1])


def one_of_the_views(x, n):
    views = []
    for i in range(n):
        views.append(x[i:])
    halved(views[0])
    return np.sum(views[0] * x) + np.sum(views[1])


def numbered_views(x, n):
    views = [x[1:] for _ in range(n)]
    total = x[0]
    numbered = enumerate(views)
    halved(x[1:])
    for i, view in numbered:
        total = total + i * np.sum(view ** 2)
    return total


@pytest.mark.parametrize('f', [views_on_a_list, views_on_a_list_that_each_turn_makes_anew, one_of_the_views, numbered_views])
def test_writing_into_an_array_that_a_list_shows_is_refused(f):
    with pytest.raises(UnsafeMutation, match='`halved` writes into `.*`, which may share its memory with `views`'):
        tp.grad(f)(X, 3)
    tangent = np.cos(X)
    found = tp.jvp(f, (X, 3), (tangent, None))[1]
    same(found, (f(X + 1e-6 * tangent, 3) - f(X - 1e-6 * tangent, 3)) / 2e-6, rtol=1e-6)
    same(tp.jit(f)(X.copy(), 3), f(X.copy(), 3))
