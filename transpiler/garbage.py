"""What is remembered while programs are made; Python's search for garbage meanwhile: less often, and rarely among all."""

from __future__ import annotations

import functools
import gc
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Function = TypeVar('Function', bound=Callable[..., Any])

OBJECTS = 700_000  # so many new ones between searches among all: some ten seconds of making programs
YOUNG = 20_000  # so many new ones between searches among the newest, most of which are gone by then

_lock = threading.RLock()  # a search may run finalizers, and these anything
_makers = 0  # programs that are being made
_usual = (0, 0, 0)  # how often Python searches otherwise
_put_off = 0  # searches among new objects after which Python would have searched all
_forget: list[Callable[[], None]] = []  # what clears what is remembered


def while_making(size: int) -> Callable[[Function], Function]:
    """Remember so many answers of a function while programs are made: syntax is asked about again and again, and is gone then.

    >>> @while_making(10)
    ... def length(text):
    ...     return len(text)
    >>> with among_new_objects():
    ...     [length('a'), length('a')]
    [1, 1]
    >>> length.cache_info().currsize
    0
    """
    def mark(function: Function) -> Function:
        kept = functools.lru_cache(size)(function)
        once_made(kept.cache_clear)
        return kept  # type: ignore[return-value]
    return mark


def once_made(forget: Callable[[], None]) -> None:
    """Have something forgotten whenever no program is being made any more."""
    _forget.append(forget)


@contextmanager
def among_new_objects() -> Iterator[None]:
    """Search for garbage less often meanwhile, and among all objects rarely; also a decorator.

    A program is made of very many small objects, for which Python would search all that the process holds for garbage, again
    and again: beside libraries like JAX that is a sixth of the time of a first call.

    >>> before = gc.get_threshold()
    >>> with among_new_objects():
    ...     gc.get_threshold() == meanwhile(before)
    True
    >>> gc.get_threshold() == before
    True
    """
    global _makers
    with _lock:
        if not _makers:
            _begin()
        _makers += 1
    try:
        yield
    finally:
        with _lock:
            _makers -= 1
            if not _makers:
                _end()


def meanwhile(usual: tuple[int, int, int]) -> tuple[int, int, int]:
    """The thresholds while programs are made: so many new objects, searches among these, and searches among those that stayed.

    Of the last ones there may have been as many as usual already. All objects are searched no more often than usual, and not at
    all where Python does not search.

    >>> meanwhile((700, 10, 10)), meanwhile((50_000, 20, 50)), meanwhile((0, 10, 10))
    ((20000, 2, 27), (50000, 2, 550), (0, 2, 700010))
    """
    newest, stayed = usual[0] and max(usual[0], YOUNG), min(usual[1], 2)
    return newest, stayed, usual[2] + max(OBJECTS, math.prod(usual)) // max(newest * stayed, 1)


def _begin() -> None:
    global _usual
    _usual = gc.get_threshold()
    gc.set_threshold(*meanwhile(_usual))


def _end() -> None:
    """A search among all that is due is not left to the caller: it is done now, or put off as if it had been."""
    global _put_off
    for forget in _forget:
        forget()
    searches = gc.get_count()[2]
    gc.set_threshold(*_usual)
    if not gc.isenabled() or searches <= _usual[2]:
        return
    _put_off += searches
    if _put_off >= meanwhile(_usual)[2] or gc.get_freeze_count():
        _put_off = 0
        gc.collect()
    else:
        gc.collect(1)
        gc.freeze()  # has Python forget how often it has searched; nobody else has set objects aside
        gc.unfreeze()
