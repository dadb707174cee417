"""Reversed loops whose iterations do not depend on each other run forward: so compilers vectorise them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.polyhedral.ordered_sums import Reorders, may_reorder
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import defined
from transpiler.lower.loops.invariants import rebuilt
from transpiler.passes import rewrite
from transpiler.values.dims import Dim


@rewrite('forward loops')
def turn_forward(core: Core, may_reorder: Reorders = may_reorder) -> Core:
    """Run `range(n - 1, -1, -1)` forward where each iteration only adds up numbers, and writes places that are its own.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> array = Array(np.dtype(float), (None,))
    >>> types = {'x': array, 'y': array, 'v': FLOAT, 'i': INT, 'n': INT}
    >>> show(turn_forward, 'y = np.zeros(n)\\nfor i in range(n, -1, -1): v = x[i]; y[i] += v\\nreturn y', types=types)
    y = np.zeros(n)
    n_next = n + 1
    for i in range(n_next):
        v = x[i]
        y[i] += v
    return y
    """
    turning = _Turning(core, may_reorder)
    return rebuilt(core, turning.loop, turning.types)


class _Turning:
    def __init__(self, core: Core, may_reorder: Reorders):
        self.core, self.memory, self.live, self.may_reorder = core, memory(core), live_after(core), may_reorder
        self.types = dict(core.types)
        self.found = Counter(name for s in core.statements if (name := defined(s)))
        self.values = {defined(s): s.value for s in core.statements if isinstance(s, gast.Assign) and self.found[defined(s)] == 1}

    def loop(self, loop: gast.For) -> list[gast.stmt]:
        match loop.iter.args:
            case [first, last, gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=1)) | gast.Constant(value=-1)]:
                if self.may_reorder(self.core, self.memory, loop, self.live[loop]):
                    made: list[gast.stmt] = []
                    bounds = [self._next(last, loop, made), self._next(first, loop, made), build.constant(1)]
                    return [*made, build.like(loop, iter=build.call('range', *bounds))]
        return [loop]

    def _next(self, bound: gast.expr, loop: gast.For, made: list[gast.stmt]) -> gast.expr:
        """`bound + 1`."""
        match bound:
            case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
                return build.constant(1 - value)
            case gast.Constant(value=int(value)):
                return build.constant(value + 1)
        match self.values.get(bound.id):
            case gast.BinOp(left=gast.Name(id=name) as left, op=gast.Sub(), right=gast.Constant(value=1)) if (
                self.found[name] <= 1
            ):
                return left
        number = f'{bound.id}_next'
        while number in self.types:
            number += '_'
        type_ = self.core.types[bound.id]
        self.types[number] = type_ if type_.size is None else replace(type_, size=type_.size + Dim.of(1))
        made.append(build.assign(number, build.binary(bound, gast.Add, 1), loop.origin, loop.role))
        return build.name(number)
