"""Iterators: what Python's first reader uses up; what they are made of are their items here."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpiler.specialize.structures.container import Container


@dataclass(frozen=True)
class Zip(Container):
    """`zip` of its items."""

    is_iterator = True
    python = zip


@dataclass(frozen=True)
class Enumerate(Container):
    """`enumerate`: what it runs over, and the number of the first item."""

    is_iterator = True
    python = enumerate
    spoken = 'an `enumerate`'


@dataclass(frozen=True)
class Reversed(Container):
    """`reversed`: what it runs over."""

    is_iterator = True
    python_name = 'reversed'


@dataclass(frozen=True)
class Islice(Container):
    """`itertools.islice`: what it runs over, the first place, the place where it stops, and the step."""

    is_iterator = True
    python = itertools.islice
    spoken = 'an `islice`'


@dataclass(frozen=True)
class Product(Container):
    """`itertools.product` of its items, or `np.ndindex` of ranges."""

    is_iterator = True
    python_name = 'product'


@dataclass(frozen=True)
class NdEnumerate(Container):
    """`np.ndenumerate`: the places of an array, and the array."""

    is_iterator = True
    python = np.ndenumerate
    spoken = 'an `ndenumerate`'


@dataclass(frozen=True)
class Flat(Container):
    """`x.flat`: the places of an array, and the array."""

    is_iterator = True
    python = np.flatiter


@dataclass(frozen=True)
class Generator(Container):
    """A generator, or an iterator that has been made or has a name: what it runs over.

    late: what has been read for its items, if Python would make them later (`evaluation/frames.py`)
    has_effects: whether making them changes something besides
    failure: what is raised while they are made, for certain, if they are all asked for
    """

    late: Any = None
    has_effects: bool = False
    failure: Exception | None = None

    is_iterator = True
    spoken = 'a generator'
    python_name = 'generator'

    @property
    def labels(self) -> tuple[Any, ...]:
        return self.late, self.has_effects, self.failure

    @property
    def runs_over(self) -> Any:
        """What it runs over, for who asks for all of it."""
        if self.failure is not None:
            raise self.failure
        return self.items[0]
