"""Operators and ufuncs: numbers are cast to the dtypes of the loop that NumPy would choose (NEP 50).

Numba promotes a float32 array with a Python float to float64, and computes with small integers in 64 bits.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.integer_overflow import (
    as_python,
    comparable,
    exact,
    is_held,
    is_signed_beside_unsigned,
    magnitude_held,
    wrapped,
)
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called, dtype_name, weak
from transpiler.lower.primitives.complex_order import MIRRORED, check_order
from transpiler.lower.primitives.flags import check_squares
from transpiler.lower.target.mathematics import NODES, are_pythons
from transpiler.lower.target.target import Target
from transpiler.values.intervals import is_inside
from transpiler.values.types import FLOAT, INT, Scalar, Type

HALVES = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)  # exponents of which powers are roots times products
OF_ARRAYS = {0.5: np.sqrt, -1: np.reciprocal}  # what NumPy's operator does with arrays instead of raising them to these powers
FLOATS = 'fc'
HELD_HALVES = np.dtype(np.float32)  # which Numba computes with where NumPy takes small integers for half precision
WRAPPING = frozenset({np.add, np.subtract, np.multiply, np.power, np.square})     # with integers of 64 bits
STAYING = frozenset({  # with small integers, among those of the dtype
    np.maximum, np.minimum, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.remainder, np.sign, np.positive, np.right_shift})
DIVISIONS = (np.true_divide, np.floor_divide, np.remainder)


def apply(context: Context, ufunc: np.ufunc, operands: list[Value], type_: Type | None = None) -> Value:
    """`ufunc` of the operands, written as an operator where there is one."""
    operands = [context.number(v) for v in operands]
    ndim = max(v.ndim for v in operands)
    check_order(context, ufunc, operands)
    if are_pythons(ufunc, [v.type for v in operands]):
        return _python_numbers(context, ufunc, operands, type_)
    if ufunc is np.sign and operands[0].dtype.kind == 'u':  # Numba takes the upper half for negative numbers
        return context.cast(apply(context, np.not_equal, [operands[0], weak(0)]), operands[0].dtype)
    if issubclass(NODES.get(ufunc, gast.operator), gast.cmpop):
        if is_signed_beside_unsigned(operands):
            return _beside_unsigned(context, ufunc, operands)
        operands = comparable(context, operands)
    *inputs, output = loop(ufunc, operands)
    inputs = [HELD_HALVES if dtype == np.float16 != output else dtype for dtype in inputs]
    if _is_for_integers(context.target, ufunc, output, operands[-1].constant):
        return of_integers(context, ufunc, operands, output)
    mathematics = context.target.mathematics
    as_given = mathematics.function(ufunc, output) is None and _is_promoted(ufunc, operands, inputs)
    cast = [v if as_given and not v.is_scalar else context.cast(v, dtype) for v, dtype in zip(operands, inputs, strict=True)]
    alone = context.target.accurate or ufunc in mathematics.faster_alone and context.is_outside_vectors
    if ufunc in WRAPPING and output == np.int64 and not _is_held(context, ufunc, cast):
        node = wrapping(context, ufunc, cast)
    else:
        node = spelled(context.target, ufunc, cast) if ndim or alone else vectorised(context.target, ufunc, cast, output)
    return narrowed(context.target, node, ufunc, output, ndim)


def _is_held(context: Context, ufunc: np.ufunc, operands: list[Value]) -> bool:
    """Whether 64 bits surely hold what arithmetic gives of numbers."""
    return all(v.is_scalar for v in operands) and is_held(context, NODES.get(ufunc, gast.Mult), [operands[0], operands[-1]])


def wrapping(context: Context, ufunc: np.ufunc, operands: list[Value]) -> gast.expr:
    """Arithmetic of long integers that may wrap around."""
    squares = ufunc is np.square or ufunc is np.power and operands[1].constant == 2
    if squares:
        operands = [context.named(operands[0], 'base')] * 2
    name = 'multiply' if squares else ufunc.__name__
    return build.call(context.target.integers.wrapping.format(name), *(v.node for v in operands))


def _beside_unsigned(context: Context, ufunc: np.ufunc, operands: list[Value]) -> Value:
    """How long unsigned numbers compare with integers that may be negative: as their difference does with zero."""
    if operands[1].dtype == np.uint64:
        return _beside_unsigned(context, MIRRORED.get(ufunc, ufunc), operands[::-1])
    other, number = operands[0], Value(operands[1].node, Scalar(np.dtype(int))) if operands[1].is_weak else operands[1]
    kernel, ndim = context.target.integers.order_of_unsigned, max(v.ndim for v in operands)
    order = called(np.int64, ndim, kernel, other.node, context.cast(number, np.int64).node)
    return apply(context, ufunc, [order, weak(0)])


def _is_for_integers(target: Target, ufunc: np.ufunc, output: np.dtype, by: Any) -> bool:
    """Whether a machine does otherwise with some integers than NumPy: `by` is the second operand, where it is a constant."""
    if ufunc is np.floor_divide:
        return output.kind == 'i' and by in (None, -1)
    if ufunc not in target.mathematics.of_integers or output.kind not in 'iu' or ufunc is np.power and output == np.int64:
        return False    # powers of long ones wrap around, if they may
    least = {np.left_shift: 8 * output.itemsize, np.right_shift: 8 * output.itemsize, np.power: 2 ** 16}.get(ufunc, 0)
    return by is None or not 0 <= by < least


def of_integers(context: Context, ufunc: np.ufunc, operands: list[Value], output: np.dtype) -> Value:
    """What our own function of integers gives; they are long ones in it."""
    long = np.dtype('uint64' if output == np.uint64 else 'int64')
    nodes = [context.cast(context.cast(v, output) if v.is_weak else v, long).node for v in operands]
    kernel = context.target.mathematics.of_integers[ufunc]
    return context.cast(called(long, max(v.ndim for v in operands), kernel, *nodes), output)


def _is_promoted(ufunc: np.ufunc, operands: list[Value], inputs: list[np.dtype]) -> bool:
    """Whether Numba brings arrays to the dtypes of NumPy's loop: where one has that of all, and it is double.

    Of int32 and float32 it would make float32, of int16 and uint64 integers; with whole numbers as powers it raises for 0.
    """
    double = inputs[0].char in 'dD' and len(set(inputs)) == 1
    return double and ufunc is not np.power and any(v.is_scalar or v.dtype == inputs[0] for v in operands)


def loop(ufunc: np.ufunc, operands: list[Value]) -> tuple[np.dtype, ...]:
    """The dtypes of the inputs and of the output of the loop that NumPy runs.

    >>> from transpiler.values.types import FLOAT
    >>> x, c = Value(build.name('x'), array_type('float32', 1)), Value(build.constant(2.0), FLOAT)
    >>> [str(dtype) for dtype in loop(np.multiply, [x, c])]
    ['float32', 'float32', 'float32']
    """
    given = [{'f': float, 'i': int, 'c': complex}.get(v.dtype.kind, v.dtype) if v.is_weak else v.dtype for v in operands]
    return ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))


def spelled(target: Target, ufunc: np.ufunc, operands: list[Value], in_python: bool = False) -> gast.expr:
    """in_python: Numba's `/` of complex numbers is Python's, which rounds otherwise than NumPy's"""
    nodes, mathematics = [v.node for v in operands], target.mathematics
    operator = NODES.get(ufunc)
    divided = in_python and operator is gast.Div
    if ufunc in mathematics.extremes and all(v.is_scalar and v.dtype.kind == 'f' for v in operands):
        return build.call(mathematics.extremes[ufunc], *nodes)
    if not divided and (kernel := mathematics.function(ufunc, operands[0].dtype)) is not None:
        return build.call(kernel, *nodes)
    if operator is gast.Invert and operands[0].dtype.kind == 'b' and operands[0].constant is not None:
        return build.constant(not operands[0].constant)     # Python's compiler would take it for an integer
    if operator is None or operator is gast.UAdd:
        return build.call(f'numpy.{ufunc.__name__}', *nodes)
    if issubclass(operator, gast.cmpop):
        return build.compare(nodes[0], operator, nodes[1])
    return build.unary(operator, *nodes) if len(nodes) == 1 else build.binary(nodes[0], operator, nodes[1])


