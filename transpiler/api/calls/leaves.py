"""The numbers and arrays that a program runs on, of arguments by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from transpiler.core.language import Param, leaves
from transpiler.specialize.domain.abstraction import items_in, leaves_of


def flat_leaves(params: Sequence[Param], values: Mapping[str, Any], captured: Mapping[str, Any]) -> list[Any]:
    """The run-time leaves of all arguments."""
    flat: list[Any] = []
    for param in params:
        flat += _runtime_leaves(param, captured[param.name] if param.kind == 'capture' else values[param.name])
    return flat


def _runtime_leaves(param, value: Any) -> list[Any]:
    """The leaves of an argument that are run-time values: all but those that became static."""
    found = leaves_of(value)
    if len(found) == len(leaves(param.tree)):
        return found
    return list(_paired(param.tree, value))


def _paired(tree, value):
    match tree:
        case _ if hasattr(tree, 'name'):
            yield value
        case _ if hasattr(tree, 'children'):
            for child, item in zip(tree.children, items_in(value) or (), strict=True):
                yield from _paired(child, item)


def as_called(params: Sequence[Param], values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by name as a call has them: by position, and by keyword."""
    positional = [values[p.name] for p in params if p.kind == 'positional']
    positional += [value for p in params if p.kind == 'star' for value in values[p.name]]
    named = {p.name: values[p.name] for p in params if p.kind == 'keyword'}
    named |= {key: value for p in params if p.kind == 'options' for key, value in values[p.name].items()}
    return positional, named
