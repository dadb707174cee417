"""Fixpoints: what an analysis goes round for until nothing is new. Here alone it is decided when to stop."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

Value = TypeVar('Value')
Item = TypeVar('Item', bound=Hashable)
Sets = dict[str, frozenset[str]]


def settled(start: Value, step: Callable[[Value], Value]) -> Value:
    """The first value, of `start` and what `step` makes of it again and again, that `step` leaves as it is.

    >>> settled(100, lambda n: n // 2 + 1)
    2
    """
    while (after := step(start)) != start:
        start = after
    return start


def closure(start: Iterable[Item], more: Callable[[set[Item]], Iterable[Item]]) -> set[Item]:
    """A set with all that `more` finds by what is in it, whatever the order of finding: what it yields is in the set at once.

    >>> sorted(closure({1}, lambda found: {2 * n for n in found if n < 10}))
    [1, 2, 4, 8, 16]
    """
    found, before = set(start), -1
    while len(found) > before:
        before = len(found)
        for item in more(found):
            found.add(item)
    return found


def reached(start: Iterable[Item], following: Callable[[Item], Iterable[Item]]) -> set[Item]:
    """A set with all that follows one thing in it or another, each asked about once.

    >>> sorted(reached({1, 5}, lambda n: {2 * n} if n < 10 else ()))
    [1, 2, 4, 5, 8, 10, 16]
    """
    found = set(start)
    waiting = list(found)
    while waiting:
        new = set(following(waiting.pop())) - found
        found |= new
        waiting += new
    return found


def lasting(
    start: Iterable[Item], holds: Callable[[Item, set[Item]], bool], readers: Callable[[Item], Iterable[Item]]
) -> frozenset[Item]:
    """The most of some things that hold by each other: what does not is dropped, and what goes by it is asked again.

    >>> sorted(lasting(range(10), lambda n, left: n % 2 == 0 and n + 2 in {*left, 8}, lambda n: {n - 2}))
    [0, 2, 4, 6]
    """
    left = set(start)
    waiting = list(left)
    while waiting:
        one = waiting.pop()
        if one in left and not holds(one, left):
            left.discard(one)
            waiting += readers(one)
    return frozenset(left)


def spread(start: Mapping[str, frozenset[str]], flows: Iterable[tuple[str, Iterable[str]]]) -> Sets:
    """Sets by name, each with those of the names that flow into it: pairs of a name and its sources.

    >>> found = spread({'a': frozenset('x'), 'b': frozenset('y')}, [('c', 'b'), ('b', 'a')])
    >>> sorted(found['b']), sorted(found['c'])
    (['x', 'y'], ['x', 'y'])
    """
    found, flows, growing = dict(start), [(target, tuple(sources)) for target, sources in flows], True
    nothing: frozenset[str] = frozenset()
    while growing:
        growing = False
        for target, sources in flows:
            here = found.get(target, nothing)
            merged = here.union(*(found.get(source, nothing) for source in sources))
            if len(merged) > len(here) or target not in found:
                found[target], growing = merged, True
    return found
