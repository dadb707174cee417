"""Copies of arrays that nobody looks at any more: what would be copied is taken over."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.aliases import Memory, memory
from transpiler.analyses.last_use import is_last_use
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, names, parts, primitive, walk
from transpiler.optimize.facts import unchanged_or, with_blocks
from transpiler.passes import rewrite

IN_ORDER_ONLY = ('numpy.reshape', 'numpy.ravel')  # views of what lies in C order, as a copy does, and copies of the rest


@rewrite('needless copies', surface=True)
def take_over(core: Core) -> Core:
    """Take over an array instead of copying it, where nothing that may show its memory is read any more.

    What is read by the order of its items is copied all the same: a copy lies in C order.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> x = Array(np.dtype(float), (None,))
    >>> types = {n: x for n in 'xyzu'}
    >>> show(take_over, 'y = x * 2; z = np.copy(y); z[0] = 1.0; u = np.copy(x); return z, u', params='x', types=types)
    y = x * 2
    z = y
    z[0] = 1.0
    u = x.copy()
    return z, u
    """
    while True:
        needless = next((s for s in walk(core.body) if (pair := _copy(s)) and _is_needless(core, s, *pair)), None)
        if needless is None:
            return core
        core = unchanged_or(core, _without(core.body, needless))


def _copy(statement: gast.stmt) -> tuple[str, str] | None:
    """The new name and the one that is copied."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=new)], value=gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=old)])):
            return new, old
    return None


def _without(body: Sequence[gast.stmt], needless: gast.stmt) -> list[gast.stmt]:
    made = []
    for statement in body:
        if statement is needless:
            statement = build.like(statement, value=statement.value.args[0])
        inner = blocks(statement)
        made.append(with_blocks(statement, [_without(block, needless) for block in inner]) if inner else statement)
    return made


def _is_needless(core: Core, statement: gast.stmt, new: str, old: str) -> bool:
    if not is_last_use(core, statement, old, new):
        return False
    found = memory(core)
    return not any(_asks_for_order(s, new, found) for s in walk(core.body))


def _asks_for_order(statement: gast.stmt, array: str, found: Memory) -> bool:
    """Whether it matters to a statement in which order the items of an array lie."""
    asking = (node for node in parts(statement) if primitive(node) in IN_ORDER_ONLY)
    return any(found.may_alias(array, name) for node in asking for name in names(node))
