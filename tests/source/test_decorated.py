"""What a decorator makes of a function is another function: its derivative is not that of the function inside."""
import functools

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, -0.4])


def doubled(f):
    @functools.wraps(f)
    def g(x):
        return 2.0 * f(x)
    return g


def scaled(by):
    def decorate(f):
        def g(*args, **options):
            return by * f(*args, **options)
        return functools.update_wrapper(g, f)
    return decorate


@doubled
def squares(x):
    return np.sum(x**2)


@doubled
@scaled(0.5)
def powers(x, p=3, *, w=1.0):
    return np.sum(w * x**p)


@scaled(3.0)
def weighted(x, p=3, *, w=1.0):
    return np.sum(w * x**p) * squares(x)


@scaled(1.5)
def factorial(n, x):
    return 1.0 if n == 0 else x[0] * factorial(n - 1, x)


@pytest.mark.parametrize('f', [
    squares, powers, weighted, lambda x: factorial(3, x), lambda x: powers(x) + weighted(x, 2, w=x[0])])
def test_derivatives(f, mode):
    check(mode, f, X)


def test_the_parameters_are_those_that_it_shows():
    np.testing.assert_allclose(tp.grad(scaled(2.0)(lambda x, p: np.sum(x**p)))(X, p=2), 4 * X)
    np.testing.assert_allclose(tp.vmap(weighted)(np.stack([X, 2 * X]))[1], weighted(2 * X))
    np.testing.assert_allclose(tp.grad(tp.jit(weighted))(X), tp.grad(weighted)(X))


@functools.lru_cache
def weight(n):
    return 1.0 / n


@functools.cache
def offsets(n):
    return np.arange(n)


def test_what_is_kept_is_computed_anew(mode):
    check(mode, lambda x: np.sum(x**2) * weight(3) + weight(x.size), X)


def test_arrays_that_are_kept_are_shared_by_all_callers():
    with pytest.raises(tp.TranspileError, match='keeps'):
        tp.grad(lambda x: np.sum(x * offsets(3)))(X)
