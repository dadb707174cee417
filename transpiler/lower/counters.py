"""Counters of loops that go backwards, said so that the compiler sees where they end."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.indices import integer
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, walk
from transpiler.optimize.facts import unchanged_or, with_blocks
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
    return unchanged_or(core, _block(core.body, {*core.inputs, *core.types, *all_defined(core.body)}))


def _block(body: list[gast.stmt], used: set[str]) -> list[gast.stmt]:
    made = []
    for statement in body:
        if blocks(statement):
            statement = with_blocks(statement, [_block(list(inner), used) for inner in blocks(statement)])
        made.append(_bounded(statement, used) if isinstance(statement, gast.For) else statement)
    return made


def _bounded(loop: gast.For, used: set[str]) -> gast.For:
    match list(map(integer, loop.iter.args)):
        case [_, int(stop), int(step)] if stop >= -1 and step < 0 and any(isinstance(s, gast.For) for s in walk(loop.body)):
            name = loop.target.id
            counter = f'{name}_down'
            while counter in used:
                counter += '_'
            used.add(counter)
            said = build.assign(name, build.call('numpy.maximum', counter, stop + 1), loop.origin, loop.role)
            return build.like(loop, target=build.like(loop.target, id=counter), body=[said, *loop.body])
    return loop
