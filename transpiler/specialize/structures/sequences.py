"""Tuples and lists whose items are known by position."""

from __future__ import annotations

from dataclasses import dataclass

from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Shown


@dataclass(frozen=True)
class Tuple(Container):
    """A tuple, or what a view of a dict shows now.

    shows: the view, and where to look for its items later
    written: the class of Python's that generated code has for it
    """

    shows: Shown | None = None

    written = tuple

    @property
    def python(self) -> type:
        return tuple if self.shows is None else self.shows.view.python


@dataclass(frozen=True)
class List(Container):
    """A list whose length is known when the code is generated; a deque too, which `Texts` knows by its cell.

    written: the class of Python's that generated code has for it
    """

    cell: int | None = None

    mutable = True
    python = written = list