def vectorised(target: Target, ufunc: np.ufunc, operands: list[Value], output: np.dtype) -> gast.expr:
    """A function of numbers as one that loops are vectorised with, if there is one for this dtype."""
    nodes, of_complex = [v.node for v in operands], ufunc is np.absolute and operands[0].dtype.kind == 'c'
    if of_complex:
        nodes = [build.attribute(operands[0].node, part) for part in ('real', 'imag')]
    kernel = target.mathematics.in_vectors(np.hypot if of_complex else ufunc, output)
    return spelled(target, ufunc, operands) if kernel is None else build.call(kernel, *nodes)


def _python_numbers(context: Context, ufunc: np.ufunc, operands: list[Value], type_: Type | None) -> Value:
    """Between Python numbers Numba does what Python does, but for `2 ** -1`, `~True` and division by zero."""
    derived = context.builder.role in ('pullback', 'tangent')
    if ufunc is np.invert:
        operands = [context.cast(operands[0], 'int64')]
    if ufunc in DIVISIONS:
        operands[1] = _divisor(context, operands[1])
    if ufunc is np.power and type_ is not None and type_.dtype.kind in FLOATS:
        operands = [context.cast(v, type_.dtype) for v in operands]
    elif not issubclass(NODES[ufunc], gast.cmpop):
        operands = exact(context, NODES[ufunc], operands)
    if type_ is None:
        output = loop(ufunc, [v if v.dtype.kind != 'b' else context.cast(v, 'int64') for v in operands])[-1]
        type_ = Scalar(output, weak=True)
    written = as_python(context, NODES[ufunc], operands)
    return Value(written or spelled(context.target, ufunc, operands, in_python=not derived), type_)


