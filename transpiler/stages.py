"""Where the time of a first call goes: stages of the compiler, timed for whoever asks.

transform: from the program that is written to the one that is asked for; lower: to loops; Numba: types, and lowering to LLVM's
language; LLVM: its passes, and machine code; cache: looking for machine code on disk, and keeping it there.
"""
from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

STAGES = TRANSFORM, LOWER, NUMBA, LLVM, CACHE = 'transform', 'lower', 'Numba', 'LLVM', 'cache'

P = ParamSpec('P')
R = TypeVar('R')

Watch = Callable[[str, str], AbstractContextManager[object]]
_clock: ContextVar[Clock | None] = ContextVar('clock', default=None)
_watch: Watch = lambda stage, program: nullcontext()


@dataclass
class Spent:
    """What a stage has taken for one function: seconds of the processor, and how often it was entered."""

    seconds: float = 0.0
    times: int = 0


@dataclass(eq=False)
class Clock:
    """What stages take, without the stages inside them, by name and by the function they work on ('': the whole program)."""

    spent: dict[tuple[str, str], Spent] = field(default_factory=dict)
    _here: threading.local = field(default_factory=threading.local)

    def enter(self, stage: str, function: str | None = None) -> None:
        """Begin a stage inside the one that runs in this thread, on the same function unless another is named."""
        inside = self._stack()
        if function is None:
            function = inside[-1][1] if inside else ''
        self._charge(inside)
        inside.append((stage, function))
        self.spent.setdefault((stage, function), Spent()).times += 1

    def leave(self) -> None:
        """End the stage that runs in this thread; none runs if it began before anybody looked at the clock."""
        inside = self._stack()
        if inside:
            self._charge(inside)
            inside.pop()

    def seconds(self, stage: str) -> float:
        """Those of a stage on all functions."""
        return sum(spent.seconds for (name, _), spent in self.spent.items() if name == stage)

    def times(self, stage: str) -> int:
        """How often a stage was entered."""
        return sum(spent.times for (name, _), spent in self.spent.items() if name == stage)

    @property
    def functions(self) -> list[str]:
        """Those that Numba has compiled."""
        return [function for stage, function in self.spent if stage == NUMBA]

    def _stack(self) -> list[tuple[str, str]]:
        if not hasattr(self._here, 'inside'):
            self._here.inside = []
        return self._here.inside

    def _charge(self, inside: list[tuple[str, str]]) -> None:
        now = time.thread_time()
        if inside:
            self.spent[inside[-1]].seconds += now - self._here.since
        self._here.since = now


def watched_by(watch: Watch) -> None:
    """Have `watch(stage, program)` be entered around stages that nobody times, and that are inside no other."""
    global _watch
    _watch = watch


def ticks(clock: Clock) -> bool:
    """Whether what is done here is timed by this clock."""
    return _clock.get() is clock


def stage(name: str, program: Callable[..., str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function be a stage; `program` gives a name to what its arguments are about.

    >>> @stage(TRANSFORM, lambda f: f)
    ... def made(f):
    ...     return f'program of {f}'
    >>> with clocked(Clock()) as clock:
    ...     made('loss')
    'program of loss'
    >>> clock.times(TRANSFORM)
    1
    """
    def mark(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            if _clock.get() is not None:
                return timed(*args, **kwargs)
            with _watch(name, program(*args)):
                return timed(*args, **kwargs)

        def timed(*args: P.args, **kwargs: P.kwargs) -> R:
            clock = _clock.get()
            if clock is None:
                return function(*args, **kwargs)
            clock.enter(name)
            try:
                return function(*args, **kwargs)
            finally:
                clock.leave()
        return run
    return mark


@contextmanager
def clocked(clock: Clock) -> Iterator[Clock]:
    """Time the stages that run inside."""
    token = _clock.set(clock)
    try:
        yield clock
    finally:
        _clock.reset(token)
