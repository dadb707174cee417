"""Transformations as decorators, and what the transformed function still says of itself."""
import functools
import inspect

import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same


@tp.grad
def plain(x, y=2.0):
    """The slope of a product."""
    return np.sum(x * x * y)


@tp.grad(argnums=(0, 1))
def of_two(x, y):
    return x * x * y


@tp.value_and_grad
def with_value(x):
    return x ** 3


@tp.value_and_grad(argnums=1, has_aux=True)
def with_aux(x, y):
    return x * y * y, x + y


@tp.jit
def compiled(x):
    """Doubles."""
    return x * 2.0


@tp.jit(static_argnums=(1,))
def compiled_with_static(x, n):
    return x ** n


@tp.jit
@tp.grad
def stacked(x):
    return x ** 4


@tp.grad
@tp.jit
def stacked_inside_out(x):
    return x ** 4


@tp.jit
@tp.value_and_grad(argnums=(0,))
def stacked_with_arguments(x):
    return x ** 4


def test_results():
    same(plain(3.0), 12.0)
    same(of_two(3.0, 2.0), (12.0, 9.0))
    same(with_value(2.0), (8.0, 12.0))
    same(with_aux(2.0, 3.0), ((18.0, 5.0), 12.0))
    same(compiled(np.ones(2)), np.full(2, 2.0))
    same(compiled_with_static(3.0, 2), 9.0)
    same(stacked(2.0), 32.0)
    same(stacked_inside_out(2.0), 32.0)
    same(stacked_with_arguments(2.0), (16.0, (32.0,)))


def test_inside_a_function(mode):
    @tp.grad
    def slope(x):
        return x * x * x
    same(mode(slope)(2.0), 12.0)
    same(mode(tp.grad(slope))(2.0), 12.0)


@pytest.mark.parametrize('function, name', [(plain, 'plain'), (of_two, 'of_two'), (compiled, 'compiled'), (stacked, 'stacked'),
                                            (compiled_with_static, 'compiled_with_static')])
def test_name(function, name):
    assert function.__name__ == name and callable(function)


def test_documentation_and_signature():
    assert plain.__doc__ == 'The slope of a product.' and compiled.__doc__ == 'Doubles.'
    assert list(inspect.signature(plain).parameters) == ['x', 'y']
    assert inspect.signature(plain).parameters['y'].default == 2.0
    assert inspect.signature(stacked) == inspect.signature(stacked_inside_out)
    assert plain.__module__ == __name__


def test_wrapped_is_the_users_function():
    def f(x):
        return x * x
    assert tp.grad(f).__wrapped__ is f
    assert inspect.unwrap(tp.jit(tp.grad(f))) is f
    assert f(3.0) == 9.0


@pytest.mark.parametrize('transform', [tp.grad, tp.value_and_grad, tp.jit])
def test_not_a_function(transform):
    with pytest.raises(TypeError):
        transform(3)


def test_a_library_function_is_a_function(mode):
    np.testing.assert_allclose(mode(tp.grad(np.sin))(0.5), np.cos(0.5))


def test_methods_of_numpy_scalars_and_results(mode):
    same(mode(tp.grad(lambda x: (x * x).sum()))(np.array([1.0, 2.0])), np.array([2.0, 4.0]))


def scaled(a, x):
    return np.sum(a * x ** 2)


class Model:
    def __call__(self, x):
        return np.sum(3 * x ** 2)


def of_partials(x):
    doubled = functools.partial(scaled, 2.0)
    held = functools.partial(lambda a, b: np.sum(a * b), x)
    return np.sum(tp.grad(doubled)(x) ** 2) + np.sum(tp.grad(held)(x) * x) + tp.jvp(Model(), (x,), (x,))[1]


def of_library_functions(x):
    square = np.outer(x, x) + np.eye(3)
    return (np.sum(tp.vmap(np.dot)(square, square)) + tp.grad(np.sin)(x[0]) + np.sum(tp.jacfwd(np.linalg.inv)(square))
            + tp.vjp(np.exp, x)[1](x)[0][1] + np.sum(tp.vmap(np.linalg.norm)(square)))


def of_methods(x):
    z = x.copy()
    total, pullback = tp.vjp(z.dot, x)
    z[0] = 7.0      # the pullback is that of the method as it was
    return total * pullback(x[1])[0][0] + np.sum(tp.vmap(x.take)(np.array([0, 2])) * z[0])


@pytest.mark.parametrize('f', [of_partials, of_library_functions, of_methods])
def test_callables_inside_of_programs(mode, f):
    check(mode, f, np.array([0.5, 1.5, -0.7]))


@pytest.mark.parametrize('f', [functools.partial(scaled, 3.0), Model()])
def test_partials_and_objects_that_are_called(mode, f):
    x = np.array([1.0, 2.0])
    same(mode(tp.grad(f))(x), 6 * x)
    same(mode(tp.vmap(f))(x[:, None]), 3 * x ** 2)
    same(tp.grad(functools.partial(scaled, x=x))(3.0), 5.0)


def doubling(f):
    @functools.wraps(f)
    def wrapped(*args, **keywords):
        return 2 * f(*args, **keywords)
    return wrapped


@tp.custom_jvp
def seven(x):
    return x ** 2


seven.defjvp(lambda primals, tangents: (seven(*primals), 7 * tangents[0]))


@pytest.mark.parametrize(('f', 'expected'), [
    (tp.grad(lambda x: x ** 2), 4.0), (tp.jit(lambda x: x ** 2), 12.0), (seven, 14.0), (tp.checkpoint(lambda x: x ** 2), 12.0)])
def test_wrappers_of_what_is_transformed_already(f, expected):
    wrapped = doubling(f)
    assert tp.grad(wrapped)(3.0) == expected
    assert tp.jit(lambda x: tp.grad(wrapped)(x) * x)(3.0) == 3 * expected


def test_the_stopped_gradient_transformed_itself():
    x = np.array([1.0, 2.0])
    same(tp.grad(lambda a: np.sum(tp.vmap(tp.stop_gradient)(a) * a))(x), x)
    same(tp.grad(lambda a: np.sum(tp.checkpoint(tp.stop_gradient)(a) * a))(x), x)
    assert tp.grad(tp.stop_gradient)(2.0) == 0.0 and tp.jvp(tp.stop_gradient, (2.0,), (1.0,)) == (2.0, 0.0)


def test_partials_that_differ_in_how_they_take_their_arguments(mode):
    def by_position(a, x, k=2.0):
        return np.sum(a * x ** 2) * k

    def by_name(a, x, *, k=2.0):
        return np.sum(a * x) * k
    by_position.__name__ = by_name.__name__ = 'weighted'
    x, first, second = np.array([1.0, 2.0]), functools.partial(by_position, 3.0), functools.partial(by_name, 3.0)
    derivatives = [mode(tp.grad(f)) for f in (first, second)]
    for _ in range(2):
        same(derivatives[0](x), 12.0 * x)
        same(derivatives[1](x, k=1.0), np.full(2, 3.0))
    assert 'weighted(x, k=None)' in derivatives[0].source and 'weighted(x, *, k=None)' in derivatives[1].source
