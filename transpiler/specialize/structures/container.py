"""What all containers have: items, which are bindings, and labels, by which two of a kind differ in structure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transpiler.specialize.domain.bindings import Binding


@dataclass(frozen=True)
class Container:
    """A container: its items are known by position, or by a key.

    cell: where the heap holds what is in it now, of one that is mutable and that something refers to
    keys: what its items are known by, if not by their position
    mutable: whether it can change
    is_iterator: whether it is an object of Python's that its first reader uses up
    python: the class of Python's that it is of in the program
    """

    items: tuple[Binding, ...]

    cell = None
    keys = ()
    mutable = False
    is_iterator = False
    python = object

    @property
    def labels(self) -> tuple[Any, ...]:
        """What two of this kind with as many items may differ in, but for these and their cells."""
        return ()

    @property
    def python_name(self) -> str:
        """What Python's own messages call it."""
        return self.python.__name__

    @property
    def spoken(self) -> str:
        """What messages call it."""
        return f'a {self.python_name}'

    def anew(self, items: tuple[Binding, ...]) -> Any:
        """One of the same structure with other items, in no cell."""
        return type(self)(items, *self.labels)

    def holding(self, items: tuple[Binding, ...], keys: tuple[Any, ...]) -> Any:
        """One with other items, in no cell; with other keys too, if it has such."""
        return self.anew(items)
