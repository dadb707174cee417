"""Python's operators and the primitives that they stand for."""

from __future__ import annotations

import operator
from types import MappingProxyType

import gast

WORDS = MappingProxyType({
    gast.Add: 'add', gast.Sub: 'sub', gast.Mult: 'mul', gast.Div: 'truediv', gast.FloorDiv: 'floordiv', gast.Mod: 'mod',
    gast.Pow: 'pow', gast.MatMult: 'matmul', gast.BitAnd: 'and', gast.BitOr: 'or', gast.BitXor: 'xor', gast.LShift: 'lshift',
    gast.RShift: 'rshift', gast.USub: 'neg', gast.UAdd: 'pos', gast.Invert: 'invert'})

SYMBOLS = MappingProxyType({
    gast.Add: '+', gast.Sub: '-', gast.Mult: '*', gast.Div: '/', gast.FloorDiv: '//', gast.Mod: '%', gast.Pow: '**',
    gast.MatMult: '@', gast.BitAnd: '&', gast.BitOr: '|', gast.BitXor: '^', gast.LShift: '<<', gast.RShift: '>>',
    gast.Lt: '<', gast.LtE: '<=', gast.Gt: '>', gast.GtE: '>='})

_TABLE = (
    (gast.Add, 'numpy.add', operator.add),
    (gast.Sub, 'numpy.subtract', operator.sub),
    (gast.Mult, 'numpy.multiply', operator.mul),
    (gast.Div, 'numpy.true_divide', operator.truediv),
    (gast.FloorDiv, 'numpy.floor_divide', operator.floordiv),
    (gast.Mod, 'numpy.remainder', operator.mod),
    (gast.Pow, 'numpy.power', operator.pow),
    (gast.MatMult, 'numpy.matmul', operator.matmul),
    (gast.BitAnd, 'numpy.bitwise_and', operator.and_),
    (gast.BitOr, 'numpy.bitwise_or', operator.or_),
    (gast.BitXor, 'numpy.bitwise_xor', operator.xor),
    (gast.LShift, 'numpy.left_shift', operator.lshift),
    (gast.RShift, 'numpy.right_shift', operator.rshift),
    (gast.USub, 'numpy.negative', operator.neg),
    (gast.UAdd, 'numpy.positive', operator.pos),
    (gast.Invert, 'numpy.invert', operator.invert),
    (gast.Lt, 'numpy.less', operator.lt),
    (gast.LtE, 'numpy.less_equal', operator.le),
    (gast.Gt, 'numpy.greater', operator.gt),
    (gast.GtE, 'numpy.greater_equal', operator.ge),
    (gast.Eq, 'numpy.equal', operator.eq),
    (gast.NotEq, 'numpy.not_equal', operator.ne),
)

BINARY = {kind: name for kind, name, _ in _TABLE if issubclass(kind, gast.operator)}
UNARY = {kind: name for kind, name, _ in _TABLE if issubclass(kind, gast.unaryop)}
COMPARE = {kind: name for kind, name, _ in _TABLE if issubclass(kind, gast.cmpop)}
PYTHON = {kind: function for kind, _, function in _TABLE}
OPERATOR = {name: function for _, name, function in _TABLE}

ORDERING = frozenset(COMPARE.values())
# What may give integers that are longer than their operands.
GROWING = frozenset({**BINARY, **UNARY}[kind] for kind in (
    gast.Add, gast.Sub, gast.Mult, gast.FloorDiv, gast.Pow, gast.LShift, gast.USub))
# What is exact for integers that floats hold, as long as these hold what it gives; its extremes are at those of the operands.
EXACT = frozenset({BINARY[gast.Add], BINARY[gast.Sub], BINARY[gast.Mult]})
# What raises for some of Python's numbers.
RAISING = frozenset(BINARY[kind] for kind in (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow))
