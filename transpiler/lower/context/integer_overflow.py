"""Python's integers have no end, those of compiled code have 64 bits: where they may not do, they are checked."""
from __future__ import annotations

import math

import gast
import numpy as np

from transpiler.analyses.numeric.ranges import is_proven, ranges
from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.values import Value, holds
from transpiler.values.intervals import EXACT, TOO_LONG, WORD, is_inside
from transpiler.values.types import FLOAT, INT, Scalar

QUESTIONS = {gast.Add: 'sum', gast.Sub: 'difference', gast.Mult: 'product', gast.Pow: 'power', gast.LShift: 'shifted'}
GROWING = *QUESTIONS, gast.USub, gast.FloorDiv     # which may give integers that are longer than their operands
LAST_BIT = 63
LEAST = -2**63


def exact(context: Context, operator: type[gast.AST], operands: list[Value]) -> list[Value]:
    """The operands of an operator between Python's integers, behind a test of whether 64 bits hold what it gives.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT
    >>> for text in ('m = n % 1000; k = m * m; return k', 'm = n + 0; k = m * m; return k'):
    ...     context, m = Context(parse(text, types=dict.fromkeys('mnk', INT)), {}), Value(build.name('m'), INT)
    ...     context.here = context.core.body[1]
    ...     made = exact(context, gast.Mult, [m, m])
    ...     print(len(context.builder.block))
    0
    1
    """
    if not all(v.dtype.kind in 'ib' for v in operands):
        return operands
    operands = [context.cast(v, 'int64') if v.dtype.kind == 'i' else v for v in operands]
    if operator in (gast.LShift, gast.RShift):
        operands = [operands[0], _shift_count(context, operands[1])]
    whole = getattr(context.here, 'value', None)
    sure = isinstance(whole, gast.BinOp) and type(whole.op) is operator and ranges(context.core).is_sure(context.here)
    if not (sure or is_proven(whole) or operator not in GROWING or is_held(context, operator, operands)):
        operands = [context.named(v, 'factor') for v in operands]
        unless_held(context, _is_too_long(context, operator, operands))
    return [operands[0], _in_a_word(context, operands[1])] if operator in (gast.LShift, gast.RShift) else operands


def is_held(context: Context, operator: type[gast.AST], operands: list[Value]) -> bool:
    """Whether 64 bits surely hold what an operator gives of integers."""
    nodes = [v.node for v in operands]
    made = build.unary(operator, *nodes) if len(nodes) == 1 else build.binary(nodes[0], operator, nodes[1])
    found = ranges(context.core).of(made, context.here)
    return found is not None and is_inside(found, WORD)


def _is_too_long(context: Context, operator: type[gast.AST], operands: list[Value]) -> gast.expr:
    left, right = operands[0].node, operands[-1].node
    if operator is gast.USub:
        return build.compare(left, gast.Eq, LEAST)
    if operator is gast.FloorDiv:
        ends = build.compare(left, gast.Eq, LEAST), build.compare(right, gast.Eq, -1)
        return gast.BoolOp(op=gast.And(), values=list(ends))
    if operator is gast.Pow and operands[1].constant == 2:
        operator, right = gast.Mult, left
    return build.call(context.target.integers.too_long.format(QUESTIONS[operator]), left, right)


def _shift_count(context: Context, count: Value) -> Value:
    """By how much Python shifts, which is not by less than nothing."""
    low, _ = context.guards.integers(count)
    if low < 0:
        count = context.named(count, 'count')
        negative = build.compare(count.node, gast.Lt, 0)
        if not context.guards.gives_up(negative):
            context.guards.require(negative, 'ValueError', 'negative shift count')
    return count


def _in_a_word(context: Context, count: Value) -> Value:
    """By how much a machine shifts, which knows no more than six bits: what is left after 63 of them is 0, or -1, for good."""
    _, high = context.guards.integers(count)
    return Value(build.call('python.min', count.node, LAST_BIT), INT) if high > LAST_BIT else count


def as_python(context: Context, operator: type[gast.AST], operands: list[Value]) -> gast.expr | None:
    """A quotient of integers, or a comparison of one with a float, that floats may not hold; None if they do."""
    kinds = ''.join(v.dtype.kind for v in operands)
    if not (kinds in ('ii', 'bi') and operator is gast.Div or sorted(kinds) == ['f', 'i'] and issubclass(operator, gast.cmpop)):
        return None
    if all(is_inside(context.guards.integers(v), EXACT) for v in operands if v.dtype.kind == 'i'):
        return None
    left, right = (context.cast(v, 'int64').node if v.dtype.kind == 'b' else v.node for v in operands)
    helpers = context.target.integers
    if operator is gast.Div:
        return build.call(helpers.quotient, left, right)
    if kinds == 'if':
        return build.compare(build.call(helpers.order, left, right), operator, 0.0)
    return build.compare(build.constant(0.0), operator, build.call(helpers.order, right, left))


def unless_held(context: Context, too_long: gast.expr) -> None:
    """Raise, or let another version of the program find out, if an integer is too long."""
    if not context.guards.gives_up(too_long):
        context.guards.require(too_long, 'OverflowError', TOO_LONG)


def magnitude_held(context: Context, value: Value) -> Value:
    """An integer of Python's behind a test of whether 64 bits hold its magnitude."""
    if context.guards.integers(value)[0] <= LEAST:
        value = context.named(context.cast(value, 'int64'), 'number')
        unless_held(context, _is_too_long(context, gast.USub, [value]))
    return value


def comparable(context: Context, operands: list[Value]) -> list[Value]:
    """The two sides of a comparison: NumPy compares with Python's integers also where the dtype of the array does not hold them.

    All items are on one side of one that is known, as they are of an infinity.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT, Array
    >>> image, number = Value(build.name('x'), Array(np.dtype('uint8'), (None,))), Value(build.constant(300), INT)
    >>> [str(side.dtype) for side in comparable(Context(parse('return x'), {}), [image, number])]
    ['float64', 'float64']
    """
    weak = [v.is_weak and v.dtype.kind == 'i' for v in operands]
    if weak.count(True) != 1 or not all(v.dtype.kind in 'iu' for v in operands):
        return operands
    number, other = operands if weak[0] else reversed(operands)
    if holds(other.dtype, number.constant):
        return operands
    if number.constant is not None:
        end = Value(build.constant(math.copysign(math.inf, number.constant)), FLOAT)
        return [end if v is number else context.cast(v, 'float64') for v in operands]
    return [Value(v.node, Scalar(np.dtype(np.int64))) if v.is_weak else context.cast(v, 'int64') for v in operands]


def wrapped(value: Value, dtype: np.dtype) -> Value:
    """An integer of Python's as `np.where` and `np.pad` take it, which do not ask whether a dtype of integers holds it."""
    if not value.is_weak or value.dtype.kind != 'i' or dtype.kind not in 'iu' or holds(dtype, value.constant):
        return value
    if value.constant is None:
        return Value(value.node, Scalar(np.dtype(np.int64)))
    fits = holds(np.dtype(np.int64), value.constant)
    return Value(build.constant(np.int64(value.constant).astype(dtype).item()), value.type) if fits else value


def is_signed_beside_unsigned(operands: list[Value]) -> bool:
    """Whether an integer that may be negative, known at run time, stands beside unsigned ones of 64 bits."""
    signed = [v for v in operands if v.dtype.kind == 'i' and not (v.is_weak and v.constant is not None)]
    return len(signed) == 1 and any(v.dtype == np.uint64 for v in operands)
