"""`vmap` against a Python loop over examples, and what batched code reads like."""
from pathlib import Path

import numpy as np
import optree
import pytest

import transpiler as tp
from tests.support import copied, same

GOLDEN = Path(__file__).parents[2] / 'golden' / 'batch'
RANDOM = np.random.default_rng(0)


def normal(*shape):
    return RANDOM.normal(size=shape)


def looped(f, in_axes, *args):
    """`f` for one example after the other, results stacked."""
    axes = (in_axes,) * len(args) if isinstance(in_axes, (int, type(None))) else in_axes
    count = next(a.shape[k] for a, k in zip(args, axes) if k is not None)
    rows = [f(*copied([a if k is None else np.take(a, b, k) for a, k in zip(args, axes)])) for b in range(count)]
    return optree.tree_map(lambda *parts: np.stack(parts), *rows)


def apply_matrix(mat, v):
    return mat @ v


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def rectified_cube(x):
    r = 1.0
    if x < 0.0:
        for i in range(3):
            r *= x
        r = -r
    else:
        for i in range(3):
            r *= x
    return r


def layer(w, x):
    return np.tanh(w @ x)


def loss(w, x):
    return np.sum(layer(w, x) ** 2)


def pendulum(theta, omega, dt, steps):
    for _ in range(steps):
        omega = omega - dt * np.sin(theta)
        theta = theta + dt * omega
    return theta


def smooth(u, steps):
    u = u.copy()
    for t in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
    return np.sum(u ** 2)


def choose(a, i):
    total = np.zeros(3)
    total[i] = a[i]
    return total + a[0]


def both(x, y):
    return x @ y, np.outer(x, y), {'mean': np.mean(x), 'largest': np.max(y)}


CASES = {
    'apply_matrix': (apply_matrix, (None, 0), (normal(4, 3), normal(6, 3))),
    'newton_sqrt': (newton_sqrt, 0, (np.array([2.0, 9.0, 100.0]),)),
    'rectified_cube': (rectified_cube, 0, (np.array([2.0, -3.0, 0.5]),)),
    'layer': (layer, (None, 0), (normal(4, 3), normal(5, 3))),
    'layers': (layer, 0, (normal(5, 4, 3), normal(5, 3))),
    'slope': (tp.grad(loss), (None, 0), (normal(4, 3), normal(5, 3))),
    'pendulum': (lambda theta, omega: pendulum(theta, omega, 0.1, 10), 0, (normal(4), normal(4))),
    'smooth': (lambda u: smooth(u, 3), 0, (normal(4, 7),)),
    'choose': (choose, 0, (normal(4, 3), np.array([0, 2, 1, 2]))),
    'both': (both, 0, (normal(4, 3), normal(4, 3))),
    'both_last': (both, (0, -1), (normal(4, 3), normal(3, 4))),
}


@pytest.mark.parametrize('name', CASES)
def test_generated_text(name, golden):
    f, in_axes, args = CASES[name]
    golden(GOLDEN / f'{name}.py', tp.vmap(f, in_axes=in_axes).lower(*args).source)


@pytest.mark.parametrize('name', CASES)
def test_same_as_a_loop(name):
    f, in_axes, args = CASES[name]
    before = copied(args)
    same(tp.vmap(f, in_axes=in_axes)(*args), looped(f, in_axes, *args))
    same(args, before, rtol=0, atol=0)


@pytest.mark.compiles
@pytest.mark.parametrize('name', ['newton_sqrt', 'layers', 'slope', 'smooth', 'both_last'])
def test_compiled(name):
    f, in_axes, args = CASES[name]
    same(tp.jit(tp.vmap(f, in_axes=in_axes))(*args), looped(f, in_axes, *args))


@pytest.mark.parametrize('name', ['apply_matrix', 'layer', 'rectified_cube', 'pendulum', 'both'])
@pytest.mark.parametrize('count', [0, 1])
def test_no_example_and_one(name, count):
    f, in_axes, args = CASES[name]
    axes = (in_axes,) * len(args) if isinstance(in_axes, int) else in_axes
    few = [a if k is None else a[:count] for a, k in zip(args, axes)]
    got = tp.vmap(f, in_axes=in_axes)(*few)
    if count:
        same(got, looped(f, in_axes, *few))
    else:
        want = tp.vmap(f, in_axes=in_axes)(*args)
        assert [np.shape(g) for g in optree.tree_leaves(got)] == [(0, *np.shape(w)[1:]) for w in optree.tree_leaves(want)]


def test_nested(mode):
    w, x = normal(4, 3), normal(2, 5, 3)
    inner = tp.vmap(layer, in_axes=(None, 0))
    same(mode(tp.vmap(inner, in_axes=(None, 0)))(w, x), np.stack([np.stack([layer(w, b) for b in a]) for a in x]))
    same(mode(tp.vmap(tp.vmap(layer, (None, 0)), (None, 1), 1))(w, x), np.stack([np.stack([layer(w, b) for b in a]) for a in x]))


