"""Dead stores: writes into memory that nobody reads afterwards."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.core.language import Core
from transpiler.core.query import blocks, walk, written
from transpiler.optimize.redundancy.dead_code import looked_into
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite

Roots = frozenset[str]


@rewrite('dead stores')
def eliminate_dead_stores(core: Core) -> Core:
    """Drop writes of the pullback into local memory that is not read later: an element's cotangent, reset for nobody.

    >>> from transpiler.passes import show
    >>> import numpy as np
    >>> from transpiler.values.types import FLOAT, Array
    >>> ROW = Array(np.dtype(float), (None,))
    >>> show(eliminate_dead_stores, '''
    ... # pullback
    ... a = np.copy(x)
    ... c = a[0]
    ... a[0] = 0.0
    ... return c''', types=dict(a=ROW, x=ROW, c=FLOAT))
    a = x.copy()
    c = a[0]
    return c
    """
    if not any(s.role != 'primal' and written(s) for s in core.statements):
        return core
    found = memory(core)

    def block(body: Sequence[gast.stmt], later: Roots) -> tuple[list[gast.stmt], Roots]:
        """The block without such writes, and what it reads then; `later`: what is read after it."""
        kept: list[gast.stmt] = []
        read: Roots = frozenset()
        for statement in reversed(body):
            place = written(statement)
            if place is not None and statement.role != 'primal' and found.is_local(place) and found.of(place) \
                    and not found.of(place) & (later | read):
                continue
            if blocks(statement):
                again = walk([statement]) if isinstance(statement, (gast.For, gast.While)) else []
                after = later.union(read, *(found.of(*looked_into(inner)) for inner in again))
                inner = [block(one, after) for one in blocks(statement)]
                statement = with_blocks(statement, [one for one, _ in inner])
                read = read.union(*(roots for _, roots in inner))
            kept.append(statement)
            read |= found.of(*looked_into(statement))
        return kept[::-1], read

    return unchanged_or(core, block(core.body, frozenset())[0])
