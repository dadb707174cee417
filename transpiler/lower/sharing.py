"""Where a copy would be noticed: a reshape is a view, and Numba copies what does not lie in C order."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from transpiler.analyses.aliases import Memory, memory, shared_part
from transpiler.analyses.effects import is_fresh
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, call_of, changed_by, defined, names, primitive, walk
from transpiler.values.types import Array, Scalar


def shared_later(core: Core) -> frozenset[str]:
    """The names whose memory may be written, through whatever name, after they are bound.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> sorted(shared_later(parse('x[0] = 1.0; y = np.reshape(x, (2, 2)); z = x[1:]; z[0] = 2.0; return y')))
    ['y', 'z']
    >>> types = dict.fromkeys('abyz', Array(np.dtype(float), (None,)))
    >>> turn = 'a = np.zeros(2); a[k] = 1.0; b = a[1:]; y[k] = 2.0; z = y[1:]'
    >>> sorted(shared_later(parse(f'y = np.zeros(2)\\nfor k in range(0, n, 1): {turn}\\nreturn y', types=types)))
    ['a', 'y', 'z']
    """
    return frozenset(_shared(core, core.body, memory(core), frozenset()))


def _shared(core: Core, body: Sequence[gast.stmt], known: Memory, after: frozenset[str]) -> Iterator[str]:
    """`after`: the roots that are written after this block, or in another turn of a loop around it."""
    for position in reversed(range(len(body))):
        statement = body[position]
        own = _written(known, [statement])
        target = defined(statement)
        if target is not None and known.of(target) & after:
            yield target
        again = _of_turns_before(core, known, statement.body) if isinstance(statement, (gast.For, gast.While)) else frozenset()
        for block in blocks(statement):
            yield from _shared(core, block, known, after | again)
        after |= own


def _of_turns_before(core: Core, known: Memory, body: Sequence[gast.stmt], made: frozenset[str] = frozenset()) -> frozenset[str]:
    """The roots that a turn of a loop may write in memory from before it; `made`: the names for memory of this turn."""
    found: frozenset[str] = frozenset()
    for statement in body:
        found |= known.of(*set(changed_by(statement)) - made)
        inside = {name for block in blocks(statement) for name in all_defined(block)}
        for block in blocks(statement):
            found |= _of_turns_before(core, known, block, made - inside)
        name = frozenset(filter(None, [defined(statement)]))
        made = made | name if _is_of_this_turn(core, statement, made) else made - name - inside
    return found


def _is_of_this_turn(core: Core, statement: gast.stmt, made: frozenset[str]) -> bool:
    """Whether an assignment gives an array that is new, or shows memory of `made` alone."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value) if isinstance(core.types.get(name), Array):
            if call_of(statement) is not None or (primitive(value) or '').startswith('tape.'):
                return False
            sources = names(shared_part(value, core.types))
            return is_fresh(value) or all(n in made or isinstance(core.types.get(n), Scalar) for n in sources)
    return False


def _written(known: Memory, body: Sequence[gast.stmt]) -> frozenset[str]:
    return known.of(*(name for statement in walk(body) for name in changed_by(statement)))
