"""Sums of the rows of a nest: each band of rows has a sum of its own, so that bands may be computed apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.builder import Builder
from transpiler.lower.fusion.blocking import InPieces
from transpiler.values.types import INT

ROWS = 32  # of a band: they are added up one by one, and the sums of bands are few beside them


class RowSums(InPieces):
    """What a nest gives of its rows."""

    def __init__(self, builder: Builder, heads: list[list[gast.stmt]], tails: list[list[gast.stmt]]):
        super().__init__(builder, heads, tails)
        self.bands: str | None = None  # how many there are, once there is a sum

    def add(
        self, target: str, item: gast.expr, dtype: np.dtype, counters: Sequence[str | int], sizes: Sequence[gast.expr], mean: bool
    ) -> None:
        """`target` becomes the sum of the rows, which consist of `item` over all places, or the mean."""
        if self.bands is None:
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
            total = build.call('kernels.mean_of', name, sizes[0])
        self.tails[0].append(self._assign(target, total))

    def _count(self, size: gast.expr) -> None:
        rounded = self.builder.fresh('rounded', INT, temporary=True).name
        self.bands = self.builder.fresh('bands', INT).name
        self.start, self.band = (self.builder.fresh(name, INT).name for name in ('top', 'band'))
        self.heads[0] += [
            self._assign(rounded, build.binary(size, gast.Add, ROWS - 1)),
            self._assign(self.bands, build.binary(rounded, gast.FloorDiv, ROWS)),
        ]

    def in_bands(self, counter: str, size: gast.expr, body: list[gast.stmt]) -> gast.stmt:
        """The outermost loop, band by band."""
        band = self._assign(self.band, build.binary(self.start, gast.FloorDiv, ROWS))
        return self.in_pieces(self.start, ROWS, counter, size, body, [band])
