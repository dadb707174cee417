"""Classes that say themselves what reading and writing an attribute does: `__getattr__`, `__setattr__`, frozen dataclasses."""
import dataclasses

import numpy as np
import pytest

import transpiler as tp


class Asked:
    def __init__(self, k):
        self.k = k

    def __getattr__(self, name):
        if name == 'double':
            return self.k * 2.0
        raise AttributeError(name)


class Doubling:
    def __init__(self, k):
        self.k = k

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2.0)


class Halving:
    def __init__(self, k):
        self.k = k

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 0.5)


class Counting:
    def __init__(self, k):
        self.count = 0
        self.k = k

    def __setattr__(self, name, value):
        if name == 'k':
            super().__setattr__('count', self.count + 1)
        super().__setattr__(name, value)


class ByName:
    def __init__(self, **parts):
        self.parts = dict(parts)

    def __getattr__(self, name):
        return self.parts[name]


@dataclasses.dataclass(frozen=True)
class Squared:
    k: float

    def __post_init__(self):
        object.__setattr__(self, 'square', self.k * self.k)


def of_attributes(x):
    asked, named = Asked(x[0]), ByName(u=x[0], v=x[1])
    return asked.double * asked.k + named.u * named.v + Squared(x[1]).square


def into_attributes(x):
    doubling, halving, counting = Doubling(x[0]), Halving(x[0]), Counting(x[0])
    doubling.k = x[1] * doubling.k
    halving.k = x[1] * halving.k
    counting.k = x[1] * counting.k
    return doubling.k + halving.k * counting.k * counting.count


def in_a_loop(x):
    total = 0.0
    for item in x:
        held = Doubling(item)
        held.__setattr__('k', held.k * item)
        total = total + held.k
    return total


@pytest.mark.parametrize('program', [of_attributes, into_attributes, in_a_loop])
def test_what_classes_do_with_attributes(mode, program):
    x = np.array([2.0, 3.0])
    slopes = [(program(x + step) - program(x - step)) / 2e-6 for step in 1e-6 * np.eye(2)]
    value, gradient = mode(tp.value_and_grad(program))(x)
    assert value == program(x) and np.allclose(gradient, slopes, rtol=1e-6)
    assert np.allclose(tp.hessian(program)(x), tp.jacrev(tp.grad(program))(x))


def test_arguments_whose_classes_do_something_with_attributes():
    assert tp.grad(lambda asked: asked.double * asked.k)(Asked(3.0)).k == 12.0
    with pytest.raises(AttributeError, match='triple'):
        tp.grad(lambda x: Asked(x).triple)(1.0)


def test_whether_there_is_an_attribute_is_not_guessed():
    for program in (lambda x: getattr(Asked(x), 'triple', 1.0) * x, lambda x: x if hasattr(Asked(x), 'double') else 2.0 * x):
        with pytest.raises(tp.TranspileError, match='is not known'):
            tp.grad(program)(1.0)


def test_writes_that_a_frozen_class_refuses(mode):
    def changed(x):
        held = Squared(x)
        held.k = 3.0
        return held.k * x

    with pytest.raises(tp.TranspileError, match='a write to the attribute `k` of `Squared` is not supported'):
        mode(tp.grad(changed))(1.0)
