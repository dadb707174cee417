"""Elements of arrays: for one example a number, for all of them a column of the array, which shows what is written later."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.core.query import blocks, changed_by, names, walk
from transpiler.transforms.batch_flow import Flow, expressions
from transpiler.values.types import Scalar


def elements_to_copy(flow: Flow) -> frozenset[str]:
    """The numbers read from arrays that may change before the number is read for the last time, or that leave with it."""
    return frozenset(_found(flow, flow.core.body))


def _found(flow: Flow, body: Sequence[gast.stmt]):
    for position, statement in enumerate(body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript(value=gast.Name(id=base))):
                if isinstance(flow.core.types.get(name), Scalar) and base in flow.names:
                    if _outlives(flow, name, base, statement, body[position + 1 :]):
                        yield name
        for block in blocks(statement):
            yield from _found(flow, block)


def _outlives(flow: Flow, name: str, base: str, own: gast.stmt, later: Sequence[gast.stmt]) -> bool:
    """Whether `name` is read, or gets a second name, where the array may have changed."""
    followed = {id(s) for s in walk(later)} | {id(own)}
    if any(name in names(part) for part in expressions([s for s in walk(flow.core.body) if id(s) not in followed], inner=False)):
        return True
    roots, changed = flow.memory.of(base), False
    for statement in later:
        inside = list(walk([statement]))
        reads = any(name in names(part) for part in expressions(inside, inner=False))
        writes = any(flow.memory.of(n) & roots for s in inside for n in changed_by(s))
        if reads and (changed or writes and len(inside) > 1 or any(_hands_on(s, name) for s in inside)):
            return True
        changed = changed or writes
    return False


def _hands_on(statement: gast.stmt, name: str) -> bool:
    """Whether a statement gives a value a second name, puts it on a list, or returns it."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Name(id=source)):
            return source == name
        case gast.Return(value=value) | gast.Expr(value=value):
            return name in names(value)
    return False
