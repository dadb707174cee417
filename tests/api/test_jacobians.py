"""Jacobians and Hessians, against differences and known results."""
from __future__ import annotations

import numpy as np
import pytest

import transpiler as tp
from tests.support import Mode, numeric_grad, same

X = np.array([1.0, -2.0, 0.5])
A = np.arange(12.0).reshape(4, 3) / 10


def layer(x, a):
    return np.tanh(a @ x) * x[0]


def in_place(x, a):
    y = a.copy()
    for i in range(y.shape[0]):
        for j in range(1, y.shape[1]):
            y[i, j] = np.sin(y[i, j - 1]) * x[j] + y[i, j]
    return y


def several(x, a):
    y = a * x
    return {'product': y, 'total': np.sum(y * y), 'count': 3}


def number(x, a):
    return np.sum(np.sin(a @ x))


def numeric_jacobian(f, args, argnum):
    """`output.shape + argument.shape`, an element of the output at a time."""
    out = f(*args)
    rows = [numeric_grad(lambda *a: np.ravel(f(*a))[k], args, argnum) for k in range(np.size(out))]
    return np.reshape(rows, np.shape(out) + np.shape(args[argnum]))


@pytest.mark.parametrize('f', [layer, in_place, number])
@pytest.mark.parametrize('make', [tp.jacfwd, tp.jacrev, tp.jacobian])
def test_one_argument(mode: Mode, f, make):
    for argnum in (0, 1):
        same(mode(make(f, argnums=argnum))(X, A), numeric_jacobian(f, (X, A), argnum))


@pytest.mark.parametrize('make', [tp.jacfwd, tp.jacrev, tp.jacobian])
def test_several_arguments_and_outputs(mode: Mode, make):
    found = mode(make(several, argnums=(0, 1)))(X, A)
    assert found['count'] is None or all(part is None for part in found['count'])
    for key in ('product', 'total'):
        part = lambda x, a, key=key: several(x, a)[key]
        for argnum in (0, 1):
            same(found[key][argnum], numeric_jacobian(part, (X, A), argnum))


@pytest.mark.parametrize('make', [tp.jacfwd, tp.jacrev])
def test_a_pytree_of_arguments(mode: Mode, make):
    def f(p):
        return p['a'] * np.sum(p['b']) + p['c'][0]
    point = {'a': X, 'b': A, 'c': (2.0, 3.0)}
    found = mode(make(f))(point)
    assert list(found) == ['a', 'b', 'c']
    np.testing.assert_allclose(found['a'], np.eye(3) * np.sum(A))
    np.testing.assert_allclose(found['b'], np.broadcast_to(X[:, None, None], (3, 4, 3)))
    np.testing.assert_allclose(found['c'][0], np.ones(3))
    np.testing.assert_allclose(found['c'][1], np.zeros(3))


@pytest.mark.parametrize('make', [tp.jacfwd, tp.jacrev, tp.jacobian])
def test_auxiliary_output(make):
    jacobian, aux = make(lambda x: (x * x, 'seen'), has_aux=True)(X)
    same(jacobian, np.diag(2 * X))
    assert aux == 'seen'


@pytest.mark.parametrize('make', [tp.jacfwd, tp.jacrev])
def test_effects_happen_once_and_arguments_stay(make, capsys):
    def f(x):
        x[0] *= 2
        print('seen')
        return x * x, np.sum(x)
    x = np.array([1.0, 2.0])
    jacobian, total = make(f, has_aux=True)(x)
    same(jacobian, np.diag([8.0, 4.0]))
    assert total == 4.0
    same(x, np.array([1.0, 2.0]))
    assert capsys.readouterr().out == 'seen\n'


def test_hessian(mode: Mode):
    f = lambda x: np.sum(np.sin(x) * x[::-1] ** 2)
    same(mode(tp.hessian(f))(X), numeric_jacobian(tp.grad(f), (X,), 0))
    same(tp.hessian(f)(X), tp.jacrev(tp.jacrev(f))(X))
    same(tp.hessian(f)(X), tp.jacfwd(tp.jacfwd(f))(X))


def test_a_hessian_of_several_arguments():
    f = lambda x, a: np.sum(np.tanh(a @ x))
    blocks = tp.hessian(f, argnums=(0, 1))(X, A)
    for i in range(2):
        for j in range(2):
            same(blocks[i][j], numeric_jacobian(tp.grad(f, argnums=i), (X, A), j))


def test_a_hessian_times_a_vector(mode: Mode):
    f = lambda x: np.sum(np.sin(x) * x[::-1] ** 2)
    v = np.array([0.3, -1.0, 2.0])
    np.testing.assert_allclose(tp.hvp(mode(f) if mode.compiled else f, (X,), (v,)), tp.hessian(f)(X) @ v)
    g = lambda x, y: np.sum(x * x) * y
    dx, dy = tp.hvp(g, (X, 2.0), (v, 1.0))
    np.testing.assert_allclose(dx, 4 * v + 2 * X)
    np.testing.assert_allclose(dy, 2 * X @ v)


