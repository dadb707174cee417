"""Dicts, and what `d.keys()`, `d.values()` and `d.items()` give: a view of the items that the dict has when it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpiler.specialize.structures.container import Container

VIEWS = {'keys': type({}.keys()), 'values': type({}.values()), 'items': type({}.items())}


@dataclass(frozen=True)
class Dict(Container):
    """A dict: the keys are known when the code is generated, and in the order of the items."""

    keys: tuple[Any, ...] = ()
    cell: int | None = None

    mutable = True
    python = dict

    @property
    def labels(self) -> tuple[Any, ...]:
        return (self.keys,)

    def item(self, key: Any) -> Any:
        return self.items[self.keys.index(key)]

    def holding(self, items: tuple, keys: tuple[Any, ...]) -> Dict:
        return Dict(items, keys)


@dataclass(frozen=True)
class HeldView(Container):
    """A view of a dict, its only item, as names hold it: not what it shows, but where to look for that.

    which: 'keys', 'values' or 'items'
    """

    which: str

    labels = property(lambda self: (self.which,))
    python = property(lambda self: VIEWS[self.which])


@dataclass(frozen=True)
class Shown:
    """Where a view has been read from: what names hold, and the keys that the dict had."""

    view: HeldView
    keys: tuple[Any, ...]


@dataclass(frozen=True)
class DictView(Container):
    """A view of a dict with what it shows now: of keys and of pairs it is a set, of values a row without places.

    which: 'keys', 'values' or 'items'
    shows: where to look for its items later
    """

    which: str
    shows: Shown | None = None

    labels = HeldView.labels
    python = HeldView.python
