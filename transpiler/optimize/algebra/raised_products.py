"""Loops of products with rows or columns of matrices that stay as they are: all of them are one product of the matrices."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.analyses.memory.aliases import memory
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.indices import entries_of, integer
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, changed_by, defined, primitive, walk
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.optimize.rewriting.use_counts import occurrences
from transpiler.passes import rewrite
from transpiler.values.dims import Dim
from transpiler.values.types import Array

FEW = 2     # rows that may be left out at an end of a loop: all of them are multiplied
WHOLE = gast.Slice(lower=None, upper=None, step=None)


@rewrite('products of matrices')
def raise_products(core: Core) -> Core:
    """Multiply matrices before a loop that multiplies a row of one with the other, or with its rows, and write out rows of that.

    Legal because the order in which products are added up is open, and nobody writes to the matrices in the loop. It is worth it
    where the loop goes through all rows, and where it fills an array of as many items: a product takes no more memory.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import INT
    >>> from dataclasses import replace
    >>> import numpy as np
    >>> n, m = Dim.symbol('n'), Dim.symbol('m')
    >>> types = {'x': Array(np.dtype(float), (n, m)), 'c': Array(np.dtype(float), (m, m)), 'm': replace(INT, size=m), 'i': INT}
    >>> types |= {name: Array(np.dtype(float), (n,)) for name in 'ap'} | {'b': Array(np.dtype(float), (n, None))}
    >>> show(raise_products, '''
    ... c = np.zeros((m, m))
    ... for i in range(m):
    ...     a = x[:, i]
    ...     b = x[:, i:m]
    ...     p = a @ b
    ...     c[i, i:m] = p
    ... return c''', params='xm', types=types)
    c = np.zeros((m, m))
    transposed = x.T
    products = transposed @ x
    for i in range(m):
        a = x[:, i]
        b = x[:, i:m]
        p = products[i, i:m]
        c[i, i:m] = p
    return c
    """
    if not any(isinstance(s, gast.For) for s in core.body) or not any(_factors(s) for s in core.statements):
        return core
    raising = _Raising(core)
    body = raising.block(core.body)
    return core.with_body(body, types=raising.builder.types, hints=raising.builder.hints) if raising.found else core


@dataclass(frozen=True)
class Factor:
    """What a name shows of a matrix: its axes, or those of the part, with an index for each axis of the matrix."""

    base: str
    entries: tuple[gast.expr, ...]
    backwards: bool = False     # the axes of what is shown

    @property
    def free(self) -> list[int]:
        """The axes of the matrix that what is shown has, in its order."""
        kept = [axis for axis, entry in enumerate(self.entries) if isinstance(entry, gast.Slice)]
        return kept[::-1] if self.backwards else kept


class _Raising:
    def __init__(self, core: Core):
        self.core, self.memory, self.times, self.found = core, memory(core), counts(core.body), False
        self.builder = Builder.of(core)
        self.made = {name: s for s in core.statements if (name := defined(s)) is not None and self.times[name] == 1}
        self.reads = Counter(name for s in core.statements for name in occurrences(s))
        self.unread: set[str] = set()   # temporaries that only products read

    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in body for new in self.one(statement)]

    def one(self, statement: gast.stmt) -> list[gast.stmt]:
        before: list[gast.stmt] = []
        if isinstance(statement, gast.For) and not any(isinstance(s, gast.Break) for s in walk(statement.body)):
            new: dict[int, gast.stmt] = {}
            for loops, product in _in_nest(statement):
                if (raised := self.raised(loops, product)) is not None:
                    before += raised[:-1]
                    new[id(product)] = raised[-1]
            statement = self.replaced(statement, new) if new else statement
        inner = blocks(statement)
        return [*before, with_blocks(statement, [self.block(b) for b in inner]) if inner else statement]

    def raised(self, loops: Sequence[gast.For], product: gast.Assign) -> list[gast.stmt] | None:
        """The product of the matrices, and at last what takes a part of it, if that is legal and worth it."""
        left, right = (self.factor(name, loops) for name in _factors(product))
        if left is None or right is None or not left.free or not right.free or not self.stay(loops[0], left, right):
            return None
        if any(self.memory.may_alias(name, defined(product) or '') for s in self.core.statements for name in changed_by(s)):
            return None
        inner = left.free[-1], right.free[-2 if len(right.free) == 2 else -1]
        sides = [(left, 1 - inner[0]), (right, 1 - inner[1])]
        used = [entry for factor, axis in sides for entry in (factor.entries[axis],)]
        dims = [self.dim(factor.base, axis) for factor, axis in zip((left, right), inner, strict=True)]
        whole = all(_is_whole(factor.entries[axis]) for factor, axis in zip((left, right), inner, strict=True))
        covered = all(self.covers(factor, axis, loops) for factor, axis in sides)
        if not (whole and covered and dims[0] is not None and dims[0] == dims[1] and self.goes_through_rows(used)):
            return None
        shape = tuple(self.dim(factor.base, axis) for factor, axis in sides)
        if not self.fills(loops[0], shape):
            return None
        self.found = True
        for factor in _factors(product):
            self.not_read(factor, loops[0])
        type_ = Array(self.core.types[left.base].dtype, shape)
        before: list[gast.stmt] = []
        factors = [self.oriented(factor.base, axis == wanted, product, before)
                   for factor, axis, wanted in ((left, inner[0], 1), (right, inner[1], 0))]
        name = self.builder.fresh('products', type_, temporary=True).name
        before.append(build.assign(name, build.binary(factors[0], gast.MatMult, factors[1]), product.origin))
        return [*before, build.like(product, value=build.subscript(name, tuple(used)))]

    def not_read(self, name: str, loop: gast.For) -> None:
        """A product reads a name no more: one of the matrices' parts, whose index is out of range where that of a row is."""
        self.reads[name] -= 1
        if not self.reads[name] and self.core.is_temporary(name) and name in all_defined(loop.body):
            self.unread.add(name)
            for other in occurrences(self.made[name]):
                self.not_read(other, loop)

    def replaced(self, loop: gast.For, new: dict[int, gast.stmt]) -> gast.For:
        body = [self.replaced(s, new) if isinstance(s, gast.For) else new.get(id(s), s) for s in loop.body
                if defined(s) not in self.unread]
        return build.like(loop, body=body)

    def factor(self, name: str, loops: Sequence[gast.For]) -> Factor | None:
        """What a name shows of a matrix that is made before the loops."""
        type_, statement = self.core.types.get(name), self.made.get(name)
        if name not in all_defined(loops[0].body):
            matrix = isinstance(type_, Array) and type_.ndim == 2
            return Factor(name, (WHOLE, WHOLE)) if matrix else None
        match statement:
            case gast.Assign(value=gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name(id=transposed)], keywords=[])):
                found = self.factor(transposed, loops)
                return found and Factor(found.base, found.entries, not found.backwards)
            case gast.Assign(value=gast.Subscript(value=gast.Name(id=base), slice=index)):
                whole, entries = self.factor(base, loops), entries_of(index)
                if whole is not None and all(map(_is_whole, whole.entries)) and all(map(_is_plain, entries)):
                    entries += [WHOLE] * (2 - len(entries))
                    return Factor(whole.base, tuple(entries[::-1] if whole.backwards else entries), whole.backwards)
        return None

    def bound(self, loops: Sequence[gast.For]) -> list[str]:
        return [loop.target.id for loop in loops]

    def dim(self, name: str, axis: int) -> Dim | None:
        return self.core.types[name].dims[axis] if self.core.types[name].dims else None

    def oriented(self, name: str, as_it_is: bool, product: gast.Assign, before: list[gast.stmt]) -> gast.expr:
        """A matrix, or its transpose, by a statement more."""
        if as_it_is:
            return build.name(name)
        type_ = self.core.types[name]
        transposed = self.builder.fresh('transposed', Array(type_.dtype, type_.dims[::-1]), temporary=True).name
        before.append(build.assign(transposed, build.call('numpy.transpose', build.name(name)), product.origin))
        return build.name(transposed)

    def stay(self, loop: gast.For, *factors: Factor) -> bool:
        """Whether the matrices hold floats of one kind, and nobody writes to them in a loop."""
        kinds = {self.core.types[factor.base].dtype for factor in factors}
        changed = {name for s in walk(loop.body) for name in changed_by(s)}
        still = not any(self.memory.may_alias(name, factor.base) for name in changed for factor in factors)
        return len(kinds) == 1 and kinds.pop().kind in 'fc' and still

    def goes_through_rows(self, used: Sequence[gast.expr]) -> bool:
        """Whether a loop goes through rows, and if two do, each through its own."""
        rows = [entry.id for entry in used if isinstance(entry, gast.Name)]
        return 0 < len(rows) == len(set(rows))

    def covers(self, factor: Factor, axis: int, loops: Sequence[gast.For]) -> bool:
        """Whether the loops use all rows but a few, or each iteration of an outer loop its share of them."""
        entry, size = factor.entries[axis], self.dim(factor.base, axis)
        if isinstance(entry, gast.Name):
            loop = next((loop for loop in loops if loop.target.id == entry.id), None)
            if loop is None or entry.id in all_defined(loop.body):
                return False
            return self.spans(*loop.iter.args[:2], size, loops[:loops.index(loop)])
        return self.spans(entry.lower, entry.upper, size, loops)

    def spans(self, lower: gast.expr | None, upper: gast.expr | None, size: Dim | None, outer: Sequence[gast.For]) -> bool:
        """Whether a range goes from about 0 to about the size, or the iteration of an outer loop is one of its ends."""
        if size is None:
            return False
        begins, ends = self.follows(lower, outer), self.follows(upper, outer)
        first = 0 if lower is None else integer(lower)
        end = size if upper is None else self.number(upper)
        less = (size - end) if end is not None else None
        near = less is not None and less.is_constant and 0 <= less.constant <= FEW
        return (begins or first is not None and 0 <= first <= FEW) and (ends or near) and not (begins and ends)

    def follows(self, bound: gast.expr | None, outer: Sequence[gast.For]) -> bool:
        """Whether a bound is the number of an outer loop's iteration, or one or two more."""
        if not isinstance(bound, gast.Name):
            return False
        match getattr(self.made.get(bound.id), 'value', None):
            case gast.BinOp(left=gast.Name(id=name), op=gast.Add(), right=gast.Constant(value=int(more))) if 0 <= more <= FEW:
                return name in self.bound(outer)
        return bound.id in self.bound(outer)

    def number(self, node: gast.expr) -> Dim | None:
        value = integer(node)
        return Dim.of(value) if value is not None else getattr(self.core.types.get(getattr(node, 'id', '')), 'size', None)

    def fills(self, loop: gast.For, shape: tuple[Dim | None, ...]) -> bool:
        """Whether the loop writes into an array of so many rows and columns."""
        types = (self.core.types.get(name) for s in walk(loop.body) for name in changed_by(s))
        return None not in shape and any(isinstance(t, Array) and t.dims in (shape, shape[::-1]) for t in types)


