"""Objects of the program's classes, taken apart, and what stands for `super()` and `np.errstate(...)`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from transpiler.specialize.structures.container import Container


@dataclass(frozen=True)
class Object(Container):
    """An instance of a class of the program: a named tuple, a dataclass, or any other.

    keys: the names of its attributes, in the order of the items
    type: its class
    mutable: whether its attributes can be set, so that the heap holds them
    """

    keys: tuple[str, ...] = field()
    type: Any
    mutable: bool = False
    cell: int | None = None

    @property
    def labels(self) -> tuple[Any, ...]:
        return self.keys, self.type, self.mutable

    @property
    def python(self) -> Any:
        return self.type

    @property
    def python_name(self) -> str:
        return 'tuple' if issubclass(self.type, tuple) else self.type.__name__

    @property
    def spoken(self) -> str:
        return f'an object of the class `{self.type.__name__}`'

    def item(self, key: str) -> Any:
        return self.items[self.keys.index(key)]

    def holding(self, items: tuple, keys: tuple[str, ...]) -> Object:
        return Object(items, keys, self.type, self.mutable)


@dataclass(frozen=True)
class Super(Container):
    """`super()` in a method of the class `after`: its item, as the classes behind that one see it."""

    after: Any

    python = super

    @property
    def labels(self) -> tuple[Any, ...]:
        return (self.after,)


@dataclass(frozen=True)
class Context(Container):
    """What a `with` statement may enter and that does nothing there."""

    spoken = 'a context'