def test_inside_functions(mode):
    def total(w, xs):
        return np.sum(tp.vmap(loss, in_axes=(None, 0))(w, xs))
    w, xs = normal(4, 3), normal(5, 3)
    same(mode(tp.grad(total))(w, xs), sum(tp.grad(loss)(w, x) for x in xs))

    def mean_slope(w, xs):
        return np.mean(tp.vmap(tp.grad(loss), (None, 0))(w, xs), axis=0)
    same(mode(tp.vmap(mean_slope, (0, None)))(np.stack([w, 2 * w]), xs),
         np.stack([np.mean([tp.grad(loss)(v, x) for x in xs], axis=0) for v in (w, 2 * w)]))


def test_containers_of_axes():
    def apply(params, x):
        return {'y': params['w'] @ x + params['b'], 'x': x, 'w': params['w']}
    params, xs = {'w': normal(4, 3), 'b': normal(5, 4)}, normal(5, 3)
    got = tp.vmap(apply, in_axes=({'w': None, 'b': 0}, 0), out_axes={'y': 1, 'x': 0, 'w': None})(params, xs)
    same(got, {'y': (xs @ params['w'].T + params['b']).T, 'x': xs, 'w': params['w']})
    same(tp.vmap(apply, in_axes=({'w': None, 'b': 0}, 0))(params, xs)['w'], np.stack([params['w']] * 5))


def test_keywords_and_defaults():
    def scaled(x, factor=2.0, *, shift=0.0):
        return x * factor + shift
    xs, shifts = normal(4), normal(4)
    same(tp.vmap(scaled)(xs), 2 * xs)
    same(tp.vmap(scaled)(xs, shift=shifts), 2 * xs + shifts)
    same(tp.vmap(scaled, in_axes=(0, None))(xs, 3.0, shift=shifts), 3 * xs + shifts)
    same(tp.vmap(lambda: 1.5, axis_size=3)(), np.full(3, 1.5))


def test_library_functions_and_decorators():
    a, b = normal(4, 3), normal(5, 3)
    same(tp.vmap(np.dot, in_axes=(None, 0))(a, b), b @ a.T)
    same(tp.vmap(np.dot, in_axes=(None, 1), out_axes=1)(a, b.T), a @ b.T)

    @tp.vmap(in_axes=(None, 0))
    def times(x, y):
        return x * y
    same(times(2.0, b), 2 * b)


@pytest.mark.parametrize('call, message', [
    (lambda: tp.vmap(layer)(normal(3, 3), normal(2, 3)), 'axis 0 of `w` has size 3, axis 0 of `x` has size 2'),
    (lambda: tp.vmap(layer, in_axes=None)(normal(3, 3), normal(3)), 'nothing is mapped'),
    (lambda: tp.vmap(rectified_cube)(1.0), 'it holds a number'),
    (lambda: tp.vmap(rectified_cube, in_axes=1)(normal(3)), 'axis 1 is out of range for `x`'),
    (lambda: tp.vmap(layer, in_axes=(0,))(normal(3, 3), normal(3)), 'does not fit a call with 2 positional'),
    (lambda: tp.vmap(rectified_cube, out_axes=None)(normal(3)), 'out_axes is None for a result that differs'),
    (lambda: tp.vmap(rectified_cube, out_axes=2)(normal(3)), 'out_axes=2 is out of range'),
    (lambda: tp.vmap(lambda x: x, axis_size=4)(normal(3)), 'axis_size is 4'),
    (lambda: tp.vmap(lambda x: {'a': x}, out_axes={'b': 0})(normal(3)), 'does not have the structure of a dict of 1'),
])
def test_mistakes(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_shared_array_is_not_written():
    table = np.zeros(3)

    def count(i):
        table[i] += 1.0
        return table[i]
    with pytest.raises(tp.errors.UnsafeMutation, match='the same for all examples'):
        tp.vmap(count)(np.array([0, 1, 1]))


def test_what_has_no_rule_is_looped_over_with_a_note():
    def places(edges, x):
        return np.searchsorted(edges, x)
    edges, xs = np.sort(normal(4, 5)), normal(4, 2)
    batched = tp.vmap(places)
    same(batched(edges, xs), looped(places, 0, edges, xs))
    assert '# one example after the other: np.searchsorted takes no batch\n    for b in range(' in batched.source


def by_table(x, k):
    return (1.0, 4.0, 9.0)[k] * x + [2.0, 3.0, 5.0][k] + {0: 1.0, 1: 4.0, 2: 9.0}[k]


def test_numbers_that_differ_between_examples_are_no_constants(mode):
    xs, ks = normal(3, 2), np.array([0, 2, 1])
    same(mode(tp.vmap(by_table))(xs, ks), looped(by_table, 0, xs, ks))
    with pytest.raises(tp.TranspileError, match='must be known'):
        tp.vmap(lambda x, k: {0: 1.0, 2: 4.0}.get(k, 0.0) * x)(xs, ks)


def test_stacks_of_matrices_solved_for_one_vector():
    a, b = normal(3, 3, 3) + 4 * np.eye(3), normal(2, 3)
    same(tp.vmap(np.linalg.solve, (None, 0))(a, b), looped(np.linalg.solve, (None, 0), a, b))
