"""Copies of arrays that nobody looks at any more: what would be copied is taken over."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.aliases import Memory, memory
from transpiler.analyses.last_use import is_last_use
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, names, parts, primitive, walk
from transpiler.optimize.facts import with_blocks
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
    while needless := _needless(core):
        core = core.with_body(_without(core.body, needless))
    return core


def _needless(core: Core) -> list[gast.stmt]:
    """Copies that may be left out together: no two of them have to do with the same memory."""
    found, touched = memory(core), frozenset()
    needless: list[gast.stmt] = []
    for statement in walk(core.body):
        pair = _copy(statement)
        if pair and touched.isdisjoint(found.of(*pair)) and _is_needless(core, statement, *pair):
            needless.append(statement)
            touched |= found.of(*pair)
    return needless


def _copy(statement: gast.stmt) -> tuple[str, str] | None:
    """The new name and the one that is copied."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=new)], value=gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=old)])):
            return new, old
    return None


def _without(body: Sequence[gast.stmt], needless: Sequence[gast.stmt]) -> list[gast.stmt]:
    made = []
    for statement in body:
        if any(statement is one for one in needless):
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
