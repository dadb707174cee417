"""`vjp`, `linearize`, `linear_transpose`: halves of programs that may be called many times."""
from __future__ import annotations

import numpy as np
import optree
import pytest

import transpiler as tp
from tests.support import Mode, check, numeric_grad, same

W = np.array([1.0, -2.0, 0.5, 3.0])


def elementwise(x, y):
    z = np.sin(x) * y
    return z, np.sum(z)


def stencil(u, n):
    v = u.copy()
    for t in range(n):
        for i in range(1, len(v) - 1):
            v[i] = np.sin(v[i - 1]) * v[i] * v[i + 1]
    return v


def squares(x, limit):
    count = 0
    while x < limit:
        x = x * x
        count += 1
    return {'x': x, 'count': count}


def in_place(u):
    u[1:] *= u[:-1]
    return u


def branches(x):
    if x[0] > 0:
        y = np.exp(x)
        s = y[0]
    else:
        y = x * x
    return y * y


def growing(x):
    items = []
    s = x[0]
    while s < 10.0:
        s = s * 1.5 + x[1]
        items.append(s * s)
    return np.array(items)


CASES = [
    (elementwise, (W, 2.0)), (stencil, (W / 4, 3)), (squares, (1.5, 100.0)), (squares, (150.0, 100.0)), (in_place, (W,)),
    (branches, (W,)), (branches, (-W,)), (growing, (W + 2,)),
]


def floats(tree):
    return [leaf for leaf in optree.tree_leaves(tree) if isinstance(leaf, (float, np.ndarray, np.floating))]


def weighed(tree, weights):
    return sum(np.sum(leaf * weight) for leaf, weight in zip(floats(tree), weights, strict=True))


def weights_of(tree, shift):
    waves = [np.cos(np.arange(np.size(leaf)).reshape(np.shape(leaf)) + shift) for leaf in floats(tree)]
    return [wave if np.ndim(wave) else float(wave) for wave in waves]


def cotangent_of(out, weights):
    left = iter(weights)
    return optree.tree_map(lambda leaf: next(left) if isinstance(leaf, (float, np.ndarray, np.floating)) else None, out)


def copies(args):
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


@pytest.mark.parametrize(('f', 'args'), CASES)
def test_a_pullback_may_be_called_many_times(mode: Mode, f, args):
    out, pullback = tp.vjp(tp.jit(f) if mode.compiled else f, *copies(args))
    same(out, f(*copies(args)))
    for shift in (0.0, 1.0, 0.0):
        weights = weights_of(out, shift)
        found = pullback(cotangent_of(out, weights))
        assert len(found) == len(args)
        for number, arg in enumerate(args):
            if isinstance(arg, int):
                assert found[number] is None
            else:
                same(found[number], numeric_grad(lambda *a: weighed(f(*a), weights), args, number))


@pytest.mark.parametrize(('f', 'args'), CASES)
def test_linearize_is_the_derivative_along_tangents(mode: Mode, f, args):
    out, linear = tp.linearize(tp.jit(f) if mode.compiled else f, *copies(args))
    same(out, f(*copies(args)))
    _, pullback = tp.vjp(f, *copies(args))
    for shift in (0.3, 1.4):
        tangents = [None if isinstance(a, int) else weights_of(a, shift)[0] for a in args]
        weights = weights_of(out, shift + 1)
        found = weighed(linear(*tangents), weights)
        bars = pullback(cotangent_of(out, weights))
        expected = sum(np.sum(bar * dot) for bar, dot in zip(bars, tangents, strict=True) if bar is not None)
        np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_what_the_caller_has_may_change_meanwhile():
    def f(x):
        y = np.exp(x)
        return y * x

    x = W.copy()
    out, pullback = tp.vjp(f, x)
    expected = pullback(np.ones(4))[0].copy()
    out[:], x[:] = 0.0, 0.0
    np.testing.assert_array_equal(pullback(np.ones(4))[0], expected)


def test_what_a_pullback_gives_is_nobody_elses():
    _, pullback = tp.vjp(lambda x: x + 1.0, W)
    cotangent = np.ones(4)
    (bar,) = pullback(cotangent)
    bar[0] = 7.0
    assert cotangent[0] == 1.0


def test_auxiliary_output_stands_apart():
    out, pullback, aux = tp.vjp(lambda x: (np.sum(x * x), {'n': len(x)}), W, has_aux=True)
    assert aux == {'n': 4}
    np.testing.assert_allclose(pullback(1.0)[0], 2 * W)
    assert tp.linearize(lambda x: (x * x, 'aux'), 3.0, has_aux=True)[2] == 'aux'


