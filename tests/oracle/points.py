"""Arguments where functions are odd: ties, zeros, infinities, NaN, size 1, no items, integers."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from tests.rules.cases import Written

ODD = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, np.inf, -np.inf, np.nan)
FEW = (0.0, 1.0, -2.0, np.inf, np.nan)


def points(case: Written) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """What is odd about a call's arguments, and the arguments; elementwise functions get all combinations at once."""
    if case.rule.kind == 'elementwise':
        if case.number == 0:
            yield from _grids(case)
        return
    lapack = '.linalg.' in case.rule.name  # some of its loops never end for infinities
    for title, change in CHANGES.items():
        if lapack and 'infinity' in title:
            continue
        changed = [change(value) if k in case.floats else value for k, value in enumerate(case.arguments)]
        if all(value is not None for value in changed):
            yield title, tuple(changed)


def _grids(case: Written) -> Iterator[tuple[str, tuple[Any, ...]]]:
    count = len(case.floats)
    columns = np.array(list(product(ODD if count < 3 else FEW, repeat=count))).T.copy()
    values = dict(zip(case.floats, columns, strict=True))
    whole = tuple(values.get(k, value) for k, value in enumerate(case.arguments))
    yield 'all combinations', whole
    for k in case.floats if count > 1 else ():
        integers = np.where(np.isfinite(whole[k]), whole[k], 3.0).astype(np.int64)
        yield f'integers as argument {k}', (*whole[:k], integers, *whole[k + 1:])


def _with_item(item: float) -> Callable[[np.ndarray], np.ndarray | None]:
    def change(value: np.ndarray) -> np.ndarray | None:
        changed = np.array(value)
        if changed.size:
            changed.flat[changed.size // 2] = item
        return changed
    return change


def _resized(size: int) -> Callable[[np.ndarray], np.ndarray | None]:
    return lambda value: value[:size].copy() if value.ndim == 1 else None


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray | None]] = {
    'zeros': lambda value: value * 0,
    'all equal': lambda value: value * 0 + 1,
    'ties': lambda value: np.round(value) + 0.0,
    'an infinity': _with_item(np.inf),
    'minus infinity': _with_item(-np.inf),
    'NaN': _with_item(np.nan),
    'one item': _resized(1),
    'no items': _resized(0),
}
