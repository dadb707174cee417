"""Sums over a loop nest, as accurate as NumPy's: in lanes within a block, then block by block, then row by row."""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from transpiler.core import build
from transpiler.specialize.builder import Builder
from transpiler.specialize.literals import static_expression
from transpiler.values.types import INT, Array, Scalar

BLOCK = 1024  # so many items are added up in lanes


class Sums:
    """What a nest adds up; `heads` and `tails` hold the statements inside so many of its loops."""

    def __init__(self, builder: Builder, heads: list[list[gast.stmt]], tails: list[list[gast.stmt]]):
        self.builder, self.heads, self.tails = builder, heads, tails
        self.parts: list[tuple[str, str, gast.expr]] = []  # the sum of a block, what it is added to, and where it begins

    def add(
        self, target: str, item: gast.expr, dtype: np.dtype, counters: Sequence[str], sizes: Sequence[gast.expr], mean: bool
    ) -> None:
        """`target` becomes the sum of `item` over all places, or the mean."""
        wide = np.dtype(float) if dtype.kind == 'f' else dtype
        zero = build.constant(0.0 if dtype.kind == 'f' else 0)
        part = self.builder.fresh('part', Scalar(dtype), temporary=True).name
        total = self.builder.fresh('total', Scalar(wide), temporary=True).name
        self.parts.append((part, total, zero))
        self.heads[-1].append(self._assign(part, build.binary(part, gast.Add, item)))
        if len(counters) == 1:
            self.heads[0].append(self._assign(total, zero))
            self._give(target, total, sizes, mean)
            return
        rows = self.builder.fresh('rows', Array(wide, (None,))).name
        whole = self.builder.fresh('total', Scalar(wide), temporary=True).name
        kind = None if wide == np.float64 else static_expression(wide)
        self.heads[0].append(self._assign(rows, build.call('numpy.empty', sizes[0], dtype=kind)))
        self.heads[1].append(self._assign(total, zero))
        self.tails[1].append(self._assign(build.subscript(rows, counters[0]), build.name(total)))
        self.tails[0].append(self._assign(whole, build.call('numpy.sum', rows)))
        self._give(target, whole, sizes, mean)

    def _give(self, target: str, total: str, sizes: Sequence[gast.expr], mean: bool) -> None:
        if not mean:
            self.tails[0].append(self._assign(target, build.name(total)))
            return
        count = sizes[0]
        for size in sizes[1:]:
            name = self.builder.fresh('count', INT, temporary=True).name
            self.tails[0].append(self._assign(name, build.binary(count, gast.Mult, size)))
            count = build.name(name)
        self.tails[0].append(self._assign(target, build.binary(total, gast.Div, count)))

    def innermost(self, counter: str, size: gast.expr, body: list[gast.stmt]) -> list[gast.stmt]:
        """The innermost loop: block by block if it adds up."""
        before = [self._assign(part, zero) for part, _, zero in self.parts]
        after = [self._assign(total, build.binary(total, gast.Add, part)) for part, total, _ in self.parts]
        if not self.parts or isinstance(size, gast.Constant) and size.value <= BLOCK:
            return [*before, self._counted(counter, 0, size, 1, body), *after]
        start = self.builder.fresh('start', INT).name
        first, left, count, turn = (self.builder.fresh(name, INT, True).name for name in ('first', 'left', 'count', 'turn'))
        bounds = [
            self._assign(first, build.call('numpy.maximum', start, 0)),  # tells the compiler that places are not negative
            self._assign(left, build.binary(size, gast.Sub, start)),
            self._assign(count, build.call('numpy.minimum', BLOCK, left)),
        ]
        body = [self._assign(counter, build.binary(first, gast.Add, turn)), *body]
        block = [*bounds, *before, self._counted(turn, 0, count, 1, body), *after]
        return [self._counted(start, 0, size, BLOCK, block)]

    def _assign(self, target, value: gast.expr) -> gast.stmt:
        return build.assign(target, value, self.builder.origin, self.builder.role)

    def _counted(self, *parts) -> gast.stmt:
        return build.counted(*parts, self.builder.origin, self.builder.role)
