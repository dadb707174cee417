"""Lists that generated code has, too: their length, or what is in them, shows at run time only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpiler.specialize.structures.container import Container


@dataclass(frozen=True)
class DynamicList(Container):
    """A list whose length shows at run time: its items here are the lists that hold the leaves of its items.

    item: an example of an item, which has the structure of all
    """

    item: Any
    cell: int | None = None

    mutable = True
    python = list
    spoken = 'a list that grows at run time'

    @property
    def labels(self) -> tuple[Any, ...]:
        return (self.item,)

    @property
    def of_containers(self) -> bool:
        """Whether its items are containers, but for lists of numbers, which are kept in arrays."""
        return isinstance(self.item, Container) and not isinstance(self.item, ArrayList)


@dataclass(frozen=True)
class ArrayList(Container):
    """A list of numbers, or of such lists, that is kept in an array, its item here: a row of a table, or all of one.

    depth: how deep it is nested
    number: which of Python's numbers it holds; None if it holds NumPy's
    table: what makes it one that is written into (`containers/array_lists.py`)
    """

    depth: int
    number: type | None
    table: Any = None

    python = list
    spoken = 'a list whose length shows only at run time'

    @property
    def labels(self) -> tuple[Any, ...]:
        return self.depth, self.number, self.table

    @property
    def array(self) -> Any:
        return self.items[0]