def _is_plain(entry: gast.expr) -> bool:
    return isinstance(entry, gast.Name) or isinstance(entry, gast.Slice) and entry.step is None


def _is_whole(entry: gast.expr) -> bool:
    return isinstance(entry, gast.Slice) and entry.lower is entry.upper is entry.step is None


def _factors(statement: gast.stmt) -> tuple[str, ...]:
    """The names of what a statement of the primal multiplies."""
    if not isinstance(statement, gast.Assign) or statement.role != 'primal':
        return ()
    match statement.value:
        case gast.BinOp(left=gast.Name(id=left), op=gast.MatMult(), right=gast.Name(id=right)):
            return left, right
        case gast.Call(args=[gast.Name(id=left), gast.Name(id=right)], keywords=[]) if (
                primitive(statement.value) in ('numpy.dot', 'numpy.matmul')):
            return left, right
    return ()


def _in_nest(loop: gast.For) -> Iterator[tuple[list[gast.For], gast.Assign]]:
    """The products in a loop, and in those that it runs in every iteration, with the loops around each."""
    if integer(loop.iter.args[2]) != 1:
        return
    for statement in loop.body:
        if _factors(statement):
            yield [loop], statement
        if isinstance(statement, gast.For):
            yield from (([loop, *loops], product) for loops, product in _in_nest(statement))
