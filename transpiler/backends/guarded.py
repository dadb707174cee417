"""A lowered program, compiled twice at most: with guards of its own, and with every index checked where a guard gives up."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kernels.failures import Unproven
from transpiler.backends import numba_cpu
from transpiler.backends.options import Options
from transpiler.core.functions import everywhere
from transpiler.core.language import Core
from transpiler.lower import bounded_below, guarded, in_large_pages, in_threads, lower, made_once, separate_names
from transpiler.optimize import surface
from transpiler.source.emit import Source, emit
from transpiler.values.types import Type

POSIX = os.name == 'posix'  # whose threads `kernels.threads` are


@dataclass(eq=False)
class Flat:
    """A lowered program, one parameter per number and array, and how its result becomes the real one.

    core: what it says, before it is lowered
    keyed: whether `run` is called with arguments of the sizes only that its types tell
    """

    header: Sequence[str]
    core: Core
    rebuild: Callable[[Sequence[Any]], Any]
    types: Sequence[Type]
    keyed: bool
    options: Options

    @cached_property
    def guarded(self) -> Core | None:
        """The program with checks of its own, where they can be written; it gives up where one fails."""
        return guarded(lower(self.core, self.options.accurate, hopeful=True, keyed=self.keyed))

    @cached_property
    def source(self) -> Source:
        return self.checked_source if self.guarded is None else self._emitted(self.guarded, self.options.parallel and POSIX)

    @cached_property
    def checked_source(self) -> Source:
        return self._emitted(lower(self.core, self.options.accurate))

    @cached_property
    def compiled(self) -> Any:
        return self.checked if self.guarded is None else self._compiled(self.source, guarded=True)

    @cached_property
    def checked(self) -> Any:
        return self._compiled(self.checked_source, guarded=False)

    def run(self, arguments: Sequence[Any]) -> Any:
        try:
            return self.compiled(*arguments)
        except Unproven:
            return self.checked(*arguments)

    def _emitted(self, core: Core, parallel: bool = False) -> Source:
        surfaced = in_large_pages(surface(core))
        shared = everywhere(in_threads(surfaced) if parallel else surfaced, made_once)
        return emit(separate_names(everywhere(shared, bounded_below)), header=self.header, mode='flat')

    def _compiled(self, source: Source, guarded: bool) -> Any:
        return numba_cpu.compile(source, self.types if len(self.types) != 1 else self.types[0], guarded, self.options.cache)
