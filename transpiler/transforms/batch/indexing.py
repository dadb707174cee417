"""Reading and writing places of all examples at once, by indices that are the same for all, or differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import static_expression
from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.query import names
from transpiler.transforms.batch.dataflow import Flow, data_reads
from transpiler.values.intervals import holds, is_asked
from transpiler.values.types import Array, Scalar

WHOLE = gast.Slice(lower=None, upper=None, step=None)


class Cannot(Exception):
    """An operation does not run on all examples at once."""


@dataclass(frozen=True)
class Entry:
    """One entry of an index: `kind` is number, array, mask, slice, new or dots; `rank` that of an array or mask."""

    node: gast.expr
    kind: str
    rank: int = 0
    batched: bool = False

    @property
    def picks(self) -> bool:
        return self.kind in ('number', 'array', 'mask')

    @property
    def axes(self) -> int:
        """How many axes of the array it takes."""
        return self.rank if self.kind == 'mask' else 1 if self.kind in ('number', 'array', 'slice') else 0


class Indexes:
    """Indices of arrays of which `core` knows types, `flow` what differs from example to example."""

    core: Core
    flow: Flow
    count: gast.expr

    def entries(self, index: gast.expr) -> list[Entry]:
        return [self._entry(node) for node in entries_of(index)]

    def _entry(self, node: gast.expr) -> Entry:
        batched = bool(data_reads(node) & self.flow.names)
        match node:
            case gast.Slice():
                if batched:
                    raise Cannot
                return Entry(node, 'slice')
            case gast.Constant(value=None):
                return Entry(node, 'new')
            case gast.Constant(value=value) if value is Ellipsis:
                return Entry(node, 'dots')
            case gast.Constant(value=bool()):
                raise Cannot
            case gast.Constant() | gast.UnaryOp():
                return Entry(node, 'number')
            case gast.Name(id=name):
                match self.core.types.get(name):
                    case Scalar(dtype) if dtype.kind in 'iu':
                        return Entry(node, 'number', 0, batched)
                    case Array(dtype, dims) if dims is not None:
                        return Entry(node, 'mask' if dtype.kind == 'b' else 'array', len(dims), batched)
        raise Cannot

    def read(self, base: str, index: gast.expr) -> gast.expr:
        """`base[index]` for all examples."""
        type_ = self.core.types.get(base)
        if isinstance(type_, tuple):  # one of several results of a call
            return build.subscript(base, index)
        if not isinstance(type_, Array) or type_.ndim is None:
            raise Cannot
        entries = self.entries(index)
        if not any(e.batched for e in entries):
            return self._same_places(base, entries)
        views = not any(e.kind in ('array', 'mask') for e in entries) and sum(e.axes for e in entries) < type_.ndim
        if any(e.kind == 'mask' for e in entries) or views and self.flow.memory.of(base) & self.flow.memory.written:
            raise Cannot
        width = max(e.rank for e in entries)
        nodes = [self._wide(e, width) for e in entries]
        before = self._axes_before(entries, type_.ndim)
        apart = _is_apart(entries)
        if base not in self.flow.names:
            picked = build.subscript(base, tuple(nodes) if len(nodes) > 1 else nodes[0])
            return picked if apart or not before else build.call('numpy.moveaxis', picked, before, 0)
        rows = build.call('numpy.arange', self.count)
        rows = build.subscript(rows, (WHOLE, *[None] * width)) if width else rows
        picked = build.subscript(base, (rows, *nodes))
        if apart or not before or not width:
            return picked
        places = tuple(range(1, width + 1)), tuple(range(before + 1, before + width + 1))
        return build.call('numpy.moveaxis', picked, *places)

    def _wide(self, entry: Entry, width: int) -> gast.expr:
        if not entry.batched or entry.rank == width:
            return entry.node
        return build.subscript(entry.node, (WHOLE, *[None] * (width - entry.rank)))

    def _same_places(self, base: str, entries: Sequence[Entry]) -> gast.expr:
        picked = build.subscript(base, self.same_index(entries))
        if not _is_apart(entries):
            return picked
        width = max(e.rank if e.kind == 'array' else 1 if e.kind == 'mask' else 0 for e in entries)
        return build.call('numpy.moveaxis', picked, width, 0)   # what arrays apart from each other pick goes in front

    def same_index(self, entries: Sequence[Entry]) -> gast.expr:
        """The same places in every example."""
        nodes = [e.node for e in entries]
        if entries and entries[0].kind == 'dots':
            return build.expression(tuple(nodes) if len(nodes) > 1 else nodes[0])
        return build.expression((WHOLE, *nodes) if nodes else WHOLE)

    def place(self, base: str, index: gast.expr, value: gast.expr, adds: bool = False) -> tuple[gast.expr, gast.expr]:
        """The index and the value of a write into all examples at once, or of one that adds to what is there."""
        type_ = self.core.types.get(base)
        if not isinstance(type_, Array) or type_.ndim is None:
            raise Cannot
        entries = self.entries(index)
        rank = self.rank(value)
        if any(e.batched for e in entries):
            if len(entries) == 1 and entries[0].kind == 'mask' and entries[0].rank == type_.ndim and not self.is_batched(value):
                if rank == 0:
                    return index, value
            raise Cannot
        picked = max([0, *(e.rank if e.kind == 'array' else 1 for e in entries if e.kind in ('array', 'mask'))])
        axes = type_.ndim - sum(e.axes for e in entries) + sum(e.kind in ('slice', 'new') for e in entries) + picked
        if _is_apart(entries) or rank is None or rank > axes:
            raise Cannot
        alone = not adds and not any(e.kind in ('array', 'mask') for e in entries)
        return self.same_index(entries), self.to_rank(self.held(value, type_.dtype, alone), value, axes)

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

    def _axes_before(self, entries: Sequence[Entry], ndim: int) -> int:
        """How many axes of the result lie before those that numbers and arrays pick."""
        first = next(k for k, e in enumerate(entries) if e.picks)
        hidden = ndim - sum(e.axes for e in entries)
        return sum(e.kind in ('slice', 'new') for e in entries[:first]) + hidden * any(e.kind == 'dots' for e in entries[:first])

    def rank(self, atom: gast.expr) -> int | None:
        """The rank for one example."""
        if isinstance(atom, gast.Name):
            return getattr(self.core.types.get(atom.id), 'ndim', None)
        return 0

    def is_batched(self, atom: gast.expr) -> bool:
        return bool(set(names(atom)) & self.flow.names)

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


def _is_apart(entries: Sequence[Entry]) -> bool:
    """Whether arrays (and numbers beside them) stand in an index with something else between them."""
    places = [k for k, e in enumerate(entries) if e.picks]
    picks_items = any(e.kind in ('array', 'mask') or e.batched for e in entries)
    return picks_items and places[-1] - places[0] >= len(places)
