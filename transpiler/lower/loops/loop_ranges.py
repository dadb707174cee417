"""Counters of loops that go backwards, said so that the compiler sees where they end."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.indices import integer
from transpiler.core.language import Core
from transpiler.core.naming import Supply
from transpiler.core.query import all_defined, walk
from transpiler.lower.loops.invariants import rebuilt
from transpiler.passes import rewrite


@rewrite('counters', surface=True)
def bounded_below(core: Core) -> Core:
    """Where other loops stand inside of a loop that goes backwards, its counter is said to be what it is at least.

    An index may count from the end, if it is negative. LLVM sees that it is not if the loop goes forward only, and vectorises
    an inner loop over a row of an array only if it knows where the row begins.

    >>> from transpiler.passes import show
    >>> show(bounded_below, '''
    ... for i in range(n, -1, -1):
    ...     for j in range(m):
    ...         y[i, j] = x[i, j]
    ... return y''', params='xynm')
    for i_down in range(n, -1, -1):
        i = np.maximum(i_down, 0)
        for j in range(m):
            y[i, j] = x[i, j]
    return y
    """
    supply = Supply({*core.inputs, *core.types, *all_defined(core.body)})

    def bounded(loop: gast.For) -> list[gast.stmt]:
        match list(map(integer, loop.iter.args)):
            case [_, int(stop), int(step)] if stop >= -1 and step < 0 and any(isinstance(s, gast.For) for s in walk(loop.body)):
                counter = supply.take(f'{loop.target.id}_down')
                least = build.call('numpy.maximum', counter, stop + 1)
                said = build.assign(loop.target.id, least, loop.origin, loop.role)
                return [build.like(loop, target=build.like(loop.target, id=counter), body=[said, *loop.body])]
        return [loop]

    return rebuilt(core, bounded, core.types)
