"""Reading and writing places of all examples at once, by indices that are the same for all, or differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gast

from transpiler.core import build
from transpiler.core.indices import entries_of
from transpiler.transforms.batch.dataflow import data_reads
from transpiler.transforms.batch.operands import WHOLE, Cannot, Operands
from transpiler.values.types import Array, Scalar


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


@dataclass(frozen=True, eq=False)
class Indexes:
    """Indices of arrays, for all examples at once."""

    operands: Operands

    def entries(self, index: gast.expr) -> list[Entry]:
        return [self._entry(node) for node in entries_of(index)]

    def _entry(self, node: gast.expr) -> Entry:
        batched = bool(data_reads(node) & self.operands.flow.names)
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
                match self.operands.core.types.get(name):
                    case Scalar(dtype) if dtype.kind in 'iu':
                        return Entry(node, 'number', 0, batched)
                    case Array(dtype, dims) if dims is not None:
                        return Entry(node, 'mask' if dtype.kind == 'b' else 'array', len(dims), batched)
        raise Cannot

    def read(self, base: str, index: gast.expr) -> gast.expr:
        """`base[index]` for all examples."""
        type_ = self.operands.core.types.get(base)
        if isinstance(type_, tuple):  # one of several results of a call
            return build.subscript(base, index)
        if not isinstance(type_, Array) or type_.ndim is None:
            raise Cannot
        entries = self.entries(index)
        if not any(e.batched for e in entries):
            return self._same_places(base, entries)
        whole = all(e.kind == 'number' for e in entries) and len(entries) == type_.ndim
        views = not whole and not any(e.kind in ('array', 'mask') for e in entries)
        if any(e.kind == 'mask' for e in entries) or views and self.operands.is_written(build.name(base)):
            raise Cannot
        width = max(e.rank for e in entries)
        nodes = [self._wide(e, width) for e in entries]
        before = self._axes_before(entries, type_.ndim)
        apart = _is_apart(entries)
        if base not in self.operands.flow.names:
            picked = build.subscript(base, tuple(nodes) if len(nodes) > 1 else nodes[0])
            return picked if apart or not before else build.call('numpy.moveaxis', picked, before, 0)
        rows = build.call('numpy.arange', self.operands.count)
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
        type_ = self.operands.core.types.get(base)
        if not isinstance(type_, Array) or type_.ndim is None:
            raise Cannot
        entries = self.entries(index)
        rank = self.operands.rank(value)
        if any(e.batched for e in entries):
            masked = len(entries) == 1 and entries[0].kind == 'mask' and entries[0].rank == type_.ndim
            if masked and rank == 0 and not self.operands.is_batched(value):
                return index, value
            raise Cannot
        picked = max([0, *(e.rank if e.kind == 'array' else 1 for e in entries if e.kind in ('array', 'mask'))])
        axes = type_.ndim - sum(e.axes for e in entries) + sum(e.kind in ('slice', 'new') for e in entries) + picked
        if _is_apart(entries) or rank is None or rank > axes:
            raise Cannot
        alone = not adds and not any(e.kind in ('array', 'mask') for e in entries)
        return self.same_index(entries), self.operands.to_rank(self.operands.held(value, type_.dtype, alone), value, axes)

    def _axes_before(self, entries: Sequence[Entry], ndim: int) -> int:
        """How many axes of the result lie before those that numbers and arrays pick."""
        first = next(k for k, e in enumerate(entries) if e.picks)
        hidden = ndim - sum(e.axes for e in entries)
        return sum(e.kind in ('slice', 'new') for e in entries[:first]) + hidden * any(e.kind == 'dots' for e in entries[:first])


def _is_apart(entries: Sequence[Entry]) -> bool:
    """Whether arrays (and numbers beside them) stand in an index with something else between them."""
    places = [k for k, e in enumerate(entries) if e.picks]
    picks_items = any(e.kind in ('array', 'mask') or e.batched for e in entries)
    return picks_items and places[-1] - places[0] >= len(places)
