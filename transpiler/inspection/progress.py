"""Progress of long first calls: a line on stderr, in terminals and notebooks, from the time on when somebody may wonder."""
from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from transpiler import backends
from transpiler.stages import LLVM, LOWER, NUMBA, TRANSFORM, Clock, clocked, watched_by

VARIABLE = 'TRANSPILER_PROGRESS'
SOON = 2.0  # seconds of a first call until it shows
APART, IMPORTS = 0.5, 5.0  # seconds between two stages of a first call, at most, and where something is imported between them
OFTEN = 0.25  # seconds between two looks at what is to be shown in a notebook
STEPS = {TRANSFORM: (1, 'transforming'), LOWER: (2, 'lowering')}
Show = Callable[[Callable[[], str], threading.Event], None]


@dataclass
class FirstCall:
    """Stages of one program that follow each other.

    title: what it is of the user's function; name: that in its text, once there is one; until: when the last stage has ended
    """

    title: str
    since: float
    until: float
    name: str | None = None

    def goes_on(self, stage: str, program: str, now: float) -> bool:
        """Whether a stage that works on the program of this name belongs to it; the first one has its title."""
        if stage == TRANSFORM:
            return False
        if self.name is None and now - self.until < APART:
            self.name = program
        return program == self.name and now - self.until < IMPORTS


class Watched(Clock):
    """A clock that says in words what the main thread is at.

    >>> clock = Watched(FirstCall('grad of loss', time.monotonic(), 0.0))
    >>> clock.enter(LOWER); clock.said()
    'grad of loss: lowering (step 2 of 3), 0 s'
    >>> clock.enter(NUMBA, 'loss_grad'); clock.enter(LLVM); clock.said()
    'grad of loss: compiling (step 3 of 3), 0 s, 1 function, at `loss_grad` (LLVM)'
    """

    def __init__(self, call: FirstCall):
        super().__init__()
        self.call, self.doing, self.part = call, '', ''

    def enter(self, stage: str, function: str | None = None) -> None:
        super().enter(stage, function)
        number, doing = STEPS.get(stage, (3, 'compiling'))
        count, inside = len(self.functions), stage in (NUMBA, LLVM)
        self.part = f', {count} function{"s" * (count != 1)}, at `{self._stack()[-1][1]}` ({stage})' if inside else ''
        self.doing = f'{doing} (step {number} of 3)'

    def said(self) -> str:
        return f'{self.call.title}: {self.doing}, {time.monotonic() - self.call.since:.0f} s{self.part}'


class Progress:
    """Shows what first calls of the main thread are at, once they have taken some time.

    where: what shows it, if anything does: it is given words that change, and an event after which there are no more
    """

    def __init__(self, where: Callable[[], Show | None], soon: float = SOON):
        self.where, self.soon = where, soon
        self.call = FirstCall('', 0.0, -IMPORTS)

    def __call__(self, stage: str, program: str) -> AbstractContextManager[object]:
        """To be entered around a stage that works on a program of this name."""
        if threading.current_thread() is not threading.main_thread() or (show := self.where()) is None:
            return nullcontext()
        return self._watching(stage, program, show)

    @contextmanager
    def _watching(self, stage: str, program: str, show: Show) -> Iterator[None]:
        now = time.monotonic()
        if not self.call.goes_on(stage, program, now):
            self.call = FirstCall(program, now, now)
        call, over = self.call, threading.Event()
        clock = Watched(call)

        def later() -> None:
            if not over.wait(call.since + self.soon - time.monotonic()):
                with suppress(OSError, ValueError):     # a terminal may have gone
                    show(clock.said, over)
        thread = threading.Thread(target=later, name='transpiler-progress', daemon=True)
        thread.start()
        try:
            with backends.timing.timing(clock) if 'numba_cpu' in vars(backends) else clocked(clock):
                yield
        finally:
            over.set()
            thread.join()
            call.until = time.monotonic()


def on_stderr() -> Show | None:
    """In a terminal, or a notebook; nowhere where `TRANSPILER_PROGRESS` is 0, or stderr goes elsewhere."""
    stream = sys.stderr
    if stream is None or os.environ.get(VARIABLE) == '0':
        return None
    if type(stream).__module__ == 'ipykernel.iostream':
        return partial(_in_notebook, stream)
    return partial(_in_terminal, stream) if stream.isatty() and os.environ.get('TERM') not in ('dumb', 'unknown') else None


@dataclass
class Now:
    """Words as they are whenever rich asks for them."""

    said: Callable[[], str]

    def __rich__(self) -> Text:
        return Text(self.said(), no_wrap=True, overflow='ellipsis')


def _in_terminal(stream: TextIO, said: Callable[[], str], over: threading.Event) -> None:
    """One line that goes again; output of others is left alone."""
    line, console = Spinner('dots', Now(said)), Console(file=stream)
    with Live(line, console=console, transient=True, redirect_stdout=False, redirect_stderr=False):
        over.wait()


def _in_notebook(stream: TextIO, said: Callable[[], str], over: threading.Event) -> None:
    """One line that is written over: what rich shows in notebooks needs widgets."""
    width = 0
    while not over.wait(OFTEN):
        text = said()
        stream.write(f'\r{text.ljust(width)}')
        stream.flush()
        width = max(width, len(text))
    if width:
        stream.write(f'\r{" " * width}\r')
        stream.flush()


watched_by(Progress(on_stderr))
