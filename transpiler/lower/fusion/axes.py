"""The loops of a nest: one along each axis, but for axes of one item."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import gast

from transpiler.core.builder import Builder
from transpiler.core.language import Hint
from transpiler.lower.fusion.accesses import At
from transpiler.values.types import INT


class Axes:
    """looped: the axes that have loops, outermost first; counters: along every axis, 0 where there is one item."""

    def __init__(self, builder: Builder, sizes: Sequence[gast.expr], summed: Collection[int] = ()):
        """`summed`: the axes along which there are sums, which are loops of their own."""
        self.sizes = sizes
        self.looped = [axis for axis, size in enumerate(sizes) if not is_one(size) or axis in summed]
        self.counters: list[str | int] = [0] * len(sizes)
        for depth, axis in enumerate(self.looped):
            self.counters[axis] = builder.fresh(letter(depth), INT).name
            builder.hints[self.counters[axis]] = Hint(letter(depth), inside=True)

    @property
    def loops(self) -> tuple[list[str], list[gast.expr]]:
        """The counters of the loops, and where they end."""
        return [self.counters[axis] for axis in self.looped], [self.sizes[axis] for axis in self.looped]

    def depth(self, ats: Sequence[At]) -> int:
        """How many loops it takes to know a place."""
        return max((self.looped.index(at.axis) + 1 for at in ats if at.axis is not None), default=0)

    def followed(self, ats: Sequence[At]) -> tuple[At, ...]:
        """A place, said with the axes that have loops alone."""
        return tuple(at if at.axis is None or at.axis in self.looped else replace(at, axis=None, step=1) for at in ats)

    def changes(self, ats: Sequence[At]) -> bool:
        """Whether each iteration of the outermost loop has places of its own."""
        return any(at.axis == self.looped[0] for at in ats)


def letter(depth: int) -> str:
    return 'ijklmn'[depth % 6]


def is_one(size: gast.expr) -> bool:
    return isinstance(size, gast.Constant) and size.value == 1
