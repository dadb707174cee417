"""What the evaluator runs: frames of functions, values captured from around them, iterators made early."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from transpiler.analyses.dataflow.source_liveness import Found
from transpiler.core.language import Core, Hint
from transpiler.core.variables import Var
from transpiler.errors import Origin
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.bindings import Binding
from transpiler.values.types import Type


@dataclass
class Frame:
    """One function being run: its local names, and the frame it was defined in."""

    function: Function | None
    env: dict[str, Binding] = field(default_factory=dict)
    parent: 'Frame | None' = None
    live: Found = field(default_factory=dict)
    hints: Mapping[str, Hint] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)  # of a core program


@dataclass
class Capture:
    """A closure or global value that became an input: how to read it, and what it is taken apart into.

    leaves: the variables of its numbers and arrays, in order; held: as names hold it
    """

    name: str
    key: tuple[int, str]
    binding: Binding
    read: Callable[[], Any]
    leaves: tuple[Var, ...]
    held: Any = None


@dataclass
class Late:
    """What the making of an iterator's items has read, which Python would read when their turn comes.

    frames: those that hold the names; bindings: what they held when the items had been made; cells: the lists, dicts and
    objects, with what they held; making: the block, and the places in it from and to which the items are made; changed: the
    cells that the making has changed, and when, by the clock of the heap; follows:
    whether something may be done after the last item; origin: where they are made
    """

    frames: dict[tuple[int, str], Frame] = field(default_factory=dict)
    cells: dict[int, Any] = field(default_factory=dict)
    bindings: dict[tuple[int, str], Any] = field(default_factory=dict)
    making: tuple[list[gast.stmt], int, int] = field(default_factory=lambda: ([], 0, 0))
    changed: tuple[frozenset[int], int] = frozenset(), 0
    follows: bool = False
    origin: Origin | None = None

    def made(self, heap: Mapping[int, Any], block: list[gast.stmt], start: int) -> None:
        """The items have been made just now."""
        self.bindings = {key: frame.env.get(key[1]) for key, frame in self.frames.items()}
        self.cells = {cell: heap.get(cell) for cell in self.cells}
        self.making = block, start, len(block)

    def is_changed(self, heap: Mapping[int, Any]) -> bool:
        """Whether a name or a cell holds something else than then."""
        return any(frame.env.get(key[1]) is not self.bindings[key] for key, frame in self.frames.items()) or any(
            heap.get(cell) is not held for cell, held in self.cells.items())


@dataclass(frozen=True)
class Expansion:
    """A call that gives way to what it does: 'inline' to the function itself, 'rule' to the rule, as reverse mode needs it."""

    how: str
    core: Core
