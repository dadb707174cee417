"""The integers of a program as affine expressions of iteration numbers, sizes and values that do not change meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

import gast
import numpy as np

from transpiler.analyses.dataflow.positions import Position, Positions
from transpiler.analyses.polyhedral.inequalities import impossible
from transpiler.core.language import Core
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Array, Scalar

_NEGATED = {gast.Lt: gast.GtE, gast.GtE: gast.Lt, gast.Gt: gast.LtE, gast.LtE: gast.Gt, gast.Eq: gast.NotEq, gast.NotEq: gast.Eq}
_EXTREMES = {'python.max': 1, 'numpy.maximum': 1, 'python.min': -1, 'numpy.minimum': -1}


class Affine:
    """Forms of integer names and constants where they are read.

    A loop's iterations are counted from 0. `depth` says how many of the loops around a place must be in the same iteration for a
    symbol to have the same value; `facts` what is known of a symbol (forms that are at least 0).

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT
    >>> core = parse('''
    ... for i in range(n):
    ...     for j in range(i, 0, -2):
    ...         k = j + 3
    ...         x[k] = 0
    ... return x''', types={'k': INT})
    >>> found = Affine(core)
    >>> write = found.positions.all[3]
    >>> str(found.form(write.statement.targets[0].slice, write))
    '<turn of 0> - 2*<turn of 1> + 3'
    >>> [str(form) for form in found.domain(write)]
    ['<turn of 0>', '-<turn of 0> + n as given - 1', '<turn of 1>', '<turn of 0> - 2*<turn of 1> - 1']
    """

    def __init__(self, core: Core):
        self.core = core
        self.positions = Positions(core)
        self.depth: dict[Symbol, int] = {}
        self.facts: dict[Symbol, list[Dim]] = {}
        types = [core.types.get(name) for name in core.inputs]
        self.sizes = {s for t in types if isinstance(t, Array) and t.dims for d in t.dims if d is not None for s, _ in d.terms}
        self.named: dict[Symbol, tuple[str, int | None]] = {}  # the name whose value a symbol is, or the size of which axis
        self.iterations: dict[Symbol, Position] = {}  # the loop whose iterations a symbol counts
        self._known: dict[tuple[str, int, bool], Dim | None] = {}
        self._open: set[str] = set()

    def symbol(self, text: str, depth: int) -> Dim:
        self.depth[Symbol(text)] = depth
        return Dim.symbol(text)

    def iteration(self, loop: Position) -> Dim:
        made = self.symbol(f'<turn of {loop.number}>', len(loop.loops) + 1)
        self.iterations[made.terms[0][0]] = loop
        return made

    def trusted(self, size: Dim | None) -> Dim | None:
        """A size, if it is made of those of the arguments: any other symbol may mean another size in every iteration."""
        return size if size is not None and all(s in self.sizes for s, _ in size.terms) else None

    def form(self, node: gast.expr, at: Position, integer: bool = False) -> Dim | None:
        """An expression read at `at`; None unless it is surely an integer (`integer`: a name is, whatever its type says)."""
        match node:
            case gast.Constant(value=value) if isinstance(value, int) and not isinstance(value, bool):
                return Dim.of(value)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                inner = self.form(operand, at)
                return None if inner is None else -inner
            case gast.Name(id=name):
                if self._open:  # inside an induction the answers are preliminary
                    return self._name(name, at, integer)
                if (name, at.number, integer) not in self._known:
                    self._known[name, at.number, integer] = self._name(name, at, integer)
                return self._known[name, at.number, integer]
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult() as op, right=right):
                return self._combined(self.form(left, at), op, self.form(right, at))
            case gast.Subscript(value=gast.Attribute(value=gast.Name(id=array)), slice=gast.Constant(value=int(axis))):
                return self.size(array, axis, at)
            case gast.Attribute(value=gast.Name(id=array), attr='size') if getattr(self.core.types.get(array), 'ndim', 0) == 1:
                return self.size(array, 0, at)
            case gast.Call(func=gast.Name(id='python.len'), args=[gast.Name(id=array)]) if self._is_array(array):
                return self.size(array, 0, at)
            case gast.Call(func=gast.Name(id='python.int' | 'numpy.int64'), args=[number]):
                return self.form(number, at)
        return None

    def _combined(self, a: Dim | None, op: gast.operator, b: Dim | None) -> Dim | None:
        if a is None or b is None:
            return None
        if isinstance(op, gast.Mult):
            return b * a.constant if a.is_constant else a * b.constant if b.is_constant else None
        return a + b if isinstance(op, gast.Add) else a - b

    def _name(self, name: str, at: Position, integer: bool) -> Dim | None:
        type_, giver = self.core.types.get(name), self.positions.giver(name, at)
        if giver is not None and isinstance(giver.statement, gast.For):
            return self._counter(giver)
        if not integer and not (isinstance(type_, Scalar) and type_.dtype.kind in 'iu'):
            return None
        if not isinstance(type_, Scalar) or type_.dtype != np.int64:  # smaller integers wrap around
            return self.opaque(name, at, giver)
        if len(self.positions.definitions.get(name, ())) <= 1 and self.trusted(type_.size) is not None:
            return type_.size
        found = self.form(giver.statement.value, giver) if giver is not None else None
        return self._counted(name, at) if found is None else found

    def opaque(self, name: str, at: Position, giver: Position | None = None) -> Dim:
        """The value that a name has at `at` as a symbol of its own."""
        made = self.symbol(self.positions.version(name, at), len(self.positions.changing(name, at)))
        self.named[made.terms[0][0]] = name, None
        if giver is not None and made.terms[0][0] not in self.facts:
            self.facts[made.terms[0][0]] = []
            self.facts[made.terms[0][0]] = self._facts(made, giver.statement.value, giver)
        return made

    def _counter(self, loop: Position) -> Dim:
        start, _, step = loop.statement.iter.args
        by, first = constant(step), self.form(start, loop, integer=True)
        if not by or first is None:
            return self.symbol(f'{loop.statement.target.id} from {loop.number}', len(loop.loops) + 1)
        return first + self.iteration(loop) * by

    def _is_array(self, name: str) -> bool:
        return isinstance(self.core.types.get(name), Array)

    def size(self, array: str, axis: int, at: Position) -> Dim:
        """The size of an array along an axis."""
        type_, giver = self.core.types.get(array), self.positions.giver(array, at)
        dims = getattr(type_, 'dims', None) or ()
        known = self.trusted(dims[axis]) if axis < len(dims) else None
        if known is None and giver is not None and isinstance(giver.statement, gast.Assign):
            known = self._allocated(giver.statement.value, axis, giver)
        if known is not None:
            return known
        made = self.symbol(self.text(array, axis, at), len(self.positions.changing(array, at)))
        self.facts[made.terms[0][0]] = [made]
        self.named[made.terms[0][0]] = array, axis
        return made

    def text(self, name: str, axis: int | None, at: Position) -> str:
        version = self.positions.version(name, at)
        return version if axis is None else f'size {axis} of {version}'

    def _allocated(self, value: gast.expr, axis: int, at: Position) -> Dim | None:
        match value:
            case gast.Call(func=gast.Name(id='numpy.zeros' | 'numpy.empty' | 'numpy.ones' | 'numpy.full'), args=[shape, *_]):
                if isinstance(shape, gast.Attribute) and isinstance(shape.value, gast.Name) and shape.attr == 'shape':
                    return self.size(shape.value.id, axis, at)
                parts = shape.elts if isinstance(shape, gast.Tuple) else [shape]
                return self.form(parts[axis], at) if axis < len(parts) else None
            case gast.Call(func=gast.Name(id='numpy.copy' | 'numpy.zeros_like' | 'numpy.empty_like'), args=[gast.Name(id=other)],
                           keywords=keywords) if all(k.arg == 'order' for k in keywords) and self._is_array(other):
                return self.size(other, axis, at)
        return None

    def _facts(self, made: Dim, value: gast.expr, at: Position) -> list[Dim]:
        match value:
            case gast.Call(func=gast.Name(id=name), args=arguments) if name in _EXTREMES:
                bounds = [self.form(a, at) for a in arguments]
                return [(made - bound) * _EXTREMES[name] for bound in bounds if bound is not None]
            case gast.BinOp(left=left, op=gast.FloorDiv() | gast.Mod() as op, right=right):
                whole, divisor = self.form(left, at), constant(right)
                if whole is None or divisor is None or divisor <= 0:
                    return []
                rest = whole - made * divisor if isinstance(op, gast.FloorDiv) else made
                return [rest, divisor - 1 - rest]
            case gast.Call(func=gast.Name(id='python.len'), args=[gast.Call(args=[start, stop, step])]):
                first, last, by = self.form(start, at), self.form(stop, at), constant(step)
                known = by and first is not None and last is not None
                return [made, *([made * abs(by) - (last - first) * (1 if by > 0 else -1)] if known else [])]
            case gast.Call(func=gast.Name(id='numpy.argmax' | 'numpy.argmin'), args=[gast.Name(id=array)]):
                vector = getattr(self.core.types.get(array), 'ndim', None) == 1
                return [made, *([self.size(array, 0, at) - made - 1] if vector else [])]
        return []

    def _counted(self, name: str, at: Position) -> Dim:
        """What a loop adds a constant to at the end of every iteration is counted by these; anything else is its own symbol."""
        raw = self.opaque(name, at, self.positions.giver(name, at))
        if not self.positions.is_from_iteration_before(name, at) or name in self._open:
            return raw
        loop = self.positions.changing(name, at)[-1]
        inside = [d for d in self.positions.definitions[name] if loop in d.loops]
        if len(inside) != 1 or inside[0].around[-1] != (loop.number, 0) or not isinstance(inside[0].statement, gast.Assign):
            return raw
        self._open.add(name)
        after = self.form(inside[0].statement.value, inside[0])
        entry = self.form(gast.Name(id=name, ctx=gast.Load(), annotation=None, type_comment=None), loop, integer=True)
        self._open.discard(name)
        step = None if after is None else after - raw
        return raw if step is None or not step.is_constant or entry is None else entry + self.iteration(loop) * step.constant

    def domain(self, at: Position) -> list[Dim]:
        """What is at least 0 whenever the statement at `at` runs: by the bounds of its loops and the tests of its branches."""
        found: list[Dim] = []
        apart: list[Dim] = []
        for loop in at.loops:
            found.append(self.iteration(loop))
            if isinstance(loop.statement, gast.While):
                self._holds(loop.statement.test, self.start(loop), True, found, apart)
                continue
            by, stop = constant(loop.statement.iter.args[2]), self.form(loop.statement.iter.args[1], loop, integer=True)
            if by and stop is not None:
                found.append((stop - self._counter(loop)) * (1 if by > 0 else -1) - 1)
        for branch, arm in at.arms:
            self._holds(branch.statement.test, branch, arm == 0, found, apart)
        for difference in apart:  # where one side is ruled out, it is the other
            found += [side - 1 for side in (difference, -difference) if impossible([], [*found, -side - 1])]
        return found

    def domain_of_test(self, loop: Position, given: Iterable[gast.expr]) -> list[Dim]:
        """What is at least 0 whenever a `while` asks its test, where the parts `given` of it have come out true already."""
        found = [*self.domain(loop), self.iteration(loop)]
        for part in given:
            self._holds(part, self.start(loop), True, found, [])
        return found

    def start(self, loop: Position) -> Position:
        """The place at which an iteration begins."""
        return self.positions.all[loop.number + 1]

    def _holds(self, test: gast.expr, at: Position, truth: bool, found: list[Dim], apart: list[Dim]) -> None:
        """Collect what is at least 0, and what is not 0, if `test` comes out as `truth`."""
        match test:
            case gast.Name(id=name):
                giver = self.positions.giver(name, at)
                if giver is not None and isinstance(giver.statement, gast.Assign):
                    self._holds(giver.statement.value, giver, truth, found, apart)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                self._holds(operand, at, not truth, found, apart)
            case gast.BoolOp(op=op, values=values) if isinstance(op, gast.And if truth else gast.Or):
                for value in values:
                    self._holds(value, at, truth, found, apart)
            case gast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _NEGATED:
                a, b = self.form(left, at), self.form(right, at)
                if a is None or b is None:
                    return
                kind = type(op) if truth else _NEGATED[type(op)]
                if kind is gast.NotEq:
                    apart.append(a - b)
                found += {gast.Lt: [b - a - 1], gast.LtE: [b - a], gast.Gt: [a - b - 1], gast.GtE: [a - b],
                          gast.Eq: [a - b, b - a]}.get(kind, [])

    def known(self, forms: Iterable[Dim]) -> list[Dim]:
        """What is known of the symbols in the forms, and of the symbols in that."""
        found: list[Dim] = []
        pending, seen = list(forms), set()
        for form in pending:
            for symbol, _ in form.terms:
                if symbol not in seen:
                    seen.add(symbol)
                    found += self.facts.get(symbol, ())
                    pending += self.facts.get(symbol, ())
        return found


def constant(node: gast.expr) -> int | None:
    """The integer that is written there."""
    return node.value if isinstance(node, gast.Constant) and isinstance(node.value, int) else None
