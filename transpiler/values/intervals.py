"""Intervals of integers, and what arithmetic makes of them."""
from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import MappingProxyType

import gast
import numpy as np

Interval = tuple[int, int]

WORD = -2**63, 2**63 - 1    # what compiled code holds
ANY = -2**63, 2**64 - 1     # unsigned numbers of NumPy's too
EXACT = -2**53, 2**53       # what floats hold
FLAG = 0, 1
TOO_LONG = 'an integer gets too long for the 64 bits of compiled code: make it a float'
FAR = 128                   # powers and shifts by more give integers that are too long anyway


def of_dtype(dtype: np.dtype) -> Interval | None:
    """The integers of a dtype; None if it has others.

    >>> of_dtype(np.dtype('int8')), of_dtype(np.dtype(bool)), of_dtype(np.dtype(float))
    ((-128, 127), (0, 1), None)
    """
    if dtype.kind == 'b':
        return FLAG
    return (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)) if dtype.kind in 'iu' else None


def is_asked(of: np.dtype, weak: bool, dtype: np.dtype, alone: bool) -> bool:
    """Whether NumPy asks of a number that goes into an array of integers if the dtype holds it: else it casts the number.

    It asks of Python's numbers (`weak`), and of its own if one is put into a place `alone` and the dtype is signed.

    >>> double, small, byte = np.dtype(float), np.dtype('int8'), np.dtype('uint8')
    >>> is_asked(double, False, small, True), is_asked(double, False, small, False), is_asked(double, False, byte, True)
    (True, False, False)
    >>> is_asked(double, True, byte, False), is_asked(small, True, np.dtype('int32'), False)
    (True, False)
    """
    return (weak or alone and dtype.kind == 'i') and dtype.kind in 'iu' and not np.can_cast(of, dtype)


def holds(dtype: np.dtype, number: complex) -> bool:
    """Whether a dtype of integers holds what is left of a number without its fraction.

    >>> holds(np.dtype('int8'), 127.9), holds(np.dtype('int8'), 128), holds(np.dtype('uint8'), math.nan)
    (True, False, False)
    """
    ends = of_dtype(dtype)
    return ends is not None and not isinstance(number, complex) and math.isfinite(number) and ends[0] <= int(number) <= ends[1]


def hull(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])


def common(a: Interval, b: Interval) -> Interval:
    """The integers in both; those of `b` if there are none."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else b


def is_inside(a: Interval, b: Interval) -> bool:
    return b[0] <= a[0] and a[1] <= b[1]


def of_ends(function: Callable[[int, int], int], a: Interval, b: Interval) -> Interval:
    """What a function gives that is largest and smallest at the ends."""
    found = [function(x, y) for x in a for y in b]
    return min(found), max(found)


def _quotient(a: Interval, b: Interval) -> Interval:
    """With the 0 that NumPy gives where nothing can be divided."""
    found = [x // d for x in a for d in (b[0], -1, 1, b[1]) if d and b[0] <= d <= b[1]]
    found += [0] if b[0] <= 0 <= b[1] else []
    return min(found), max(found)


def _rest(a: Interval, b: Interval) -> Interval:
    if a[0] >= 0 and a[1] < b[0]:
        return a
    high = max(b[1] - 1, 0)
    return min(b[0] + 1, 0), min(high, a[1]) if a[0] >= 0 and b[0] >= 0 else high


def _power(a: Interval, b: Interval) -> Interval:
    size = max(abs(a[0]), abs(a[1]))
    largest = size ** max(min(b[1], FAR), 0)
    if a[0] >= 0:
        return min(a[0], 1) ** FAR, max(largest, 1)
    return (0 if b[0] == b[1] and b[0] % 2 == 0 else -largest), max(largest, 1)


def _shifted_left(a: Interval, b: Interval) -> Interval:
    """With the 0 that NumPy gives for negative counts."""
    return of_ends(operator.mul, a, (0 if b[0] < 0 else 1 << min(b[0], FAR), 1 << max(min(b[1], FAR), 0)))


def _shifted_right(a: Interval, b: Interval) -> Interval:
    """With what NumPy leaves for negative counts: the sign alone, as for large ones."""
    return of_ends(operator.rshift, a, (max(min(b[0], FAR), 0), FAR if b[0] < 0 else min(b[1], FAR)))


def _bits(a: Interval, b: Interval) -> Interval:
    """All integers of as many bits."""
    most = (1 << max((x if x >= 0 else ~x).bit_length() for x in (*a, *b))) - 1
    return (0 if a[0] >= 0 and b[0] >= 0 else -most - 1), most


def _in_both(a: Interval, b: Interval) -> Interval:
    ends = [x[1] for x in (a, b) if x[0] >= 0]
    return (0, min(ends)) if ends else _bits(a, b)


BINARY: MappingProxyType[type, Callable[[Interval, Interval], Interval]] = MappingProxyType({
    gast.Add: lambda a, b: (a[0] + b[0], a[1] + b[1]), gast.Sub: lambda a, b: (a[0] - b[1], a[1] - b[0]),
    gast.Mult: lambda a, b: of_ends(operator.mul, a, b), gast.FloorDiv: _quotient, gast.Mod: _rest, gast.Pow: _power,
    gast.LShift: _shifted_left, gast.RShift: _shifted_right, gast.BitAnd: _in_both, gast.BitOr: _bits, gast.BitXor: _bits})


def combined(kind: type[gast.operator], a: Interval, b: Interval) -> Interval | None:
    """What an operator gives of two integers; None if that is no integer.

    >>> combined(gast.Mult, (-2, 3), (0, 10)), combined(gast.Mod, (-5, 100), (7, 9)), combined(gast.FloorDiv, (-9, 9), (-1, 2))
    ((-20, 30), (0, 8), (-9, 9))
    >>> combined(gast.FloorDiv, (5, 9), (0, 2)), combined(gast.RShift, (5, 9), (-1, 0)), combined(gast.LShift, (5, 9), (-1, 1))
    ((0, 9), (0, 9), (0, 18))
    >>> combined(gast.Pow, (-2, 2), (2, 3)), combined(gast.LShift, (1, 3), (0, 4)), combined(gast.BitAnd, (-5, 9), (0, 7))
    ((-8, 8), (1, 48), (0, 7))
    """
    return BINARY[kind](a, b) if kind in BINARY else None


def negated(a: Interval) -> Interval:
    return -a[1], -a[0]


def inverted(a: Interval) -> Interval:
    return -a[1] - 1, -a[0] - 1


def magnitude(a: Interval) -> Interval:
    """
    >>> magnitude((-3, 2)), magnitude((4, 7))
    ((0, 3), (4, 7))
    """
    return max(a[0], -a[1], 0), max(abs(a[0]), abs(a[1]))
