"""What `d.keys()`, `d.values()` and `d.items()` give: no items, but a view of those that the dict has when it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpiler.specialize.domain.bindings import Container


@dataclass(frozen=True)
class View(Container):
    """The keys, values or items of a dict, as a tuple of what they are now.

    of: the dict; which: what is shown of it; names: its keys
    """

    of: Any = None
    which: str = ''
    names: tuple[Any, ...] = ()

    @property
    def held(self) -> Container:
        """What a name holds: not the items, but where to look for them."""
        return Container('view', (self.of,), (self.which,))
