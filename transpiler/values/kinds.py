"""Kinds of numbers: a name may hold one of Python's on one path, and one of NumPy's, or of another dtype, on the other."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Kind:
    """What a number is on some path: its dtype, whether it is Python's, and its value if that is known."""

    dtype: np.dtype
    weak: bool
    value: Any = None

    @property
    def sort(self) -> tuple[np.dtype, bool]:
        return self.dtype, self.weak

    def __str__(self) -> str:
        python = {'f': 'float', 'i': 'int', 'b': 'bool', 'c': 'complex'}
        return f"Python's {python[self.dtype.kind]}" if self.weak else str(self.dtype)


@dataclass(frozen=True)
class Kinds:
    """The kinds that a number may be of; `places`: the names under which paths meet that made it so."""

    each: frozenset[Kind]
    places: frozenset[str] = frozenset()

    @property
    def sorts(self) -> set[tuple[np.dtype, bool]]:
        return {kind.sort for kind in self.each}


def joined_kinds(found: Iterable[Kinds], place: str) -> Kinds:
    """What a number is that is one of several; beside floats, Python's integers are floats.

    >>> whole, single = Kind(np.dtype(np.int64), True, 0), Kind(np.dtype(np.float32), False)
    >>> sorted(map(str, joined_kinds([Kinds(frozenset({whole})), Kinds(frozenset({single}))], 's').each))
    ["Python's float", 'float32']
    """
    found = list(found)
    kinds = {kind for one in found for kind in one.each}
    floats = max((kind.dtype for kind in kinds if kind.dtype.kind in 'fc'), key=lambda dtype: dtype.kind == 'f', default=None)
    by_sort: dict[tuple[np.dtype, bool], Kind] = {}
    for kind in kinds:
        if kind.weak and kind.dtype.kind in 'bi' and floats is not None:
            kind = Kind(np.dtype(np.float64), True, None if kind.value is None else float(kind.value))
        known = by_sort.setdefault(kind.sort, kind)
        if known.value is None or known.value != kind.value:
            by_sort[kind.sort] = replace(kind, value=None)
    places = frozenset({place}).union(*(one.places for one in found))
    return Kinds(frozenset(by_sort.values()), places)


def is_held(kind: Kind, dtype: np.dtype) -> bool:
    """Whether a variable of that dtype holds a number of that kind as it is.

    >>> single = np.dtype(np.float32)
    >>> [is_held(Kind(np.dtype(float), True, value), single) for value in (0.5, 0.1, None)]
    [True, False, False]
    """
    long = kind.dtype.kind in 'iu' and kind.dtype.itemsize == 8 and dtype.kind in 'fc'     # more digits than double precision has
    if np.can_cast(kind.dtype, dtype, 'safe') and not long:
        return True
    if kind.value is None:
        return False
    with np.errstate(all='ignore'):
        try:
            return dtype.type(kind.value).item() == kind.value or kind.value != kind.value
        except (OverflowError, TypeError):
            return False
