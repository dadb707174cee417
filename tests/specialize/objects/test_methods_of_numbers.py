"""What Python has for numbers, classes and objects by other means: methods of integers, numbers of texts, members, `setattr`."""
import enum

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([1.5, 2.25, -3.75])


class Weight(enum.Enum):
    LIGHT = 2
    HEAVY = 5


class Box:
    def __init__(self, value):
        setattr(self, 'value', value)  # noqa: B010


def bits(x):
    total = (7).bit_count() * x[0] * len(x).bit_length()
    for i in range(len(x)):
        total += (i * i).bit_length() * x[i] ** 2 + i.bit_count() * x[i]
    return total


def of_texts(x):
    return x[0] * int('3') + float('2.5') * x[1] ** 2 + int('11', 2) * x[2]


def members(x):
    total = sum(weight.value for weight in Weight) * x[0]
    for k, weight in enumerate(Weight):
        total += weight.value * x[k] ** 2
    return total * len(list(Weight))


def set_by_name(x):
    box = Box(x[0])
    for v in x:
        setattr(box, 'value', box.value * v)  # noqa: B010
    return box.value


@pytest.mark.parametrize('f', [bits, of_texts, members, set_by_name])
def test_values_and_derivatives(mode, f):
    check(mode, f, X)


@pytest.mark.parametrize('name', ['bit_length', 'bit_count', 'is_integer'])
def test_of_integers_that_run_time_knows(name):
    n = np.array([0, 1, 2, 3, 4, 255, 256, -1, -8, 2**62])
    method = (lambda v: int(v).bit_length()) if name == 'bit_length' else lambda v: int(v).bit_count()
    if name == 'is_integer':
        n, method = np.array([0.0, -2.0, 2.5, np.inf, np.nan, 1e300]), lambda v: float(v).is_integer()
    assert tp.vmap(method)(n).tolist() == [method(v) for v in n]


def test_what_has_no_bits():
    with pytest.raises((AttributeError, tp.TranspileError)):
        tp.grad(lambda x: x[0] * float(x[1]).bit_length())(X)
    with pytest.raises(ValueError, match='invalid literal'):
        tp.grad(lambda x: x[0] * int('three'))(X)
