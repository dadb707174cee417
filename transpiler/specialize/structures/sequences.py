"""Tuples and lists whose items are known by position."""

from __future__ import annotations

from dataclasses import dataclass

from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Shown


@dataclass(frozen=True)
class Tuple(Container):
    """A tuple.

    shows: of what the keys, values or items of a dict are now: where to look for them later
    """

    shows: Shown | None = None

    python = tuple


@dataclass(frozen=True)
class List(Container):
    """A list whose length is known when the code is generated; a deque too, which `Texts` knows by its cell."""

    cell: int | None = None

    mutable = True
    python = list
