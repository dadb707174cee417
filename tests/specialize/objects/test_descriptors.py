"""Attributes as Python looks them up, and numbers and keys of classes of the program."""
import enum
import functools
from dataclasses import dataclass

import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError


class NonNegative:
    def __get__(self, owner, kind=None):
        return owner._value

    def __set__(self, owner, value):
        owner._value = max(value, 0.0)


class Clamped:
    value = NonNegative()

    def __init__(self, value):
        self.value = value


class Squared:
    def __init__(self, v):
        self.v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, new):
        self._v = new * new


class Slotted:
    __slots__ = ('v', 'w')

    def __init__(self, v):
        self.v = v


class Wrong:
    __slots__ = ('v',)

    def __init__(self, v):
        self.v = self.u = v


class Derived:
    def __get__(self, owner, kind=None):
        return 3.0 if owner is None else 2 * owner.v


class Holder:
    double = Derived()

    def __init__(self, v):
        self.v = v

    @functools.cached_property
    def cube(self):
        return self.v ** 3


class Counter:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, other):
        self.v = self.v + other
        return self


def clamped(x):
    return Clamped(x[0]).value * 3 + Clamped(-x[1]).value * x[2]


def clamped_in_turns(x):
    c = Clamped(x[0])
    for k in range(20):
        c.value = c.value * 1.1 - x[1] * 0.1
    return c.value + x[2]


def properties_that_set(x):
    c = Squared(x[0])
    c.v = c.v + 1
    c.v += x[1]
    return c.v


def slots(x):
    s = Slotted(x[0])
    first = s.v * 2 if hasattr(s, 'w') else s.v * 3
    second = getattr(s, 'w', x[1])
    s.w = x[2]
    return first * second * (5 if hasattr(s, 'w') else 7) * s.w


def descriptors_that_give(x):
    h = Holder(x[0])
    before = h.double
    h.double = 10 * x[1]
    return before * h.double * Holder.double


def kept_once_read(x):
    h = Holder(x[0])
    before = h.cube
    h.v = 100.0
    return before * h.cube * x[1]


def in_place(x):
    a = Counter(x[0])
    b = a
    a += x[1] * x[1]
    return b.v * a.v


PROGRAMS = [clamped, clamped_in_turns, properties_that_set, slots, descriptors_that_give, kept_once_read, in_place]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_attributes(mode, f):
    check(mode, f, np.array([0.3, 0.7, 1.1]), order=2)


@pytest.mark.parametrize('f', [lambda x: Wrong(x).v, lambda x: Slotted(x).w], ids=['no such slot', 'an empty slot'])
def test_what_python_refuses_is_refused(f):
    with pytest.raises(AttributeError):
        f(1.0)
    with pytest.raises(TranspileError):
        tp.grad(f)(1.0)


def test_slotted_arguments_are_taken_apart(mode):
    @dataclass(slots=True)
    class Spring:
        k: float
        rest: float = 0.5
    slope = mode(tp.grad(lambda s, x: s.k * (x - s.rest) ** 2))(Spring(2.0), 1.5)
    assert isinstance(slope, Spring) and (slope.k, slope.rest) == (1.0, -4.0)


class Kind(enum.IntEnum):
    SQUARE = 2
    CUBE = 3


class Mode(enum.Flag):
    FAST = 1
    SAFE = 2


class Text(str, enum.Enum):
    A = 'a'
    B = 'b'


class Metres(float):
    def doubled(self):
        return 2 * self

    def __rmul__(self, other):
        return other * 100.0

    @property
    def half(self):
        return self / 2


class Count(int):
    pass


def test_members_of_enumerations_are_what_they_are(mode):
    slope = mode(tp.grad(lambda x, kind: x[0] ** kind * (2.0 if kind is Kind.SQUARE else 5.0)))
    assert slope(np.array([3.0]), Kind.SQUARE) == [12.0] and slope(np.array([3.0]), Kind.CUBE) == [135.0]
    slope = mode(tp.grad(lambda x, chosen: x * (2.0 if chosen & Mode.FAST else 3.0) * (5.0 if Mode.SAFE in chosen else 7.0)))
    assert slope(1.0, Mode.FAST) == 14.0 and slope(1.0, Mode.FAST | Mode.SAFE) == 10.0
    kind, table = Kind.SQUARE, {'a': 2.0, Text.B: 5.0}
    assert mode(tp.grad(lambda x: x ** kind + Kind.CUBE * x + (x if Kind.SQUARE < Kind.CUBE else 0.0)))(2.0) == 8.0
    assert mode(tp.grad(lambda x: table[Text.A] * x + table['b'] * x))(1.0) == 7.0


def test_numbers_of_classes_of_the_program(mode):
    length, count = Metres(3.0), Count(3)
    slope = mode(tp.grad(lambda x: x * length + length.doubled() * x + length.half * x + sum([x] * count) + x ** count))
    assert slope(2.0) == 100.0 + 200.0 + 1.5 + 3.0 + 12.0
    value, slope = mode(tp.value_and_grad(lambda m: m * m.doubled() + (1.0 if isinstance(m, Metres) else 2.0)))(Metres(3.0))
    assert (value, slope) == (601.0, 200.0)
    assert mode(tp.value_and_grad(lambda m: m + (1.0 if isinstance(m, Metres) else 2.0)))(3.0) == (5.0, 1.0)
    assert mode(tp.grad(lambda p: p['a'] * p['b'][0]))({'a': Metres(2.0), 'b': (Metres(5.0),)}) == {'a': 5.0, 'b': (2.0,)}


def test_keys_of_dicts_stay_what_they_are(mode):
    point = {Kind.SQUARE: 2.0, Mode.FAST: 3.0, Text.A: 5.0, (1, 'a'): 7.0, float('inf'): 1.0}

    def product(p):
        return p[Kind.SQUARE] * p[Mode.FAST] * p[Text.A] * p[1, 'a'] * p[float('inf')]
    slope = mode(tp.grad(product))(point)
    assert list(map(repr, slope)) == list(map(repr, point)) and slope[Mode.FAST] == 70.0
    slope = mode(tp.grad(lambda p: 3.0 * p[1]))
    assert [[*map(type, slope({key: 2.0}))] for key in (1, True, 1.0)] == [[int], [bool], [float]]


def test_attributes_that_numbers_and_arrays_may_have(mode):
    scaled = lambda x: np.sum(x) * (2.0 if hasattr(x, 'shape') else 3.0) * getattr(x, 'no_such', 5.0)
    assert mode(tp.grad(scaled))(1.0) == 15.0
    assert mode(tp.grad(scaled))(np.ones(2)).tolist() == [10.0, 10.0]
