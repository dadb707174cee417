"""Operands of an operation for one example: what is known of them, and what they are for all examples at once."""

from __future__ import annotations

from dataclasses import dataclass

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import static_expression
from transpiler.core.language import Core
from transpiler.core.query import names
from transpiler.transforms.batch.dataflow import Flow
from transpiler.values.intervals import holds, is_asked
from transpiler.values.types import Scalar

WHOLE = gast.Slice(lower=None, upper=None, step=None)


class Cannot(Exception):
    """An operation does not run on all examples at once."""


@dataclass(frozen=True, eq=False)
class Operands:
    """Atoms of a program of which `core` knows types, `flow` what differs from example to example, of which there are `count`."""

    core: Core
    flow: Flow
    count: gast.expr

    def rank(self, atom: gast.expr) -> int | None:
        """The rank for one example."""
        if isinstance(atom, gast.Name):
            return getattr(self.core.types.get(atom.id), 'ndim', None)
        return 0

    def is_batched(self, atom: gast.expr) -> bool:
        return bool(set(names(atom)) & self.flow.names)

    def is_written(self, atom: gast.expr) -> bool:
        return isinstance(atom, gast.Name) and bool(self.flow.memory.of(atom.id) & self.flow.memory.written)

    def dtype(self, atom: gast.expr) -> np.dtype:
        return self.core.types[atom.id].dtype if isinstance(atom, gast.Name) else np.asarray(atom.value).dtype

    def is_python_number(self, atom: gast.expr) -> bool:
        type_ = self.core.types.get(atom.id) if isinstance(atom, gast.Name) else None
        return isinstance(atom, gast.Constant) or isinstance(type_, Scalar) and type_.weak

    def is_flag(self, atom: gast.expr) -> bool:
        return self.is_python_number(atom) and self.dtype(atom).kind == 'b'

    def repeated(self, atom: gast.expr, dtype: np.dtype | None = None) -> gast.expr:
        """The same value for every example."""
        rank = self.rank(atom)
        if rank is None:
            raise Cannot
        if rank:
            shape = [build.subscript(build.attribute(atom, 'shape'), k) for k in range(rank)]
            return build.call('numpy.broadcast_to', atom, (self.count, *shape))
        own = self.dtype(atom)
        if isinstance(atom, gast.Constant) and dtype is not None and dtype.kind in 'fc' and own.kind in 'biu':
            atom, own = build.constant(float(atom.value)), np.dtype(float)
        given = static_expression(dtype) if dtype is not None and dtype != own else None
        return build.call('numpy.full', self.count, atom, dtype=given)

    def to_rank(self, node: gast.expr, atom: gast.expr, rank: int) -> gast.expr:
        """`node`, which is `atom` in whatever form, with axes of size 1 behind the first one."""
        own = self.rank(atom)
        if not self.is_batched(atom) or own == rank:
            return node
        if own is None or own > rank:
            raise Cannot
        return build.subscript(node, (WHOLE, *[None] * (rank - own)))

    def held(self, atom: gast.expr, dtype: np.dtype, alone: bool) -> gast.expr:
        """A number of each example as an array holds it: NumPy asks more of numbers than of arrays."""
        if not self.is_batched(atom) or not self.asks(atom, dtype, alone):
            return atom
        own = self.core.types[atom.id]
        real = build.call('numpy.real', atom) if own.dtype.kind == 'c' and not own.weak else atom
        return build.call('kernels.as_items', real, static_expression(dtype))

    def asks(self, atom: gast.expr, dtype: np.dtype, alone: bool) -> bool:
        """Whether NumPy asks if that dtype holds a number."""
        if isinstance(atom, gast.Constant):
            return dtype.kind in 'iu' and not holds(dtype, atom.value)
        own = self.core.types.get(atom.id) if isinstance(atom, gast.Name) else None
        return isinstance(own, Scalar) and is_asked(own.dtype, own.weak, dtype, alone)
