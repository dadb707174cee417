"""The containers that a program shares with its caller: which they are, and where it changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transpiler.specialize.domain.bindings import Binding, Ref
from transpiler.specialize.structures.container import Container

Part = tuple[str, tuple[int, ...]]  # a container in an argument: the parameter, and the items that lead to it


@dataclass(frozen=True)
class Change:
    """A change of a container: what is changed, and where."""

    what: str
    origin: Any


def cells_in(arguments: Mapping[str, Binding], heap: Mapping[int, Binding]) -> list[tuple[int, Part]]:
    """The cells of arguments, as names hold these, and which container of which argument each is, or is one of."""
    pending: list[tuple[Part, Binding]] = [((name, ()), binding) for name, binding in arguments.items()]
    found: list[tuple[int, Part]] = []
    while pending:
        (name, path), binding = pending.pop()
        if isinstance(binding, Ref):
            found.append((binding.cell, (name, path)))
            binding = heap[binding.cell]
        if isinstance(binding, Container):
            pending += [((name, (*path, k)), item) for k, item in enumerate(binding.items)]
    return found
