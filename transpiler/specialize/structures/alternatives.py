"""What is one thing on some paths and another on others: which of them it is shows at run time, beside a value for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpiler.specialize.structures.container import Container


@dataclass(frozen=True)
class Optional(Container):
    """A value or None: a flag that tells whether it is there, and the value."""

    spoken = 'a value or None'

    @property
    def flag(self) -> Any:
        return self.items[0]

    @property
    def value(self) -> Any:
        return self.items[1]


@dataclass(frozen=True)
class EitherNumber(Container):
    """A number of several kinds: the number of the kind that it is of, and a variable for each kind.

    sorts: the kinds, as dtypes and whether they are Python's
    """

    sorts: tuple[tuple, ...]

    spoken = 'a number or an array, of another kind on another path'

    @property
    def which(self) -> Any:
        return self.items[0]

    @property
    def numbers(self) -> tuple[Any, ...]:
        return self.items[1:]

    @property
    def labels(self) -> tuple[Any, ...]:
        return (self.sorts,)
