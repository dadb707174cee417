"""Small arrays that a loop makes anew in every turn, made once before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import prod

import gast

from transpiler.core.indices import entries_of, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, names, parts, primitive, walk
from transpiler.optimize.facts import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

MOST = 4096  # items


@rewrite('buffers', surface=True)
def made_once(core: Core) -> Core:
    """Allocations of constant size go before the loops around them, if their items are all that is ever read and written.

    What was in them when they were new is undefined, so nobody can tell; loops that threads share must be apart already.

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
    statements = list(walk(core.body))
    given = Counter(filter(None, map(defined, statements)))
    read = Counter(name for s in statements for part in _own(s) for name in names(part))
    items = Counter(name for s in statements for part in _own(s) for name in _items(part, core))
    private = {name for name, count in given.items() if count == 1 and read[name] - 1 == items[name] and name not in core.inputs}
    return unchanged_or(core, _block(core.body, private))


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


def _block(body: Iterable[gast.stmt], private: set[str]) -> list[gast.stmt]:
    made: list[gast.stmt] = []
    for statement in body:
        if isinstance(statement, (gast.For, gast.While)):
            early = [s for s in walk(statement.body) if _is_small(s) and defined(s) in private]
            made += early
            statement = _without(statement, {id(s) for s in early})
        elif blocks(statement):
            statement = with_blocks(statement, [_block(inner, private) for inner in blocks(statement)])
        made.append(statement)
    return made


def _is_small(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(value=gast.Call(args=[shape, *_]) as call) if primitive(call) == 'numpy.empty':
            sizes = shape.elts if isinstance(shape, gast.Tuple) else [shape]
            known = all(isinstance(size, gast.Constant) and isinstance(size.value, int) for size in sizes)
            return known and prod(size.value for size in sizes) <= MOST
    return False


def _without(statement: gast.stmt, gone: set[int]) -> gast.stmt:
    if not blocks(statement):
        return statement
    return with_blocks(statement, [[_without(s, gone) for s in block if id(s) not in gone] for block in blocks(statement)])
