"""What the parameters of the public functions take, by name."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import optree

from transpiler.arguments.integers import integer, integers
from transpiler.arguments.names import words
from transpiler.arguments.words import said, spoken


def flag(value: Any, what: str) -> bool:
    """`value`, if it is one of the two truth values: anything else was meant for something else.

    >>> flag('no', 'has_aux')
    Traceback (most recent call last):
    TypeError: has_aux is True or False, not 'no'
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise TypeError(f'{what} is True or False, not {said(value)}')


def argument_numbers(value: Any, what: str = 'argnums') -> int | tuple[int, ...]:
    """An integer gives one derivative, a tuple (or list) a tuple of them."""
    found = integers(value, what)
    return found if isinstance(value, (tuple, list)) else found[0]


def several(value: Any, what: str) -> tuple:
    """The items of a tuple or list."""
    if isinstance(value, (tuple, list)) and not hasattr(value, '_fields'):
        return tuple(value)
    raise TypeError(f'{what} is a tuple (or list) with an item for each argument, not {spoken(type(value).__name__)}')


def axes(value: Any, what: str) -> Any:
    """Axes of examples: integers and None, in any containers."""

    def axis(leaf: Any) -> int | None:
        try:
            return None if leaf is None else integer(leaf, what)
        except TypeError:
            raise TypeError(f'vmap: {what} is made of integers and None, not {said(leaf)}') from None

    return optree.tree_map(axis, value, none_is_leaf=True)


def argument_axes(value: Any, what: str) -> Any:
    """The axes of positional arguments: one for all of them, or a tuple with one for each."""
    if value is None or isinstance(value, (tuple, list)) or isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return axes(tuple(value) if isinstance(value, list) else value, what)
    raise TypeError(f'vmap: {what} is an integer, None, or a tuple with an entry for each argument, not {said(value)}')


def tolerance(value: Any, what: str) -> float | None:
    """A number from 0, or None for what follows from the dtype."""
    if value is not None and (not isinstance(value, numbers.Real) or isinstance(value, bool)):
        raise TypeError(f'{what} is a number, or None, not {said(value)}')
    if value is not None and not value >= 0:
        raise ValueError(f'{what} is at least 0, not {value}')
    return value


def at_least(least: int) -> Callable[[Any, str], int]:
    """Asks for an integer that is not smaller."""

    def asking(value: Any, what: str) -> int:
        if integer(value, what) < least:
            raise ValueError(f'{what} is at least {least}, not {value}')
        return integer(value, what)

    return asking


def iterable(value: Any, what: str) -> Any:
    """What a loop can go through."""
    if isinstance(value, Iterable):
        return value
    raise TypeError(f'{what} is a range, an array, or what else a loop goes through, not {said(value)}')


def text(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f'{what} is a str, not {said(value)}')


def as_given(kind: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """Asks the same, and leaves the value as it is."""
    return lambda value, what: (kind(value, what), value)[1]


def optional(kind: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """The same, or None."""
    return lambda value, what: None if value is None else kind(value, what)


# The parameters of public functions that are constants of what is made, and those that are data.
OPTIONS: dict[str, Callable[[Any, str], Any]] = {
    'argnums': argument_numbers, 'has_aux': flag, 'holomorphic': flag,
    'in_axes': argument_axes, 'out_axes': axes, 'axis_size': optional(at_least(0)),
    'static_argnums': optional(as_given(integers)), 'static_argnames': optional(as_given(words)),
    'accurate': flag, 'parallel': flag, 'cache': flag, 'fastmath': flag, 'background': flag,
    'policy': text, 'order': at_least(1), 'modes': words, 'rtol': tolerance, 'atol': tolerance,
    'nondiff_argnums': as_given(integers), 'derivative': optional(text),
    'text': text, 'label': text, 'names': words, 'name': optional(text),
}
DATA: dict[str, Callable[[Any, str], Any]] = {
    'primals': several, 'tangents': several, 'args': several, 'gradients': several, 'iterations': iterable,
    'snapshots': at_least(1),
}
