"""Functions with derivatives of their own: `custom_vjp`, `custom_jvp`, `stop_gradient`."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import copied, same
from transpiler.errors import NotDifferentiable, TranspileError, UnsafeMutation

X = np.array([0.5, -1.5, 2.0])
W = np.array([[0.3, -0.2, 0.5], [0.1, 0.4, -0.6], [-0.7, 0.2, 0.1]])


@tp.custom_jvp
def log1pexp(x):
    return np.logaddexp(0.0, x)


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,), (x_dot,) = primals, tangents
    return log1pexp(x), x_dot / (1.0 + np.exp(-x))


@tp.custom_vjp
def clipped(low, high, x):
    """The identity, whose cotangent is clipped."""
    return x


clipped.defvjp(lambda low, high, x: (x, (low, high)), lambda kept, x_bar: (None, None, np.clip(x_bar, *kept)))


@tp.custom_vjp
def norm(x):
    return np.sqrt(np.sum(x * x))


def norm_fwd(x):
    length = norm(x)
    return length, (length, x)


def norm_bwd(kept, bar):
    length, x = kept
    if length == 0.0:
        return (np.zeros_like(x),)
    return (bar * x / length,)


norm.defvjp(norm_fwd, norm_bwd)


@tp.custom_vjp
def layer(params, x):
    return {'out': np.tanh(params['w'] @ x + params['b']), 'size': x.shape[0], 'tag': 'tanh'}


def layer_fwd(params, x):
    result = layer(params, x)
    return result, (params['w'], x, result['out'])


def layer_bwd(kept, bar):
    w, x, out = kept
    slope = bar['out'] * (1.0 - out * out)
    return {'w': np.outer(slope, x), 'b': slope}, w.T @ slope


layer.defvjp(layer_fwd, layer_bwd)


@tp.custom_jvp
def product(x, y):
    return x * y


product.defjvps(lambda x_dot, ans, x, y: x_dot * y, lambda y_dot, ans, x, y: x * y_dot)


def network(params, x, steps):
    for _ in range(steps):
        x = layer(params, x)['out'] + 0.1 * x
    return np.sum(x * x)


def shrunk(x):
    while norm(x) > 0.1:
        x = x * 0.5 * norm(x) / (1.0 + norm(x))
    return np.sum(x)


def rows(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += norm(a[i]) ** 2 * total + norm(a[i])
        a[i] = a[i] * total
    return total + np.sum(a)


def chain(x, n):
    return norm(x) if n == 0 else chain(x * norm(x), n - 1) + norm(x)


def gradient_inside(x):
    return np.sum(tp.grad(norm)(x) ** 3)


def constant_inside(x):
    """The inner derivative does not go through `norm`, the outer one does."""
    return tp.grad(lambda y: y * norm(x) + y * y)(2.0)


PROGRAMS = {
    'network': (lambda params, x: network(params, x, 3), ({'w': W, 'b': X}, X)),
    'shrunk': (shrunk, (X,)),
    'rows': (rows, (W,)),
    'chain': (lambda x: chain(x, 3), (X,)),
    'gradient_inside': (gradient_inside, (X,)),
    'constant_inside': (constant_inside, (X,)),
    'softplus': (lambda x: np.sum(log1pexp(x) * x), (X,)),
    'both': (lambda x, y: np.sum(product(x * y, np.sin(y)) ** 2), (X, X + 0.3)),
    'one_variable': (lambda x: np.sum(product(x, 3.0) * product(x, x)), (X,)),
}


FORWARD = ('both',)


@pytest.mark.parametrize('name', PROGRAMS)
def test_rules_that_agree_with_the_function(name):
    function, args = PROGRAMS[name]
    modes = ('fwd', 'rev') if name in FORWARD else ('rev',)
    tp.testing.check_grads(function, args, order=2, modes=modes)


@pytest.mark.parametrize('name', ['network', 'rows', 'softplus'])
def test_compiled(name):
    function, args = PROGRAMS[name]
    gradient = tp.grad(function)
    same(tp.jit(gradient)(*args), gradient(*args), rtol=1e-10)
    same(tp.jit(function)(*copied(args)), function(*copied(args)), rtol=1e-10)


def test_log1pexp(mode):
    """The value and slope at 1000 are right where the derivative of the formula would be nan."""
    assert mode(tp.value_and_grad(log1pexp))(1000.0) == (1000.0, 1.0)
    assert mode(tp.grad(tp.grad(log1pexp)))(0.0) == 0.25


def test_clipped_gradient(mode):
    same(mode(tp.grad(lambda x: np.sum(5.0 * clipped(-1.0, 2.0, x) * x)))(X), 5.0 * X + np.clip(5.0 * X, -1.0, 2.0))
    same(mode(tp.grad(lambda x, high: np.sum(5.0 * clipped(-1.0, high, x)), argnums=1))(X, 2.0), 0.0)


def test_rules_of_transformed_functions_themselves():
    assert tp.grad(norm)(np.array([3.0, 4.0])).tolist() == [0.6, 0.8]
    assert norm(np.array([3.0, 4.0])) == 5.0 and repr(norm) == '<custom_vjp norm>'
    same(tp.grad(norm)(np.zeros(2)), np.zeros(2))


def test_forward_mode_needs_a_rule_for_tangents():
    with pytest.raises(NotDifferentiable, match='`norm` has a rule for reverse mode only'):
        tp.jvp(lambda x: norm(x) * 2.0, (X,), (X,))
    same(tp.jvp(lambda x: np.sum(x * tp.stop_gradient(x)), (X,), (X,)), (np.sum(X * X), np.sum(X * X)))


def test_a_rule_is_used_for_every_order():
    """The rule says that the slope of `odd` is 5 x², so the second derivative is 10 x."""
    @tp.custom_vjp
    def odd(x):
        return x ** 3
    odd.defvjp(lambda x: (odd(x), x), lambda x, bar: (bar * 5.0 * x * x,))
    assert tp.grad(odd)(2.0) == 20.0 and tp.grad(tp.grad(odd))(2.0) == 20.0
    assert tp.grad(tp.grad(lambda x: odd(x) * x))(2.0) == 20.0 + 20.0 + 20.0 * 2.0
    assert tp.grad(lambda x: tp.grad(lambda y: y * odd(x))(1.0))(2.0) == 20.0


def test_a_rule_that_asks_for_the_function_again():
    """The slope is twice the function itself, so each derivative doubles it."""
    @tp.custom_jvp
    def growing(x):
        return np.exp(x)
    growing.defjvp(lambda primals, tangents: (growing(*primals), 2.0 * growing(*primals) * tangents[0]))
    same(tp.grad(tp.grad(tp.grad(growing)))(0.5), 8.0 * np.exp(0.5))


def test_functions_as_arguments(mode):
    @tp.custom_vjp
    def plain(f, x):
        return f(x)
    applied = tp.custom_vjp(plain.function, nondiff_argnums=(0,))
    applied.defvjp(lambda f, x: (f(x), x), lambda f, x, bar: (bar * f(x),))
    same(mode(tp.grad(lambda x: np.sum(applied(np.sin, x)) + applied(lambda v: v * v, 3.0)))(X), np.sin(X))


def test_local_functions_that_mean_something_else_later():
    applied = tp.custom_vjp(lambda f, x: f(x), nondiff_argnums=(0,))
    applied.defvjp(lambda f, x: (f(x), x), lambda f, x, bar: (bar * tp.grad(f)(x),))

    def twice(x):
        k = 1.0

        def scaled(v):
            return v * v * k
        first = applied(scaled, x)
        k = 2.0
        return first + 10.0 * applied(scaled, x)
    assert (tp.jit(twice)(3.0), tp.grad(twice)(3.0)) == (189.0, 126.0)


def test_a_result_that_is_written_into():
    """The cotangent of what is put there does not reach the call."""
    def filled(x):
        table = 1.0 * layer({'w': W, 'b': X}, X)['out']
        table[0] = x * x
        table[1] *= x
        return np.sum(table * table)
    tp.testing.check_grads(filled, (0.7,), order=2, modes=('rev',))


def test_stop_gradient(mode):
    same(mode(tp.grad(lambda x: np.sum(x * tp.stop_gradient(x))))(X), X)
    nested = tp.grad(lambda tree: np.sum(tree['a'] * tp.stop_gradient(tree)['a'] * tp.stop_gradient((tree['b'], 'name'))[0]))
    same(mode(nested)({'a': X, 'b': 2.0}), {'a': 2.0 * X, 'b': 0.0})
    same(tp.grad(tp.grad(lambda x: x * x * tp.stop_gradient(x)))(3.0), 6.0)


def test_captured_values():
    scale = np.array([1.0, 2.0, 3.0])

    @tp.custom_vjp
    def scaled(x):
        return scale * x
    scaled.defvjp(lambda x: (scaled(x), None), lambda _, bar: (factor * bar,))
    factor = 2.0
    gradient = tp.grad(lambda x: np.sum(scaled(x) * scaled(x)))
    same(gradient(X), 4.0 * scale * X)
    scale, factor = 2.0 * scale, 1.0
    same(gradient(X), 2.0 * scale * X)


def test_a_rule_may_change_the_cotangent_it_is_given(mode):
    @tp.custom_vjp
    def masked(x):
        return 2.0 * x

    def masked_bwd(x, bar):
        bar[x < 0.0] = 0.0
        x *= 0.0
        return (bar + x,)
    masked.defvjp(lambda x: (2.0 * x, x), masked_bwd)
    same(mode(tp.grad(lambda x: np.sum(masked(x) * x)))(X), 2.0 * X + np.where(X < 0.0, 0.0, X))


def test_without_a_derivative_it_is_called():
    source = tp.jit(norm).lower(X).source
    assert 'np.sqrt(np.sum(x * x))' in source
    assert 'length == 0' not in source


def refused(function, *args, match, error=NotDifferentiable):
    with pytest.raises(error, match=match) as caught:
        tp.grad(function)(*args)
    return str(caught.value)


def with_rule(forward, backward):
    @tp.custom_vjp
    def scaled(x, y):
        return x * y
    scaled.defvjp(forward, backward)
    return lambda x: np.sum(scaled(x, 2.0))


def test_rules_that_do_not_fit():
    good = lambda x, y: (x * y, y)
    message = refused(with_rule(good, lambda y, bar: (bar * y,)), X, match='a cotangent, or None, for each of `x`, `y`')
    assert 'test_custom_rules.py' in message and 'lambda y, bar: (bar * y,)' in message
    refused(with_rule(good, lambda y, bar: bar * y), X, match='it gives float64')
    refused(with_rule(good, lambda y, bar: (np.sum(bar), None)), X, match='the cotangent of `x` is float64')
    refused(with_rule(good, lambda y, bar: ((bar, bar), None)), X, match='the cotangent of `x` is a tuple')
    refused(with_rule(good, lambda bar: (bar, None)), X, match='takes 1 positional arguments', error=TranspileError)
    refused(with_rule(lambda x, y: x * y, lambda y, bar: (bar, None)), X, match='its result, and what the backward rule needs')
    refused(with_rule(lambda x, y: (np.sum(x), y), lambda y, bar: (bar, None)), X, match='the result that it gives')
    assert tp.jit(with_rule(good, lambda y, bar: (bar * y,)))(X) == 2.0 * np.sum(X)


def test_no_rule():
    refused(tp.custom_vjp(lambda x: x * x), 2.0, match='has no rule yet')
    refused(tp.custom_jvp(lambda x: x * x), 2.0, match='has no rule yet')


def test_what_a_rule_does_not_know():
    @tp.custom_vjp
    def plain(f, x):
        return f(x)
    applied = tp.custom_vjp(plain.function, nondiff_argnums=(0,))
    applied.defvjp(lambda f, x: (f(x), None), lambda f, _, bar: (bar,))
    refused(lambda w: applied(lambda v: v * w, 3.0), 2.0, match='has no derivative by `w`')
    power = tp.custom_vjp(lambda x, n: x ** n, nondiff_argnums=(1,))
    power.defvjp(lambda x, n: (x ** n, x), lambda n, x, bar: (n * x ** (n - 1) * bar,))
    assert tp.grad(power)(3.0, 2.0) == 6.0
    refused(lambda x: power(2.0, x), 3.0, match='nondiff_argnums')
    assert tp.grad(lambda x: power(x, tp.stop_gradient(x)))(2.0) == 4.0


def test_writes_are_refused():
    @tp.custom_vjp
    def doubled(x):
        x *= 2.0
        return np.sum(x)
    doubled.defvjp(lambda x: (doubled(x), None), lambda _, bar: (bar,))
    refused(doubled, X, match='writes into `x`', error=UnsafeMutation)

    def alias(x):
        y = 2.0 * x
        z = tp.stop_gradient(y)
        z[0] = 5.0
        return np.sum(y * y)
    refused(alias, X, match='share', error=UnsafeMutation)


def test_what_is_no_function_for_a_rule():
    with pytest.raises(TypeError, match='by position'):
        tp.custom_vjp(lambda x, *, y: x)
    with pytest.raises(TypeError, match='plain function'):
        tp.custom_vjp(tp.grad(np.sin))


def test_shapes_that_only_the_run_tells():
    @tp.custom_vjp
    def positive(x):
        return x[x > 0.0]
    positive.defvjp(lambda x: (positive(x), x), lambda x, bar: (bar,))
    gradient = tp.grad(lambda x: np.sum(positive(x)))
    same(gradient(np.abs(X)), np.ones(3))
    with pytest.raises(ValueError, match='the rule of `positive` gives `x` a cotangent of another shape'):
        gradient(X)


def test_checkpoint():
    layer = tp.checkpoint(lambda x: clipped(-1.0, 1.0, np.sin(x)) * norm(x))
    plain = tp.grad(lambda x: np.sum(layer.function(x) * x))
    same(tp.grad(lambda x: np.sum(layer(x) * x))(X), plain(X))


def test_defaults_and_star_arguments():
    @tp.custom_vjp
    def scaled(x, factor=2.0, *rest):
        return x * factor
    scaled.defvjp(
        lambda x, factor=2.0, *rest: (x * factor, (x, factor, len(rest))),
        lambda kept, bar: (bar * kept[1], np.sum(bar * kept[0]), *([None] * kept[2])),
    )
    same(tp.grad(lambda x: np.sum(scaled(x)))(X), 2.0 * np.ones(3))
    same(tp.grad(lambda x, k: np.sum(scaled(x, factor=k)), argnums=1)(X, 3.0), np.sum(X))
    same(tp.grad(lambda x, k: np.sum(scaled(x, k, 1.0, 2)), argnums=1)(X, 3.0), np.sum(X))


def test_both_halves_and_batches():
    value, pullback = tp.vjp(lambda x: clipped(-1.0, 1.0, x) * x, X)
    same((value, pullback(np.full(3, 5.0))), (X * X, (np.clip(5.0 * X, -1.0, 1.0) + 5.0 * X,)))
    batch = np.stack([X, -X, 2.0 * X])
    each = lambda x: 5.0 * np.sum(clipped(-1.0, 1.0, x)) * norm(x)
    same(tp.vmap(tp.grad(each))(batch), np.stack([tp.grad(each)(x) for x in batch]))
    same(tp.grad(lambda batch: np.sum(tp.vmap(each)(batch)))(batch), np.stack([tp.grad(each)(x) for x in batch]))


def test_batches_of_calls_use_the_rule_for_all_examples_at_once():
    """What the examples share gets the sum of their cotangents."""
    params, batch = {'w': W, 'b': X}, np.stack([X, -X, 2.0 * X, X * X])
    gradient = tp.grad(lambda params, batch: np.sum(tp.vmap(lambda x: layer(params, x)['out'])(batch) ** 2), argnums=(0, 1))
    by_hand = tp.grad(lambda params, batch: np.sum(np.tanh(batch @ params['w'].T + params['b']) ** 2), argnums=(0, 1))
    same(gradient(params, batch), by_hand(params, batch))
    assert '\n    for ' not in gradient.source
    slope = 1.0 / (1.0 + np.exp(-batch))
    same(tp.grad(lambda batch: np.sum(tp.vmap(tp.vmap(log1pexp))(batch)))(batch), slope)
    same(tp.jvp(tp.vmap(log1pexp), (X,), (X,)), (np.logaddexp(0.0, X), X / (1.0 + np.exp(-X))))
    shared = lambda y: np.sum(tp.vmap(lambda x, y: product(x * y, y), in_axes=(0, None))(X, y))
    same((tp.grad(shared)(2.0), tp.grad(tp.grad(shared))(2.0)), (4.0 * np.sum(X), 2.0 * np.sum(X)))
    same(tp.hessian(lambda x: np.sum(log1pexp(x)))(X), np.diag(np.exp(-X) / (1.0 + np.exp(-X)) ** 2))


def squared_by(rule):
    f = tp.custom_jvp(lambda x: x * x)
    f.defjvp(rule)
    return f


def by_branch(primals, tangents):
    change = 0.0
    if tangents[0] > 0.0:
        change = 2.0 * primals[0] * tangents[0]
    return primals[0] ** 2, change


def in_a_loop(primals, tangents):
    change = tangents[0]
    for _ in range(3):
        change = change * tangents[0]
    return primals[0] ** 2, change


def in_a_helper(primals, tangents):
    return primals[0] ** 2, product(tangents[0], tangents[0])


def product(a, b):
    return a * b


def by_index(primals, tangents):
    return primals[0] ** 2, np.array([1.0, 2.0])[int(tangents[0])]


def into_an_array(primals, tangents):
    changes = np.ones(2)
    changes[0] = tangents[0]
    return primals[0] ** 2, np.sum(changes)


NOT_LINEAR = [
    (by_branch, 'a branch or loop'), (in_a_loop, '`np.multiply` takes several'), (in_a_helper, '`np.multiply` takes several'),
    (by_index, 'an index'), (into_an_array, 'something is added'),
    (lambda p, t: (p[0] ** 2, t[0] * t[0]), '`np.multiply` takes several'),
    (lambda p, t: (p[0] ** 2, 2.0 * p[0] * t[0] + 1.0), 'something is added'),
    (lambda p, t: (p[0] ** 2, 2.0 * p[0] * t[0] + p[0]), 'something is added'),
    (lambda p, t: (p[0] ** 2, 2.0 * p[0]), 'does not depend on them'),
    (lambda p, t: (p[0] ** 2, 2.0 * p[0] * np.abs(t[0])), '`np.absolute` of a tangent'),
    (lambda p, t: (p[0] ** 2, 2.0 * p[0] / t[0]), '`np.true_divide` of a tangent'),
    (lambda p, t: (p[0] ** 2, t[0] if t[0] > 0.0 else 0.0), 'a branch or loop'),
    (lambda p, t: (p[0] ** 2, np.sign(t[0])), '`np.sign` of a tangent')]


@pytest.mark.parametrize('rule, why', NOT_LINEAR)
def test_rules_that_are_not_linear_in_their_tangents(rule, why):
    f = squared_by(rule)
    assert f(3.0) == 9.0
    for derivative in (lambda: tp.grad(f)(3.0), lambda: tp.jvp(f, (3.0,), (1.0,)), lambda: tp.hessian(f)(3.0)):
        with pytest.raises(NotDifferentiable, match='is not linear in the tangents') as caught:
            derivative()
        assert why in str(caught.value) and 'test_custom_rules.py' in str(caught.value)


def summed_up(primals, tangents):
    change = 0.0
    for _ in range(2):
        change = change + primals[0] * tangents[0]
    return primals[0] ** 2, change


def chosen_by_the_argument(primals, tangents):
    change = 0.0
    if primals[0] > 0.0:
        change = 2.0 * primals[0] * tangents[0]
    return primals[0] ** 2, change


def in_an_array(primals, tangents):
    changes = np.zeros(2)
    changes[0] = primals[0] * tangents[0]
    changes[1] = changes[0]
    return primals[0] ** 2, np.sum(changes)


def through_a_pair(primals, tangents):
    value, change = (lambda a, b: (a * a, 2.0 * a * b))(primals[0], tangents[0])
    return value, change


def on_a_list(primals, tangents):
    parts = []
    for _ in range(2):
        parts.append(primals[0] * tangents[0])
    return primals[0] ** 2, sum(parts)


@pytest.mark.parametrize('rule', [
    summed_up, chosen_by_the_argument, in_an_array, through_a_pair, on_a_list,
    lambda p, t: tp.jvp(lambda x: x * x, p, t), lambda p, t: (p[0] ** 2, tp.grad(lambda x: x * x)(p[0]) * t[0]),
    lambda p, t: (p[0] ** 2, 3.0 * p[0] * t[0] - t[0] * p[0]), lambda p, t: (p[0] ** 2, -(-2.0 * p[0] * t[0]) + 0.0),
    lambda p, t: (p[0] ** 2, np.where(p[0] > 9.0, np.zeros_like(t[0]), 2.0 * p[0] * t[0])),
    lambda p, t: (p[0] ** 2, np.linalg.solve(np.eye(2), np.array([2.0 * p[0] * t[0], 0.0]))[0])])
def test_rules_that_are_linear_in_their_tangents(rule):
    f = squared_by(rule)
    same((tp.grad(f)(3.0), tp.jvp(f, (3.0,), (2.0,))[1], tp.grad(tp.grad(f))(3.0)), (6.0, 12.0, 2.0))