def test_float32_stays():
    assert tp.jacrev(lambda x: x * x)(X.astype(np.float32)).dtype == np.float32
    assert tp.jacfwd(lambda x: x * x)(X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize('make', [tp.jacfwd, tp.jacrev])
def test_sizes_zero_and_one(make):
    same(make(lambda x: x * x)(np.array([3.0])), np.array([[6.0]]))
    assert make(lambda x: x * x)(np.zeros(0)).shape == (0, 0)
    assert make(lambda x: np.sum(x))(np.zeros(0)).shape == (0,)


def test_the_cheaper_mode():
    wide, tall = tp.jacobian(lambda x: np.sum(x.reshape(2, -1), axis=1)), tp.jacobian(lambda x: np.concatenate([x, x * x]))
    wide(np.ones(6)), tall(np.ones(6))
    assert '_jacrev(' in wide.source
    assert '_jacfwd(' in tall.source


def test_a_rule_for_reverse_mode_only():
    @tp.custom_vjp
    def sine(x):
        return np.sin(x)

    sine.defvjp(lambda x: (np.sin(x), x), lambda x, bar: (bar * np.cos(x),))
    point = np.array([1.0, 2.0])
    assert np.allclose(tp.jacobian(lambda x: np.concatenate([sine(x), x]))(point)[:2], np.diag(np.cos(point)))


def test_by_sizes_that_differ_from_call_to_call():
    f = tp.jacobian(lambda a, x: a @ x, argnums=1)
    f(np.ones((2, 5)), np.ones(5))
    assert '_jacrev(' in f.source
    f(np.ones((5, 2)), np.ones(2))
    assert '_jacfwd(' in f.source or '_jacrev(' in f.source
    same(f(np.ones((5, 2)), np.ones(2)), np.ones((5, 2)))


def test_inside_functions():
    def f(x):
        j = tp.jacrev(lambda y: y * y * x[0])(x)
        h = tp.hessian(lambda y: np.sum(y ** 3))(x)
        return np.sum(j * j) + np.sum(h)
    expected = lambda x: np.sum((2 * x * x[0]) ** 2) + np.sum(6 * x)
    np.testing.assert_allclose(f(X), expected(X))
    np.testing.assert_allclose(tp.jit(f)(X), expected(X))
    same(tp.grad(f)(X), numeric_grad(expected, (X,)))


def test_a_jacobian_is_one_pass():
    text = tp.jacrev(layer).lower(X, A).source
    assert '\n    for ' not in text and 'np.eye' in text


def test_integers_are_refused():
    with pytest.raises(tp.errors.NotDifferentiable):
        tp.jacfwd(lambda n: n * n)(3)


@pytest.mark.parametrize('make', [tp.jacfwd, tp.jacrev, tp.jacobian])
def test_constants_have_derivatives_of_zero(mode: Mode, make):
    def f(x, s):
        return {'varied': x * s, 'fixed': 1.5, 'count': 3}
    found = mode(make(f, argnums=(0, 1)))(X, 2.0)
    same(found['varied'], (2 * np.eye(3), X))
    same(found['fixed'], (np.zeros(3), 0.0))
    assert found['count'] is None
    same(mode(make(lambda x: 2.0))(X), np.zeros(3))
    same(mode(make(lambda x: 2.0))(2.0), 0.0)


def test_second_derivatives_of_what_has_a_constant_slope(mode: Mode):
    f = lambda x, s: np.sum(x * x) + s
    expected = (2 * np.eye(3), np.zeros(3)), (np.zeros(3), 0.0)
    for hessian in (tp.hessian(f, argnums=(0, 1)), tp.jacrev(tp.grad(f, argnums=(0, 1)), argnums=(0, 1))):
        same(mode(hessian)(X, 2.0), expected)


def test_a_hessian_times_a_vector_beside_integers():
    def f(x, n, y):
        return np.sum(x ** n) * y
    dx, dn, dy = tp.hvp(f, (X, 3, 2.0), (np.ones(3), None, None))
    np.testing.assert_allclose(dx, 12 * X)
    np.testing.assert_allclose(dy, np.sum(3 * X ** 2))
    assert dn is None


def test_none_among_the_arguments():
    for jacobian in (tp.jacfwd, tp.jacrev, tp.jacobian):
        assert jacobian(lambda d: d['x'] ** 2)({'x': 2.0, 'n': None}) == {'x': 4.0, 'n': None}


def test_an_empty_sum_is_a_number_like_any_other(mode):
    """Python's sum of nothing is the integer 0: its derivatives are zeros, as where there is something to add up."""
    pairs = lambda x: sum(x[i] * x[j] for i in range(x.size) for j in range(i))
    for size, hessian in ((1, [[0.0]]), (2, [[0.0, 1.0], [1.0, 0.0]])):
        x = np.arange(1.0, size + 1.0)
        for derivative in (tp.grad, tp.jacfwd, tp.jacrev, tp.jacobian):
            same(mode(derivative(pairs))(x), x[::-1] if size > 1 else np.zeros(1))
        same(mode(tp.hessian(pairs))(x), np.array(hessian))
    x = np.array([2.0])
    assert tp.jvp(pairs, (x,), (x,)) == (0, 0.0) and tp.linearize(pairs, x)[1](x) == 0.0
    same(tp.vjp(pairs, x)[1](1.0)[0], np.zeros(1))
    assert tp.linearize(lambda x: None, x)[1](x) is None
