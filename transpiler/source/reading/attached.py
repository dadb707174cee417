"""What has been made of a function is kept with the function itself, and goes with it."""

from __future__ import annotations

import weakref
from typing import Any

PLACE = '__transpiler_made__'  # the attribute of functions


class Made(dict):
    """What has been made of a function, by what was asked for; neither pickled nor copied with it."""

    def __init__(self, owner: Any = None):
        super().__init__()
        self.owner = None if owner is None else weakref.ref(owner)

    def __reduce__(self) -> tuple:
        return Made, ()

    def of(self, function: Any) -> bool:
        """Whether it belongs to this function: `functools.wraps` hands it to others, too."""
        return self.owner is not None and self.owner() is function


def made_of(function: Any) -> Made:
    """What has been made of something that has attributes."""
    found = vars(function).get(PLACE)
    if found is None or not found.of(function):
        found = vars(function)[PLACE] = Made(function)
    return found
