"""What a specialisation depends on of the arguments of a call."""

from __future__ import annotations

import enum
from collections.abc import Hashable
from typing import Any

import numpy as np

from transpiler.arguments.words import spoken
from transpiler.errors import Misfit, UnknownType
from transpiler.specialize.domain.bindings import class_of_number
from transpiler.specialize.domain.identity import object_key
from transpiler.specialize.domain.pytrees import attributes


def key_of(value: Any, met: dict[int, int]) -> Hashable:
    """What a specialisation depends on: types, ranks, which sizes are 0, 1 or equal, structure, static values; never sizes.

    Tables of which the items do not lie in C order have programs of their own, too: compiled code goes through them otherwise.

    `met` numbers the sizes of the arguments as they come, beginning with `SMALL`.

    >>> from transpiler.specialize.domain.abstraction import SMALL
    >>> first, second = dict(SMALL), dict(SMALL)
    >>> key_of(np.ones((5, 1)), first) == key_of(np.ones((7, 1)), second)
    True
    >>> key_of(np.ones(5), first) == key_of(np.ones(5), second), key_of(1.0, first) == key_of(1, second)
    (False, False)
    """
    kind = type(value)
    if kind in (float, int, bool, complex):
        return kind
    if isinstance(value, np.ndarray):
        if kind is not np.ndarray and kind is not np.memmap:
            raise _other_array(kind)
        sizes = tuple([met.setdefault(size, len(met)) for size in value.shape])
        return (value.dtype, sizes) if len(sizes) < 2 or lies_in_order(value) else (value.dtype, sizes, 'in another order')
    if isinstance(value, np.generic):
        return np.generic, value.dtype
    if class_of_number(value) is not None and not isinstance(value, enum.Enum):
        return 'a number', kind
    if isinstance(value, dict):
        return dict, tuple((k if type(k) is str else object_key(k), key_of(v, met)) for k, v in value.items())
    if (parts := attributes(value)) is not None:
        return kind, tuple([(k, static_key(part) if fixed else key_of(part, met)) for k, (part, fixed) in parts.items()])
    if isinstance(value, (tuple, list)):
        return kind, tuple([key_of(v, met) for v in value])
    return static_key(value)


def lies_in_order(value: Any) -> bool:
    """Whether this is a table whose items lie in C order, as those of all arguments with its key do.

    >>> lies_in_order(np.ones((2, 3))), lies_in_order(np.ones((2, 3)).T), lies_in_order(np.ones(2))
    (True, False, False)
    """
    return isinstance(value, np.ndarray) and value.ndim > 1 and value.flags.c_contiguous


def _other_array(kind: type) -> UnknownType:
    return UnknownType(
        f'an argument is a `{kind.__name__}`',
        why='arrays of classes of their own may mean something else by the same operators',
        instead='pass plain arrays: `np.asarray(x)`',
    )


def constant_key(value: Any, name: str) -> Hashable:
    """The key of an argument that the caller calls static."""
    try:
        hash(value)
    except (TypeError, ValueError):
        raise Misfit(
            f'the static argument `{name}` is {spoken(type(value).__name__)}, which cannot be hashed',
            why='there is one program for each value of a static argument, found by its hash',
            instead='leave it out of static_argnums and static_argnames, or pass what can be hashed, such as a tuple for a list',
        ) from None
    return static_key(value)


def static_key(value: Any) -> Hashable:
    """The key of a value that is itself part of the generated code: that of the object, whatever compares equal to it."""
    try:
        hash(value)
    except (TypeError, ValueError):     # a memory view that may be written into raises ValueError
        raise UnknownType(
            f'an argument of type `{type(value).__name__}` is not supported',
            instead='pass numbers, arrays, and tuples, lists and dicts of them',
        ) from None
    return 'static', object_key(value)
