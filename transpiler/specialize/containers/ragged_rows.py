"""Lists of numbers on a list of run-time length: where they differ in length, all are rows, each kept in an array of its own.

    t = [[1.0]]; for v in x: t.append([1.0] + [v * p for p in t[-1]])        t holds arrays from the start
"""

from __future__ import annotations

from typing import Any

from transpiler.specialize.domain.bindings import Binding, Known, alike, leaf_type
from transpiler.specialize.domain.optionals import with_items
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.run_time_lists import ArrayList
from transpiler.specialize.structures.sequences import List
from transpiler.values.types import Scalar


def in_rows(ev: Any, like: Binding, item: Binding) -> tuple[Binding, Binding]:
    """What a list holds, and an item for it, with rows for lists that differ in length; the very same if none do."""
    if not isinstance(like, Container) or not isinstance(item, Container):
        return like, item
    if isinstance(like, ArrayList) and _holds_numbers(item):
        return like, _row_of(ev, item, like)
    if _holds_numbers(like) and (isinstance(item, ArrayList) or _holds_numbers(item) and len(like.items) != len(item.items)):
        row = item if isinstance(item, ArrayList) else _row_of(ev, item, None)
        return row, row
    if not alike(like, item):
        return like, item
    pairs = [in_rows(ev, one, other) for one, other in zip(like.items, item.items, strict=True)]
    return with_items(like, [one for one, _ in pairs]), with_items(item, [other for _, other in pairs])


def like_rows(like: Binding, example: Binding) -> Binding:
    """An example of what a list is going to hold, with the rows that `like` has."""
    if isinstance(like, ArrayList) and isinstance(example, Container) and _holds_numbers(example):
        return like
    if not alike(like, example):
        return example
    return with_items(example, list(map(like_rows, like.items, example.items)))


def _holds_numbers(binding: Container) -> bool:
    return isinstance(binding, List) and all(isinstance(leaf_type(item), Scalar) for item in binding.items)


def _row_of(ev: Any, numbers: List, like: ArrayList | None) -> Binding:
    """A list as one that grew to its length."""
    if not numbers.items:
        dtype, depth, number = (like.array.type.dtype, like.depth, like.number) if like else (float, 1, float)
        return ArrayList((ev.operate_by_name('numpy.zeros', [], shape=Known(0), dtype=dtype),), depth, number)
    made = ev.held(List(()))
    ev.growing.grow(None, made.cell, numbers.items[0])
    for item in numbers.items:
        ev.growing.growing_append(ev.current(made), item)
    return ev.growing.plain_item(ev.current(made))