def test_derivatives_can_be_pulled_back():
    f = lambda x: np.sum(np.sin(x) * x)
    _, pullback = tp.vjp(tp.grad(f), W)
    expected = numeric_grad(lambda x: tp.grad(f)(x) @ W, (W,))
    np.testing.assert_allclose(pullback(W)[0], expected, rtol=1e-6)


@pytest.mark.parametrize('wrong', [(1.0,), np.ones(3), {'a': np.ones(4)}, np.ones(4) * 1j, 'one'])
def test_a_cotangent_that_does_not_fit_is_refused(wrong):
    _, pullback = tp.vjp(lambda x: x * x, W)
    with pytest.raises((TypeError, ValueError), match='the cotangent'):
        pullback(wrong)


def test_a_transpose():
    turned = tp.linear_transpose(lambda x: np.cumsum(x)[1:] * 2.0, W)
    np.testing.assert_allclose(turned(np.array([1.0, 2.0, 3.0]))[0], [12, 12, 10, 6])
    assert 'cumsum' in turned.source


@pytest.mark.parametrize('f', [lambda x: x * x, lambda x: x + 1.0, lambda x: x * np.sum(x)])
def test_what_is_not_linear_has_no_transpose(f):
    with pytest.raises(tp.errors.NotDifferentiable, match='not linear'):
        tp.linear_transpose(f, W)


def test_the_halves_read_well():
    _, pullback = tp.vjp(elementwise, W, 2.0)
    assert pullback.primal_source.split('\n', 4)[4].strip() == '''
def elementwise_forward(x, y):
    sin_x = np.sin(x)
    z = sin_x * y
    sum_z = np.sum(z)
    # pullback
    cos_x = np.cos(x)                # line 15: z = np.sin(x) * y
    return (z, sum_z), (cos_x, sin_x, y)'''.strip()
    assert pullback.source.split('\n', 4)[4].strip() == '''
def elementwise_pullback(cos_x, sin_x, y, out_bar):
    z_bar, sum_z_bar = out_bar
    # pullback
    z_bar = z_bar + sum_z_bar        # line 16: return z, np.sum(z)
    # pullback of line 15: z = np.sin(x) * y
    y_bar = np.sum(z_bar * sin_x)
    x_bar = z_bar * y * cos_x
    return x_bar, y_bar'''.strip()


def scale_changes(x):
    k = 2.0
    _, pullback = tp.vjp(lambda a: a * a * k, x)
    k = 5.0
    return pullback(1.0)[0] + k


def one_for_each_turn(x):
    pullbacks = []
    for k in (1.0, 2.0, 3.0):
        pullbacks.append(tp.vjp(lambda a: a * a * k, x)[1])
    return sum([pullback(1.0)[0] for pullback in pullbacks])


def array_changes(x):
    w = np.full(2, 2.0)
    _, linear = tp.linearize(lambda a: a * a * w[0], x)
    w[0] = 0.0
    return linear(1.0)


def argument_changes(x):
    _, pullback = tp.vjp(lambda a: a * a * x, x)
    x = x * 3
    return pullback(x)[0]


def carried(x, n):
    s, total = 1.0, 0.0
    for _ in range(n):
        out, pullback = tp.vjp(lambda a: a * a * s, x)
        s = s * 1.5
        x = x + pullback(1.0)[0] * 0.1
        total += s * out
    return total + x


def list_changes(x):
    factors = [x, 2.0]

    def inner(a):
        return a * factors[0]
    _, pullback = tp.vjp(lambda a: inner(a) * a * factors[1], x)
    factors[0] = 7.0
    return pullback(1.0)[0]


class Scaled:
    def __init__(self, k):
        self.k = k

    def square(self, a):
        return a * a * self.k


def object_changes(x):
    scaled = Scaled(2.0)
    _, pullback = tp.vjp(scaled.square, x)
    scaled.k = 5.0
    return pullback(1.0)[0]


@pytest.mark.parametrize('f', [scale_changes, one_for_each_turn, array_changes, argument_changes, list_changes, object_changes])
def test_inside_a_program_the_derivative_is_that_of_the_function_as_it_was(mode: Mode, f):
    check(mode, f, 2.0)


def test_what_a_loop_carries_is_read_when_the_pullback_is_made(mode: Mode):
    check(mode, carried, 2.0, 4)


def squared_in_place(a):
    a[0] = a[0] ** 2
    return a * 1.0


