"""Names, and the parameters that names mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transpiler.arguments.words import said


def words(value: Any, what: str) -> tuple[str, ...]:
    """`value`, a name or several, as a tuple."""
    found = (value,) if isinstance(value, str) else value
    if isinstance(found, (tuple, list)) and all(isinstance(word, str) for word in found):
        return tuple(found)
    raise TypeError(f'{what} is a name or a tuple of names, not {said(value)}')


def named_parameters(value: Any, what: str, parameters: Sequence[str]) -> tuple[str, ...]:
    """The parameters that `value`, a name or several, means."""
    found = words(value, what)
    if any(name not in parameters for name in found):
        raise ValueError(f'{what}={value!r} names none of the parameters ({", ".join(parameters)})')
    return found