def _divisor(context: Context, divisor: Value) -> Value:
    """A divisor at which Python raises; Numba, told to divide like NumPy, would go on with inf, or with 0 for integers."""
    if divisor.constant:
        return divisor
    if divisor.dtype.kind == 'i' and not is_inside((0, 0), context.guards.integers(divisor)):
        return divisor
    divisor = context.named(divisor, 'divisor')
    context.guards.require(build.compare(divisor.node, gast.Eq, 0), 'ZeroDivisionError', 'division by zero')
    return divisor


def narrowed(target: Target, node: gast.expr, ufunc: np.ufunc, dtype: np.dtype, ndim: int) -> Value:
    """What an operation gives, in its dtype: Numba computes with small integers in 64 bits, in expressions of arrays too."""
    small = dtype.kind in 'iu' and dtype.itemsize < 8
    if ndim:
        node = build.call(target.integers.narrowed.format(dtype), node) if small and ufunc not in STAYING else node
        return Value(node, array_type(dtype, ndim))
    flag = dtype.kind == 'b' and isinstance(node, (gast.BinOp, gast.UnaryOp))
    return Value(build.call(dtype_name(dtype).id, node) if small or flag else node, Scalar(dtype))


@lowers('numpy.power')
def power(context: Context, call: Call, type_: Type) -> Value:
    """Small constant powers are products, quotients, and roots times products: a call of `pow` costs a hundred times as much."""
    base, exponent = map(context.value, call.bind('x1', 'x2'))
    power_of = exponent.constant
    if base.dtype.kind in FLOATS and exponent.is_weak and power_of in (2, 3, 4) and not isinstance(power_of, bool):
        base = context.named(context.number(base), 'base')
        square = build.binary(base.node, gast.Mult, base.node)
        if power_of == 4:
            square = context.named(Value(square, base.type), 'square').node
        factor = {2: None, 3: base.node, 4: square}[power_of]
        return Value(square if factor is None else build.binary(square, gast.Mult, factor), base.type)
    if base.dtype.kind == 'f' and not base.is_weak and exponent.is_weak and power_of == -1:
        return apply(context, np.true_divide, [weak(1.0), base])
    if base.dtype.kind in FLOATS and base.ndim and exponent.is_weak and (function := OF_ARRAYS.get(power_of)):
        return apply(context, function, [base])
    mathematics = context.target.mathematics
    halves = {} if context.target.accurate else mathematics.half_powers
    if exponent.is_weak and power_of in HALVES and base.dtype.char in halves and not base.ndim:
        base = context.number(base)
        return Value(build.call(halves[base.dtype.char], base.node, int(power_of - 0.5)), base.type)
    if _is_whole_power(context, base, exponent):
        return Value(build.call(mathematics.whole_power, base.node, exponent.node), base.type)
    check_squares(context, base, exponent)
    whole = loop(np.power, [base, exponent])[-1].kind in 'iu' and exponent.dtype.kind == 'i'
    whole = whole and not (base.is_weak and exponent.is_weak)
    if whole and not (power_of is not None and power_of >= 0):
        exponent = context.named(exponent, 'exponent')
        negative = build.compare(exponent.node, gast.Lt, 0)
        context.guards.require(build.call('numpy.any', negative) if exponent.ndim else negative, 'ValueError',
                        'Integers to negative integer powers are not allowed.')
    return apply(context, np.power, [base, exponent], type_)


