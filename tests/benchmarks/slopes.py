"""Derivatives along a direction, by differences."""
from __future__ import annotations

from collections.abc import Callable

import optree

from tests.support import copied

STEPS = 1e-3, 1e-4, 1e-5


def slope(function: Callable[..., float], args: tuple, argnums: tuple[int, ...], direction: tuple) -> tuple[float, float]:
    """How far to trust it, and the derivative, by differences of sixth order: the best of several steps."""
    def value(length):
        moved = list(copied(args))
        for number, part in zip(argnums, direction):
            moved[number] = optree.tree_map(lambda leaf, step: leaf + length * step, moved[number], part)
        return function(*moved)

    def differences(h):
        near, middle, far = (value(k * h) - value(-k * h) for k in (1, 2, 3))
        best = (45 * near - 9 * middle + far) / (60 * h)
        return abs(best - (8 * near - middle) / (12 * h)), best
    return min(map(differences, STEPS))
