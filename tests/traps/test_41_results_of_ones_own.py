"""What a transformed function returns is the caller's own: memory that can be written, and that nothing else shows."""

import itertools

import numpy as np
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
    arrays = list(result) if isinstance(result, (tuple, list)) else [result]
    arrays = [array for array in arrays if isinstance(array, np.ndarray)]
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
    check(tp.vjp(f, point)[1](bar), point, bar)
    check(tp.linearize(f, point)[1](tangent), point, tangent)
    check(tp.jvp(f, (point,), (tangent,))[1], point, tangent)
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
