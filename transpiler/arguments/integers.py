"""Integers, and the parameters that integers mean."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from transpiler.arguments.words import said


def integer(value: Any, what: str) -> int:
    """`value` as a Python integer; flags are none.

    >>> integer(True, 'order')
    Traceback (most recent call last):
    TypeError: order is an integer, not True
    """
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f'{what} is an integer, not {said(value)}')


def integers(value: Any, what: str) -> tuple[int, ...]:
    """`value`, one integer or a sequence of them, as a tuple.

    >>> integers([0, 1], 'argnums'), integers(1, 'argnums')
    ((0, 1), (1,))
    >>> integers('x', 'argnums')
    Traceback (most recent call last):
    TypeError: argnums is an integer or a tuple of integers, not 'x'
    """
    try:
        return tuple(integer(item, what) for item in (value if isinstance(value, (tuple, list)) else (value,)))
    except TypeError:
        raise TypeError(f'{what} is an integer or a tuple of integers, not {said(value)}') from None


def numbered_parameters(value: Any, what: str, names: Sequence[str]) -> tuple[int, ...]:
    """The parameters with these names that `value` means by numbers, all from the start.

    >>> numbered_parameters(-1, 'static_argnums', ['x', 'n']), numbered_parameters((), 'static_argnums', ['x', 'n'])
    ((1,), ())
    >>> numbered_parameters(2, 'static_argnums', ['x', 'n'])
    Traceback (most recent call last):
    ValueError: static_argnums=2 is out of range for the parameters (x, n)
    """
    numbers = integers(value, what)
    if any(not -len(names) <= number < len(names) for number in numbers):
        raise ValueError(f'{what}={value!r} is out of range for the parameters ({", ".join(names)})')
    return tuple(number % len(names) for number in numbers)
