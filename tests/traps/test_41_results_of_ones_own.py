"""What a transformed function returns is the caller's own: memory that can be written, and that nothing else shows."""

import functools
import itertools

import numpy as np
import optree
import pytest

import transpiler as tp

POINT, SQUARE = np.array([3.0, 1.0, 2.0]), np.arange(9.0).reshape(3, 3)
NUMBERS = {
    'as long as it says': (lambda x: np.sum(np.arange(0.0, x.size, 0.5)[: x.size] * x), POINT),
    'rows': (lambda x: np.sum(np.sum(x, 0) * np.arange(3.0)), SQUARE),
    'spread': (lambda x: np.dot(x, np.broadcast_to(2.0, (3,))), POINT),
    'sum': (lambda x: np.sum(x), POINT),
    'trace': (lambda x: np.trace(x), SQUARE),
    'branch': (lambda x: np.sum(x) if x[0] > 0 else np.sum(x * x), POINT),
}
ARRAYS = {
    'itself': (lambda x: x, POINT),
    'turned': (lambda x: x[::-1], POINT),
    'part': (lambda x: x[1:], POINT),
    'transpose': (lambda x: x.T, SQUARE),
    'diagonal': (lambda x: np.diagonal(x), SQUARE),
    'spread': (lambda x: np.broadcast_to(x.sum(), (3,)), POINT),
    'copied': (lambda x: np.broadcast_to(x.sum(), (3,)).copy(), POINT),
    'constant': (lambda x: np.ones(3), POINT),
}


def check(result, *given):
    arrays = [array for array in optree.tree_leaves(result) if isinstance(array, np.ndarray)]
    assert all(array.flags.writeable for array in arrays)
    assert all(stride for array in arrays for stride, size in zip(array.strides, array.shape, strict=True) if size > 1)
    assert not any(np.shares_memory(array, other) for array in arrays for other in given)
    assert not any(np.shares_memory(one, other) for one, other in itertools.combinations(arrays, 2))


@pytest.mark.parametrize('name', NUMBERS)
def test_derivatives_of_numbers(name):
    f, point = NUMBERS[name]
    point = point.copy()
    for derivative in (tp.grad, tp.value_and_grad, tp.hessian, tp.jacrev, tp.jacfwd):
        check(derivative(f)(point), point)
    check(tp.vjp(f, point)[1](1.0), point)
    for derivative in (tp.grad, tp.hessian):
        batch = np.stack([point, point + 1.0])
        check(tp.vmap(derivative(f))(batch), batch)


@pytest.mark.parametrize('name', ARRAYS)
def test_derivatives_of_arrays(name):
    f, point = ARRAYS[name]
    point, tangent, bar = point.copy(), point + 1.0, np.ones_like(f(point))
    for derivative in (tp.jacrev, tp.jacfwd, lambda f: tp.jacrev(tp.jacrev(f))):
        check(derivative(f)(point), point)
    value, pullback = tp.vjp(f, point)
    check((value, pullback(bar), pullback(bar)), point, bar)
    value, linear = tp.linearize(f, point)
    check((value, linear(tangent), linear(tangent)), point, tangent)
    check(tp.jvp(f, (point,), (tangent,)), point, tangent)
    batch = np.stack([point, point + 1.0])
    check(tp.vmap(f)(batch), batch)


def test_compiled():
    f, point = NUMBERS['as long as it says']
    gradient = tp.jit(tp.grad(f))(point)
    check(gradient, point)
    assert np.array_equal(gradient, [0.0, 0.5, 1.0])


def test_a_batch_of_what_is_handed_through():
    def repeated(x, n):
        for _ in range(n):
            x = x * 2.0
        return x

    batch = POINT.copy()
    check(tp.vmap(repeated, (0, None))(batch, 0), batch)
    check(tp.vmap(lambda x: (x, x, 2.0 * x))(batch), batch)
    shared = np.ones(2)
    check(tp.vmap(lambda x, w: (x, w), (0, None), out_axes=(0, None))(batch, shared), batch, shared)


def test_a_list_twice():
    def lists(x, n):
        items = []
        for k in range(n):
            items.append(x * k)
        return items, items

    one, other = tp.vmap(lists, (0, None))(SQUARE, 2)
    assert np.array_equal(one[1], SQUARE) and not any(np.shares_memory(a, b) for a, b in zip(one, other, strict=True))


