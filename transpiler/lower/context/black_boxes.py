"""Black boxes that compiled code can call."""
from __future__ import annotations

import ctypes
from typing import Any


def is_compiled(function: Any) -> bool:
    """Whether Numba can call it: a pointer of ctypes with `argtypes`, or something that Numba has compiled.

    >>> import math, numba
    >>> is_compiled(math.sin), is_compiled(numba.njit(lambda x: x))
    (False, True)
    """
    if isinstance(function, ctypes._CFuncPtr):
        return function.argtypes is not None
    return hasattr(type(function), '_numba_type_') or isinstance(getattr(function, 'ctypes', None), ctypes._CFuncPtr)