def test_inside_a_program_arguments_stay_as_they_are(mode: Mode):
    def f(x):
        z = x * 2.0
        out, _ = tp.vjp(squared_in_place, z)
        return z[0] * out[0]
    check(mode, f, W)


def test_a_result_given_twice():
    twice = lambda x: (x, {'again': x, 'sine': np.sin(x)})
    _, pullback = tp.vjp(twice, W)
    same(pullback((W, {'again': 2 * W, 'sine': np.ones(4)})), (3 * W + np.cos(W),))
    same(tp.jacrev(lambda x: (x, x))(W), (np.eye(4), np.eye(4)))


def in_branches(x):
    return x * 2 if x[0] > 0 else x * 3


@pytest.mark.parametrize('f', [
    np.abs, np.sort, np.sign, np.round, in_branches, np.median, lambda x: np.maximum(x, 0), lambda x: np.max(x),
    lambda x: np.where(x > 0, x, 0), lambda x: x[np.argmax(x)], lambda x: x * (x > 0)])
def test_what_is_linear_in_pieces_has_no_transpose(f):
    with pytest.raises(tp.errors.NotDifferentiable, match='not linear'):
        tp.linear_transpose(f, W)


def in_a_loop(x):
    y = np.zeros(x.size + 1)
    for i in range(len(x)):
        y[i + 1] += 2 * x[i]
        y[0] += x[i]
    return y


MATRIX = np.arange(8.0).reshape(2, 4)


@pytest.mark.parametrize('f', [
    in_a_loop, np.cumsum, lambda x: MATRIX @ x, lambda x: np.concatenate([x, np.zeros_like(x)]),
    lambda x: np.where(MATRIX > 2, x, 0),
    lambda x: x - np.mean(x), lambda x: np.pad(x[::-1].reshape(2, 2), 1)])
def test_what_is_linear_is_known_to_be(f):
    expected = tp.vjp(f, W)[1](f(W))
    same(tp.linear_transpose(f, np.full(4, np.nan))(f(W)), expected)


def mixed(params, y, n):
    return {'u': np.sin(params['w']) * y, 'v': (np.sum(params['w'] * y), n)}


PARAMS = {'w': W, 'b': 2.0}


def examples():
    """Cotangents of `mixed`, with an axis of three, and each alone."""
    u, v = np.random.default_rng(1).normal(size=(3, 4)), np.array([1.0, 0.0, -2.0])
    return {'u': u, 'v': (v, None)}, [{'u': u[k], 'v': (v[k], None)} for k in range(3)]


def test_pullbacks_of_examples_and_compiled(mode: Mode):
    _, pullback = tp.vjp(mixed, PARAMS, 1.5, 3)
    together, alone = examples()
    params, y, n = mode(tp.vmap(pullback))(together)
    for k, one in enumerate(alone):
        own, own_y, _ = mode(pullback)(one)
        expected, expected_y, none = pullback(one)
        assert none is None and n is None
        np.testing.assert_allclose(own['w'], expected['w'])
        np.testing.assert_allclose(params['w'][k], expected['w'])
        np.testing.assert_allclose((own_y, y[k]), expected_y)
    assert not np.any(params['b'])


def test_a_basis_gives_the_jacobian(mode: Mode):
    matrix = np.arange(12.0).reshape(4, 3)
    f = lambda x: np.sin(matrix @ x) * x[0]
    x = np.array([0.3, 0.7, 1.1])
    _, pullback = tp.vjp(f, x)
    _, pushed = tp.linearize(f, x)
    expected = tp.jacrev(f)(x)
    np.testing.assert_allclose(mode(tp.vmap(pullback))(np.eye(4))[0], expected)
    np.testing.assert_allclose(mode(tp.vmap(pushed, out_axes=1))(np.eye(3)), expected)
    np.testing.assert_allclose(mode(tp.vmap(tp.linear_transpose(lambda x: matrix @ x, x)))(np.eye(4))[0], matrix)


def test_pullbacks_in_functions_that_are_differentiated(mode: Mode):
    x = np.array([0.3, 0.7, 1.1])
    _, pullback = tp.vjp(lambda x: np.sin(x) * x, x)
    check(mode, lambda c: np.sum(pullback(c * c)[0] ** 2), np.array([0.5, -1.0, 2.0]), order=2)


def test_a_transformed_pullback_does_not_see_what_its_caller_changes():
    x = np.array([0.3, 0.7, 1.1])
    _, pullback = tp.vjp(lambda x: x * x, x)
    expected, batched = pullback(np.ones(3))[0], tp.vmap(pullback)
    x[:] = 0.0
    np.testing.assert_array_equal(batched(np.ones((2, 3)))[0], [expected, expected])


