"""`precompile`: machine code for arguments that are still to come, kept where the processes that get them find it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import optree

from transpiler.api.calls.nested import only_outside
from transpiler.api.calls.transformed import P, R, Transformed
from transpiler.arguments.asked import asked
from transpiler.backends.options import Options

KEPT_NOWHERE = 'it is kept nowhere, since it calls itself or a black box, is asked not to be, or has no folder'


@asked
def precompile(f: Callable[P, R], *args: Any, **kwargs: Any) -> Transformed[P, R]:
    """Compile `f`, or a derivative, for arguments like these, without calling it: the next process finds it on disk (`tp.cache`).

    args, kwargs: one call's arguments, of which only the types count: ranks, dtypes, memory order, which sizes are equal, 0 or 1,
        and texts, flags and what else becomes a constant. Something with a `shape` and a `dtype` stands for an array in C order.

    Gives what `jit` gives of `f`, compiled; a function that is compiled already keeps its options. Raises what the first call
    would; warns where machine code cannot be kept.

    >>> import numpy as np
    >>> step = precompile(lambda x, k: k * x, np.ones(2), 3.0)
    >>> step(np.arange(4.0), 0.5)
    array([0. , 0.5, 1. , 1.5])
    """
    compiled, kept = compiled_for(f, args, kwargs)
    if not kept:
        warnings.warn(f'`{compiled.__name__}` is compiled, but {KEPT_NOWHERE}', stacklevel=3)
    return compiled


def compiled_for(f: Callable[P, R], args: tuple, kwargs: dict[str, Any]) -> tuple[Transformed[P, R], bool]:
    """The function, compiled for arguments like these; whether its machine code is kept for the next process."""
    transformed = f if isinstance(f, Transformed) else Transformed(f)
    compiled = transformed if transformed.compiled else transformed.derived(compiled=Options())
    given: Any = args, kwargs
    examples: Any = optree.tree_map(_example, given, none_is_leaf=True)
    lowered = compiled.lower(*examples[0], **examples[1])
    lowered.compile()
    return compiled, lowered.specialisation.direct[0].kept


def _example(leaf: Any) -> Any:
    """An array for what only describes one."""
    if isinstance(leaf, (np.ndarray, np.generic)) or not (hasattr(leaf, 'shape') and hasattr(leaf, 'dtype')):
        return leaf
    return np.zeros(leaf.shape, leaf.dtype)


only_outside(precompile)
