"""Dead stores: writes into memory that nobody reads afterwards."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.aliases import memory
from transpiler.core.language import Core
from transpiler.core.query import blocks, walk, written
from transpiler.optimize.dead_code import looked_into
from transpiler.optimize.facts import unchanged_or, with_blocks
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
    found = memory(core)

    def read_in(body: Sequence[gast.stmt]) -> Roots:
        return found.of(*(name for statement in walk(body) for name in looked_into(statement)))

    def block(body: Sequence[gast.stmt], later: Roots) -> list[gast.stmt]:
        kept: list[gast.stmt] = []
        for statement in reversed(body):
            place = written(statement)
            if place is not None and statement.role != 'primal' and found.is_local(place) and found.of(place) \
                    and not found.of(place) & later:
                continue
            if blocks(statement):
                inside = later if isinstance(statement, gast.If) else later | read_in([statement])
                statement = with_blocks(statement, [block(inner, inside) for inner in blocks(statement)])
            kept.append(statement)
            later |= read_in([statement])
        return kept[::-1]
    return unchanged_or(core, block(core.body, frozenset()))
