"""Where a copy would be noticed: a reshape is a view, and Numba copies what does not lie in C order."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from transpiler.analyses.aliases import Memory, memory
from transpiler.core.language import Core
from transpiler.core.query import blocks, changed_by, defined, walk


def shared_later(core: Core) -> frozenset[str]:
    """The names whose memory may be written, through whatever name, after they are bound.

    >>> from transpiler.core.text import parse
    >>> sorted(shared_later(parse('x[0] = 1.0; y = np.reshape(x, (2, 2)); z = x[1:]; z[0] = 2.0; return y')))
    ['y', 'z']
    """
    return frozenset(_shared(core.body, memory(core), frozenset()))


def _shared(body: Sequence[gast.stmt], known: Memory, after: frozenset[str]) -> Iterator[str]:
    """`after`: the roots that are written after this block, or in another turn of a loop around it."""
    for position in reversed(range(len(body))):
        statement = body[position]
        own = _written(known, [statement])
        target = defined(statement)
        if target is not None and known.of(target) & after:
            yield target
        again = own if isinstance(statement, (gast.For, gast.While)) else frozenset()
        for block in blocks(statement):
            yield from _shared(block, known, after | again)
        after |= own


def _written(known: Memory, body: Sequence[gast.stmt]) -> frozenset[str]:
    return known.of(*(name for statement in walk(body) for name in changed_by(statement)))
