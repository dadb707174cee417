"""Arrays of which a loop asks for sizes only: numbers are handed to a function with less work than arrays, which are counted."""
from __future__ import annotations

from collections import Counter

import gast

from transpiler.core import build
from transpiler.core.indices import integer
from transpiler.core.naming import Supply
from transpiler.core.query import names, parts


def with_sizes_named(loop: gast.For, supply: Supply) -> tuple[gast.For, dict[str, gast.expr]]:
    """The loop with names for the sizes of arrays that it looks at in no other way, and what these names stand for.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> body = parse('for i in range(x.shape[0]): y[i] = x[i] * view.shape[1]').body
    >>> loop, sizes = with_sizes_named(body[0], Supply({'x', 'y', 'view', 'i'}))
    >>> Spelling().statement(loop.body[0]), {name: Spelling().expression(size) for name, size in sizes.items()}
    ('y[i] = x[i] * view_size', {'view_size': 'view.shape[1]'})
    """
    found = [_asked(node) for node in parts(loop)]
    asked = Counter(size[0] for size in found if size is not None)
    mentioned = Counter(names(loop))
    naming = _Naming({name for name, times in asked.items() if mentioned[name] == times}, supply)
    return naming.visit(build.fresh(loop)) if naming.arrays else loop, dict(naming.sizes.values())


def _asked(node: gast.AST) -> tuple[str, int] | None:
    """The array and the axis, if it is `array.shape[axis]`."""
    match node:
        case gast.Subscript(value=gast.Attribute(value=gast.Name(id=array), attr='shape'), slice=index):
            axis = integer(index)
            return None if axis is None else (array, axis)
    return None


class _Naming(gast.NodeTransformer):
    def __init__(self, arrays: set[str], supply: Supply):
        self.arrays, self.supply = arrays, supply
        self.sizes: dict[tuple[str, int], tuple[str, gast.expr]] = {}

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        size = _asked(node)
        if size is None or size[0] not in self.arrays:
            return self.generic_visit(node)
        if size not in self.sizes:
            self.sizes[size] = self.supply.take(f'{size[0]}_size'), node
        return build.name(self.sizes[size][0])
