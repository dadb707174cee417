"""What may be computed once more for an example that has left its loop: nothing that could fail."""

from __future__ import annotations

from collections.abc import Mapping

import gast
import numpy as np

from transpiler.core.query import is_atom
from transpiler.lower.fusion.pointwise import parts
from transpiler.values.numbers import divides_as_python, number_type
from transpiler.values.types import Scalar, Type

HARMLESS = (
    np.add, np.subtract, np.multiply, np.negative, np.absolute, np.sqrt, np.maximum, np.minimum, np.exp, np.log, np.sin, np.cos,
    np.tanh, np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal,
)


class Unfit(Exception):
    """The loop does something that examples do not do together."""


def type_of(atom: gast.expr, types: Mapping[str, Type]) -> Scalar:
    type_ = number_type(atom.value) if isinstance(atom, gast.Constant) else types.get(getattr(atom, 'id', ''))
    if not isinstance(type_, Scalar):
        raise Unfit
    return type_


def check_harmless(value: gast.expr, types: Mapping[str, Type]) -> None:
    """Raise Unfit for an operation of numbers that might fail."""
    if is_atom(value):
        return
    found = parts(value)
    if found is None:
        raise Unfit
    operands, _, ufunc = found
    given = [type_of(operand, types) for operand in operands]
    is_division = ufunc is np.true_divide and any(t.dtype.kind == 'f' and not t.weak for t in given)
    is_division = is_division and not divides_as_python(*given)
    if ufunc not in HARMLESS and not is_division:
        raise Unfit
