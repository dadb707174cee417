"""Operators on numbers: what Numba makes of them, asked once in a process.

Numba asks every function that anybody has ever registered for an operator, thrice where an operand is a constant.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from numba.core import types
from numba.core.typing.templates import Signature

# `x ** 2` with a constant exponent is an implementation of its own.
OF_NUMBERS = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
    operator.and_, operator.or_, operator.xor,
})
_signatures: WeakKeyDictionary = WeakKeyDictionary()      # context of types -> by operator and types


def signature(context: Any, op: Callable, kinds: tuple[types.Type, ...]) -> Signature | None:
    """What Numba makes of an operator on numbers of these types; None if it is to be asked."""
    if op not in OF_NUMBERS or not are_numbers(kinds) or all(isinstance(kind, types.Literal) for kind in kinds):
        return None
    found = _signatures.setdefault(context, {})
    key = op, kinds
    if key not in found:
        found[key] = context.resolve_value_type(op).get_call_type(context, kinds, {})
    return found[key]


def are_numbers(kinds: tuple[types.Type, ...]) -> bool:
    return all(isinstance(types.unliteral(kind), (types.Number, types.Boolean)) for kind in kinds)
