"""Objects whose classes say what operators, indices, lengths and tests do."""
from typing import NamedTuple

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, -0.4])


class Dual:
    def __init__(self, value, slope=0.0):
        self.__value, self.slope = value, slope

    def __add__(self, other):
        other = self.__of(other)
        return Dual(self.__value + other.__value, self.slope + other.slope)

    def __mul__(self, other):
        other = self.__of(other)
        return Dual(self.__value * other.__value, self.slope * other.__value + self.__value * other.slope)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        if isinstance(other, str):
            return NotImplemented
        return self + -self.__of(other)

    def __iadd__(self, other):
        self.slope += other
        return self

    def __lt__(self, other):
        return self.__value < other.__value

    def __eq__(self, other):
        return self.__value == other.__value

    def __bool__(self):
        return bool(self.slope > 1.0)

    @staticmethod
    def __of(number):
        return number if isinstance(number, Dual) else Dual(number)

    def square(self):
        return self.__value**2 + self.slope


class Stack:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]

    def __setitem__(self, k, value):
        self.items[k] = value

    def __contains__(self, value):
        return any(value == t for t in self.items)


class Plain:
    pass


def arithmetic(x):
    a, b = Dual(x[0], 1.0), Dual(x[1])
    c = 2.0 * a * b + 1.0 - b + x[2] * a
    c += x[1]
    return c.square() + sum([a, b, c]).square()


def comparisons(x):
    a, b = Dual(x[0]), Dual(x[1])
    total = x[0] if a < b else x[1]
    total += x[2] if a != b and not (a > b) else 0.0
    return total * 2.0 if not a and Plain() and not Dual(1.0, 2.0) == Dual(2.0) else total


def containers(x):
    stack, total = Stack(), 0.0
    for t in x:
        stack.items.append(t)
    stack[0] = stack[1] * stack[-1]
    stack[1] *= 3.0
    while stack:
        total += len(stack) * stack.items.pop()**2
    return total + (x[0] if x[1] in stack else x[2])


@pytest.mark.parametrize('f', [arithmetic, comparisons, containers])
def test_derivatives(f, mode):
    check(mode, f, X)


@pytest.mark.parametrize('f', [
    lambda x: Dual(x[0])[0], lambda x: len(Dual(x[0])), lambda x: x * Dual(x), lambda x: [t for t in Stack()][0],
    lambda x: Dual(x[0]) @ Dual(x[1]), lambda x: (Dual(x[0]) - 'a').slope])
def test_refused(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(X)


def test_a_flag_of_numpys_is_not_python_s():
    def until_done(x):
        done, k = False, 0
        while done is False:
            k += 1
            done = k > 3
        return x[0] * k
    np.testing.assert_allclose(tp.grad(until_done)(X), [4.0, 0.0, 0.0])
    with pytest.raises(tp.TranspileError, match='a flag of NumPy'):
        tp.grad(lambda x: x[0] if (x[0] > 0) is True else x[1])(X)


class Doubled:
    def __init__(self, x):
        self.__x, self.__a__x = x, 3.0

    def total(self):
        return self.__x * self.__a__x


class Lengthless:
    __bool__ = bool
    __len__ = staticmethod(lambda: 0)


def test_private_names_that_end_alike(mode):
    check(mode, lambda x: Doubled(x[0]).total(), X)


def test_special_methods_that_are_no_functions_with_source_are_refused():
    with pytest.raises(tp.TranspileError, match='no function with source'):
        tp.grad(lambda x: x[0] if Lengthless() else x[1])(X)


class Vector(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5

    def __lt__(self, other):
        return abs(self) < abs(other)


class Odd(NamedTuple):
    x: float

    def __len__(self):
        return 7

    def __getitem__(self, i):
        return 10.0 * i

    def __iter__(self):
        yield 5.0
        yield self.x


class Net:
    def __init__(self, n):
        self.layers = [np.full((2, 2), 0.1 * (k + 1)) for k in range(n)]

    def __iter__(self):
        return iter(self.layers)


def vectors(x):
    a, b = Vector(x[0], 1.0), Vector(x[1], x[0] * x[1])
    c = -(a + b * 2.0 + 3.0 * a)
    first, second = c * 2.0 if a < b else c
    total = sum([a, b], Vector(0.0, 0.0))
    return abs(c) + first * second + total.x * total[1] + len(a)


def odd(x):
    a, b = Odd(x[0])
    total = 0.0
    for t in Odd(x[1]):
        total = total + t * t
    return x[0] * (a + b) + total + len(Odd(x[2])) * x[2] + Odd(1.0)[2] * x[1]


def layers(x):
    y = x[:2]
    for w in Net(3):
        y = np.tanh(w @ y)
    first, second = Net(2)
    return np.sum(y) + np.sum(first @ second @ x[1:]) + sum([np.sum(w) for w in Net(2)])


@pytest.mark.parametrize('f', [vectors, odd, layers])
def test_named_tuples_and_what_is_looped_over(mode, f):
    check(mode, f, X)


class Full:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value > 0


class Sized:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


TRUTHS = {
    'flag': lambda x: x[0] * bool(Full(float(x[0]))),
    'length': lambda x: x[0] * bool(Sized(x.size)) * bool(Sized(3)),
    "NumPy's flag": lambda x: x[0] * bool(Full(x[0])),
    'known': lambda x: x[0] if Full(np.float64(3)) else x[1],
    'beside': lambda x: Full(x[0]) and x[1],
    'float': lambda x: x[0] * bool(Sized(2.0)),
}


@pytest.mark.parametrize('f', TRUTHS.values(), ids=TRUTHS)
def test_a_truth_is_a_flag_of_pythons_and_a_length_an_integer(f):
    def answer(function):
        try:
            return function(np.array([1.5, 2.0]))
        except TypeError as error:
            return str(error)

    assert answer(tp.jit(f)) == answer(f) and answer(lambda x: tp.jvp(f)(x, x_dot=x)[0]) == answer(f)
