"""Texts of which some shows at run time only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpiler.specialize.structures.container import Container


@dataclass(frozen=True)
class Text(Container):
    """An f-string: texts and values, one after the other.

    forms: for each, None for a text, or how a value is shown: the conversion and the format
    """

    forms: tuple[Any, ...]

    python = str
    spoken = 'a text'

    @property
    def labels(self) -> tuple[Any, ...]:
        return (self.forms,)