CONSTANT, CLOSED = np.array([1.0, 2.0, 3.0]), np.broadcast_to(7.0, (3,))
RULES = {
    'residual': (lambda x: (2.0 * x, x), lambda kept, bar: (kept,)),
    'value': (lambda x: ((y := 2.0 * x), y), lambda kept, bar: (kept,)),
    'cotangent': (lambda x: (2.0 * x, None), lambda kept, bar: (bar,)),
    'captured': (lambda x: (2.0 * x, None), lambda kept, bar: (CONSTANT,)),
    'captured, closed': (lambda x: (2.0 * x, None), lambda kept, bar: (CLOSED,)),
    'spread': (lambda x: (2.0 * x, None), lambda kept, bar: (np.broadcast_to(bar[0], (3,)),)),
    'black box': (lambda x: (2.0 * x, None), lambda kept, bar: (boxed(bar),)),
}


@functools.partial(tp.primitive, result='x')
def boxed(x):
    return CLOSED


@pytest.mark.parametrize('name', RULES)
def test_rules_of_ones_own(name):
    @tp.custom_vjp
    def doubled(x):
        return 2.0 * x

    doubled.defvjp(*RULES[name])
    point, bar = POINT.copy(), np.ones(3)
    value, pullback = tp.vjp(doubled, point)
    first = pullback(bar)
    check((value, first, pullback(bar)), point, bar, CONSTANT, CLOSED)
    before = first[0].copy()
    first[0][:] = value[:] = point[:] = 9.0
    assert np.array_equal(pullback(bar)[0], before)
    point = POINT.copy()
    gradient = tp.value_and_grad(lambda x: (np.sum(doubled(x)), (x, doubled(x), CONSTANT)), has_aux=True)
    check(gradient(point), point, CONSTANT, CLOSED)


def test_rules_for_tangents():
    @tp.custom_jvp
    def doubled(x):
        return 2.0 * x

    doubled.defjvp(lambda primals, tangents: (CONSTANT, np.broadcast_to(tangents[0][0], (3,))))
    check(tp.jvp(doubled, (POINT,), (POINT + 1.0,)), POINT, CONSTANT)


@pytest.mark.parametrize('transform', (tp.grad, tp.value_and_grad, tp.jacrev, tp.jacfwd, tp.hessian))
def test_auxiliary_outputs(transform):
    def f(x):
        wide = np.broadcast_to(x, (2, 3))
        return np.sum(x * x), {'x': x, 'part': [x[1:], CONSTANT], 'twice': (x, CONSTANT), 'wide': wide, 'n': 3}

    point = POINT.copy()
    check(transform(f, has_aux=True)(point), point, CONSTANT)


def test_values_and_auxiliary_outputs(mode):
    def f(x):
        y = 2.0 * x
        return {'x': x, 'two': [y, y]}, (x.T, y, CONSTANT, CLOSED)

    point, tangent = POINT.copy(), np.ones(3)
    check(tp.jvp(mode(f), (point,), (tangent,), has_aux=True), point, tangent, CONSTANT)
    value, pullback, aux = tp.vjp(mode(f), point, has_aux=True)
    check((value, pullback(value), aux), point, CONSTANT)


def test_lists_of_one_array():
    def f(x, n):
        y, items = 2.0 * x, []
        for k in range(n):
            items.append(x if k % 2 else y)
        return items

    point = POINT.copy()
    f = functools.partial(f, n=3)
    value, pullback = tp.vjp(f, point)
    check((value, pullback(value), tp.jvp(f, (point,), (point + 1.0,)), tp.vmap(lambda x: f(x))(SQUARE)), point, SQUARE)


def test_fresh_results_are_not_copied():
    def f(x, n):
        items = [np.exp(x) for _ in range(n)]
        return np.sum(x), (2.0 * x, items)

    gradient = tp.value_and_grad(f, has_aux=True)
    gradient(POINT, 3)
    assert 'copy' not in gradient.source


def test_a_derivative_inside_is_ones_own():
    def f(x):
        value, _ = tp.jvp(lambda z: z, (x,), (np.ones(3),))
        value[0] = 50.0
        return np.sum(x * value)

    point = POINT.copy()
    assert f(point) == tp.value_and_grad(f)(point)[0] == 50.0 * 3.0 + 1.0 + 4.0 and np.array_equal(point, POINT)
    assert np.array_equal(tp.grad(f)(point), [50.0, 2.0, 4.0])
