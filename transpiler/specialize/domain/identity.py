"""When two Python objects are the same one: what compares equal may mean something else."""

from __future__ import annotations

import types
from collections.abc import Hashable
from typing import Any

import numpy as np

MADE_ANEW = types.MethodType, types.BuiltinMethodType, types.MethodWrapperType, np.dtype  # each time they are read
EXACT = frozenset((bool, int, str, bytes, type(None), type(Ellipsis), type(NotImplemented)))  # equal ones are one value
REPRESENTED = frozenset((float, complex, range, *np.sctypeDict.values()))  # which differ in their signs of zero, too


def same_object(left: Any, right: Any) -> bool:
    """Identity for objects, equality with equal type for numbers and strings (so that -0.0, 0.0 and 0 stay apart).

    >>> same_object(np.add.outer, np.add.outer), same_object(0.0, -0.0), same_object((1, 2), (True, 2))
    (True, False, False)
    """
    if left is right:
        return True
    kind = type(left)
    if kind is not type(right):
        return False
    if kind in EXACT or isinstance(left, MADE_ANEW):
        return left == right
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(same_object, left, right))
    return kind in REPRESENTED and repr(left) == repr(right)


def content(value: Any) -> Any:
    """What is compared to see whether a captured object is what it was: a list, dict or array may have changed in place.

    >>> settings = {'mode': 'a', 'sizes': [1, 2]}
    >>> before = content(settings); settings['sizes'].append(3); same_object(before, content(settings))
    False
    """
    if isinstance(value, dict):
        return dict, *((key, content(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return type(value), *map(content, value)
    if isinstance(value, (set, frozenset)):
        return set, *sorted(value, key=repr)
    if isinstance(value, np.ndarray):
        return np.ndarray, value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, types.MethodType):
        return value.__func__, value.__self__
    return value


class Same:
    """An object as a key of dicts: equal to itself alone."""

    __slots__ = ('value',)

    def __init__(self, value: Any):
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return type(other) is Same and self.value is other.value


def object_key(value: Any) -> Hashable:
    """A key that two objects share only if they are the same, as `same_object` has it.

    >>> object_key((1, 'a')) == object_key((1, 'a')), object_key(1) == object_key(True), object_key(0.0) == object_key(-0.0)
    (True, False, False)
    """
    kind = type(value)
    if kind in EXACT:
        return kind, value
    if kind in REPRESENTED:
        return kind, repr(value)
    if isinstance(value, MADE_ANEW):
        return kind, value
    if isinstance(value, tuple):
        return kind, *map(object_key, value)
    if isinstance(value, frozenset):
        return kind, frozenset(map(object_key, value))
    return Same(value)
