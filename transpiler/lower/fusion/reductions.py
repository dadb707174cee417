"""Totals of a loop nest: extremes, and sums as accurate as NumPy's, in lanes within a block, then block by block, row by row."""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.builder import Builder
from transpiler.lower.fusion.blocking import InPieces
from transpiler.values.types import BOOL, INT, Array, Scalar

PLUS = 'kernels.plus'    # a step of a sum that may be taken in any order
FEW = 8  # items are added up in order, as NumPy does
BLOCK = 1024  # so many items are added up in lanes
BAND = 128  # so many rows are added up before they are added to the others


class Totals(InPieces):
    """What a nest gives besides arrays."""

    def __init__(self, builder: Builder, heads: list[list[gast.stmt]], tails: list[list[gast.stmt]]):
        super().__init__(builder, heads, tails)
        self.blocks: list[tuple[str, str, gast.expr]] = []  # the sum of a block, what it is added to, and where it begins
        self.merged: dict[str, list[str]] = {'add': [], 'maximum': [], 'minimum': []}  # what joins iterations of the outer loop

    def add(
        self, target: str, item: gast.expr, dtype: np.dtype, counters: Sequence[str | int], sizes: Sequence[gast.expr], mean: bool
    ) -> None:
        """`target` becomes the sum of `item` over all places, or the mean."""
        if len(counters) == 1:
            total = self._in_blocks(item, dtype, self.heads[0], sizes[0])
            self.merged['add'].append(total)
        else:
            row = self._in_blocks(item, dtype, self.heads[1], sizes[-1])
            few = isinstance(sizes[0], gast.Constant) and sizes[0].value <= BAND
            total = self._of_few_rows(row) if few else self._of_rows(row, counters[0])
        self._give(target, total, sizes, mean)

    def along(
        self, target: str, item: gast.expr, dtype: np.dtype, counters: Sequence[str | int], sizes: Sequence[gast.expr], mean: bool
    ) -> None:
        """`target` becomes the sums of `item` along the last axis, or the means."""
        total = self._in_blocks(item, dtype, self.heads[-2], sizes[-1])
        if len(self.heads) == 2:  # there is one row
            self.merged['add'].append(total)
        kept = self.builder.types[target].ndim == len(sizes)
        shape, place = (*sizes[:-1], *([1] if kept else [])), (*counters[:-1], *([0] if kept else []))
        self.heads[0].append(self._assign(target, new_array('numpy.empty', _entry(shape), dtype)))
        self.tails[-2].append(self._assign(build.subscript(target, _entry(place)), self._over(total, sizes[-1], mean, dtype)))

    def _in_blocks(self, item: gast.expr, dtype: np.dtype, head: list[gast.stmt], size: gast.expr) -> str:
        """The sum of `item` in the loops after `head`; size: how many there are in the innermost one, if it is a constant."""
        zero = _zero(dtype)
        block = self.builder.fresh('block', Scalar(dtype)).name
        total = self.builder.fresh('total', Scalar(np.dtype(float) if dtype.kind == 'f' else dtype)).name
        self.blocks.append((block, total, zero))
        few = isinstance(size, gast.Constant) and size.value < FEW
        step = build.binary(block, gast.Add, item) if few else build.call(PLUS, block, item)
        self.heads[-1].append(self._assign(block, step))
        head.append(self._assign(total, zero))
        return total

    def _of_rows(self, row: str, counter: str) -> str:
        """The sum of the rows' sums: those of a band of rows are added up first."""
        type_ = self.builder.types[row]
        zero = _zero(type_.dtype)
        band, whole = (self.builder.fresh(name, type_).name for name in ('band', 'whole'))
        total = self.builder.fresh('total', type_, temporary=True).name
        iteration = self.builder.fresh('turn', INT, temporary=True).name
        is_last = self.builder.fresh('is_last', BOOL, temporary=True).name
        self.merged['add'] += [band, whole]
        close = [self._assign(whole, build.binary(whole, gast.Add, build.name(band))), self._assign(band, zero)]
        self.heads[0] += [self._assign(band, zero), self._assign(whole, zero)]
        self.tails[1] += [
            self._assign(band, build.binary(band, gast.Add, build.name(row))),
            self._assign(iteration, build.binary(counter, gast.Mod, BAND)),
            self._assign(is_last, build.compare(iteration, gast.Eq, BAND - 1)),
            build.branch(is_last, close, (), self.builder.origin, self.builder.role),
        ]
        self.tails[0].append(self._assign(total, build.binary(whole, gast.Add, build.name(band))))
        return total

    def _of_few_rows(self, row: str) -> str:
        type_ = self.builder.types[row]
        total = self.builder.fresh('whole', type_).name
        self.merged['add'].append(total)
        self.heads[0].append(self._assign(total, _zero(type_.dtype)))
        self.tails[1].append(self._assign(total, build.binary(total, gast.Add, build.name(row))))
        return total

    def extreme(self, target: str, item: gast.expr, type_: Array, sizes: Sequence[gast.expr], kind: str) -> None:
        """`target` becomes the largest `item`, or the smallest; a nan wins, and there must be one."""
        name = f'{kind}imum'
        for size, dim in zip(sizes, type_.dims or (), strict=True):
            surely = dim is not None and (dim.is_large or dim.is_constant and dim.constant > 0)
            if not surely and not (isinstance(size, gast.Constant) and size.value > 0):
                empty = build.constant(f'zero-size array to reduction operation {name} which has no identity')
                failure = build.fail(build.call('python.ValueError', empty), self.builder.origin, self.builder.role)
                is_empty = self.builder.fresh('is_empty', BOOL, temporary=True).name
                self.heads[0].append(self._assign(is_empty, build.compare(size, gast.Eq, 0)))
                self.heads[0].append(build.branch(is_empty, [failure], (), self.builder.origin, self.builder.role))
        ends = (-np.inf, np.inf) if type_.dtype.kind == 'f' else (np.iinfo(type_.dtype).min, np.iinfo(type_.dtype).max)
        best = self.builder.fresh('best', Scalar(type_.dtype)).name
        self.heads[0].append(self._assign(best, build.constant(ends[kind == 'min'])))
        self.heads[-1].append(self._assign(best, build.call(f'numpy.{name}', best, item)))
        self.merged[name].append(best)
        self.tails[0].append(self._assign(target, build.name(best)))

    def _give(self, target: str, total: str, sizes: Sequence[gast.expr], mean: bool) -> None:
        if not mean:
            self.tails[0].append(self._assign(target, build.name(total)))
            return
        count = sizes[0]
        for size in sizes[1:]:
            name = self.builder.fresh('count', INT, temporary=True).name
            self.tails[0].append(self._assign(name, build.proven(build.binary(count, gast.Mult, size))))
            count = build.name(name)
        self.tails[0].append(self._assign(target, build.binary(total, gast.Div, count)))

    def innermost(self, counter: str, size: gast.expr, body: list[gast.stmt]) -> list[gast.stmt]:
        """The innermost loop: block by block if it adds up."""
        before = [self._assign(block, zero) for block, _, zero in self.blocks]
        after = [self._assign(total, build.binary(total, gast.Add, block)) for block, total, _ in self.blocks]
        if not self.blocks or isinstance(size, gast.Constant) and size.value <= BLOCK:
            return [*before, self._counted(counter, 0, size, 1, body), *after]
        start = self.builder.fresh('start', INT).name
        return [self.in_pieces(start, BLOCK, counter, size, body, before, after)]

    def _over(self, total: str, size: gast.expr, mean: bool, dtype: np.dtype) -> gast.expr:
        """A total, or the mean, as a number of that kind."""
        value = build.binary(total, gast.Div, size) if mean else build.name(total)
        given = self.builder.fresh('mean' if mean else 'total', Scalar(dtype), temporary=True).name
        self.tails[-2].append(self._assign(given, value))
        return build.name(given)


def _zero(dtype: np.dtype) -> gast.expr:
    return build.constant(0.0 if dtype.kind == 'f' else 0)


def _entry(entries: Sequence) -> gast.expr:
    return build.expression(entries[0] if len(entries) == 1 else tuple(entries))