def test_a_batched_pullback_reads_well():
    matrix = np.arange(12.0).reshape(4, 3)
    _, pullback = tp.vjp(lambda x: np.sin(matrix @ x), np.ones(3))
    batched = tp.vmap(pullback)
    batched(np.eye(4))
    lines = [line.split('#')[0].strip() for line in batched.source.splitlines()]
    assert lines[-2:] == ['x_bar = cotangent * cos_product @ matrix', 'return x_bar,'] and 'for' not in ' '.join(lines[5:])


@pytest.mark.parametrize('wrong, error, message', [
    (np.ones((2, 3)), ValueError, 'is 3, axis'), (np.ones((2, 4, 1)), tp.TranspileError, 'with 1 axes'),
    ({'u': np.ones((2, 4))}, tp.TranspileError, 'dict'), (np.ones((2, 4), complex), tp.TranspileError, 'no tangent')])
def test_a_batch_of_cotangents_that_do_not_fit_is_refused(mode: Mode, wrong, error, message):
    _, pullback = tp.vjp(np.sin, W)
    with pytest.raises(error, match=message):
        mode(tp.vmap(pullback))(wrong)


def test_a_pullback_that_keeps_lists_is_not_batched():
    _, pullback = tp.vjp(lambda x: squares(x, 50.0), 1.5)
    with pytest.raises(tp.TranspileError, match='lies in lists'):
        tp.vmap(pullback)(np.ones(3))


def test_constants_have_zeros_for_tangents(mode: Mode):
    def f(x, a):
        return (2.0 * x, 3.0), {'sum': np.sum(x) * a, 'one': 1.0, 'count': 2}
    x, direction = np.array([0.3, 0.7]), (np.array([1.0, -2.0]), 0.5)
    out, pushed = tp.linearize(f, x, 2.0)
    (twice, three), rest = mode(pushed)(*direction)
    assert np.array_equal(twice, [2.0, -4.0]) and three == 0.0 and rest['one'] == 0.0 and rest['count'] is None
    assert rest['sum'] == -2.0 + 0.5
    assert out[0][1] == 3.0 and "'one': 0.0, 'count': None" in pushed.source


def test_an_item_is_what_it_was_before_its_array_was_written(mode: Mode):
    def f(x):
        square = np.square(x[1])
        x /= 1.3
        return np.sin(square)
    x = np.array([0.6, -0.5, 1.1])
    expected = np.zeros((3, 3))
    expected[1, 1] = 2 * np.cos(0.25) - 4 * 0.25 * np.sin(0.25)
    np.testing.assert_allclose(mode(tp.jacrev(tp.grad(f)))(x.copy()), expected)
    np.testing.assert_allclose(mode(tp.hessian(f))(x.copy()), expected)


def test_what_a_pullback_keeps_is_one_input_however_often_it_is_called(mode: Mode):
    _, pullback = tp.vjp(lambda x: np.sin(x) * x, W)
    twice = lambda c: np.sum(pullback(c)[0] * pullback(2.0 * c)[0])
    check(mode, twice, np.array([0.5, -1.0, 2.0, 0.3]))
    derivative = tp.grad(twice)
    derivative(np.ones(4))
    assert 'def function_grad(c, *, cos_x, sin_x, x):' in derivative.source


def test_views_on_a_tape_of_an_array_that_is_restored(mode: Mode):
    def program(x, steps):
        k = 0
        while k < 1:
            k += 1
            x /= x[:1] if steps else x
        return x[k]
    x = np.array([-0.3, 0.1, -1.1])
    same(mode(tp.grad(program))(x, 1), np.array([-x[1] / x[0] ** 2, 1 / x[0], 0.0]))
    same(mode(tp.hessian(program))(x, 1), tp.hessian(lambda x: x[1] / x[0])(x))
    with pytest.raises(tp.TranspileError, match='cannot be a function of its own'):
        tp.vjp(program, x, 1)


@pytest.mark.parametrize('f', [
    lambda x, y: np.sum(x), lambda x, y: 3.0, lambda x, y: np.sum(x * y), tp.jit(lambda x, y: np.sum(y))])
def test_what_a_pullback_gives_is_not_what_it_keeps(f):
    x = np.array([1.5, 0.3, -2.0])
    _, pullback = tp.vjp(f, x, x.copy())
    first = pullback(1.0)
    right = [part.copy() for part in first]
    for part in first:
        part[:] = 99.0
    for part, wanted in zip(pullback(1.0), right, strict=True):
        np.testing.assert_array_equal(part, wanted)
