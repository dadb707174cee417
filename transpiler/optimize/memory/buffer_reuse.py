"""Copies of arrays that nobody looks at any more: what would be copied is taken over."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.buffer_death import is_last_use
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.passes import rewrite


@rewrite('needless copies', surface=True)
def take_over(core: Core) -> Core:
    """Take over an array instead of copying it, where nothing that may show its memory is read any more.

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
    for statement in core.statements:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=new)], value=gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=old)])
            ) if touched.isdisjoint(found.of(old, new)) and is_last_use(core, statement, old, new):
                needless.append(statement)
                touched |= found.of(old, new)
    return needless


def _without(body: Sequence[gast.stmt], needless: Sequence[gast.stmt]) -> list[gast.stmt]:
    made = []
    for statement in body:
        if statement in needless:
            statement = build.like(statement, value=statement.value.args[0])
        inner = blocks(statement)
        made.append(with_blocks(statement, [_without(block, needless) for block in inner]) if inner else statement)
    return made
