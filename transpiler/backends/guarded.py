"""A lowered program, compiled twice at most: with guards of its own, and with every index checked where a guard gives up."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from transpiler import backends
from transpiler.backends.background import Task, has_worked
from transpiler.backends.options import Options
from transpiler.backends.signatures import kind_of, stand_in
from transpiler.core.language import Core
from transpiler.lower import CPU, Target, finish, lower, lowered_hopefully
from transpiler.room import roomy
from transpiler.source.writing.emit import Source, emit
from transpiler.stages import LOWER, stage
from transpiler.values.types import Tape, Type

POSIX = os.name == 'posix'  # whose threads `kernels.threads` are


@dataclass(eq=False)
class Flat:
    """A lowered program, one parameter per number and array, and how its result becomes the real one.

    core: what it says, before it is lowered
    rebuild: what makes the real result of a flat one; None if they are the same
    keyed: whether it is called with arguments of the sizes only that its types tell
    """

    header: Sequence[str]
    core: Core
    rebuild: Callable[[Any], Any] | None
    types: Sequence[Type]
    keyed: bool
    options: Options
    _tasks: dict[Hashable, Task] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    @roomy
    @stage(LOWER, lambda flat: flat.core.name)
    def guarded(self) -> Core | None:
        """The program with checks of its own, where they can be written; it gives up where one fails."""
        return lowered_hopefully(self.core, self._target(), self.keyed)

    @cached_property
    @roomy
    @stage(LOWER, lambda flat: flat.core.name)
    def source(self) -> Source:
        if self.guarded is None:
            return self.checked_source
        return self._emitted(self.guarded, self._target(self.options.parallel and POSIX))

    @cached_property
    @roomy
    @stage(LOWER, lambda flat: flat.core.name)
    def checked_source(self) -> Source:
        return self._emitted(lower(self.core, self._target()), self._target())

    @cached_property
    def compiled(self) -> Any:
        """Takes the run-time leaves and gives a flat result; who calls it keeps this, which it does not."""
        own = weakref.ref(self)
        return self.checked if self.guarded is None else self._compiled(self.source, lambda: own().checked)

    @cached_property
    def checked(self) -> Any:
        return self._compiled(self.checked_source)

    def taken(self, leaves: Sequence[Any]) -> Sequence[Any]:
        """The run-time leaves as compiled code takes them: lists are typed ones."""
        if not self._lists:
            return leaves
        made = backends.numba_cpu.typed_list
        return [made(v, self._lists[k]) if k in self._lists else v for k, v in enumerate(leaves)]

    @cached_property
    def _lists(self) -> dict[int, Type]:
        """The types of their items, by the places of lists among the leaves."""
        types = [self.core.types[name] for name in self.core.inputs]
        return {k: type_.element for k, type_ in enumerate(types) if isinstance(type_, Tape)}

    def prepare(self, leaves: Sequence[Any]) -> None:
        """Compile for leaves of these types, without a call; what another thread compiles meanwhile is waited for."""
        self.compiled.prepare(*self.taken(leaves))
        self._task(leaves).settle()

    def ready(self, leaves: Sequence[Any]) -> bool:
        """Whether machine code for leaves of these types is there, or cannot be made; it is asked for in the background."""
        _ = self.source  # which may refuse what plain Python would run
        task = self._task(leaves)
        if not task.done:
            task.wanted()
        return task.done

    def _task(self, leaves: Sequence[Any]) -> Task:
        """That of compiling for leaves of these types; it is done if the same text was compiled for them, by whomever."""
        kinds = tuple(map(kind_of, leaves))
        if kinds not in self._tasks:
            examples = list(map(stand_in, leaves))
            task = self._tasks.setdefault(kinds, Task(self, lambda flat: flat.prepare_later(examples)))
            if has_worked() and self.compiled.is_there(*self.taken(examples)):
                task.settle()
        return self._tasks[kinds]

    def prepare_later(self, leaves: Sequence[Any]) -> None:
        """The same in the background, as long as the process lasts."""
        with backends.leaving.leaving():
            self.prepare(leaves)

    def _target(self, threads: bool = False) -> Target:
        return replace(CPU, accurate=self.options.accurate, fastmath=self.options.fastmath, threads=threads)

    def _emitted(self, core: Core, target: Target) -> Source:
        return emit(finish(core, target), header=self.header, mode='flat')

    def _compiled(self, source: Source, otherwise: Callable[[], Any] | None = None) -> Any:
        results = self.types if len(self.types) != 1 else self.types[0]
        return backends.numba_cpu.compile(source, results, otherwise, self.options.cache, self.options.fastmath)
