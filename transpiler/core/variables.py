"""Variables of core programs, with their types."""

from __future__ import annotations

from dataclasses import dataclass

from transpiler.values.types import Type


@dataclass(frozen=True)
class Var:
    """A run-time value, held in the core variable `name`."""

    name: str
    type: Type
