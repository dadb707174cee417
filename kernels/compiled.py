"""Functions for compiled code, and what Numba need not make of them.

For a function Numba compiles an entry for callers in Python and one for those in C, which takes it thrice as long as a small
function does. Kernels have neither: compiled code calls them, and keeps them on disk beside their file.
"""
import functools
from collections.abc import Callable
from typing import Any

import numba
from numba.extending import overload

BARE: dict[str, Any] = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}


def implements(function: Callable, **options: Any) -> Callable[[Callable], Callable]:
    """Mark what chooses, by the types of its arguments, the function that compiled code calls in place of `function`."""
    return overload(function, jit_options={**BARE, **options})


class Kernel:
    """A function as compiled code calls it; Python may, through a function that is compiled for the types that it gives."""

    def __init__(self, function: Callable, options: dict[str, Any]):
        functools.update_wrapper(self, function)
        self.options = {'cache': True, 'nogil': True, **BARE, **options}
        overload(self, jit_options=self.options, strict=False)(lambda *args: function)

    @functools.cached_property
    def from_python(self) -> Callable:
        return numba.njit(nogil=True)(lambda *args: self(*args))

    def __call__(self, *args):
        return self.from_python(*args)


def kernel(**options: Any) -> Callable[[Callable], Kernel]:
    """Make a kernel of a function, with these options of `numba.njit`.

    >>> @kernel(error_model='numpy', cache=False)
    ... def half(x):
    ...     return x / 2
    >>> half(3.0)
    1.5
    """
    return lambda function: Kernel(function, options)
