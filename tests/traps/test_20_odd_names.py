"""Trap 20: the user's names never clash with generated ones, nor with what generated code imports."""
import math
from math import exp as np_exp

import numpy
import numpy as onp
import pytest

import transpiler as tp
from tests.support import check, same


def generated_looking(x):
    x_bar = x * x
    ans = x_bar + 1.0
    ct = onp.sin(ans)
    d = ct * x_bar
    x_dot = d + ct
    np_ = x_dot * ans
    return onp.sum(np_)


def numbered(x):
    x_1 = x * 2.0
    x_2 = x_1 * x
    x = x_2 + x_1
    x_1 = x * x
    x_1_bar = x_1 + x_2
    return onp.sum(x_1_bar)


def numpy_shadowed(x):
    np = x * 2.0
    numpy = onp.sin(np)
    return onp.sum(np * numpy)


def tapes(x):
    x_tape = x
    tape = 1.0
    x_at = x * 3.0
    while x_tape < 9.0:
        tape = tape * x_tape
        x_tape = x_tape * x_tape + x_at
    return x_tape * tape


def shadowed_builtins(x):
    sum = x * 2.0
    max = onp.sum(sum * x)
    len = max * x[0]
    abs = onp.exp(-len)
    return abs * max


def shadowed_range(x):
    total = 0.0
    for i in range(3):
        range_ = x * i
        total = total + range_ * x
    float = total
    return float


def keyword_like(lambda_, self, _, __):
    _x = lambda_ * self
    y_ = _ * __ + _x * _x
    return y_ * self


def α_and_λ(α, λ):
    Δ = α * λ
    return Δ * α


def helper_names(x):
    def x_bar(np):
        return np * np

    def grad(x):
        return x_bar(x) * 2.0

    pullback = grad(x)
    primal = x_bar(pullback)
    return onp.sum(primal)


def imported_names(x):
    return math.sin(x) + np_exp(x) + numpy.cos(x)


def np(x):
    return x * x * 2.0


def uses_a_function_called_np(x):
    return np(x) + onp.sin(np(x))


def grad(x):
    return x * x * x


def same_name_inside(x):
    def same_name_inside(x):
        return x * x
    return same_name_inside(x) * x


def loop_variable_names(x):
    total = 0.0
    for _ in range(2):
        for _ in range(3):
            total = total + x * x
        total = total * x
    return total


X = onp.array([0.7, -1.2, 0.4])


@pytest.mark.parametrize('f', [generated_looking, numbered, numpy_shadowed, shadowed_builtins, helper_names])
def test_arrays(mode, f):
    check(mode, f, X)


@pytest.mark.parametrize('f', [tapes, shadowed_range, imported_names, uses_a_function_called_np, grad, same_name_inside,
                               loop_variable_names])
def test_numbers(mode, f):
    check(mode, f, 1.3)


@pytest.mark.parametrize('f', [numbered, generated_looking])
def test_second_order(mode, f):
    check(mode, f, X, order=2)


def test_second_order_with_a_tape(mode):
    check(mode, tapes, 1.3, order=2)


def test_odd_parameters(mode):
    check(mode, keyword_like, 1.5, 0.5, 2.0, -1.0, argnums=(0, 1, 2, 3))
    check(mode, α_and_λ, 1.5, 0.5, argnums=(0, 1))
    same(mode(tp.grad(keyword_like))(lambda_=1.5, self=0.5, _=2.0, __=-1.0), 2 * 1.5 * 0.5 ** 3)


def test_a_parameter_named_like_its_cotangent(mode):
    def f(x, x_bar, np):
        return onp.sum(x * x_bar * np)
    same(mode(tp.grad(f, argnums=(0, 1, 2)))(X, 2.0, 3.0), (onp.full(3, 6.0), 3 * X.sum(), 2 * X.sum()))
