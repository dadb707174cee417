"""What a pass is, how passes are run to a fixed point, recorded and shown.

A pass is a pure function from `Core` to `Core`, marked by `@rewrite()`. It returns its very argument when it has nothing
to do: that is how `fixpoint` knows that it is done.
"""
from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import gast

from transpiler.core.build import map_blocks
from transpiler.core.language import Core
from transpiler.core.text import dump, parse
from transpiler.core.verify import verify
from transpiler.errors import GrammarError
from transpiler.source.writing.emit import Source, emit

ROUNDS = 30

_log: ContextVar[list['Step'] | None] = ContextVar('log', default=None)
_remarks: ContextVar[list[str] | None] = ContextVar('remarks', default=None)
_checking: ContextVar[bool] = ContextVar('checking', default=bool(os.environ.get('TRANSPILER_VERIFY')))

Pass = Callable[[Core], Core]


@dataclass(frozen=True)
class Step:
    """A pass that changed something, the program after it, and what it had to say."""

    name: str
    core: Core
    remarks: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        return emit(self.core)


def rewrite(name: str | None = None, *, surface: bool = False) -> Callable[[Pass], Pass]:
    """Mark a function as a pass: its changes are recorded; while checking, its result is verified, and its input must stay.

    surface: the result may hold operations where the core language has atoms.
    """
    def mark(function: Pass) -> Pass:
        title = name or function.__name__

        @functools.wraps(function)
        def run(core: Core, *arguments: Any, **keywords: Any) -> Core:
            before = dump(core.body) if _checking.get() else None
            after = function(core, *arguments, **keywords)
            if before is not None and dump(core.body) != before:
                raise GrammarError(f'{title} changes the program that it is given', core.origin)
            if after is core:
                return core
            if before is not None:
                _check(after, title, surface)
            log = _log.get()
            if log is not None and dump(after.body) != dump(core.body):
                log.append(Step(title, after, _said()))
            return after
        return run
    return mark


def remark(text: str | Callable[[], str]) -> None:
    """Say something about the step that is being made, for whoever records; what takes work to say is given as a function."""
    said = _remarks.get()
    if said is not None:
        said.append(text if isinstance(text, str) else text())


def _said() -> tuple[str, ...]:
    said = _remarks.get() or []
    text = tuple(said)
    said.clear()
    return text


def _check(core: Core, title: str, surface: bool) -> None:
    try:
        verify(core, surface=surface)
    except GrammarError as error:
        raise GrammarError(f'after {title}: {error.what}', error.origin, why=error.why) from None


def fixpoint(passes: Iterable[Pass], rounds: int = ROUNDS) -> Pass:
    """One pass that runs `passes` in turn until none of them changes anything, or for so many rounds.

    >>> double = rewrite()(lambda core: core if core.name == 'fff' else core.with_body(core.body, name=core.name + 'f'))
    >>> fixpoint([double])(parse('return x')).name
    'fff'
    """
    passes = tuple(passes)

    def run(core: Core) -> Core:
        idle = 0    # so many passes in a row have changed nothing
        for step in passes * rounds:
            before, core = core, step(core)
            idle = idle + 1 if core is before else 0
            if idle == len(passes):
                return core
        if _checking.get():
            raise GrammarError(f'the passes of {core.name} do not settle after {rounds} rounds', core.origin)
        return core
    return run


@contextmanager
def recording() -> Iterator[list[Step]]:
    """Collect a `Step` for every pass that changes something.

    >>> rename = rewrite('rename')(lambda core: core.with_body(parse('return y').body, name='g'))
    >>> with recording() as log:
    ...     core = rename(parse('return x'))
    >>> [step.name for step in log]
    ['rename']
    """
    log: list[Step] = []
    tokens = _log.set(log), _remarks.set([])
    try:
        yield log
        rest = _said()  # by passes that have changed nothing
        if rest and log:
            log[-1] = replace(log[-1], remarks=log[-1].remarks + rest)
    finally:
        _log.reset(tokens[0])
        _remarks.reset(tokens[1])


@contextmanager
def checking(on: bool = True) -> Iterator[None]:
    """Verify the grammar after every pass that runs inside; the environment variable TRANSPILER_VERIFY does it everywhere."""
    token = _checking.set(on)
    try:
        yield
    finally:
        _checking.reset(token)


def show(step: Pass, text: str, **options: Any) -> None:
    """Print the body of the program `text` after one pass; `options` go to `core.text.parse`."""
    with checking():
        core = step(parse(text, **options))
    lines = emit(core.with_body(map(_without_role, core.body))).text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith('def '))
    print('\n'.join(line.removeprefix('    ') for line in lines[start + 1:]))


def _without_role(statement: gast.stmt) -> gast.stmt:
    """The statement as one of the primal, which gets no comments."""
    return map_blocks(statement, lambda block: list(map(_without_role, block)), role='primal')
