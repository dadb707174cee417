"""What adds up in a loop nest: the statements it puts there, and loops that go piece by piece."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.values.types import INT


class InPieces:
    """`heads` and `tails` hold the statements inside so many of a nest's loops, before the next inner one and after it."""

    def __init__(self, builder: Builder, heads: list[list[gast.stmt]], tails: list[list[gast.stmt]]):
        self.builder, self.heads, self.tails = builder, heads, tails

    def in_pieces(
        self, start: str, length: int, counter: str, size: gast.expr, body: list[gast.stmt],
        before: Sequence[gast.stmt] = (), after: Sequence[gast.stmt] = (),
    ) -> gast.stmt:
        """`for counter in range(size)`, so many iterations at a time; `before` and `after` those that begin at `start`."""
        first = self.builder.fresh('first', INT).name
        left, count, iteration = (self.builder.fresh(name, INT, True).name for name in ('left', 'count', 'turn'))
        bounds = [
            self._assign(first, build.call('numpy.maximum', start, 0)),  # tells the compiler that places are not negative
            self._assign(left, build.binary(size, gast.Sub, start)),
            self._assign(count, build.call('numpy.minimum', length, left)),
        ]
        piece = self._counted(iteration, 0, count, 1, [self._assign(counter, build.binary(first, gast.Add, iteration)), *body])
        return self._counted(start, 0, size, length, [*bounds, *before, piece, *after])

    def _assign(self, target, value: gast.expr) -> gast.stmt:
        return build.assign(target, value, self.builder.origin, self.builder.role)

    def _counted(self, *parts) -> gast.stmt:
        return build.counted(*parts, self.builder.origin, self.builder.role)
