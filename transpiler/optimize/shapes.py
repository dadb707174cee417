"""The size of `x ** 2` is the size of `x`: nothing is computed for its shape alone."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import gast

from transpiler.analyses.effects import is_ufunc
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import names, walk
from transpiler.optimize.facts import Facts, forward
from transpiler.optimize.inference import alike
from transpiler.optimize.occurrences import occurrences
from transpiler.passes import rewrite
from transpiler.values.types import Array

SHAPE = ('size', 'shape', 'ndim')
LIKE = ('numpy.zeros_like', 'numpy.ones_like', 'numpy.empty_like', 'numpy.full_like')


@rewrite('shapes')
def read_shapes_at_source(core: Core) -> Core:
    """Ask an operand for the shape of an element-by-element result, where types say that it has the same.

    >>> import numpy as np
    >>> from transpiler.passes import show
    >>> from transpiler.values.dims import Dim
    >>> row = Array(np.dtype(float), (Dim.symbol('n', large=True),))
    >>> show(read_shapes_at_source, 'y = x ** 2; n = y.size; z = np.zeros_like(y); w = n + z; return w',
    ...      types=dict.fromkeys('xyzwn', row))
    y = x ** 2
    n = x.size
    z = np.zeros_like(x)
    w = n + z
    return w
    """
    read = Counter(name for s in walk(core.body) for name in _looked_into(s))

    def step(statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        match statement:
            case gast.Assign(targets=[gast.Name()], value=value):
                new = _from_source(value, lambda name: _source(name, facts, core, read))
                return [statement if new is value else like(statement, value=new)]
        return [statement]
    return forward(core, step)


def _looked_into(statement: gast.stmt) -> list[str]:
    """The names that a statement reads for more than their shape."""
    match statement:
        case gast.Assign(value=gast.Attribute(attr=attr)) if attr in SHAPE:
            return []
        case gast.Assign(value=gast.Call(func=gast.Name(id=made), args=[_, *rest])) if made in LIKE:
            return [name for part in rest for name in names(part)]
    return occurrences(statement)


def _from_source(value: gast.expr, find: Callable[[str], str]) -> gast.expr:
    match value:
        case gast.Attribute(value=gast.Name(id=name) as base, attr=attr) if attr in SHAPE:
            source = find(name)
            return like(value, value=like(base, id=source)) if source != name else value
        case gast.Call(func=gast.Name(id=made), args=[gast.Name(id=name) as base, *rest]) if made in LIKE:
            source = find(name)
            return like(value, args=[like(base, id=source), *rest]) if source != name else value
    return value


def _source(name: str, facts: Facts, core: Core, read: Counter) -> str:
    """A name that is computed in any case and is known to have the type, and so the shape, of `name`; else `name` itself."""
    current = name
    while not read[current] or current != name:
        operands = _operands(facts.value(current))
        arrays = [o for o in operands if isinstance(core.types.get(o), Array)]
        found = next((o for o in arrays if alike(core.types[o], core.types.get(name))), None)
        if found is None:
            return name
        if read[found] > 1 or not core.is_temporary(found):
            return found
        current = found
    return name


def _operands(value: gast.expr | None) -> list[str]:
    """The arrays that an element-by-element operation combines."""
    match value:
        case gast.BinOp(left=left, op=operator, right=right) if not isinstance(operator, gast.MatMult):
            parts = [left, right]
        case gast.UnaryOp(operand=operand):
            parts = [operand]
        case gast.Call(func=gast.Name(id=function), args=args) if is_ufunc(function) and function != 'numpy.matmul':
            parts = args
        case _:
            return []
    return [part.id for part in parts if isinstance(part, gast.Name)]
