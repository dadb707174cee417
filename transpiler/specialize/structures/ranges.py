"""Ranges and slices: three bounds, integers or None, of which some may show at run time only."""

from __future__ import annotations

from dataclasses import dataclass

from transpiler.specialize.structures.container import Container


@dataclass(frozen=True)
class Range(Container):
    """`range(start, stop, step)`: the three are its items here, whatever it runs over."""

    python = range


@dataclass(frozen=True)
class Slice(Container):
    """`start:stop:step`; None is a bound that is left out."""

    python = slice


@dataclass(frozen=True)
class Checkpointed(Container):
    """A range beside the number of snapshots that the pullback of a loop over it may keep."""

    spoken = 'a range with snapshots'
