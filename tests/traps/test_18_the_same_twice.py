"""Trap 18: the same object in two places, and one function used at different types."""
import numpy as np

import transpiler as tp
from tests.support import check, same

SHARED = np.array([1.0, -2.0, 0.5])


def skewed(x, y):
    return np.sum(x * x * y + 2.0 * y)


def captured_and_passed(x):
    return np.sum(x * SHARED * SHARED)


def scaled(value, factor=3.0):
    return value * value * factor


def scalar_and_array(x):
    return scaled(np.sum(x)) + np.sum(scaled(x)) + np.sum(scaled(x, x)) + scaled(2)


def twice_nested(x):
    return np.sum(scaled(scaled(x), x)) * scaled(x[0])


def grows(x, n):
    if n > 0:
        x = x * 2.0
    return x


def static_and_dynamic(x, n):
    return np.sum(grows(x, 0) + grows(x, 3) * grows(x, n))


def apply_twice(g, x):
    return g(g(x))


def functions_as_arguments(x):
    return np.sum(apply_twice(np.sin, x) + apply_twice(lambda v: v * v, x) + apply_twice(scaled, x))


def pair(params):
    return np.sum(params['a'] * params['b'] * params['b'])


def test_the_same_array_as_two_arguments(mode):
    x = SHARED.copy()
    same(mode(tp.grad(skewed, argnums=(0, 1)))(x, x), (2 * x * x, x * x + 2.0))
    same(mode(tp.grad(skewed))(x, x), 2 * x * x)


def test_the_same_array_twice_in_a_pytree(mode):
    x = SHARED.copy()
    same(mode(tp.grad(pair))({'a': x, 'b': x}), {'a': x * x, 'b': 2 * x * x})


def test_passed_and_captured(mode):
    """Only the argument is differentiated, though the captured array is the same object."""
    same(mode(tp.grad(captured_and_passed))(SHARED), SHARED * SHARED)


def test_a_closure_over_the_argument(mode):
    def outer(x):
        def inner(y):
            return np.sum(x * y * y)
        return inner(x) + inner(2.0 * x)
    check(mode, outer, SHARED.copy(), order=2)


def test_a_helper_at_several_types(mode):
    check(mode, scalar_and_array, SHARED.copy(), order=2)


def test_a_helper_within_itself(mode):
    check(mode, twice_nested, SHARED.copy())


def test_a_helper_with_static_and_dynamic_arguments(mode):
    for n in (0, 2):
        check(mode, static_and_dynamic, SHARED.copy(), n)


def test_functions_as_arguments(mode):
    check(mode, functions_as_arguments, SHARED.copy())


def test_one_gradient_at_several_types(mode):
    gradient = mode(tp.grad(scaled))
    same(gradient(2.0), 12.0)
    assert np.asarray(gradient(np.float32(2.0))).dtype == np.float32
    same(gradient(np.array(2.0)), np.array(12.0))
    same(gradient(2.0, 1.0), 4.0)


def test_the_same_gradient_used_twice(mode):
    def both(x):
        slope = tp.grad(scaled)
        return slope(x) * slope(2.0 * x, 1.0)
    same(mode(tp.grad(both))(1.5), 6 * 1.5 * 4 + 6 * 1.5 * 4)
