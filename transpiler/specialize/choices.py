"""Results that are one thing or another: how they leave a program, and where that cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from transpiler.core.language import Core
from transpiler.errors import NotDifferentiable


class Either:
    """A result of several kinds: `which` it is, and a part for each."""

    decided_by = 'which'
    spoken = 'a number on one path, an array or a number of another kind on another'

    @staticmethod
    def chosen(parts: Mapping[str, Any]) -> Any:
        """The one that it is.

        >>> Either.chosen({'which': 7, 'kind_2': 0, 'kind_7': 3})
        3
        """
        return parts[f"kind_{parts['which']}"]


class Perhaps:
    """A result that is a value or None: whether there `is` one, and the value."""

    decided_by = 'is_there'
    spoken = 'a value on one path, None on another'

    @staticmethod
    def chosen(parts: Mapping[str, Any]) -> Any:
        """What it is.

        >>> Perhaps.chosen({'is_there': False, 'value': 3})
        """
        return parts['value'] if parts['is_there'] else None


Choice = type[Either] | type[Perhaps]


def choice_of(node: gast.expr) -> Choice | None:
    """What a part of a result is that is one thing or another."""
    kind = getattr(node, 'type', None) if isinstance(node, gast.Call) else None
    return kind if kind in (Either, Perhaps) else None


def check_no_choice(core: Core, title: str) -> None:
    """Refuse to differentiate a program whose result has one structure on one path, another on another."""
    for choice in _choices(core.result):
        raise NotDifferentiable(
            f'{title}: the result is {choice.spoken}', core.body[-1].origin,
            why='a derivative has the structure of what it is the derivative of',
            instead='begin with an array, `np.zeros_like(...)`, or raise an exception where there is nothing to give')


def _choices(node: gast.expr) -> Iterator[Choice]:
    if (choice := choice_of(node)) is not None:
        yield choice
    match node:
        case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Dict(values=parts):
            for part in parts:
                yield from _choices(part)
        case gast.Call(keywords=fields):
            for field in fields:
                yield from _choices(field.value)
