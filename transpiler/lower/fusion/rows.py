"""Sums of the rows of a nest: each band of rows has a sum of its own, so that bands may be computed apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gast
import numpy as np

from transpiler.core import build
from transpiler.specialize.builder import Builder
from transpiler.specialize.literals import new_array
from transpiler.values.types import INT

BAND = 32  # so many rows are added up one by one; the sums of bands are few beside them


class RowSums:
    """What a nest gives of its rows; `heads` and `tails` hold the statements inside so many of its loops."""

    def __init__(self, builder: Builder, heads: list[list[gast.stmt]], tails: list[list[gast.stmt]]):
        self.builder, self.heads, self.tails = builder, heads, tails
        self.bands = ''  # the number of bands, if there are any
        self.band = ''

    def add(
        self, target: str, item: gast.expr, dtype: np.dtype, counters: Sequence[str], sizes: Sequence[gast.expr], mean: bool
    ) -> None:
        """`target` becomes the sum of the rows, which consist of `item` over all places, or the mean."""
        if not self.bands:
            self._count(sizes[0])
        type_ = self.builder.types[target]
        flat = type_.ndim == len(sizes) - 1
        of_bands = self.builder.fresh('bands_sum', replace(type_, dims=(None,) * len(sizes))).name
        shape = build.expression((self.bands, *sizes[1:]))
        self.heads[0].append(self._assign(of_bands, new_array('numpy.zeros', shape, dtype)))
        here = build.subscript(of_bands, (self.band, *counters[1:]))
        self.heads[-1].append(build.accumulate(here, item, self.builder.origin, self.builder.role))
        total = build.call('numpy.sum', of_bands, axis=0, **({} if flat else {'keepdims': True}))
        if mean:
            name = self.builder.fresh('total', type_, temporary=True).name
            self.tails[0].append(self._assign(name, total))
            total = build.binary(name, gast.Div, sizes[0])
        self.tails[0].append(self._assign(target, total))

    def _count(self, size: gast.expr) -> None:
        rounded = self.builder.fresh('rounded', INT, temporary=True).name
        self.bands = self.builder.fresh('bands', INT).name
        self.band = self.builder.fresh('band', INT).name
        self.heads[0] += [
            self._assign(rounded, build.binary(size, gast.Add, BAND - 1)),
            self._assign(self.bands, build.binary(rounded, gast.FloorDiv, BAND)),
        ]

    def in_bands(self, counter: str, size: gast.expr, body: list[gast.stmt]) -> gast.stmt:
        """The outermost loop, band by band."""
        first, left, count, row = (self.builder.fresh(name, INT, True).name for name in ('first', 'left', 'count', 'row'))
        bounds = [
            self._assign(first, build.binary(self.band, gast.Mult, BAND)),
            self._assign(left, build.binary(size, gast.Sub, first)),
            self._assign(count, build.call('numpy.minimum', BAND, left)),
        ]
        rows = self._counted(row, count, [self._assign(counter, build.binary(first, gast.Add, row)), *body])
        return self._counted(self.band, build.name(self.bands), [*bounds, rows])

    def _assign(self, target, value: gast.expr) -> gast.stmt:
        return build.assign(target, value, self.builder.origin, self.builder.role)

    def _counted(self, counter: str, size, body: list[gast.stmt]) -> gast.stmt:
        return build.counted(counter, 0, size, 1, body, self.builder.origin, self.builder.role)
