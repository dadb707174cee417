"""Sums whose order somebody wrote down: to the last bit, what is added up in another order is another number."""
from __future__ import annotations

from collections.abc import Callable, Collection

import gast

from transpiler.analyses.memory.aliases import Memory
from transpiler.analyses.polyhedral.parallel_loops import handed_on, is_independent
from transpiler.core.language import Core
from transpiler.core.query import added_to, all_defined, defined, walk, written
from transpiler.values.types import Array, Scalar, Type

Reorders = Callable[..., bool]


def may_reorder(core: Core, found: Memory, loop: gast.For, live: Collection[str], adding: bool = True) -> bool:
    """Whether the iterations of a loop may be done in any order: they are independent, and if that rounds otherwise, nobody
    minds.

    The order of sums is free in derivatives, and in loops of the user's that do nothing but add up.
    live, adding: as for `is_independent`

    >>> import numpy as np
    >>> from transpiler.analyses.memory.aliases import memory
    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> row = Array(np.dtype(float), (None,))
    >>> types = dict(i=INT, n=INT, s=FLOAT, x=row, y=row)
    >>> def asked(body):
    ...     core = parse(f's = 0.0; y = np.zeros(n)\\nfor i in range(n): {body}\\nreturn y, s', types=types)
    ...     return may_reorder(core, memory(core), core.body[2], {'y', 's'})
    >>> asked('s = s + x[i]'), asked('y[i] = x[i]'), asked('y[i] = x[i]; s = s + x[i]')
    (True, True, False)
    >>> asked('y[i] += x[i]; s = s + x[i]'), asked('y[0] += x[i]')
    (True, False)
    """
    if not is_independent(core, found, loop, live, adding):
        return False
    handed = handed_on(loop, live)
    prescribed = [s for s in walk(loop.body) if s.role in ('primal', 'again')]
    own = all_defined(loop.body) - handed
    writes = [s for s in prescribed if (name := written(s)) and not (found.of(name) and found.of(name) <= own)]
    if any(name in handed and not is_exact(core.types.get(name)) for name in map(defined, prescribed)):
        if not all(map(added_to, writes)):
            return False
    adds = any(added_to(s) and not is_exact(core.types.get(added_to(s))) for s in writes)
    return not (adds and adding) or is_independent(core, found, loop, live, adding=False)


def is_exact(type_: Type | None) -> bool:
    """Whether these are integers."""
    return isinstance(type_, (Array, Scalar)) and type_.dtype.kind in 'iub'
