"""A lowered program, compiled twice at most: with guards of its own, and with every index checked where a guard gives up."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from transpiler.backends import numba_cpu
from transpiler.backends.options import Options
from transpiler.core.language import Core
from transpiler.lower import CPU, Target, finish, lower, lowered_hopefully
from transpiler.room import roomy
from transpiler.source.writing.emit import Source, emit
from transpiler.stages import LOWER, stage
from transpiler.values.types import Type

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

    @cached_property
    @roomy
    @stage(LOWER)
    def guarded(self) -> Core | None:
        """The program with checks of its own, where they can be written; it gives up where one fails."""
        return lowered_hopefully(self.core, self._target(), self.keyed)

    @cached_property
    @roomy
    @stage(LOWER)
    def source(self) -> Source:
        if self.guarded is None:
            return self.checked_source
        return self._emitted(self.guarded, self._target(self.options.parallel and POSIX))

    @cached_property
    @roomy
    @stage(LOWER)
    def checked_source(self) -> Source:
        return self._emitted(lower(self.core, self._target()), self._target())

    @cached_property
    def compiled(self) -> Any:
        """Takes the run-time leaves and gives a flat result."""
        return self.checked if self.guarded is None else self._compiled(self.source, lambda: self.checked)

    @cached_property
    def checked(self) -> Any:
        return self._compiled(self.checked_source)

    def _target(self, threads: bool = False) -> Target:
        return replace(CPU, accurate=self.options.accurate, fastmath=self.options.fastmath, threads=threads)

    def _emitted(self, core: Core, target: Target) -> Source:
        return emit(finish(core, target), header=self.header, mode='flat')

    def _compiled(self, source: Source, otherwise: Callable[[], Any] | None = None) -> Any:
        results = self.types if len(self.types) != 1 else self.types[0]
        return numba_cpu.compile(source, results, otherwise, self.options.cache, self.options.fastmath)
