"""Complex constants: text that gives the same bits, zeros with their signs and what is beside infinities too."""
from math import inf, nan

import numpy as np
import pytest

import transpiler as tp

X = np.array([1.25, 2.5, -3.75, 0.5])
PROGRAMS = {
    'minus': lambda x: complex(-1, -0.0) * x,
    'zero': lambda x: (complex(0, -0.0), complex(-0.0, 0.0), complex(-0.0, -0.0), -1j, -(1 + 0j), 2 - 3j),
    'infinite': lambda x: (complex(float('inf'), 0) * 1, complex(float('nan'), -float('inf')), complex(1.0, float('nan'))),
    'array': lambda x: x * np.array([complex(-1, -0.0), 1j, complex(-0.0, 1), 1]),
    'root': lambda x: np.sqrt(complex(-1, -0.0)) * x,
    'single': lambda x: np.complex64(complex(-1, -0.0)) * x[0],
    'chosen': lambda x: np.where(x > 0, complex(-1, -0.0), complex(-0.0, 1)),
}


@pytest.mark.parametrize('f', PROGRAMS.values(), ids=PROGRAMS)
def test_constants_keep_their_bits(mode, f):
    assert repr(mode(tp.jvp(f))(X, x_dot=np.ones(4))[0]) == repr(f(X))


def test_a_variable_may_have_the_name_of_the_class():
    def f(x):
        complex = x * (-1 - 0j)     # noqa: A001
        return complex * -(1 + 0j)

    assert repr(tp.jit(f)(1.5)) == repr(f(1.5))


OF_ONE = {
    'times': lambda x: complex(inf, 0) * 1,
    'times of': lambda x: 1 * complex(x[0], -0.0),
    'divided': lambda x: complex(nan, inf) / 1,
    'plus': lambda x: complex(x[0], -0.0) + -0.0,
    'minus': lambda x: complex(x[0], -0.0) - 0.0,
    'array': lambda x: 1 * (x * complex(-1, -0.0)) + -0.0,
}


@pytest.mark.parametrize('f', OF_ONE.values(), ids=OF_ONE)
def test_ones_and_zeros_of_the_program_are_complex_numbers(mode, f):
    assert repr(mode(tp.jvp(f))(X, x_dot=np.ones(4))[0]) == repr(f(X))
