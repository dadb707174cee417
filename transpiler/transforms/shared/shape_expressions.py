"""Sizes as expressions of what is there: shapes of arrays, and numbers known to be sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gast

from transpiler.core import build
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar


class Available:
    """Names that have a value at some place of a program; batched ones have a further axis in front.

    >>> import ast, numpy as np
    >>> n = Dim.symbol('n')
    >>> place = Available({'x': Array(np.dtype(float), (n,))}, {'x'}, ['x'])
    >>> ast.unparse(gast.gast_to_ast(place.size(2 * n + 1))), place.size(Dim.symbol('m'))
    ('2 * x.shape[1] + 1', None)
    """

    def __init__(self, types: Mapping[str, Any], batched: Iterable[str], names: Iterable[str]):
        self.types, self.batched, self.names = types, batched, list(names)

    def with_more(self, names: Iterable[str]) -> 'Available':
        return Available(self.types, self.batched, [*self.names, *names])

    def shape(self, dims: Iterable[Dim | None]) -> list[gast.expr] | None:
        """The sizes of an array, if all are known here."""
        sizes = [None if dim is None else self.size(dim) for dim in dims]
        return None if None in sizes else sizes

    def size(self, dim: Dim) -> gast.expr | None:
        if dim.is_constant:
            return build.constant(dim.constant)
        whole = self._place(dim)
        if whole is not None:
            return whole
        total: gast.expr | None = None
        for symbol, factor in dim.terms:
            part = self._place(Dim(((symbol, 1),)))
            if part is None:
                return None
            part = part if abs(factor) == 1 else build.binary(abs(factor), gast.Mult, part)
            if total is None:
                total = part if factor > 0 else build.unary(gast.USub, part)
            else:
                total = build.binary(total, gast.Add if factor > 0 else gast.Sub, part)
        if dim.constant:
            total = build.binary(total, gast.Add if dim.constant > 0 else gast.Sub, abs(dim.constant))
        return total

    def _place(self, dim: Dim) -> gast.expr | None:
        """Where a size stands."""
        for name in self.names:
            match self.types.get(name):
                case Array(_, dims) if dims is not None and dim in dims:
                    return build.subscript(build.attribute(name, 'shape'), dims.index(dim) + (name in self.batched))
                case Scalar(_, _, size) if size == dim and name not in self.batched:
                    return build.name(name)
        return None
