"""Borders: items of arrays and lists into which nothing flows, among others into which something does."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import gast

from transpiler.analyses.activity import differentiable_reads, flows
from transpiler.analyses.memory.aliases import memory, tape_of
from transpiler.core.fixpoint import reached
from transpiler.core.language import Core
from transpiler.core.query import defined, names, primitive, written
from transpiler.values.types import Array, Scalar, Tape

UNSET = ('numpy.empty', 'numpy.empty_like', 'tape.list', 'tape.new')  # what a program certainly fills before it reads
JOINING = frozenset(f'numpy.{name}' for name in 'concatenate hstack vstack stack where array'.split())
FILLING = frozenset(f'numpy.{name}' for name in 'pad tril triu diag diagflat'.split())


def bordered(core: Core, active: Collection[str]) -> frozenset[str]:
    """The active names that may hold, or be, an item of an array or a list into which nothing flows.

    What is summed up of all items is none: something flows into it.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT, Array
    >>> import numpy as np
    >>> types = {**dict.fromkeys('xbyz', Array(np.dtype(float), (None,))), 's': FLOAT}
    >>> core = parse('b = np.zeros(9); b[1:] = x; y = 1.0 / b; s = np.sum(b); z = x / s; return z', types=types)
    >>> sorted(bordered(core, {'x', 'b', 'y', 's', 'z'}))
    ['b', 'y']
    """
    following: dict[str, set[str]] = {}
    for target, sources in flows(core, differentiable_reads):
        for source in sources:
            following.setdefault(source, set()).add(target)
    reduced = {name for s in core.statements if isinstance(s, gast.Assign) and (name := defined(s)) and _reduces(core, s)}
    return frozenset(reached(_sources(core, active), lambda name: following.get(name, set()).intersection(active) - reduced))


def _reduces(core: Core, statement: gast.stmt) -> bool:
    """Whether a number is made of the items of an array."""
    is_number = isinstance(core.types.get(defined(statement)), Scalar)
    return is_number and not isinstance(statement.value, gast.Subscript) and any(
        isinstance(core.types.get(name), Array) for name in differentiable_reads(core, statement.value))


def _sources(core: Core, active: Collection[str]) -> Iterator[str]:
    rests = lambda node: not any(name in active for name in names(node))
    shared = memory(core)
    for statement in core.statements:
        name, value, base = defined(statement), getattr(statement, 'value', None), written(statement)
        if name in active and isinstance(core.types.get(name), (Array, Tape)) and isinstance(statement, gast.Assign):
            if rests(value) and primitive(value) not in UNSET or _fills(value, rests):
                yield name
        elif base in active and isinstance(statement, gast.Assign) and rests(value):
            yield from (other for other in active if other == base or shared.may_alias(other, base))
        elif (tape := tape_of(statement)) in active and isinstance(statement, gast.Expr) and rests(value.args[-1]):
            yield tape


def _fills(value: gast.expr, rests) -> bool:
    """Whether an operation puts items beside others into which nothing flows."""
    called = primitive(value)
    if called in FILLING:
        return True
    parts = [part for arg in getattr(value, 'args', ()) for part in getattr(arg, 'elts', [arg])] if called in JOINING else []
    return any(map(rests, parts[1:] if called == 'numpy.where' else parts))
