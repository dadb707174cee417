"""Loops of the user's own whose iterations may run apart; nests and strips are told to be so where they are made."""
from __future__ import annotations

from collections.abc import Iterable

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.polyhedral.ordered_sums import Reorders, may_reorder
from transpiler.analyses.polyhedral.parallel_loops import handed_on
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, merged_by
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar


@rewrite('iterations apart')
def tell_apart(core: Core, may_reorder: Reorders = may_reorder) -> Core:
    """Mark loops of which each iteration writes places of its own, or adds up numbers; only the outermost ones.

    >>> from transpiler.core.text import parse
    >>> from transpiler.core.query import merged_by
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> types = {'x': Array(np.dtype(float), (None,)), 's': FLOAT, 'v': FLOAT, 'i': INT, 'n': INT}
    >>> core = parse('s = 0.0\\nfor i in range(n): v = x[i]; s = s + v\\nreturn s', types=types)
    >>> merged_by(tell_apart(core).body[1])
    {'s': 'add'}
    """
    return unchanged_or(core, _Marking(core, may_reorder).block(core.body))


class _Marking:
    def __init__(self, core: Core, may_reorder: Reorders):
        self.core, self.memory, self.live, self.may_reorder = core, memory(core), live_after(core), may_reorder

    def block(self, body: Iterable[gast.stmt]) -> list[gast.stmt]:
        return [self.statement(statement) for statement in body]

    def statement(self, statement: gast.stmt) -> gast.stmt:
        if not blocks(statement) or merged_by(statement) is not None:
            return statement
        if isinstance(statement, gast.For):
            live = self.live[statement]
            sums = sorted(handed_on(statement, live))
            if self._are_numbers(sums) and self.may_reorder(self.core, self.memory, statement, live, adding=False):
                return build.apart(statement, sums)
        return with_blocks(statement, [self.block(inner) for inner in blocks(statement)])

    def _are_numbers(self, names: Iterable[str]) -> bool:
        types = (self.core.types.get(name) for name in names)
        return all(isinstance(type_, Scalar) and type_.dtype.kind in 'fi' for type_ in types)
