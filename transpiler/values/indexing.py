"""The sizes of `x[index]`, as NumPy finds them."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transpiler.values.broadcasting import broadcast
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Array

NEW, NUMBER, DOTS = 'new axis', 'number', '...'     # the axes that `...` stands for follow it as slices


@dataclass(frozen=True)
class Cut:
    """A slice, whose size is `dim`."""

    dim: Dim | None


Entry = Cut | Array | str


def axes_taken(entry: Entry) -> int | None:
    """How many axes of the base an entry stands for; None if it is a mask of unknown rank."""
    if isinstance(entry, Array) and entry.dtype == np.bool_:
        return entry.ndim
    return 0 if entry in (NEW, DOTS) else 1


def indexed(entries: Sequence[Entry], rest: tuple[Dim | None, ...]) -> tuple[tuple[Dim | None, ...] | None, dict[Symbol, Dim]]:
    """The sizes of what these entries pick, if the axes behind them have the sizes `rest`; and sizes that must be equal.

    Arrays, and numbers beside them, are broadcast to one shape, whose axes come where they stand, or first if they do not
    stand together. The sizes are None if not even their number is known.

    >>> n, m = Dim.symbol('n', large=True), Dim.symbol('m', large=True)
    >>> rows = Array(np.dtype(int), (n,))
    >>> shown = lambda *entries: [str(dim) for dim in indexed(entries, (m,))[0]]
    >>> shown(Cut(Dim.of(2)), rows), shown(rows, Cut(Dim.of(2)), rows), shown(NUMBER, NEW)
    (['2', 'n', 'm'], ['n', '2', 'm'], ['1', 'm'])
    """
    dims = _plain(entries)
    arrays = [entry for entry in entries if isinstance(entry, Array)]
    if not arrays:
        return (*dims, *rest), {}
    if any(array.dims is None for array in arrays):
        return None, {}
    joint = broadcast(*(_picked(array) for array in arrays))
    places = [k for k, entry in enumerate(entries) if isinstance(entry, Array) or entry == NUMBER]
    together = places == list(range(places[0], places[-1] + 1))
    front = _plain(entries[:places[0]]) if together else []
    return (*front, *joint.dims, *dims[len(front):], *rest), joint.equalities


def _plain(entries: Sequence[Entry]) -> list[Dim | None]:
    """The sizes of the axes that slices leave and new ones."""
    return [entry.dim if isinstance(entry, Cut) else Dim.of(1) for entry in entries if isinstance(entry, Cut) or entry == NEW]


def _picked(array: Array) -> tuple[Dim | None, ...]:
    """A mask picks as many as hold in it."""
    return (None,) if array.dtype == np.bool_ else array.dims or ()
