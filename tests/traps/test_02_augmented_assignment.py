"""Trap 2: `y += z` writes into an array that `y` shares with others, and rebinds a number."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same


def added_to_an_alias(x, z):
    y = x
    y += z
    return np.sum(x * y)


def added_to_a_result(x, z):
    y = x * 2.0
    w = y
    w *= z
    return np.sum(y * x)


def added_to_a_slice(x, z):
    y = x * 1.0
    y[1:] *= z[1:]
    y[0] += z[0] * z[0]
    y[::2] -= x[::2]
    return np.sum(y * y)


def every_operator(x, z):
    y = x * 1.0
    y += z
    y *= x
    y -= 0.5 * z
    y /= z
    y **= 2
    return np.sum(y)


def in_a_loop(x, z):
    y = x
    for _ in range(3):
        y *= z
    return np.sum(x)


def helper(y, z):
    y += z
    return y


def in_a_helper(x, z):
    y = helper(x, z)
    return np.sum(x * y)


@pytest.mark.parametrize('z', [3.0, 0.5])
def test_a_number_is_rebound(mode, z):
    """(x + z) * x, not (x + z) ** 2."""
    same(mode(tp.value_and_grad(added_to_an_alias, argnums=(0, 1)))(2.0, z), ((2.0 + z) * 2.0, (4.0 + z, 2.0)))


def test_an_array_is_written(mode):
    """(x + z) ** 2, and the caller's x is as before."""
    x, z = np.array([1.0, 2.0]), np.array([0.5, -1.0])
    value, (x_bar, z_bar) = mode(tp.value_and_grad(added_to_an_alias, argnums=(0, 1)))(x, z)
    same(value, np.sum((x + z) ** 2))
    same((x_bar, z_bar), (2 * (x + z), 2 * (x + z)))
    same(x, np.array([1.0, 2.0]))


def test_a_one_element_array_is_written(mode):
    same(mode(tp.grad(added_to_an_alias))(np.array([2.0]), np.array([3.0])), np.array([10.0]))


@pytest.mark.parametrize('f', [added_to_an_alias, added_to_a_result, every_operator, in_a_loop, in_a_helper])
@pytest.mark.parametrize('kind', ['numbers', 'arrays'])
def test_derivatives(mode, f, kind):
    args = (1.3, 0.7) if kind == 'numbers' else (np.array([1.3, -0.4, 2.0]), np.array([0.7, 1.5, -1.1]))
    check(mode, f, *args, argnums=(0, 1))


@pytest.mark.parametrize('f', [added_to_an_alias, added_to_a_slice, every_operator])
def test_second_derivatives(mode, f):
    check(mode, f, np.array([1.3, -0.4, 2.0]), np.array([0.7, 1.5, -1.1]), argnums=(0, 1), order=2)


def test_one_transformed_function_serves_both(mode):
    gradient = mode(tp.grad(added_to_an_alias))
    same(gradient(2.0, 3.0), 7.0)
    same(gradient(np.array([2.0]), np.array([3.0])), np.array([10.0]))
    same(gradient(2.0, 3.0), 7.0)


def written(x, z):
    y = x
    y += z
    return x + y


def test_jit_keeps_the_effect_on_an_array_and_none_on_a_number():
    x = np.array([1.0, 2.0])
    same(tp.jit(written)(x, np.array([1.0, 1.0])), np.array([4.0, 6.0]))
    same(x, np.array([2.0, 3.0]))
    same(tp.jit(written)(2.0, 3.0), 7.0)
