"""How primitives are written by people: methods of arrays, ranges without a start of zero."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import gast

from transpiler.core.indices import entries_of

ZEROS = MappingProxyType({'numpy.float64': 0.0, 'numpy.complex128': 0j, 'numpy.bool': False})  # of Python's own numbers


def named(identifier: str) -> gast.Name:
    return gast.Name(id=identifier, ctx=gast.Load(), annotation=None, type_comment=None)


def called(function: gast.expr, *arguments: gast.expr) -> gast.Call:
    return gast.Call(func=function, args=list(arguments), keywords=[])


def field_of(base: gast.expr, field_name: str) -> gast.Attribute:
    return gast.Attribute(value=base, attr=field_name, ctx=gast.Load())


def as_method(name: str | None, arguments: list[gast.expr], types: Mapping[str, Any]) -> gast.expr | None:
    """The operator, attribute or method that says the same as a primitive call without keywords, or None."""
    match name, arguments:
        case 'numpy.transpose', [base] if not _is_number(base, types):
            return field_of(base, 'T')
        case 'numpy.matmul', [left, right]:
            return gast.BinOp(left=left, op=gast.MatMult(), right=right)
        case 'numpy.reshape', [base, shape] if _is_array(base, types):
            return called(field_of(base, 'reshape'), shape)
        case 'numpy.copy', [base] if _is_array(base, types):
            return called(field_of(base, 'copy'))
        case 'numpy.astype', [base, dtype] if _is_array(base, types):
            return called(field_of(base, 'astype'), dtype)
        case 'tape.new' | 'tape.list', []:
            return gast.List(elts=[], ctx=gast.Load())
        case 'tape.item', [tape, index]:
            return gast.Subscript(value=tape, slice=index, ctx=gast.Load())
        case 'tape.array', [tape]:
            return called(named('numpy.array'), tape)
        case 'tape.of', [array]:
            return called(named('python.list'), array)
        case 'tape.copy', [tape]:
            return called(field_of(tape, 'copy'))
        case 'tape.zeros', [length, gast.Name(id=dtype)]:
            zero = gast.Constant(value=ZEROS.get(dtype, 0.0), kind=None)
            zero = zero if dtype in ZEROS else called(named(dtype), zero)
            return gast.BinOp(left=gast.List(elts=[zero], ctx=gast.Load()), op=gast.Mult(), right=length)
        case 'tape.zeros_like', [tape]:
            return called(named('kernels.zeros_of'), tape)
        case 'tape.add', [tape, array]:
            return called(named('kernels.add_items'), tape, array)
        case 'tape.push', [tape, value]:
            return called(field_of(tape, 'append'), value)
        case 'tape.pop', [tape]:
            return called(field_of(tape, 'pop'))
    return None


def _is_array(node: gast.expr, types: Mapping[str, Any]) -> bool:
    """Known to be an array: a variable of that type, or an operation on one."""
    match node:
        case gast.Name(id=identifier):
            return hasattr(types.get(identifier), 'dims')
        case gast.BinOp(left=left, right=right):
            return _is_array(left, types) or _is_array(right, types)
        case gast.UnaryOp(operand=operand):
            return _is_array(operand, types)
        case gast.Compare(left=left, comparators=[right]):
            return _is_array(left, types) or _is_array(right, types)
        case gast.Subscript(value=base, slice=index):
            parts = entries_of(index)
            several = isinstance(base, gast.Name) and len(getattr(types.get(base.id), 'dims', None) or ()) > len(parts)
            return (any(isinstance(part, gast.Slice) for part in parts) or several) and _is_array(base, types)
        case gast.Call(func=gast.Name(id='numpy.transpose' | 'numpy.matmul' | 'numpy.exp' | 'numpy.copy'), args=[base, *_]):
            return _is_array(base, types)
    return False


def _is_number(node: gast.expr, types: Mapping[str, Any]) -> bool:
    match node:
        case gast.Name(id=identifier):
            return hasattr(types.get(identifier), 'weak')
    return isinstance(node, gast.Constant)


def range_arguments(arguments: list[gast.expr]) -> list[gast.expr]:
    """`range(0, n, 1)` as `range(n)`."""
    match arguments:
        case [gast.Constant(value=0), stop, gast.Constant(value=1)] | [gast.Constant(value=0), stop]:
            return [stop]
        case [start, stop, gast.Constant(value=1)]:
            return [start, stop]
    return arguments
