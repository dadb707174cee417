"""Forward mode: tangents interleaved with the primal, through memory, control flow, lists and calls; `tp.jvp` as JAX has it."""
import dataclasses
from collections import namedtuple

import numpy as np
import pytest

import transpiler as tp
from tests.support import copied, direction, same
from transpiler.api.calls.memory import remembered
from transpiler.api.functions import as_transformed
from transpiler.errors import NotDifferentiable, UnsafeMutation
from transpiler.transforms.steps import Jvp

X = np.array([0.3, -1.2, 0.8, 2.0])
ROWS = np.array([0, 2, 2, 1])


def overwritten_sum(x):
    y = x + 1.0
    y[0] = 5.0
    return y * x


def through_a_view(x):
    y = x * 2.0
    tail = y[1:]
    tail[0] = np.sin(x[3])
    y[2:] *= x[:2]
    end = y[3:]
    end[0] = 1.0
    return y, tail.copy()


def swapped(x):
    a, b = x.copy(), np.zeros(4)
    for k in range(5):
        for i in range(1, 4):
            b[i] = 0.5 * a[i - 1] + 0.1 * a[i] * a[i]
        a, b = b, a
    return a + b


def last_write_wins(x):
    y = np.zeros(4)
    y[ROWS] = x * x
    np.add.at(y, ROWS, np.sin(x))
    y[x < 0] = 3.0 * x[x < 0]
    return y[ROWS] * y


def kept_before_it_changes(x):
    y = x * x
    z = y
    before = y.copy()
    z[1] = x[0]
    return before * y + z


def one_number_for_all(x):
    a = np.sin(x[0])
    y = np.ones(3) + a
    y = np.stack([y, y * x[1]])
    return y.T, np.full(2, a), np.sum(y + x[2])


def shared_until_it_changes(x):
    y = x
    z = y + 1.0
    y *= 2.0
    return z * y


def branches(x):
    total, best = 0.0, 0.0
    for i in range(x.size):
        if x[i] > 1.5:
            best = x[i] ** 2
            break
        if x[i] < 0:
            continue
        total += np.exp(x[i])
    else:
        total = 7.0
    return total * best


def until_small(x):
    y, steps = x[3], 0
    while abs(y) > 0.1 and steps < 50:
        y, steps = 0.5 * y * np.cos(y), steps + 1
    return y, steps


def grown(x):
    found, rows = [], []
    for i in range(x.size):
        if x[i] > 0:
            found.append(np.sin(x[i]))
            rows.append(x * i)
    found[0] = found[0] * x[1]
    last = rows.pop()
    found.append(x[2])
    found.pop()
    return np.array(found), last + np.stack(rows).sum(axis=0)


def fill(y, x, i):
    if i == y.size:
        return 1.0
    y[i] = x[i] * (y[i - 1] if i else 1.0)
    return x[i] + fill(y, x, i + 1)


def recursive(x):
    y = np.zeros(4)
    total = fill(y, x, 0)
    return y * total


def in_a_tree(x):
    if x.size == 1:
        return x * x
    half = x.size // 2
    left, right = in_a_tree(x[:half]), in_a_tree(x[half:])
    return np.concatenate([right, left * right[0]])


def reshaped_and_written(x):
    y = np.zeros((2, 2))
    flat = y.reshape(4)
    flat[:] = x * x
    y[0] = y[1] * x[:2]
    return flat * x


def long_loop(x):
    for t in tp.checkpointed(range(6), snapshots=2):
        x = x + 0.1 * np.sin(x) * t
    return x


def of_gradients(x):
    slope = tp.grad(lambda z: np.sum(z ** 3 * x))
    return slope(2.0 * x)


PROGRAMS = [
    overwritten_sum, through_a_view, swapped, last_write_wins, kept_before_it_changes, one_number_for_all,
    shared_until_it_changes, branches, until_small, grown, recursive, in_a_tree, reshaped_and_written,
    long_loop, of_gradients,
]


def difference(f, x, v, step=1e-5):
    up, down = (np.hstack([np.ravel(p) for p in leaves(f(x + change))]) for change in (step * v, -step * v))
    return (up - down) / (2 * step)


