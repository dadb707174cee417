"""Results that are one thing or another: how they leave a program, and where that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import gast

from transpiler.core.language import Core
from transpiler.errors import NotDifferentiable
from transpiler.specialize.domain.pytrees import made


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


class Listed:
    """A list of run-time length whose items have several parts, or may be None: an item, made of the lists of its parts."""


Choice = type[Either] | type[Perhaps]


def choice_of(node: gast.expr) -> Choice | None:
    """What a part of a result is that is one thing or another."""
    kind = getattr(node, 'type', None) if isinstance(node, gast.Call) else None
    return kind if kind in (Either, Perhaps) else None


def is_listed(node: gast.expr) -> bool:
    """Whether a part of a result is a list of items that have several parts."""
    return isinstance(node, gast.Call) and getattr(node, 'type', None) is Listed


def flags_of_items(core: Core) -> frozenset[str]:
    """The lists in a result that tell of the items of others whether they are there."""
    inside = [part for node in gast.walk(core.result) if is_listed(node) for part in gast.walk(node)]
    return frozenset(field.value.id for part in inside if choice_of(part) is Perhaps
                     for field in part.keywords if field.arg == Perhaps.decided_by)


def assembled(node: gast.expr, leaves: list[gast.expr]) -> Callable[[Sequence[Any]], Any]:
    """How a result is made of the values of its leaves, all of them in order; `leaves` learns those of `node`."""
    match node:
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            parts = [assembled(e, leaves) for e in elements]
            kind = tuple if isinstance(node, gast.Tuple) else list
            return lambda values: kind([part(values) for part in parts])
        case gast.Dict(keys=keys, values=values):
            pairs = [(k.value, assembled(v, leaves)) for k, v in zip(keys, values, strict=True)]
            return lambda results: {key: part(results) for key, part in pairs}
        case gast.Constant(value=None | str() as value):
            return lambda values: value
        case gast.Call(keywords=[item]) if is_listed(node):
            before = len(leaves)
            one, after = assembled(item.value, leaves), len(leaves)
            return lambda values: [one((*values[:before], *own)) for own in zip(*values[before:after], strict=True)]
        case gast.Call(keywords=keywords):
            fields = {k.arg: assembled(k.value, leaves) for k in keywords}
            if (choice := choice_of(node)) is not None:
                return lambda values: choice.chosen({name: part(values) for name, part in fields.items()})
            return lambda values: made(node.type, {**node.fixed, **{name: part(values) for name, part in fields.items()}})
    position = len(leaves)
    leaves.append(node)
    return lambda values: values[position]


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
