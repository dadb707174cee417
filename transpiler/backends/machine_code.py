"""Machine code on disk, beside the module it was made of: what Numba cannot read there is thrown away and made anew."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

from transpiler.garbage import among_new_objects
from transpiler.room import roomy

LONG = 2 ** 63


class _Forgiving(FunctionCache):
    """Numba's cache of one function, for which a damaged file, or a full disk, is no reason to fail."""

    def __init__(self, function: Callable):
        super().__init__(function)
        beside = Path(inspect.getfile(function)).with_name('__pycache__')  # wherever `NUMBA_CACHE_DIR` has other functions
        with suppress(OSError):
            beside.mkdir(exist_ok=True)
        self._cache_path = str(beside)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = IndexDataCacheFile(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:
            self._start_again(sig, data)

    def _start_again(self, sig: Any, data: Any) -> None:
        """With an empty index, since that may be what is damaged."""
        with suppress(OSError):
            self.flush()
            super().save_overload(sig, data)


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
    dispatcher.compile = roomy(among_new_objects()(dispatcher.compile))
    dispatcher.typeof_pyval = _within_64_bits(dispatcher.typeof_pyval)
    if keep:
        dispatcher._cache = _Forgiving(function)
    return dispatcher
