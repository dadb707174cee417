"""Containers in, containers of the same structure out."""
from collections import namedtuple

import numpy as np

import transpiler as tp
from tests.support import numeric_grad, same

RNG = np.random.default_rng(0)
Layer = namedtuple('Layer', 'w b')


def mlp(params, x):
    (w1, b1), (w2, b2) = params
    return np.mean((np.tanh(x @ w1 + b1) @ w2 + b2) ** 2)


def layers():
    return ((RNG.normal(size=(3, 4)), RNG.normal(size=4)), (RNG.normal(size=(4, 2)), RNG.normal(size=2)))


def test_nested_tuples(mode):
    params, x = layers(), RNG.normal(size=(5, 3))
    gradient = mode(tp.grad(mlp))(params, x)
    same(gradient, numeric_grad(mlp, (params, x)))


def test_dicts_keep_their_order(mode):
    def loss(params, x):
        return np.mean(np.tanh(x @ params['w'] + params['b']) ** 2)
    params, x = {'w': RNG.normal(size=(3, 2)), 'b': RNG.normal(size=2)}, RNG.normal(size=(5, 3))
    gradient = mode(tp.grad(loss))(params, x)
    assert list(gradient) == ['w', 'b']
    same(gradient, numeric_grad(loss, (params, x)))


def test_mixed_nesting(mode):
    def loss(tree):
        total = tree['scale'] * np.sum(tree['parts'][0][1])
        for part in tree['parts']:
            total = total + np.sum(part[0] * part[1]) ** 2
        return total
    tree = {'parts': [(RNG.normal(size=2), RNG.normal(size=2)), (RNG.normal(size=3), RNG.normal(size=3))], 'scale': 1.5}
    gradient = mode(tp.grad(loss))(tree)
    assert isinstance(gradient['parts'], list) and isinstance(gradient['parts'][0], tuple)
    same(gradient, numeric_grad(loss, (tree,)))


def test_unused_leaves_are_zero(mode):
    def loss(tree):
        return tree[0] * 2.0
    gradient = mode(tp.grad(loss))((1.0, np.ones((2, 3)), {'a': 3.0}))
    same(gradient, (2.0, np.zeros((2, 3)), {'a': 0.0}))


def test_none_and_empty_containers(mode):
    def loss(tree):
        total = tree['w'] * 2.0
        if tree['b'] is not None:
            total = total + tree['b']
        return total
    same(mode(tp.grad(loss))({'w': 1.0, 'b': None}), {'w': 2.0, 'b': None})
    same(mode(tp.grad(loss))({'w': 1.0, 'b': 3.0}), {'w': 2.0, 'b': 1.0})
    same(mode(tp.grad(lambda tree: tree[0] * 2.0))((1.0, (), [])), (2.0, (), []))


def test_named_tuples(mode):
    def loss(layer, x):
        return np.sum(x @ layer.w + layer.b * layer[1])
    layer, x = Layer(RNG.normal(size=(3, 2)), RNG.normal(size=2)), RNG.normal(size=(4, 3))
    gradient = mode(tp.grad(loss))(layer, x)
    assert isinstance(gradient, Layer)
    same(gradient, numeric_grad(loss, (layer, x)))


def test_building_containers_inside(mode):
    def loss(x):
        tree = {'a': x * 2.0, 'b': [x, (x * x,)]}
        first, (second,) = tree['b']
        return np.sum(tree['a'] * first + second)
    x = np.array([1.0, -2.0])
    same(mode(tp.grad(loss))(x), 6 * x)


def test_containers_as_results():
    def both(x):
        return {'double': x * 2.0, 'parts': (x + 1.0, [x * x, None])}
    x = np.array([1.0, 2.0])
    same(tp.jit(both)(x), both(x))


def test_several_pytrees(mode):
    def loss(a, b):
        return np.sum(a['w'] * b[0]) + b[1] ** 2
    a, b = {'w': RNG.normal(size=3)}, [RNG.normal(size=3), 2.0]
    same(mode(tp.grad(loss, argnums=(0, 1)))(a, b), ({'w': b[0]}, [a['w'], 4.0]))


def test_another_structure_is_another_specialisation(mode):
    def loss(layers):
        x = 2.0
        for w in layers:
            x = x * w
        return x
    gradient = mode(tp.grad(loss))
    same(gradient([1.0, 3.0]), [6.0, 2.0])
    same(gradient([1.0, 3.0, 5.0]), [30.0, 10.0, 6.0])
    same(gradient((1.0, 3.0)), (6.0, 2.0))


def test_training(mode):
    x = RNG.normal(size=(100, 1))
    y = 3 * x[:, 0] - 1

    def loss(theta, x, y):
        w, b = theta
        return np.mean((w * x[:, 0] + b - y) ** 2)
    step = mode(tp.value_and_grad(loss))
    theta = (0.0, 0.0)
    for _ in range(200):
        value, gradient = step(theta, x, y)
        theta = tuple(p - 0.1 * g for p, g in zip(theta, gradient))
    same(theta, (3.0, -1.0), rtol=1e-3)
    assert value < 1e-3
