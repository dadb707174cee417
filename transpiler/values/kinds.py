"""Kinds of numbers: a name may hold one of Python's on one path, and one of NumPy's, or of another dtype, on the other."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Span = tuple[int, int]
STEPS = (2**10, 2**20, 2**26)     # bounds of what is one of several integers
LISTED = STEPS[-1]     # and of one on a list of floats: products of two are exact, and sums of many


@dataclass(frozen=True)
class Kind:
    """What a number is on some path: its dtype, whether it is Python's, and its value if that is known.

    among: the least and the largest that an integer of Python's may be, where it is one of several
    """

    dtype: np.dtype
    weak: bool
    value: Any = None
    among: Span | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is an integer of Python's, which has all its digits."""
        return self.weak and self.dtype.kind in 'bi'

    @property
    def span(self) -> Span | None:
        """The least and the largest that it may be, for an integer of Python's, if that is known."""
        if not self.is_whole:
            return None
        return (self.value, self.value) if self.value is not None else (0, 1) if self.dtype.kind == 'b' else self.among

    @property
    def bound(self) -> int | None:
        """What the magnitude is at most, for an integer of Python's, if that is known."""
        return None if self.span is None else max(map(abs, self.span))

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


def without_value(kind: Kind) -> Kind:
    return replace(kind, value=None, among=kind.span)


def _widened(one: Span | None, other: Span | None) -> Span | None:
    """What is known of one of two: in steps, of which there are few, since a loop comes back here."""
    if one is None or other is None:
        return None
    low, high = min(one[0], other[0]), max(one[1], other[1])
    step = next((step for step in STEPS if step >= max(abs(low), abs(high))), None)
    return None if step is None else (min(low, 1) if low >= 0 else -step, step)


def joined_kinds(found: Iterable[Kinds], place: str) -> Kinds:
    """What a number is that is one of several.

    >>> zero, one, single = *(Kind(np.dtype(np.int64), True, k) for k in (0, 1)), Kind(np.dtype(np.float32), False)
    >>> sorted((str(kind), kind.value, kind.among) for kind in joined_kinds([Kinds(frozenset({zero, one, single}))], 's').each)
    [("Python's int", None, (0, 1024)), ('float32', None, None)]
    """
    found = list(found)
    by_sort: dict[tuple[np.dtype, bool], Kind] = {}
    for kind in {kind for one in found for kind in one.each}:
        known = by_sort.setdefault(kind.sort, kind)
        if known != kind:
            same = known.value if known.value == kind.value else None
            by_sort[kind.sort] = Kind(*kind.sort, same, _widened(known.span, kind.span))
    places = frozenset({place}).union(*(one.places for one in found))
    return Kinds(frozenset(by_sort.values()), places)


def longest(dtype: np.dtype) -> int:
    """Up to where a float of that dtype holds all integers."""
    return 2 ** (np.finfo(dtype).nmant + 1)


def is_taken(kind: Kind, dtype: np.dtype) -> bool:
    """Whether a variable of that dtype holds a number of that kind, or an integer of Python's as arithmetic in it takes that.

    >>> [is_taken(Kind(np.dtype(int), True), np.dtype(dtype)) for dtype in (float, np.float32)]
    [True, False]
    """
    double = dtype in (np.float64, np.complex128) and kind.is_whole and (kind.bound is None or kind.bound < 2**63)
    return double or is_held(kind, dtype)


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
        return kind.bound is not None and dtype.kind in 'fc' and kind.bound <= longest(dtype)
    with np.errstate(all='ignore'):
        try:
            return dtype.type(kind.value).item() == kind.value or kind.value != kind.value
        except (OverflowError, TypeError):
            return False
