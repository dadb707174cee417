"""Functions, and the arguments of a call: whether they fit."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from transpiler.arguments.words import spoken


def as_function(value: Any, taker: str) -> Callable:
    """`value`, if it can be called."""
    if not callable(value):
        raise TypeError(f'{taker} takes a function, not {spoken(type(value).__name__)}')
    return value


def check_pairs(taker: str, primals: Sequence[Any], tangents: Sequence[Any]) -> None:
    """Refuse tangents that are not one for each primal.

    >>> check_pairs('jvp', (1.0,), ())
    Traceback (most recent call last):
    TypeError: jvp is given 1 primals, but 0 tangents
    """
    if len(primals) != len(tangents):
        raise TypeError(f'{taker} is given {len(primals)} primals, but {len(tangents)} tangents')


def bind_arguments(
    signature: inspect.Signature, name: str, args: Sequence[Any], keywords: Mapping[str, Any]
) -> inspect.BoundArguments:
    """The arguments of a call by name.

    >>> bind_arguments(inspect.signature(lambda x, y: x * y), 'product', (1.0,), {})
    Traceback (most recent call last):
    TypeError: the arguments do not fit `product(x, y)`: missing a required argument: 'y'
    """
    try:
        return signature.bind(*args, **keywords)
    except TypeError as error:
        raise TypeError(f'the arguments do not fit `{name}{shown(signature)}`: {error}') from None


def shown(signature: inspect.Signature) -> str:
    """A signature without its types."""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))
