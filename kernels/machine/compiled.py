"""Functions for compiled code, and what Numba need not make of them.

For a function Numba compiles an entry for callers in Python and one for those in C, which takes it thrice as long as a small
function does. Kernels have neither: compiled code calls them, and keeps them on disk, until one file of this package changes.
"""
import functools
from collections.abc import Callable
from typing import Any

import numba
from numba.extending import overload

from transpiler_kernels.machine.options import ARITHMETIC, BARE, KEPT

written_out = numba.njit(inline='always')  # where it is called, which takes less than one more function if it is a line or two


def implements(function: Callable, **options: Any) -> Callable[[Callable], Callable]:
    """Mark what chooses, by the types of its arguments, the function that compiled code calls in place of `function`."""
    return overload(function, jit_options={**ARITHMETIC, **BARE, **options})


class Kernel:
    """A function as compiled code calls it; Python may, through a function that is compiled for the types that it gives."""

    def __init__(self, function: Callable, options: dict[str, Any]):
        functools.update_wrapper(self, function)
        self.options = {'nogil': True, **ARITHMETIC, **KEPT, **BARE, **options}
        overload(self, jit_options=self.options, strict=False)(lambda *args: function)

    @functools.cached_property
    def from_python(self) -> Callable:
        return numba.njit(nogil=True)(lambda *args: self(*args))

    def __call__(self, *args):
        return self.from_python(*args)


def kernel(**options: Any) -> Callable[[Callable], Kernel]:
    """Make a kernel of a function, with these options of `numba.njit`.

    >>> @kernel(cache=False)
    ... def half(x):
    ...     return x / 2
    >>> half(3.0)
    1.5
    """
    return lambda function: Kernel(function, options)