def _is_whole_power(context: Context, base: Value, exponent: Value) -> bool:
    """Whether it is one of a float by an integer, known at run time, which stands where nothing is vectorised."""
    numbers = base.dtype.char == 'd' and exponent.dtype.kind == 'i' and not base.ndim and not exponent.ndim
    variable = exponent.constant is None and (exponent.is_weak or not base.is_weak)
    return numbers and variable and context.is_outside_vectors and not context.target.accurate


@lowers('python.abs')
def absolute(context: Context, call: Call, type_: Type) -> Value:
    value = context.value(call.args[0])
    if value.is_weak and value.dtype.kind == 'b':
        return Value(context.cast(value, 'int64').node, INT)
    if value.is_weak and value.dtype.kind == 'i':
        value = magnitude_held(context, value)
    result = apply(context, np.absolute, [value])
    return Value(result.node, FLOAT if value.dtype.kind == 'c' else value.type) if value.is_weak else result


@lowers('numpy.rad2deg', 'numpy.degrees', 'numpy.deg2rad', 'numpy.radians')
def angle(context: Context, call: Call, type_: Type) -> Value:
    """A product with 180 / pi, or its inverse, as a number of the dtype: as NumPy has it."""
    value = context.value(call.args[0])
    half, circle = type_.dtype.type(180), type_.dtype.type(np.pi)
    factor = half / circle if call.name in ('numpy.rad2deg', 'numpy.degrees') else circle / half
    return apply(context, np.multiply, [value, Value(build.constant(factor), Scalar(type_.dtype))])


@lowers('numpy.where')
def where(context: Context, call: Call, type_: Type) -> Value:
    condition, *choices = (context.value(a) for a in call.bind('condition', 'x', 'y'))
    return select(context, condition, *choices, dtype=type_.dtype)


def select(context: Context, condition: Value, chosen: Value, other: Value, dtype) -> Value:
    """`np.where` as a loop that fuses with its neighbours: all shapes broadcast, numbers included."""
    parts = [context.number(v) for v in (condition, chosen, other)]
    parts[1:] = [context.cast(wrapped(v, np.dtype(dtype)), dtype) for v in parts[1:]]
    ndim = max(v.ndim for v in parts)
    if not ndim:
        test, chosen, other = (v.node for v in parts)
        return Value(gast.IfExp(test=test, body=chosen, orelse=other), Scalar(np.dtype(dtype)))
    return called(dtype, ndim, context.target.mathematics.select, *(v.node for v in parts))


@lowers('numpy.heaviside')
def heaviside(context: Context, call: Call, type_: Type) -> Value:
    return with_kernel(context, context.target.mathematics.heaviside, np.heaviside, call)


@lowers('numpy.fmod')
def fmod(context: Context, call: Call, type_: Type) -> Value:
    """Numba's own is wrong for integers: of negative ones, and where the divisor is 0."""
    operands = [context.number(v) for v in map(context.value, call.args)]
    if (output := loop(np.fmod, operands)[-1]).kind == 'i':
        return of_integers(context, np.fmod, operands, output)
    return apply(context, np.remainder if output.kind == 'u' else np.fmod, operands)


def with_kernel(context: Context, kernel: str, ufunc: np.ufunc, call: Call) -> Value:
    """A ufunc that Numba lacks, by a helper of the target."""
    operands = [context.number(v) for v in map(context.value, call.args)]
    *inputs, output = loop(ufunc, operands)
    cast = [context.cast(v, dtype) for v, dtype in zip(operands, inputs, strict=True)]
    return called(output, max(v.ndim for v in cast), kernel, *(v.node for v in cast))
