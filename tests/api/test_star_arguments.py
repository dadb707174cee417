"""Derivatives by arguments that a star parameter takes."""
from __future__ import annotations

import numpy as np
import pytest

import transpiler as tp
from tests.support import Mode, same

X = np.array([0.5, -1.2, 2.0])


def product(*factors):
    return np.sum(factors[0] * factors[1] ** 2)


def mixed(a, *rest, k=2.0):
    return np.sum(a * rest[0]) * rest[1] * k


def test_gradients(mode: Mode):
    same(mode(tp.grad(product, argnums=1))(X, X), 2 * X * X)
    same(mode(tp.grad(product, argnums=(0, -1)))(X, X), (X * X, 2 * X * X))
    same(mode(tp.grad(mixed, argnums=(0, 2)))(X, X, 3.0, k=1.0), (3 * X, np.sum(X * X)))


def test_second_derivatives(mode: Mode):
    zero, diagonal = np.zeros((3, 3)), np.diag(2 * X)
    for hessian in (tp.hessian(product, argnums=(0, 1)), tp.jacrev(tp.grad(product, argnums=(0, 1)), argnums=(0, 1))):
        same(mode(hessian)(X, X), ((zero, diagonal), (diagonal, diagonal)))
    same(tp.hvp(product, (X, X), (X, 0 * X)), (np.zeros(3), 2 * X * X))


def test_pullbacks_and_tangents():
    same(tp.vjp(product, X, X)[1](1.0), (X * X, 2 * X * X))
    same(tp.linearize(product, X, X)[1](X, X), 3 * np.sum(X**3))
    same(tp.jvp(product, (X, X), (X, X))[1], 3 * np.sum(X**3))


def test_a_batch():
    rows = np.stack([X, 2 * X])
    same(tp.vmap(tp.grad(product, argnums=1), in_axes=(None, 0))(X, rows), 2 * X * rows)


def by_the_second(x):
    return np.sum(tp.grad(product, argnums=1)(x, x))


def pulled(x):
    _, pullback = tp.vjp(product, x, x)
    return np.sum(pullback(1.0)[1])


def pushed(x):
    _, pushforward = tp.linearize(product, x, x)
    return pushforward(x, np.ones(3))


def along(x):
    return tp.jvp(product, (x, x), (None, np.ones(3)))[1]


def times_a_vector(x):
    by_x, by_count, by_scale = tp.hvp(lambda x, n, scale: np.sum(x**n) * scale, (x, 3, 2.0), (np.ones(3), None, 1.0))
    return np.sum(by_x) + by_scale


@pytest.mark.parametrize(
    ('f', 'value', 'gradient'),
    [
        (by_the_second, np.sum(2 * X * X), 4 * X),
        (pulled, np.sum(2 * X * X), 4 * X),
        (pushed, np.sum(X**3 + 2 * X * X), 3 * X**2 + 4 * X),
        (along, np.sum(2 * X * X), 4 * X),
        (times_a_vector, np.sum(12 * X + 6 * X**2), 12 + 12 * X),
    ],
)
def test_inside_functions(mode: Mode, f, value, gradient):
    same(f(X), value)
    same(mode(tp.value_and_grad(f))(X), (value, gradient))


def test_a_position_that_is_not_given():
    with pytest.raises(tp.errors.NotDifferentiable, match='2 positional arguments'):
        tp.grad(product, argnums=2)(X, X)
    with pytest.raises(tp.errors.NotDifferentiable, match='no numbers'):
        tp.grad(lambda *a: np.sum(a[0]), argnums=1)(X, 'text')


def test_transposes_inside_functions_are_refused():
    with pytest.raises(tp.TranspileError, match='`linear_transpose` inside a function'):
        tp.grad(lambda x: np.sum(tp.linear_transpose(lambda y: x * y, x)(x)[0]))(X)


def test_parts_of_a_tangent_inside_functions_may_be_none(mode: Mode):
    def f(p, n):
        return np.sum(p['a'] * p['b'][0] ** n) * p['b'][1]

    def along(x):
        return tp.jvp(f, ({'a': x, 'b': (x, 2.0)}, 2), ({'a': None, 'b': (None, 1.0)}, None))[1]

    same(mode(tp.value_and_grad(along))(X), (np.sum(X**3), 3 * X**2))
