"""Arrays that a loop makes anew in every iteration, made once before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import prod

import gast

from transpiler.core import build
from transpiler.core.indices import entries_of, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, names, parts, primitive, walk
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

MOST = 4096  # items


@rewrite('buffers', surface=True)
def made_once(core: Core) -> Core:
    """Allocations go before the loops around them, if their items are all that is ever read and written, and their size stays.

    What was in them when they were new is undefined, so nobody can tell; loops that threads share must be apart already. Such a
    size is small, or one axis is as long as one of an array that the loop does not make.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> show(made_once, '''
    ... for i in range(n):
    ...     b = np.empty((2, 2))
    ...     b[0, 1] = x[i]
    ...     x[i] = b[0, 1] * 2.0
    ... return x''', types={'x': FLOAT, 'i': INT, 'n': INT, 'b': Array(np.dtype(float), (None, None))})
    b = np.empty((2, 2))
    for i in range(n):
        b[0, 1] = x[i]
        x[i] = b[0, 1] * 2.0
    return x
    """
    statements = core.statements
    given = Counter(filter(None, map(defined, statements)))
    read = Counter(name for s in statements for part in _own(s) for name in names(part))
    items = Counter(name for s in statements for part in _own(s) for name in _items(part, core))
    private = {name for name, count in given.items() if count == 1 and read[name] - 1 == items[name] and name not in core.inputs}
    sizes = {name: s.value for s in statements if isinstance(s, gast.Assign) and (name := defined(s)) and given[name] == 1}
    return unchanged_or(core, _Making(private, sizes).block(core.body, core.inputs))


def _own(statement: gast.stmt) -> list[gast.AST]:
    """The expressions of a statement itself, targets too."""
    fields = ('targets', 'target', 'value', 'iter', 'test', 'exc')
    found = [getattr(statement, field, None) for field in fields]
    return [node for one in found for node in (one if isinstance(one, list) else [one]) if isinstance(node, gast.AST)]


def _items(node: gast.AST, core: Core) -> Iterable[str]:
    for part in parts(node):
        match part:
            case gast.Subscript(value=gast.Name(id=name), slice=index) if all(_is_number(e, core) for e in entries_of(index)):
                yield name


def _is_number(entry: gast.expr, core: Core) -> bool:
    if isinstance(entry, gast.Slice) or is_new(entry) or is_dots(entry):
        return False
    return all(isinstance(core.types.get(name), Scalar) for name in names(entry))


class _Making:
    def __init__(self, private: set[str], sizes: Mapping[str, gast.expr]):
        self.private, self.sizes = private, sizes

    def block(self, body: Iterable[gast.stmt], bound: Collection[str]) -> list[gast.stmt]:
        """`bound`: the names that surely have a value there."""
        made: list[gast.stmt] = []
        known = set(bound)
        for statement in body:
            if isinstance(statement, (gast.For, gast.While)):
                early = self._early(statement, known)
                made += early.values()
                statement = _without(statement, set(early))
            if blocks(statement):
                statement = with_blocks(statement, [self.block(inner, known) for inner in blocks(statement)])
            else:
                known.add(str(defined(statement)))
            made.append(statement)
        return made

    def _early(self, loop: gast.For | gast.While, bound: Collection[str]) -> dict[int, gast.stmt]:
        """What a loop allocates, by the statements that do it, as it is written before the loop."""
        surely, changing = set(map(id, _in_every_iteration(loop.body))), all_defined([loop])
        steady = set(bound) - changing
        found = {}
        for statement in walk(loop.body):
            sizes = _sizes(statement) if defined(statement) in self.private else []
            sizes = [self._size(size, steady, changing) for size in sizes]
            known = [size.value for size in sizes if isinstance(size, gast.Constant)]
            if not sizes or None in sizes or prod(known) > MOST:
                continue
            if len(known) == len(sizes) or len(known) == len(sizes) - 1 and id(statement) in surely:
                args = [sizes[0] if len(sizes) == 1 else build.expression(tuple(sizes)), *statement.value.args[1:]]
                found[id(statement)] = build.like(statement, value=build.like(statement.value, args=args))
        return found

    def _size(self, size: gast.expr, steady: Collection[str], changing: Collection[str]) -> gast.expr | None:
        """A size that is the same in every iteration and never negative, as it can be written before the loop."""
        match size:
            case gast.Name(id=name) if name in steady:  # the array whose size it is may be another one by now
                return size if _array_of(self.sizes.get(name)) is not None else None
            case gast.Name(id=name) if name in changing:
                value = self.sizes.get(name)
                return value if _array_of(value) in steady else None
            case gast.Constant(value=int()):
                return size
        return size if _array_of(size) in steady else None


def _array_of(size: gast.expr | None) -> str | None:
    """The array of which this is a size."""
    match size:
        case gast.Subscript(value=gast.Attribute(attr='shape', value=gast.Name(id=array)), slice=gast.Constant()):
            return array
    return None


def _sizes(statement: gast.stmt) -> list[gast.expr]:
    match statement:
        case gast.Assign(value=gast.Call(args=[shape, *_]) as call) if primitive(call) == 'numpy.empty':
            return shape.elts if isinstance(shape, gast.Tuple) else [shape]
    return []


def _in_every_iteration(body: Iterable[gast.stmt]) -> Iterator[gast.stmt]:
    """Statements that no `if` skips; what they allocate is there in every iteration of all loops around them."""
    for statement in body:
        yield statement
        if not isinstance(statement, gast.If):
            for inner in blocks(statement):
                yield from _in_every_iteration(inner)


def _without(statement: gast.stmt, gone: set[int]) -> gast.stmt:
    if not blocks(statement):
        return statement
    return with_blocks(statement, [[_without(s, gone) for s in block if id(s) not in gone] for block in blocks(statement)])
