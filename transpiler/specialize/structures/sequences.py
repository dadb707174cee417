"""Tuples and lists whose items are known by position."""

from __future__ import annotations

from dataclasses import dataclass

from transpiler.specialize.structures.container import Container


@dataclass(frozen=True)
class Tuple(Container):
    """A tuple.

    written: the class of Python's that generated code has for it
    """

    python = written = tuple


@dataclass(frozen=True)
class List(Container):
    """A list whose length is known when the code is generated; a deque too, which `Texts` knows by its cell.

    written: the class of Python's that generated code has for it
    """

    cell: int | None = None

    mutable = True
    python = written = list
