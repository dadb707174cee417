"""Which arguments are differentiated, and every way of passing them."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X, Y = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0])


def energy(x, y, scale=2.0):
    return np.sum(x * x * y) * scale


def keyword_only(x, *, power=2, weight=1.5):
    return np.sum(x ** power) * weight


def positional_only(x, y, /, z=1.0):
    return np.sum(x * y) * z


def with_aux(x, y):
    return np.sum(x * y), {'sum': x + y, 'first': (x[0], 3)}


@pytest.mark.parametrize('argnums', [0, 1, 2, -1, -3])
def test_one(mode, argnums):
    parts = (4 * X * Y, 2 * X * X, np.sum(X * X * Y))
    same(mode(tp.grad(energy, argnums=argnums))(X, Y, 2.0), parts[argnums])


@pytest.mark.parametrize('argnums', [(0,), (0, 1), (1, 0), (2, 0, 1), (-1, 0), [0, 2]])
def test_several(mode, argnums):
    parts = (4 * X * Y, 2 * X * X, np.sum(X * X * Y))
    gradients = mode(tp.grad(energy, argnums=argnums))(X, Y, 2.0)
    assert isinstance(gradients, tuple)
    same(gradients, tuple(parts[k] for k in argnums))


def test_value_and_grad(mode):
    value, gradient = mode(tp.value_and_grad(energy))(X, Y)
    same(value, energy(X, Y))
    same(gradient, 4 * X * Y)
    value, gradients = mode(tp.value_and_grad(energy, argnums=(1, 0)))(X, Y)
    same(gradients, (2 * X * X, 4 * X * Y))


def test_aux(mode):
    gradient, aux = mode(tp.grad(with_aux, has_aux=True))(X, Y)
    same(gradient, Y)
    same(aux, {'sum': X + Y, 'first': (1.0, 3)})
    (value, aux), (x_bar, y_bar) = mode(tp.value_and_grad(with_aux, argnums=(0, 1), has_aux=True))(X, Y)
    same((value, x_bar, y_bar), (np.sum(X * Y), Y, X))
    same(aux, {'sum': X + Y, 'first': (1.0, 3)})


def test_aux_must_be_a_pair(mode):
    with pytest.raises(TypeError):
        mode(tp.grad(energy, has_aux=True))(X, Y)


def test_by_keyword(mode):
    gradient = mode(tp.grad(energy))
    same(gradient(x=X, y=Y), 4 * X * Y)
    same(gradient(y=Y, x=X, scale=1.0), 2 * X * Y)
    same(gradient(X, scale=3.0, y=Y), 6 * X * Y)


def test_defaults(mode):
    gradient = mode(tp.grad(energy))
    same(gradient(X, Y), 4 * X * Y)
    same(gradient(X, Y, 1.0), 2 * X * Y)
    same(gradient(X, Y), 4 * X * Y)
    same(mode(tp.grad(energy, argnums=2))(X, Y), np.sum(X * X * Y))


def test_keyword_only(mode):
    gradient = mode(tp.grad(keyword_only))
    same(gradient(X), 3.0 * X)
    same(gradient(X, power=3), 4.5 * X * X)
    same(gradient(X, weight=1.0, power=1), np.ones(3))


def test_positional_only(mode):
    same(mode(tp.grad(positional_only))(X, Y, z=2.0), 2 * Y)
    with pytest.raises(TypeError):
        mode(tp.grad(positional_only))(X, y=Y)


@pytest.mark.parametrize('args, keywords', [
    ((), {}), ((X,), {}), ((X, Y, 1.0, 2.0), {}), ((X, Y), {'x': X}), ((X, Y), {'other': 1})])
def test_wrong_calls(mode, args, keywords):
    with pytest.raises(TypeError):
        mode(tp.grad(energy))(*args, **keywords)


@pytest.mark.parametrize('argnums', [3, -4, (0, 5), 'x', 1.0])
def test_wrong_argnums(argnums):
    with pytest.raises((TypeError, ValueError, IndexError)):
        tp.grad(energy, argnums=argnums)(X, Y, 2.0)


def test_the_callers_arrays_are_untouched(mode):
    x, y = X.copy(), Y.copy()

    def writes(x, y):
        x *= y
        y[0] = 0.0
        return np.sum(x * y)
    mode(tp.grad(writes, argnums=(0, 1)))(x, y)
    same((x, y), (X, Y), rtol=0, atol=0)


def test_gradients_are_fresh_arrays(mode):
    gradient = mode(tp.grad(energy, argnums=(0, 1)))
    first = gradient(X, Y)
    kept = [part.copy() for part in first]
    gradient(2 * X, 3 * Y)
    same(list(first), kept, rtol=0, atol=0)


def signed(x, negative):
    return -x * x if negative else x * x


def test_flags(mode):
    gradient = mode(tp.grad(signed))
    same((gradient(2.0, True), gradient(2.0, False)), (-4.0, 4.0))


def test_jit_static_arguments():
    for static in ({'static_argnums': (1,)}, {'static_argnums': 1}, {'static_argnames': 'negative'},
                   {'static_argnames': ('negative',)}, {}):
        compiled = tp.jit(signed, **static)
        assert (compiled(2.0, True), compiled(2.0, False)) == (-4.0, 4.0)


def with_none_and_text(x, mask=None, kind='sum'):
    if mask is not None:
        x = x * mask
    if kind == 'sum':
        return np.sum(x * x)
    return np.mean(x * x)


def test_none_and_text(mode):
    gradient = mode(tp.grad(with_none_and_text))
    same(gradient(X), 2 * X)
    same(gradient(X, Y), 2 * X * Y * Y)
    same(gradient(X, None, 'mean'), 2 * X / 3)
    same(gradient(X, kind='mean', mask=Y), 2 * X * Y * Y / 3)


@pytest.mark.parametrize('make', [list, tuple])
def test_lists_are_pytrees_not_arrays(mode, make):
    def loss(x):
        return x[0] * x[1] + x[2] ** 2
    same(mode(tp.grad(loss))(make([1.0, 2.0, 3.0])), make([2.0, 1.0, 6.0]))


def test_memory_layouts(mode):
    def loss(a):
        return np.sum(a * a * np.array([[1.0, 2.0], [3.0, 4.0]]))
    a = np.arange(16.0).reshape(4, 4)
    weights = np.array([[1.0, 2.0], [3.0, 4.0]])
    gradient = mode(tp.grad(loss))
    for view in (a[:2, :2], a[::2, ::2], a[:2, :2].T, np.asfortranarray(a[:2, :2]), a[::-2, ::-3]):
        same(gradient(view), 2 * view * weights)


def test_read_only_arrays(mode):
    x = X.copy()
    x.flags.writeable = False
    same(mode(tp.grad(keyword_only))(x), 3.0 * X)
