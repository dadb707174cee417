"""Values that may be of a narrower kind at run time than their type says: `0` or a sum, `False` or `1`, real or complex."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import gast

from transpiler.core.fixpoint import closure
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import all_written, gives, primitive
from transpiler.rules.base.registry import RULES
from transpiler.values.probe import infer
from transpiler.values.types import FLOAT, INT, Array, Scalar, Tape, Type


@dataclass(frozen=True)
class Narrower:
    """Kinds of dtypes beside wider ones: what is typed as `wide` may be `narrow`, such as `least`; Python has `numbers` of it."""

    wide: str
    narrow: str
    least: Scalar
    numbers: type | tuple[type, ...]


INTEGERS, REALS = Narrower('fc', 'biu', INT, int), Narrower('c', 'biuf', FLOAT, (int, float))
MADE = {INTEGERS: 'python.float', REALS: 'python.complex'}     # what makes others of the narrow ones


def perhaps_integers(core: Core) -> frozenset[str]:
    """The names of arrays and numbers typed as floats that may hold integers, in a program as it was specialised.

    Such a number is typed as what it becomes when it meets others. That it has not yet met any shows in the dtype of an array
    that is made of it alone, once something is stored there: NumPy rounds it, or raises.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT
    >>> row = Array(np.dtype(float), (None,))
    >>> core = parse('s = 0; t = s + x; u = -s; y = z[1:]; return y', types=dict.fromkeys('stux', FLOAT) | {'y': row, 'z': row})
    >>> sorted(perhaps_integers(core))
    ['s', 'u']
    """
    return _perhaps(core, INTEGERS)


def _perhaps(core: Core, kinds: Narrower) -> frozenset[str]:
    return _found(core, kinds.wide, lambda found, value: Reader(core, found, kinds).is_narrower(value))


def perhaps_flags(core: Core) -> frozenset[str]:
    """The names of arrays and numbers typed as numbers that may hold flags.

    >>> from transpiler.core.text import parse
    >>> core = parse('b = False; b = i; c = b * 1; d = b; return d', types=dict.fromkeys('bcdi', INT))
    >>> sorted(perhaps_flags(core))
    ['b', 'd']
    """
    return _found(core, 'iufc', lambda found, value: Reader(core, found).is_flag(value))


def _found(core: Core, kinds: str, is_narrow: Callable[[set[str], gast.expr], bool]) -> frozenset[str]:
    """The names typed as one of these kinds that are given what is of a narrower one."""
    given = [pair for statement in core.statements for pair in gives(statement) if _kind(core.types.get(pair[0])) in kinds]
    return frozenset(closure((), lambda found: (name for name, value in given if name not in found and is_narrow(found, value))))


def stores_into_narrower(core: Core, kinds: Narrower) -> Iterable[tuple[gast.stmt, str]]:
    """The statements that write what is of the wide kind into an array that may be of the narrow one, and its name."""
    if not any(isinstance(core.types.get(name), Array) for name in all_written(core.body)):
        return
    found = _perhaps(core, kinds)
    for statement in core.statements if found else ():
        match statement:
            case (gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base))], value=value)
                  | gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base)) | gast.Name(id=base), value=value)) \
                    if base in found and isinstance(core.types[base], Array) and not _is_sure(value, core, kinds):
                yield statement, base


class Reader:
    """Reads expressions of a program in which the names in `found` may hold what is narrower than their types, or flags."""

    def __init__(self, core: Core, found: AbstractSet[str], kinds: Narrower = INTEGERS):
        self.core, self.found, self.kinds = core, found, kinds

    def is_narrower(self, value: gast.expr) -> bool:
        """Whether an expression may give a number of a narrow kind."""
        if links(value).integer:
            return True
        match value:
            case gast.Constant(value=number):
                return isinstance(number, self.kinds.numbers)
            case gast.Name(id=name):
                return name in self.found or _kind(self.core.types.get(name)) in self.kinds.narrow
            case gast.IfExp(body=body, orelse=orelse):
                return self.is_narrower(body) or self.is_narrower(orelse)
            case gast.BinOp(left=left, op=op, right=right):
                whole = self.kinds is not INTEGERS or not isinstance(op, gast.Div)
                return whole and self.is_narrower(left) and self.is_narrower(right)
            case gast.UnaryOp(operand=operand):
                return self.is_narrower(operand)
            case gast.Subscript(value=gast.Name(id=base)):
                return base in self.found or _kind(self.core.types.get(base)) in self.kinds.narrow
            case gast.Call():
                return self._call(value)
        return False

    def is_flag(self, value: gast.expr) -> bool:
        """Whether an expression may give a flag."""
        match value:
            case gast.Constant(value=number):
                return isinstance(number, bool)
            case gast.Name(id=name):
                return name in self.found or _kind(self.core.types.get(name)) == 'b'
            case gast.IfExp(body=body, orelse=orelse):
                return self.is_flag(body) or self.is_flag(orelse)
            case gast.BinOp(left=left, op=gast.BitAnd() | gast.BitOr() | gast.BitXor(), right=right):
                return self.is_flag(left) and self.is_flag(right)
            case gast.UnaryOp(op=gast.Not()) | gast.Compare():
                return True
            case gast.Subscript(value=gast.Name(id=base)) | gast.Call(func=gast.Name(id='tape.pop' | 'tape.item'),
                                                                      args=[gast.Name(id=base), *_]):
                return base in self.found or _kind(self.core.types.get(base)) == 'b'
        return False

    def are_refused(self, value: gast.expr) -> bool:
        """Whether NumPy may raise since all that is subtracted, or has its sign changed, may be flags."""
        match value:
            case gast.UnaryOp(op=gast.USub(), operand=gast.Name(id=name)):
                return name in self.found
            case gast.BinOp(left=gast.Name() as left, op=gast.Sub(), right=gast.Name() as right):
                return bool({left.id, right.id} & self.found) and self.is_flag(left) and self.is_flag(right)
        return False

    def divides(self, value: gast.expr) -> bool:
        """Whether both numbers of a quotient may be Python's on some path, since they are integers there: 0 raises."""
        match value:
            case gast.BinOp(left=left, op=gast.Div() | gast.FloorDiv() | gast.Mod(), right=gast.Name(id=name) as right):
                number = isinstance(self.core.types.get(name), Scalar) and name in self.found
                return number and self.is_narrower(left) and self.is_narrower(right)
        return False

    def _call(self, call: gast.Call) -> bool:
        name = primitive(call) or ''
        if name.startswith('tape.'):
            return any(map(self.is_narrower, call.args[:1]))
        if name.startswith('python.'):
            return name != MADE[self.kinds] and all(map(self.is_narrower, call.args))
        if name not in RULES or links(call).typed is None:
            return False
        operands, types, statics = links(call).typed
        as_narrower = tuple(map(self._type, operands, types))
        return as_narrower != tuple(types) and _kind(infer(RULES[name], as_narrower, statics)[0]) in self.kinds.narrow

    def _type(self, operand: gast.expr, type_: Any) -> Any:
        """The type of an operand if what may be of a narrow kind is."""
        if isinstance(type_, tuple):
            return tuple(map(self._type, operand.elts, type_))
        if _kind(type_) not in self.kinds.wide or not self.is_narrower(operand):
            return type_
        return self.kinds.least if isinstance(type_, Scalar) else Array(self.kinds.least.dtype, type_.dims)


def _kind(type_: Type | None) -> str:
    return _kind(type_.element) if isinstance(type_, Tape) else getattr(getattr(type_, 'dtype', None), 'kind', '?')


def _is_sure(value: gast.expr, core: Core, kinds: Narrower) -> bool:
    """Whether what is stored is of the narrow kind on every path."""
    match value:
        case gast.Constant(value=number):
            return isinstance(number, kinds.numbers)
        case gast.Name(id=name):
            return _kind(core.types.get(name)) in kinds.narrow
    return False
