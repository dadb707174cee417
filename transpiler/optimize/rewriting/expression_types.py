"""Types of expression trees: names have theirs from the table, operators follow NumPy."""
from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import gast
import numpy as np

from transpiler.values.probe import infer
from transpiler.values.types import BOOL, COMPLEX, FLOAT, INT, Array, Scalar, Type, Unknown

FUNCTIONS = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul, gast.Div: operator.truediv,
             gast.Pow: operator.pow, gast.USub: operator.neg}
WEAK = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


class TypeTable(dict):
    """The types of names, and of the expressions that `type_of` was asked about, by identity."""

    def __init__(self, types: Mapping[str, Any]):
        super().__init__(types)
        self.expressions: dict[gast.expr, Type] = {}


def type_of(node: gast.expr, types: Mapping[str, Any]) -> Type:
    """The type of arithmetic on names and constants; `Unknown` for anything else.

    >>> from transpiler.core.text import expression
    >>> from transpiler.values.dims import Dim
    >>> x = Array(np.dtype(np.float32), (Dim.symbol('n', large=True),))
    >>> print(type_of(expression('-(2.0 * x)'), {'x': x}), type_of(expression('2.0 * 3'), {}), type_of(expression('f(x)'), {}))
    float32[n] float ?
    """
    if not isinstance(types, TypeTable):
        return _type_of(node, types)
    if node not in types.expressions:
        types.expressions[node] = _type_of(node, types)
    return types.expressions[node]


def _type_of(node: gast.expr, types: Mapping[str, Any]) -> Type:
    match node:
        case gast.Name(id=identifier):
            return types.get(identifier) or Unknown()
        case gast.Constant(value=value):
            if isinstance(value, np.generic):
                return Scalar(value.dtype)
            return WEAK.get(type(value), Unknown())
        case gast.BinOp(left=left, op=symbol, right=right) if type(symbol) in FUNCTIONS:
            return _apply(FUNCTIONS[type(symbol)], type_of(left, types), type_of(right, types))
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _apply(operator.neg, type_of(operand, types))
        case gast.Attribute(attr='size' | 'ndim'):
            return INT
    return Unknown()


@lru_cache(maxsize=10_000)
def _apply(function, *operands: Type) -> Type:
    if not all(isinstance(t, (Scalar, Array)) for t in operands):
        return Unknown()
    try:
        return infer(function, operands, {})[0]
    except (TypeError, ValueError):
        return Unknown()


def alike(a: Type, b: Type) -> bool:
    """Known, and the same in everything that a program can see: sort, dtype, weakness, sizes."""
    match a, b:
        case Scalar(dtype, weak), Scalar(other, other_weak):
            return dtype == other and weak == other_weak
        case Array(dtype, dims), Array(other, other_dims):
            return dtype == other and dims is not None and dims == other_dims and None not in dims
    return False


def is_inexact(type_: Type) -> bool:
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind in 'fc'
