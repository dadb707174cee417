"""`checkpointed`: long loops whose derivative keeps few states."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from transpiler.specialize.bindings import Container

Item = TypeVar('Item')


def checkpointed(turns: Iterable[Item], snapshots: int) -> Iterable[Item]:
    """The turns of a loop, `for t in checkpointed(range(n), snapshots=k)`, of whose states a derivative keeps `k` at most.

    turns: a range, an array, or what else a loop can count through; snapshots: how many states may be kept, at least 1
    (a ValueError otherwise)

    A state is what a turn starts with: the names that are carried from turn to turn, and the arrays that turns write into.
    Turns between kept states are run again when the derivative needs them, as few as possible: with `k` states, loops of
    binomial(k + r, k) turns are run at most `r` times again. The states are placed by the binomial schedule of Griewank and
    Walther, "Algorithm 799: Revolve" (ACM Transactions on Mathematical Software 26, 2000). Without a derivative this is
    the plain loop.

    >>> import numpy as np
    >>> import transpiler as tp
    >>> @tp.grad
    ... def slope(x):
    ...     for t in tp.checkpointed(range(1000), snapshots=10):
    ...         x = x + 0.001 * np.sin(x)
    ...     return x
    >>> round(float(slope(1.0)), 4)
    1.1017
    """
    if snapshots < 1:
        raise ValueError('snapshots must be at least 1')
    return turns


def _derive(run, args, keywords):
    """What the specialiser does where a program calls `checkpointed`."""
    given = dict(zip(('turns', 'snapshots'), args, strict=False)) | keywords
    return Container('checkpointed', (given['turns'], given['snapshots']))


_public: Any = checkpointed
_public.__transpiler_derive__ = _derive
