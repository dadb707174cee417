"""The stages of first calls, with those inside Numba, which tells of them by its events."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.event import Listener, install_listener

from transpiler.stages import LLVM, NUMBA, Clock, clocked, ticks


class _Entered(Listener):
    """Has Numba's events of a kind count as a stage, on the function that is compiled, if they name one."""

    def __init__(self, clock: Clock, stage: str):
        self.clock, self.stage = clock, stage

    def on_start(self, event: Any) -> None:
        if ticks(self.clock):   # and not in another thread
            dispatcher = (event.data or {}).get('dispatcher')
            self.clock.enter(self.stage, dispatcher and dispatcher.py_func.__name__)

    def on_end(self, event: Any) -> None:
        if ticks(self.clock):
            self.clock.leave()


@contextmanager
def timing(clock: Clock | None = None) -> Iterator[Clock]:
    """Time the stages of what is made and compiled meanwhile; LLVM's are those in which Numba holds its lock."""
    clock = clock or Clock()
    with clocked(clock), install_listener('numba:compile', _Entered(clock, NUMBA)), \
            install_listener('numba:llvm_lock', _Entered(clock, LLVM)):
        yield clock
