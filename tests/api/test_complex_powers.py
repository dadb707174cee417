"""Powers of negative floats of Python's are complex: derivatives and batches refuse them by their place."""

import numpy as np
import pytest

import transpiler as tp
from transpiler.errors import UnsupportedFunction

X = np.array([-8.0, 2.0])


def root(a):
    return a ** (1 / 3)


def size_of_root(a):
    return abs(a ** (1 / 3))


def of_item(x):
    return abs(float(x[0]) ** x[1].item())


@pytest.mark.parametrize('call', [
    lambda: tp.jvp(root, (-8.0,), (1.0,)),
    lambda: tp.value_and_grad(root)(-8.0),
    lambda: tp.grad(size_of_root)(-8.0),
    lambda: tp.vmap(of_item)(np.array([[-8.0, 1.5], [2.0, 1.5]])),
    lambda: tp.grad(lambda a, b: a**b)(-8.0, 1.5),
], ids=['result', 'value', 'compared', 'batch', 'gradient'])
def test_a_power_that_turns_out_complex(call):
    with pytest.raises(UnsupportedFunction, match=r'powers.py:\d+:\d+: a power of a negative float is complex') as error:
        call()
    assert 'np.power' in error.value.instead


def test_powers_that_are_real():
    assert np.isclose(tp.grad(size_of_root)(8.0), 1 / 12)
    assert np.isnan(tp.jvp(root, (np.float64(-8.0),), (np.float64(1.0),))[0])
    assert np.isnan(tp.value_and_grad(lambda a: np.power(a, 1 / 3))(-8.0)[0])
    assert tp.grad(lambda a, b: a**b)(-8.0, 2.0) == -16.0


def test_a_program_of_complex_numbers():
    value, tangent = tp.jvp(lambda a: abs(complex(a) ** (1 / 3)), (-8.0,), (1.0,))
    assert np.isclose(value, 2.0) and np.isclose(tangent, -1 / 12)
