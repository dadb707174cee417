"""`math` computes in double precision whatever it is given: NumPy's numbers of fewer bits are made Python's first."""
import math

import numpy as np
import pytest

import transpiler as tp

DTYPES = ('float32', 'float16', 'int8', 'int16', 'int32', 'uint8', 'bool', 'float64')


def of_one(a):
    total = math.sqrt(a[0]) + math.exp(a[0]) + math.sin(a[0]) * math.tanh(a[0]) + math.log1p(a[0]) + math.erf(a[0])
    return total + math.degrees(a[0]) + math.fabs(a[0]) + math.lgamma(a[0]) + math.log(a[0] + 2.5, a[1] + 2.5)


def of_two(a):
    total = math.hypot(a[0], a[1]) + math.atan2(a[0], a[1]) + math.pow(a[0], a[1]) + math.copysign(a[0], a[1])
    return total + math.fmod(a[0], a[1]) + math.dist([a[0], a[0]], [a[1], a[1] * a[1]]) + math.isclose(a[0], a[1])


def gate(x):
    return 1 / (1 + math.exp(-x))


def in_a_loop(a):
    total = 0
    for value in a:
        total += math.sqrt(total) + math.cos(value)
    return total


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('f', [of_one, of_two, in_a_loop])
def test_math_computes_in_double_precision(f, dtype):
    a = np.array([5, 3]).astype(dtype)
    expected = f(a)
    found, = tp.vmap(f)(a[None])
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    scaled = tp.value_and_grad(lambda x, a: x * f(a))(1.0, a)
    assert type(scaled[0]) is float
    np.testing.assert_allclose(scaled, (expected, expected), rtol=1e-14)
    if a.dtype.kind == 'f':
        gradient = tp.grad(f)(a)
        assert gradient.dtype == a.dtype
        np.testing.assert_allclose(gradient, tp.grad(f)(a.astype(float)).astype(dtype), rtol=2e-3 if dtype == 'float16' else 1e-6)


@pytest.mark.parametrize('dtype', ['float32', 'uint8', 'bool'])
def test_compiled(dtype):
    a = np.array([5, 3]).astype(dtype)
    for f in (of_one, of_two):
        np.testing.assert_allclose(tp.jit(f)(a), f(a), rtol=1e-14)


def test_what_single_precision_cannot_hold(mode):
    x = np.float32(-90)
    assert mode(gate)(x) == gate(x) > 0
    value, slope = mode(tp.value_and_grad(gate))(x)
    assert value == gate(x) and isinstance(slope, np.float32) and slope > 0


def test_double_precision_is_not_converted():
    differentiated = tp.value_and_grad(gate)
    differentiated(-0.5)
    assert 'float(x)' not in differentiated.source
