"""What a program gives in long doubles: it tells whether rounding is all that two results differ by."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.programs import Program
from tests.support import copied


def exact(program: Program) -> Any:
    """What it returns if every float is a long double; None where a library has none, or that way ends with an error.

    >>> text = 'import scipy.special\\ndef f(x, k):\\n    return scipy.special.erf(x)[k] / 3'
    >>> exact(Program(text, (np.ones(2), 1), 0)).dtype == np.longdouble
    True
    """
    function = with_globals(program, partial(in_precision, np.longdouble))
    own = function.__globals__
    if 'scipy' in own:
        own['scipy'] = InDoubles(own['scipy'])
    try:
        return function(*in_precision(np.longdouble, program.args))
    except Exception:  # LAPACK knows no long doubles
        return None


def with_globals(program: Program, change: Callable[[Any], Any]) -> Callable:
    """Another copy of its function, of which the globals are changed."""
    function = tp.from_source(program.text)
    own = function.__globals__
    own |= {name: value if isinstance(value, (ModuleType, Callable)) else change(value)
            for name, value in own.items() if not name.startswith('__')}
    return function


def in_precision(kind: type[np.floating], tree: Any) -> Any:
    """A copy of a pytree with all floats of one kind; those of Python are doubles."""
    return optree.tree_map(lambda leaf: _as(kind, leaf) if is_float(leaf) else leaf, copied(tree))


def is_float(leaf: Any) -> bool:
    return isinstance(leaf, (float, np.floating)) or isinstance(leaf, np.ndarray) and leaf.dtype.kind == 'f'


def _as(kind: type[np.floating], leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return leaf.astype(kind)
    return leaf if isinstance(leaf, float) and kind is np.float64 else kind(leaf)


class InDoubles:
    """A module of functions that know no long doubles: they compute in doubles, and give long doubles."""

    def __init__(self, module: ModuleType):
        self._module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if isinstance(found, ModuleType):
            return InDoubles(found)
        return self._of_doubles(found) if callable(found) else found

    def _of_doubles(self, function: Callable) -> Callable:
        def call(*args: Any, **keywords: Any) -> Any:
            given, told = in_precision(np.float64, (args, keywords))
            return in_precision(np.longdouble, function(*given, **told))
        return call
