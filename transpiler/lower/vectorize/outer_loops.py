"""Loops over examples that each take steps of their own: strips of examples take every step together, in vectors."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from transpiler.analyses.dataflow.liveness import Names, live_after, live_before
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.numeric.ranges import Ranges, ranges
from transpiler.analyses.polyhedral.ordered_sums import Reorders, may_reorder
from transpiler.analyses.polyhedral.parallel_loops import handed_on, is_sum, ways_of
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, names, parts, primitive, walk
from transpiler.lower.loops.invariants import rebuilt
from transpiler.lower.vectorize.lanes import LANES, Strip
from transpiler.lower.vectorize.reduction_names import by_one_name
from transpiler.lower.vectorize.speculation_safety import Unfit
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.passes import remark, rewrite

CHEAP = ('numpy.where', 'numpy.maximum', 'numpy.minimum', 'numpy.absolute', 'python.abs', 'range')


@rewrite('strips of examples')
def in_strips(core: Core, may_reorder: Reorders = may_reorder) -> Core:
    """Run the steps of so many iterations of an outer loop together, where these are independent and each is a recurrence.

    What an iteration holds from step to step has a place of its own in memory, `lanes`. A `while` goes on until all of a strip
    have left; those that have keep what they hold.

    >>> from transpiler.passes import show
    >>> import numpy as np
    >>> from transpiler.values.dims import Dim
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> array = Array(np.dtype(float), (Dim.symbol('n'),))
    >>> types = {'x': array, 'y': array, 'v': FLOAT, 'n': INT, 'b': INT, 't': INT, 'm': INT}
    >>> show(in_strips, '''
    ... y = np.empty(n)
    ... for b in range(n):
    ...     v = x[b]
    ...     for t in range(m):
    ...         v = np.sin(v)
    ...     y[b] = v
    ... return y''', params='xnm', types=types)
    y = np.empty(n)
    for start in range(0, n, 64):
        left = n - start
        count = np.minimum(64, left)
        lanes = np.empty(64)
        for lane in range(count):
            b = start + lane
            v = x[b]
            lanes[lane] = v
        for t in range(m):
            for lane in range(count):
                v = lanes[lane]
                v = np.sin(v)
                lanes[lane] = v
        for lane in range(count):
            b = start + lane
            v = lanes[lane]
            y[b] = v
    return y
    """
    stripping = _Stripping(core, may_reorder)
    made = rebuilt(core, stripping.loop, stripping.builder.types, stripping.builder.hints)
    return made if stripping.written else core


class _Stripping:
    def __init__(self, core: Core, may_reorder: Reorders):
        self.core, self.memory, self.live, self.may_reorder = core, memory(core), live_after(core), may_reorder
        self.builder = Builder.of(core)
        self.written = False

    def loop(self, loop: gast.For) -> list[gast.stmt]:
        if not self._is_worth_it(loop) or not self.may_reorder(self.core, self.memory, loop, self.live[loop]):
            return [loop]
        try:
            made = Strip(self.builder, *self._with_sums_of_one_name(loop)).write()
        except Unfit:
            return [loop]
        self.written = True
        made = [_proven(statement, ranges(self.core)) for statement in made]
        remark(f'iterations of `for {self.core.base(loop.target.id)} in ...` take their steps together, so many at a time')
        return self._told_apart(loop, made)

    def _told_apart(self, loop: gast.For, made: list[gast.stmt]) -> list[gast.stmt]:
        """Strips may run apart if iterations do not even add to the same places."""
        live = self.live[loop]
        if not self.may_reorder(self.core, self.memory, loop, live, adding=False):
            return made
        return [*made[:-1], build.apart(made[-1], sorted(handed_on(loop, live)))]

    def _is_worth_it(self, loop: gast.For) -> bool:
        """Whether there are steps that wait for the step before, and more than a sum does."""
        match loop.iter.args:
            case [gast.Constant(value=int(first)), last, gast.Constant(value=1)] if first >= 0:
                few = isinstance(last, gast.Constant) and last.value - first < LANES
                return not few and any(isinstance(s, (gast.For, gast.While)) and self._is_recurrence(s) for s in walk(loop.body))
        return False

    def _with_sums_of_one_name(self, loop: gast.For) -> tuple[gast.For, Mapping[gast.stmt, Names]]:
        """The loop with `total = total + v` for `t = total`, `t = t + v`, `total = t`, and what is live after its statements."""
        live, body = self.live[loop], list(loop.body)
        for name in sorted(all_defined(body) & (live | live_before(body))):
            ways = ways_of(name, list(walk(body)))
            if ways is None or (ways - {name}) & live:
                raise Unfit
            body, end = by_one_name(body, name, name, ways)
            if end != name:
                raise Unfit
        loop = build.like(loop, body=body)
        return loop, live_after(self.core.with_body([loop, build.give(build.expression(tuple(sorted(live))))]))

    def _is_recurrence(self, loop: gast.For | gast.While) -> bool:
        if isinstance(loop, gast.For) and not any(map(_takes_long, walk(loop.body))):
            return False
        entry = live_before(loop.body) | (frozenset(names(loop.test)) if isinstance(loop, gast.While) else frozenset())
        statements = list(walk(loop.body))
        return any(not is_sum(name, statements, entry) for name in entry & all_defined(loop.body))


def _proven(statement: gast.stmt, known: Ranges) -> gast.stmt:
    """The statement, told where it makes no integer that is too long: of one that waits in memory nothing is known."""
    if blocks(statement):
        return with_blocks(statement, [[_proven(s, known) for s in block] for block in blocks(statement)])
    if not isinstance(getattr(statement, 'value', None), (gast.BinOp, gast.UnaryOp)) or not known.is_sure(statement):
        return statement
    return build.like(statement, value=build.proven(statement.value))


def _takes_long(statement: gast.stmt) -> bool:
    """Whether a step is worth memory for what is held: it divides, or calls a function."""
    nodes = parts(statement) if not blocks(statement) else ()
    return any(isinstance(n, gast.Call) and primitive(n) not in CHEAP or isinstance(n, gast.Div) for n in nodes)
