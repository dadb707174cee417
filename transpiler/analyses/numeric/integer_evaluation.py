"""The integers that an expression may give, by what is known of those in it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import gast

from transpiler.analyses.numeric.integer_facts import ANYTHING, Facts, Integer
from transpiler.core.language import Core
from transpiler.core.query import names, primitive
from transpiler.values.dims import Dim, Symbol
from transpiler.values.intervals import (
    FLAG,
    WORD,
    Interval,
    combined,
    common,
    hull,
    inverted,
    is_inside,
    magnitude,
    negated,
    of_dtype,
)
from transpiler.values.types import Array, Scalar, Type

SIZE = 0, 2**48     # of an axis, and of a whole array: more than there is memory
PRODUCT = 0, 2**62  # NumPy makes no array of which the sizes have a longer product
EXTREMES = {'python.max': max, 'numpy.maximum': max, 'python.min': min, 'numpy.minimum': min}
NEGATED = {gast.Lt: gast.GtE, gast.GtE: gast.Lt, gast.Gt: gast.LtE, gast.LtE: gast.Gt, gast.Eq: gast.NotEq, gast.NotEq: gast.Eq}
MIRRORED = {gast.Lt: gast.Gt, gast.Gt: gast.Lt, gast.LtE: gast.GtE, gast.GtE: gast.LtE, gast.Eq: gast.Eq, gast.NotEq: gast.NotEq}
AS_IT_IS = {'python.int', 'python.item', 'numpy.int64', 'numpy.positive'}


class Reader:
    """Reads the expressions of one program."""

    def __init__(self, core: Core):
        self.core = core
        self.arrays = [type_.dims for name in core.inputs if isinstance(type_ := core.types.get(name), Array) and type_.dims]
        self.sizes = {s for dims in self.arrays for d in dims if d is not None for s, _ in d.terms if not s.key}

    def is_pythons(self, name: str) -> bool:
        """Whether it is an integer of Python's."""
        type_ = self.core.types.get(name)
        return isinstance(type_, Scalar) and type_.weak and type_.dtype.kind == 'i'

    def of_type(self, type_: Type | None) -> Interval | None:
        if not isinstance(type_, Scalar):
            return None
        return FLAG if type_.dtype.kind == 'b' else of_dtype(type_.dtype)

    def value(self, name: str | Symbol, facts: Facts) -> Integer | None:
        """The integer that a name holds, or a symbol stands for; None if it holds something else."""
        found = facts.values.get(name)
        if isinstance(name, Symbol):
            return found or Integer((2 if name.large else 0, SIZE[1]))
        type_ = self.core.types.get(name)
        own = None if found is not None else self.of_type(type_)
        found = found if own is None else Integer(own)
        size = None if found is None else self.size_of(name, facts)
        return found if size is None else Integer(common(found.within, size), found.root, found.off, type_.size)

    def size_of(self, name: str, facts: Facts) -> Interval | None:
        """What is known of a name that is made of sizes."""
        type_ = self.core.types.get(name)
        return self._of_dim(type_.size, facts) if isinstance(type_, Scalar) and type_.size is not None else None

    def _of_dim(self, dim: Dim, facts: Facts) -> Interval | None:
        low = high = dim.constant
        for symbol, coefficient in dim.terms:
            within = self._of_symbol(symbol, facts)
            if within is None:
                return None
            ends = sorted((within[0] * coefficient, within[1] * coefficient))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def _of_symbol(self, symbol: Symbol, facts: Facts) -> Interval | None:
        if symbol.factors:
            parts = [self._of_symbol(factor, facts) for factor in symbol.factors]
            if None in parts:
                return None
            whole = reduce(lambda a, b: (a[0] * b[0], a[1] * b[1]), parts)
            return common(PRODUCT, whole) if self._is_of_one_array(symbol.factors) else whole
        if symbol.signed or symbol.key and symbol.quotient is not None:
            return None
        return self.value(symbol, facts).within

    def _is_of_one_array(self, factors: tuple[Symbol, ...]) -> bool:
        return any(Counter(factors) <= Counter(d.symbol_alone for d in dims if d is not None) for dims in self.arrays)

    def within(self, node: gast.expr, facts: Facts) -> Interval:
        return (self.read(node, facts) or ANYTHING).within

    def read(self, node: gast.expr, facts: Facts) -> Integer | None:
        """The integer that an expression gives; None if it gives something else."""
        match node:
            case gast.Constant(value=int(value)):
                return Integer((int(value), int(value)))
            case gast.Name(id=name):
                return self.value(name, facts)
            case gast.BinOp(left=left, op=op, right=right):
                return self._combined(node, self.read(left, facts), self.read(right, facts), facts)
            case gast.UnaryOp(op=op, operand=operand):
                return self._turned(node, type(op), self.read(operand, facts))
            case gast.Compare() | gast.BoolOp():
                return Integer(FLAG)
            case gast.IfExp(body=body, orelse=orelse):
                return _hull([self.read(body, facts), self.read(orelse, facts)])
            case gast.Subscript(value=gast.Attribute(value=gast.Name(id=array), attr='shape'), slice=gast.Constant(value=axis)):
                return self._size(array, axis, facts)
            case gast.Attribute(attr='size'):
                return Integer(SIZE)
            case gast.Attribute(attr='ndim'):
                return Integer((0, 64))
            case gast.Call(args=args):
                return self._call(primitive(node) or '', [self.read(a, facts) for a in args])
        return None

    def _dim(self, array: str, axis: int) -> Dim | None:
        dims = getattr(self.core.types.get(array), 'dims', None) or ()
        return dims[axis] if -len(dims) <= axis < len(dims) else None

    def _size(self, array: str, axis: int, facts: Facts) -> Integer:
        dim = self._dim(array, axis)
        return Integer(common(SIZE, (dim is not None and self._of_dim(dim, facts)) or SIZE), dim=dim)

    def _combined(self, node: gast.BinOp, a: Integer | None, b: Integer | None, facts: Facts) -> Integer | None:
        kind = type(node.op)
        found = None if a is None or b is None else combined(kind, a.within, b.within)
        if found is None or a is None or b is None:
            return None
        if kind is gast.Add:
            made = a.plus(b)
        elif kind is gast.Sub:
            made = Integer(common(a.minus(b), found)) if a.root is not None and a.root == b.root else \
                a.plus(Integer(negated(b.within))) if b.root is None else Integer(found)
        else:
            made = Integer(found)
        if kind is not gast.Mult or a.dim is None or b.dim is None:
            return self._of_pythons(node, made)
        dim = a.dim.times(b.dim)
        size = self._of_dim(dim, facts)
        return Integer(made.within if size is None else common(size, made.within), dim=dim)

    def _of_pythons(self, node: gast.expr, made: Integer) -> Integer:
        """What arithmetic gives: integers of NumPy's wrap around."""
        numpys = [own for own in map(self._of_numpys, names(node)) if own is not None]
        if not numpys or is_inside(made.within, (max(own[0] for own in numpys), min(own[1] for own in numpys))):
            return made
        return ANYTHING

    def _of_numpys(self, name: str) -> Interval | None:
        """The integers that a number of NumPy's may be; None for those of Python's, and for flags."""
        return None if self.is_pythons(name) or (own := self.of_type(self.core.types.get(name))) == FLAG else own

    def _turned(self, node: gast.UnaryOp, kind: type[gast.unaryop], operand: Integer | None) -> Integer | None:
        if kind is gast.Not:
            return Integer(FLAG)
        if operand is None:
            return None
        made = {gast.USub: negated, gast.Invert: inverted, gast.UAdd: lambda within: within}[kind](operand.within)
        return operand if kind is gast.UAdd else self._of_pythons(node, Integer(made))

    def _call(self, name: str, args: list[Integer | None]) -> Integer | None:
        if name in ('python.len', 'numpy.argmax', 'numpy.argmin', 'numpy.searchsorted'):
            return Integer(SIZE)
        if name == 'python.bool':
            return Integer(FLAG)
        if name == 'python.int' and None in args:
            return Integer(WORD)
        if not args or None in args:
            return None
        if name in EXTREMES:
            best: Callable = EXTREMES[name]
            return Integer((best(a.within[0] for a in args if a), best(a.within[1] for a in args if a)))
        if name in AS_IT_IS:
            return args[0]
        return Integer(magnitude(args[0].within)) if name == 'python.abs' and args[0] else None

    def assumed(self, test: gast.expr, holds: bool, facts: Facts) -> Facts | None:
        """What is known where a test comes out like that; None if it cannot."""
        match test:
            case gast.Constant(value=value):
                return facts.copy() if bool(value) == holds else None
            case gast.Name(id=name) if name in facts.tests:
                return self.assumed(facts.tests[name], holds, facts)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return self.assumed(operand, not holds, facts)
            case gast.BoolOp(op=op, values=values) if isinstance(op, gast.And if holds else gast.Or):
                found: Facts | None = facts.copy()
                for value in values:
                    found = found and self.assumed(value, holds, found)
                return found
            case gast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in NEGATED:
                kind = type(op) if holds else NEGATED[type(op)]
                one = self._compared(left, kind, right, facts.copy())
                return one and self._compared(right, MIRRORED[kind], left, one)
        return facts.copy()

    def _compared(self, node: gast.expr, kind: type[gast.cmpop], other: gast.expr, facts: Facts) -> Facts | None:
        """The same, where a name, or size, compares so with another integer; None if it cannot."""
        name, end = self._place(node), self.read(other, facts)
        own = None if name is None else self.value(name, facts)
        if name is None or own is None or end is None:
            return facts
        low, high = own.within
        match kind:
            case gast.Lt | gast.LtE:
                high = min(high, end.within[1] - (kind is gast.Lt))
            case gast.Gt | gast.GtE:
                low = max(low, end.within[0] + (kind is gast.Gt))
            case gast.Eq:
                low, high = max(low, end.within[0]), min(high, end.within[1])
            case gast.NotEq if end.within[0] == end.within[1]:
                low, high = low + (low == end.within[0]), high - (high == end.within[0])
        if low > high:
            return None
        facts.values[name] = replace(own, within=(low, high))
        return facts

    def _place(self, node: gast.expr) -> str | Symbol | None:
        match node:
            case gast.Name(id=name):
                return name
            case gast.Subscript(value=gast.Attribute(value=gast.Name(id=array), attr='shape'), slice=gast.Constant(value=axis)):
                dim = self._dim(array, axis)
                symbol = None if dim is None else dim.symbol_alone
                return symbol if symbol in self.sizes else None
        return None


def _hull(parts: list[Integer | None]) -> Integer | None:
    found = [part.within for part in parts if part is not None]
    return Integer(reduce(hull, found)) if len(found) == len(parts) else None


