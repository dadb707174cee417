"""What a program gives in long doubles: it tells whether rounding is all that two results differ by."""

from __future__ import annotations

from collections.abc import Callable
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
    function = tp.from_source(program.text)
    own = function.__globals__
    own |= {name: value if isinstance(value, (ModuleType, Callable)) else wide(value)
            for name, value in own.items() if not name.startswith('__')}
    if 'scipy' in own:
        own['scipy'] = InDoubles(own['scipy'])
    try:
        return function(*wide(program.args))
    except Exception:  # LAPACK knows no long doubles
        return None


def wide(tree: Any) -> Any:
    return optree.tree_map(lambda leaf: _as(np.longdouble, leaf) if _is_real(leaf, np.floating) else leaf, copied(tree))


def narrow(tree: Any) -> Any:
    return optree.tree_map(lambda leaf: _as(np.float64, leaf) if _is_real(leaf, np.longdouble) else leaf, tree)


def _is_real(leaf: Any, kind: type) -> bool:
    return isinstance(leaf, (float, np.floating, np.ndarray)) and np.issubdtype(np.asarray(leaf).dtype, kind)


def _as(kind: type, leaf: Any) -> Any:
    return leaf.astype(kind) if isinstance(leaf, np.ndarray) else kind(leaf)


class InDoubles:
    """A module of functions that know no long doubles: they compute in doubles, and give long doubles."""

    def __init__(self, module: ModuleType):
        self._module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if isinstance(found, ModuleType):
            return InDoubles(found)
        return lambda *args, **keywords: wide(found(*narrow(args), **narrow(keywords))) if callable(found) else found
