"""Statements that join a loop over examples next to them: cheap ones that only it needs."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, names, walk
from transpiler.transforms.batch.dataflow import Flow, expressions
from transpiler.values.types import Scalar


def joined(core: Core, flow: Flow) -> None:
    """Mark in `flow` the numbers computed between two loops over examples, or before one for it alone, as looped too."""
    _block(core, flow, core.body[:-1])


def _block(core: Core, flow: Flow, body: Sequence[gast.stmt]) -> None:
    for statement in body:
        if id(statement) not in flow.looped:
            for block in blocks(statement):
                _block(core, flow, block)
    start = 0
    while start < len(body):
        if id(body[start]) not in flow.looped:
            start += 1
            continue
        end = start
        while end + 1 < len(body) and id(body[end + 1]) in flow.looped:
            end += 1
        first = start
        while first > 0 and _is_cheap(core, flow, body[first - 1]):
            first -= 1
        if first > 0 and id(body[first - 1]) in flow.looped:
            flow.loop(body[first:start])
        else:
            _before(core, flow, body[first:start], body[start : end + 1])
        for statement in body[end + 1 :]:
            if not (_is_cheap(core, flow, statement) and _only_of(flow, body[start : end + 1], statement)):
                break
            flow.loop([statement])
            end += 1
        start = end + 1


def _before(core: Core, flow: Flow, cheap: Sequence[gast.stmt], loop: Sequence[gast.stmt]) -> None:
    inside = {id(s) for s in walk(loop)}
    changed = all_defined(loop)
    for statement in reversed(cheap):
        others = [s for s in core.statements if id(s) not in inside and s is not statement]
        if defined(statement) not in changed and any(defined(statement) in names(p) for p in expressions(others, inner=False)):
            return
        flow.looped.add(id(statement))
        inside.add(id(statement))


def _only_of(flow: Flow, loop: Sequence[gast.stmt], statement: gast.stmt) -> bool:
    """Whether all that a statement reads of examples comes from the loop before it."""
    found = set(names(statement.value)) & flow.names
    return bool(found) and found <= all_defined(loop)


def _is_cheap(core: Core, flow: Flow, statement: gast.stmt) -> bool:
    """A number, computed by one operator, or read from an array."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name() | gast.Constant() | gast.BinOp() | gast.Compare()
                         | gast.UnaryOp() | gast.IfExp()) if id(statement) not in flow.looped:
            return isinstance(core.types.get(name), Scalar) and name in flow.names
    return False
