"""Fingerprints: numbers that are equal for expressions with the same value.

An expression is evaluated in the integers modulo a product of two primes, with numbers for its inputs that are drawn by hashing,
and so are the values of functions. Two polynomials that differ agree there with a probability of about degree / prime (Schwartz
1980, Zippel 1979), below 1e-28 for any program. A minus is a third square root of 1, so that two of them are none, but nothing
cancels: `x + y - y` has no digit of `x` left where `y` is large, and no value where it is infinite.
"""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction

import gast

from transpiler.analyses.memory.effects import memory_reads
from transpiler.core.language import Core
from transpiler.core.query import defined, fields, primitive, reads
from transpiler.values.types import Scalar

P, Q = (1 << 127) - 1, (1 << 107) - 1
MODULUS = P * Q
MINUS = (1 - 2 * P * pow(P, -1, Q)) % MODULUS   # 1 modulo P, -1 modulo Q


def drawn(*what: object) -> int:
    """A number modulo the product that only depends on what it is drawn for."""
    return int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=32).digest(), 'little') % MODULUS


class Fingerprints:
    """The fingerprints of all names at one place in a program.

    values: of names, and of the contents of arrays in `own`, which only single elements are read from and written to; epoch:
    changes with every write into other memory; definitions: what names are given, anywhere

    >>> from transpiler.core.text import expression, parse
    >>> from transpiler.values.types import FLOAT
    >>> found = Fingerprints(parse('return x', types={'x': FLOAT, 'y': FLOAT}))
    >>> mark = lambda text: found.fingerprint(expression(text))
    >>> mark('x * (y + 1)') == mark('x + y * x'), mark('-x * -y') == mark('x * y'), mark('x + y - y') == mark('x')
    (True, True, False)
    """

    def __init__(self, core: Core):
        self.core = core
        self.values: dict[str, int] = {}
        self.epoch = 0
        self.definitions: dict[str, list[gast.stmt]] = {}
        for statement in core.statements:
            if (name := defined(statement)) is not None:
                self.definitions.setdefault(name, []).append(statement)
        made_here = {name for name, given in self.definitions.items() if all(map(_makes_array, given))}
        self.own = made_here - set(core.inputs) - shown_elsewhere(core)

    def fingerprint(self, node: gast.expr) -> int:
        match node:
            case gast.Name(id=name):
                value = self.values.get(name, drawn('given', name))
                return value if isinstance(self.core.types.get(name), Scalar) else drawn('memory', value, self.epoch)
            case gast.Constant(value=int() | float() as value) if value and not isinstance(value, bool) and math.isfinite(value):
                exact = Fraction(abs(value))
                return (1 if value > 0 else MINUS) * exact.numerator * pow(exact.denominator, -1, MODULUS) % MODULUS
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return MINUS * self.fingerprint(operand) % MODULUS
            case gast.BinOp(left=left, op=op, right=right):
                return self.operation(op, left, right)
            case gast.Subscript(value=gast.Name(id=name), slice=index) if name in self.own:
                return drawn('item', self.values[name], self.part(index))
            case gast.Call(func=gast.Name(id='numpy.zeros_like'), args=[gast.Name(id=name)], keywords=[]):
                return drawn('zeros like', self.shape(name))
            case gast.Constant(value=value):
                return drawn('constant', value)
        return drawn(type(node).__name__, self.epoch, [self.part(getattr(node, field)) for field in fields(type(node))])

    def shape(self, name: str) -> str:
        """The first array of the same shape and dtype, as far as arrays were made after one another."""
        match self.definitions.get(name, ()):
            case [gast.Assign(value=gast.Call(func=gast.Name(id='numpy.zeros_like'), args=[gast.Name(id=other)], keywords=[]))]:
                return self.shape(other)
        return name

    def part(self, value: object) -> object:
        """What a field of an operation adds to its fingerprint."""
        if isinstance(value, gast.expr):
            return self.fingerprint(value)
        if isinstance(value, gast.AST):
            return type(value).__name__, [self.part(getattr(value, field)) for field in fields(type(value))]
        return list(map(self.part, value)) if isinstance(value, list) else value

    def operation(self, op: gast.operator, left: gast.expr, right: gast.expr) -> int:
        a, b = self.fingerprint(left), self.fingerprint(right)
        match op:
            case gast.Add():
                return (a + b) % MODULUS
            case gast.Sub():
                return (a + MINUS * b) % MODULUS
            case gast.Mult():
                return a * b % MODULUS
            case gast.Div():
                return a * drawn('inverse', b) % MODULUS
        return drawn(type(op).__name__, a, b)


def _makes_array(statement: gast.stmt) -> bool:
    makers = 'numpy.zeros', 'numpy.zeros_like', 'numpy.empty', 'numpy.empty_like'
    return isinstance(statement, gast.Assign) and primitive(statement.value) in makers


def shown_elsewhere(core: Core) -> set[str]:
    """What is used otherwise than by reading, writing or adding to single elements, or by making zeros of its shape."""
    found: set[str] = set()
    for statement in core.statements:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript(value=gast.Name(), slice=index)) \
                    if isinstance(core.types.get(name), Scalar):
                found |= memory_reads(index)
            case (gast.Assign(targets=[gast.Subscript(value=gast.Name(), slice=index)], value=value)
                  | gast.AugAssign(target=gast.Subscript(value=gast.Name(), slice=index), value=value)):
                found |= memory_reads(index) | memory_reads(value)
            case gast.Assign(value=value):
                found |= memory_reads(value)
            case _:
                found |= reads(statement)
    return found
