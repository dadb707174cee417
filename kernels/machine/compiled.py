"""Functions for compiled code, and what Numba need not make of them.

For a function Numba compiles an entry for callers in Python and one for those in C, which takes it thrice as long as a small
function does. Kernels have neither: compiled code calls them, and keeps them on disk, until one file of this package changes.
"""
import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CacheImpl
from numba.extending import overload

from transpiler_kernels.compiler.pipeline import OfKernels
from transpiler_kernels.machine import kept

HERE = Path(__file__).parents[1]  # the package of all kernels


@functools.lru_cache(maxsize=1)
def version(package: Path = HERE) -> str:
    """What stands in the files of a package, in short."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob('*.py')):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class OfThisVersion:
    """Where Numba looks for a kernel on disk: where it always does, but it takes nothing that is of another version.

    It would look at the one file that the kernel stands in, while machine code holds that of all kernels which it calls.
    """

    others = tuple(CacheImpl._locator_classes)

    @classmethod
    def from_function(cls, function: Callable, file: str) -> Any:
        found = (kind.from_function(function, file) for kind in cls.others if HERE in Path(file).parents)
        locator = next((place for place in found if place is not None), None)
        if locator is not None:
            locator.get_source_stamp = version
        return locator


CacheImpl._locator_classes.insert(0, OfThisVersion)
kept.of_kernels()


KEPT: dict[str, Any] = {'cache': True}  # on disk
# Division follows NumPy, and every operation rounds for itself, in the order in which it is written; only `plus` of
# `kernels/reductions/lanes.py` may be done in any order. Numba would take these options from whichever function is compiled
# first that calls one without any.
ARITHMETIC: dict[str, Any] = {'error_model': 'numpy', 'fastmath': False}
BARE: dict[str, Any] = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True, 'pipeline_class': OfKernels}
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