def leaves(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_tangents(f):
    v = direction(X)
    out, dot = tp.jvp(f, (X.copy(),), (v,))
    same(out, f(X.copy()))
    flat = np.hstack([np.zeros(np.shape(o)) if d is None else np.ravel(d) for o, d in zip(leaves(out), leaves(dot), strict=True)])
    np.testing.assert_allclose(flat, difference(f, X, v), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize('f', [swapped, last_write_wins, grown, recursive, branches], ids=lambda f: f.__name__)
def test_compiled(f):
    forward, v = tp.jvp(f), direction(X)
    same(tp.jit(forward)(X, v), forward(X, v))


def test_tangents_have_memory_of_their_own():
    v = np.ones(4)
    out, dot = tp.jvp(lambda x: (x, x + 1.0, x[1:]), (X,), (v,))
    for part in dot:
        part[:] = 9.0
    assert np.all(v == 1.0) and np.all(dot[0] == 9.0)
    assert not any(np.shares_memory(a, b) for k, a in enumerate(dot) for b in dot[:k])


def test_arguments_that_are_written_stay():
    def f(x):
        x[0] = x[1] * x[2]
        return np.sum(x)
    x, v = X.copy(), direction(X)
    _, dot = tp.jvp(f, (x,), (v,))
    same((x, v), (X, direction(X)))
    same(dot, v[1] * X[2] + X[1] * v[2] + v[1] + v[2] + v[3])
    same(tp.jvp(f, (x,), (x,))[1], 2 * X[1] * X[2] + X[1] + X[2] + X[3])      # both may be the same array


Pair = namedtuple('Pair', 'a n')


@dataclasses.dataclass
class Model:
    w: np.ndarray
    bias: float
    depth: int = 2
    name: str = dataclasses.field(default='m', metadata={'static': True})


def test_structures():
    def f(model, pair):
        y = model.w * model.bias
        return {'y': y, 'pair': Pair(pair.a * y[0], pair.n + 1)}, [1, 2.0, None, np.arange(3)]
    model, pair = Model(X, 2.0), Pair(3.0, 4)
    out, dot = tp.jvp(f, (model, pair), (Model(np.ones(4), 0.5, None), Pair(1, None)))
    same(dot[0]['y'], 2.0 * np.ones(4) + 0.5 * X)
    assert dot[1] == [None, 0.0, None, None]
    assert isinstance(dot[0]['pair'], Pair) and dot[0]['pair'].n is None
    same(dot[0]['pair'].a, 1.0 * out[0]['y'][0] + 3.0 * dot[0]['y'][0])
    same(tp.jvp(f, (model, pair), (None, (Pair(1.0, None))))[1][0]['y'], np.zeros(4))


def test_auxiliary_output():
    out, dot, aux = tp.jvp(lambda x: (np.sum(x * x), {'x': x}), (X,), (np.ones(4),), has_aux=True)
    same((out, dot, aux), (np.sum(X * X), np.sum(2 * X), {'x': X}))


def test_single_precision():
    x = X.astype(np.float32)
    out, dot = tp.jvp(lambda x: np.tanh(x * 2.0) + 1, (x,), (np.ones(4),))
    assert out.dtype == dot.dtype == np.float32
    _, dot = tp.jvp(lambda a: a * a, (np.float32(2.0),), (1,))
    assert isinstance(dot, np.float32)


def test_complex():
    z, v = X + 0.5j, X[::-1] * (1 - 2j)
    f = lambda z: np.abs(z * z) + np.real(np.exp(z)) + np.conjugate(z)
    step = 1e-6
    same(tp.jvp(f, (z,), (v,))[1], (f(z + step * v) - f(z - step * v)) / (2 * step))


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x, power=2):
        return self.k * np.sum(x ** power)


def test_methods_keywords_and_captured_arrays():
    same(tp.jvp(Spring(3.0).energy, (X,), (np.ones(4),))[1], 6.0 * np.sum(X))
    same(tp.jvp(Spring(3.0).energy)(X, power=3, x_dot=np.ones(4)), (3.0 * np.sum(X ** 3), 9.0 * np.sum(X ** 2)))
    several = lambda x, *rest, k=1.0: k * x * rest[0] * rest[1]
    same(tp.jvp(several, (2.0, 3.0, 4.0), (1.0, None, 1.0)), (24.0, 12.0 + 6.0))
    scale = X.copy()
    f = lambda x: np.sum(scale * x)
    same(tp.jvp(f, (X,), (np.ones(4),))[1], np.sum(X))
    scale[:] = 1.0
    same(tp.jvp(f, (X,), (np.ones(4),))[1], 4.0)


def test_inside_functions(mode):
    def product(x, v):
        return tp.jvp(tp.grad(lambda z: np.sum(z ** 3)), (x,), (v,))[1]
    same(mode(product)(X, np.ones(4)) if mode.compiled else product(X, np.ones(4)), 6 * X)
    same(mode(tp.grad(lambda x: np.sum(product(x, x))))(X), 12 * X)


def test_perturbations_do_not_mix():
    def f(x):
        return x * tp.jvp(lambda y: x * y, (2.0,), (1.0,))[1]
    same(tp.jvp(f, (3.0,), (1.0,)), (9.0, 6.0))
    same(tp.grad(tp.grad(f))(3.0), 2.0)
    assert tp.jvp(lambda x: tp.jvp(lambda y: x, (x,), (1.0,))[1], (3.0,), (1.0,)) == (0.0, 0.0)


SMOOTH = [overwritten_sum, swapped, last_write_wins, branches, reshaped_and_written]


@pytest.mark.parametrize('f', SMOOTH, ids=lambda f: f.__name__)
def test_orders_agree(f):
    """Forward over reverse, reverse over forward, and forward twice."""
    def total(x):
        return np.sum(np.cos(f(x)))
    v, w = direction(X), np.linspace(1.0, 2.0, 4)

    def slope(x):
        return tp.jvp(total, (x,), (w,))[1]
    found = [tp.jvp(slope, (X,), (v,))[1], np.sum(v * tp.grad(slope)(X)),
             np.sum(w * tp.jvp(tp.grad(total), (X,), (v,))[1])]
    np.testing.assert_allclose(found, difference(lambda x: tp.jvp(total, (x,), (w,))[1], X, v)[0], rtol=1e-6)


@pytest.mark.parametrize(('tangents', 'error', 'message'), [
    (({'w': X[:2], 'b': 1.0}, None), ValueError, r"the tangent of `p\['w'\]` has the shape \(2,\), .* the shape \(4,\)"),
    (({'w': X}, None), TypeError, "with the keys 'w', but `p` is a dict with the keys 'w', 'b'"),
    (({'w': X, 'b': 1j}, None), TypeError, r"the tangent of `p\['b'\]` is a complex, but"),
    (({'w': X, 'b': 1.0}, 2), TypeError, '`argument 1` is an int, which has no tangent: give None'),
    (([X, 1.0], None), TypeError, 'a list of length 2, but `p` is a dict'),
    (({'w': X, 'b': 1.0},), TypeError, '2 primals, but 1 tangents'),
    ({'w': X, 'b': 1.0}, TypeError, r'tangents is a tuple \(or list\)'),
])
def test_tangents_that_do_not_fit(tangents, error, message):
    with pytest.raises(error, match=message):
        tp.jvp(lambda p, n: p['b'] * np.sum(p['w']) * n, ({'w': X, 'b': 2.0}, 3), tangents)


def test_tangents_that_do_not_fit_inside_functions():
    for given in (lambda x: tp.jvp(np.sum and (lambda y: np.sum(y)), (x,), (1.0,)),
                  lambda x: tp.jvp(lambda y: np.sum(y), (x,), (x[:1],)),
                  lambda x: tp.jvp(lambda y: np.sum(y['a']), ({'a': x},), ({'b': x},))):
        with pytest.raises(tp.TranspileError, match='y_dot'):
            tp.jit(given)(X)


def test_refusals():
    with pytest.raises(NotDifferentiable, match='`n` holds no floats'):
        tp.jvp(lambda x, n: x ** n, argnums=1)(2.0, 3, None)
    with pytest.raises(NotDifferentiable, match='argnums'):
        tp.jvp(lambda x: x, argnums=1)

    def perhaps_a_view(x):
        y = x * 1.0
        flat = y.T.reshape(-1)
        flat[0] = 1.0
        return y
    with pytest.raises(UnsafeMutation, match='may be a view'):
        tp.jvp(perhaps_a_view, (np.ones((2, 2)),), (np.ones((2, 2)),))


def test_what_only_broadcasts_is_spread_where_ranks_differ():
    def of_either_rank(x, y):
        z = y[:, None] + x[1] if x[2, 2] > 0.0 else y
        return np.sum(z)
    x, y = np.ones((3, 3)), np.arange(3.0)
    assert tp.jvp(of_either_rank, argnums=1)(x, y, np.ones(3)) == (18.0, 9.0)
    assert tp.jvp(of_either_rank, argnums=1)(-x, y, np.ones(3)) == (3.0, 3.0)


def flat_after_a_write(x):
    x *= x
    y = x.reshape(-1)
    return np.sum(y * y)


def only_the_flat_one_is_read(x):
    y = np.ravel(x)
    y[0] = 3.0 * y[1]
    return np.sum(y * y)


def flat_in_each_turn(x):
    s = 0.0
    for _ in range(2):
        y = x.reshape(-1)
        s += y[0] * y[1]
        x *= 2.0
    return s


def read_after_a_write(x):
    y = x.reshape(-1)
    x *= 2.0
    return np.sum(y * y)


def read_in_the_turn_after(x):
    y = x.reshape(-1)
    s = 0.0
    for _ in range(2):
        s += np.sum(y * y)
        x *= 2.0
    return s


def written_through_a_part(x):
    y = x.reshape(-1)[1:]
    y[0] = 5.0
    return np.sum(x * x)


@pytest.mark.parametrize('order', [('C', 'C'), ('C', 'F'), ('F', 'C'), ('F', 'F')])
@pytest.mark.parametrize('function', [flat_after_a_write, only_the_flat_one_is_read, flat_in_each_turn])
def test_a_view_or_a_copy_where_nobody_can_tell(function, order):
    x, x_dot = np.asarray(np.arange(1.0, 7.0).reshape(2, 3), order=order[0]), np.asarray([[1.0, 0.5, -2.0]] * 2, order=order[1])
    before = copied((x, x_dot))
    out, dot = tp.jvp(function, (x,), (x_dot,))
    same((x, x_dot), before)
    same(out, function(x.copy(order='K')))
    same(dot, np.sum(tp.grad(function)(x) * x_dot))


def read_by_the_caller(p, n=2):
    if n == 0:
        return np.sum(p)
    s = read_by_the_caller(p, n - 1)
    y = p.reshape(-1)
    y[0] = 5.0 * y[1]
    return s


@pytest.mark.parametrize('function', [read_after_a_write, read_in_the_turn_after, written_through_a_part, read_by_the_caller])
def test_a_view_or_a_copy_where_it_shows(function):
    with_gaps = np.ones((2, 4))[:, ::2]
    with pytest.raises(UnsafeMutation, match='may be a view'):
        tp.jvp(function, (with_gaps,), (with_gaps,))


@pytest.mark.parametrize('function', [read_after_a_write, read_in_the_turn_after, written_through_a_part])
def test_a_view_of_what_lies_in_c_order(function):
    x, x_dot = np.arange(1.0, 7.0).reshape(2, 3), np.array([[1.0, 0.5, -2.0]] * 2)
    out, dot = tp.jvp(function, (x,), (x_dot,))
    same(out, function(x.copy()))
    same(dot, (function(x + 1e-6 * x_dot) - function(x - 1e-6 * x_dot)) / 2e-6, 1e-7)


def test_generated_once():
    def f(x):
        return np.sin(x)
    tp.jvp(f, (2.0,), (1.0,))
    made = remembered(f, Jvp((0,)), lambda: as_transformed(f))
    before = made._latest
    tp.jvp(f, (3.0,), (1.0,))
    assert made._latest is before


def test_a_tangent_stands_before_its_primal():
    def f(a):
        x = a
        while abs(x * x - a) > 1e-12 * a:
            x = 0.5 * (x + a / x)
        return x
    text = tp.jvp(f).lower(2.0, 1.0).source
    assert text.split('\n\n\n')[-1] == '''def f_jvp(a, a_dot):
    x_dot = a_dot
    x = a
    while abs(x * x - a) > 1e-12 * a:
        ratio = a / x
        x_dot = 0.5 * (x_dot + (a_dot - ratio * x_dot) / x)
        x = 0.5 * (x + ratio)
    return x, x_dot
'''


@tp.custom_jvp
def log1pexp(x):
    return np.log(1.0 + np.exp(x))


log1pexp.defjvps(lambda x_dot, ans, x: (1.0 - 1.0 / (1.0 + np.exp(x))) * x_dot * 2.0)      # twice the slope


@tp.custom_vjp
def clipped(x):
    return x


clipped.defvjp(lambda x: (x, None), lambda _, x_bar: (np.clip(x_bar, -1.0, 1.0),))


def test_rules_of_the_user():
    v = direction(X)
    same(tp.jvp(lambda x: log1pexp(x), (X,), (v,))[1], 2.0 * v / (1.0 + np.exp(-X)))
    same(tp.jvp(lambda x: tp.stop_gradient(x) * x, (X,), (v,))[1], X * v)
    same(tp.jvp(tp.grad(lambda x: 0.1 * clipped(x) ** 2), (0.1,), (1.0,)), (0.02, 0.2))
    with pytest.raises(NotDifferentiable, match='`clipped` has a rule for reverse mode only'):
        tp.jvp(lambda x: 5.0 * clipped(x), (2.0,), (1.0,))


def test_with_batches(mode):
    f = lambda x: np.sin(x) * x
    same(mode(tp.vmap(tp.jvp(f), in_axes=(0, None)))(X, 1.0), tp.jvp(f, (X,), (np.ones(4),)))
    same(mode(tp.jvp(tp.vmap(f)))(X, np.ones(4)), tp.jvp(f, (X,), (np.ones(4),)))
    same(mode(lambda x: tp.vmap(lambda v: tp.jvp(f, (2.0,), (v,))[1])(x))(X) if mode.compiled else
         tp.vmap(lambda v: tp.jvp(f, (2.0,), (v,))[1])(X), tp.jvp(f, (2.0,), (1.0,))[1] * X)
