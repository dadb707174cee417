"""Machine code on disk: what Numba cannot read there is thrown away and made anew."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import FunctionCache

from transpiler.garbage import among_new_objects


class _Forgiving(FunctionCache):
    """Numba's cache of one function, for which a damaged file, or a full disk, is no reason to fail."""

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


def jitted(function: Callable, keep: bool, **options: Any) -> Any:
    """Numba's dispatcher of a function; keep: whether its machine code is kept beside its module."""
    dispatcher = numba.njit(**options)(function)
    dispatcher.compile = among_new_objects()(dispatcher.compile)
    if keep:
        dispatcher._cache = _Forgiving(function)
    return dispatcher
