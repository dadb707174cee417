"""Machine code of generated modules, kept on disk beside them (`kernels/machine/kept.py`)."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from transpiler.garbage import among_new_objects
from transpiler.room import roomy
from transpiler.stages import CACHE, stage
from transpiler_kernels.interrupts import ready
from transpiler_kernels.machine.kept import keeping
from transpiler_kernels.machine.private import folder, tightened

LONG = 2 ** 63


def _within_64_bits(typed: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Numba's types of arguments; it has unsigned ones for integers from 2**63 on, and those wrap around beside others."""
    def checked(value: Any) -> Any:
        if type(value) is int and not -LONG <= value < LONG:
            raise OverflowError(f'{value} is too long for the 64 bits of compiled code: make it a float')
        return typed(value)
    return checked


def jitted(function: Callable, keep: bool, **options: Any) -> Any:
    """Numba's dispatcher of a function; keep: whether its machine code is kept beside its module."""
    dispatcher = numba.njit(**options)(function)
    dispatcher.compile = roomy(stage(CACHE, lambda *types: function.__name__)(among_new_objects()(ready(dispatcher.compile))))
    dispatcher.typeof_pyval = _within_64_bits(dispatcher.typeof_pyval)
    if keep and (place := _beside(function)) is not None:
        dispatcher._cache = keeping(function, place)
    return dispatcher


def _beside(function: Callable) -> Path | None:
    """The folder beside the module, wherever `NUMBA_CACHE_DIR` has other functions; None if it cannot be this user's alone.

    A module that no file has, since there was no room for it, has no folder either.
    """
    file = Path(inspect.getfile(function))
    place = file.with_name('__pycache__')
    tightened(str(place))
    try:
        return place if file.is_file() and folder(place) else None
    except OSError:
        return None
