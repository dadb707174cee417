"""Sums that grow iteration by iteration, in loops of which no compiler makes vectors."""
from __future__ import annotations

from collections.abc import Callable, Iterable

import gast

from transpiler.analyses.memory.memory_order import in_c_order
from transpiler.core import build
from transpiler.core.helpers import Fact, holds_of
from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, names, parts, primitive, reads, walk
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

LOOPS = gast.For, gast.While


@rewrite('products apart', surface=True)
def multiply_apart(core: Core, target: Target = CPU) -> Core:
    """Compute what `s += a * b` adds on its own, in loops of which no compiler makes vectors.

    Every iteration waits for the sum of the one before: for an addition, if the product is there by then, and for a
    multiplication as well, if processors do both in one instruction, which takes twice as long. Such loops are those that a
    question with an exception in it keeps from being vectors, and those that read columns. Sums of 60 to 1000 products that are
    in the cache take 0.5 to 0.85 of the time with that, and shorter ones, which overlap with the next, as long as without.

    Items that are picked here and there are added one by one, too: gathered into vectors, rows of 10 to 1000 items take 1.7 to
    1.9 times as long with AVX-512, and 1.0 to 1.2 times with AVX2.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> row = Array(np.dtype(float), (None,))
    >>> show(multiply_apart, '''
    ... y = np.ones((n, n))
    ... for i in range(n):
    ...     if kernels.memory.indices.is_beyond(i, n): raise python.IndexError('index out of range')
    ...     s += a * b
    ... for i in range(n):
    ...     s += x[k[i]]
    ... for i in range(n):
    ...     s += x[i] * y[i, 0]
    ... return s''', params='nabsxk', types=dict(n=INT, a=FLOAT, b=FLOAT, s=FLOAT, i=INT, x=row, k=row, y=row))
    y = np.ones((n, n))
    for i in range(n):
        if is_beyond(i, n):
            raise IndexError('index out of range')
        s += once(a * b)
    for i in range(n):
        s += once(x[k[i]])
    for i in range(n):
        s += once(x[i] * y[i, 0])
    return s
    """
    return unchanged_or(core, _block(core.body, core, target, _never))


def _block(body: Iterable[gast.stmt], core: Core, target: Target, apart: Callable[[gast.stmt], bool]) -> list[gast.stmt]:
    """Part of a loop; apart: whether what a sum adds is to be computed on its own."""
    made = []
    for statement in body:
        if _is_sum(statement, core) and apart(statement):
            statement = build.like(statement, value=build.call(target.loops.once, statement.value))
        elif blocks(statement):
            inner = one_by_one(statement, core) if isinstance(statement, LOOPS) else apart
            first, *others = blocks(statement)
            others = [_block(block, core, target, apart) for block in others]
            statement = with_blocks(statement, [_block(first, core, target, inner), *others])
        made.append(statement)
    return made


def _never(statement: gast.stmt) -> bool:
    return False


def one_by_one(loop: gast.stmt, core: Core) -> Callable[[gast.stmt], bool]:
    """Which sums of a loop, `s += a`, take longer in vectors."""
    inside = list(walk(loop.body))
    if any(isinstance(s, LOOPS) for s in inside):
        return _never
    found = [part for s in inside for part in parts(s)]
    computes = any(holds_of(primitive(part) or '', Fact.IN_VECTORS) for part in found)  # a function, which is worth vectors
    elements = [part for part in found if isinstance(part, gast.Subscript) and _is_element(part)]
    if not computes and _picks(inside, elements):
        return lambda statement: True
    if any(isinstance(s, gast.Raise) for s in inside) or not computes and _goes_down(loop, inside, elements, core):
        return lambda statement: isinstance(getattr(statement.value, 'op', None), gast.Mult)
    return _never


def _picks(inside: Iterable[gast.stmt], elements: Iterable[gast.Subscript]) -> bool:
    """Whether a loop reads items at indices that it reads from an array."""
    read = set(map(id, elements))
    numbers = {s.targets[0].id for s in inside if isinstance(s, gast.Assign) and defined(s) and id(s.value) in read}
    return any(id(entry) in read or isinstance(entry, gast.Name) and entry.id in numbers
               for element in elements for entry in entries_of(element.slice))


def _goes_down(loop: gast.stmt, inside: Iterable[gast.stmt], elements: Iterable[gast.Subscript], core: Core) -> bool:
    """Whether a counted loop reads a column of an array whose rows lie one after the other."""
    moving = {loop.target.id} if isinstance(loop, gast.For) else set()
    for s in inside:
        if defined(s) and not moving.isdisjoint(reads(s)):
            moving.add(defined(s))
    rows = (element for element in elements if element.value.id in in_c_order(core))
    return any(not moving.isdisjoint(names(entry)) for element in rows for entry in entries_of(element.slice)[:-1])


def _is_element(node: gast.Subscript) -> bool:
    return isinstance(node.value, gast.Name) and isinstance(node.ctx, gast.Load)


def _is_sum(statement: gast.stmt, core: Core) -> bool:
    match statement:
        case gast.AugAssign(target=gast.Name(id=name), op=gast.Add() | gast.Sub()):
            type_ = core.types.get(name)
            return isinstance(type_, Scalar) and type_.dtype.kind == 'f'
    return False
