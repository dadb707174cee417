"""Numbers taken from arrays: for all examples a part of the array, which shows what is written later."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.aliases import shared_part
from transpiler.analyses.memory.flow_sensitive_aliases import made_from
from transpiler.core.query import blocks, changed_by, names, walk
from transpiler.core.query import reads as read_by
from transpiler.transforms.batch.dataflow import Flow
from transpiler.values.types import Scalar


def elements_to_copy(flow: Flow) -> frozenset[str]:
    """The numbers taken from arrays that may change before the number is read for the last time, or that leave with it."""
    return frozenset(_found(flow, flow.core.body, ()))


def _found(flow: Flow, body: Sequence[gast.stmt], behind: Sequence[gast.stmt]):
    """`behind` comes after the body, if it is the arm of a branch."""
    for position, statement in enumerate(body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if _is_number(flow, name):
                base = getattr(shared_part(value, flow.core.types), 'id', None)
                is_array = base in flow.names and not _is_number(flow, base)
                if is_array and _outlives(flow, name, base, statement, [*body[position + 1 :], *behind]):
                    yield name
        rest = [*body[position + 1 :], *behind] if isinstance(statement, gast.If) else []
        for block in blocks(statement):
            yield from _found(flow, block, rest)


def _is_number(flow: Flow, name: str) -> bool:
    return isinstance(flow.core.types.get(name), Scalar)


def _outlives(flow: Flow, name: str, base: str, own: gast.stmt, later: Sequence[gast.stmt]) -> bool:
    """Whether `name` is read, or gets a second name, where the array may have changed."""
    same = made_from(flow.core, name)
    followed = {id(s) for s in walk(later)} | {id(own)}
    reads = lambda body: any(same & read_by(s) for s in body)
    if reads(s for s in flow.core.statements if id(s) not in followed):
        return True
    roots, changed = flow.memory.of(base), False
    for statement in later:
        inside = list(walk([statement]))
        writes = any(flow.memory.of(n) & roots for s in inside for n in changed_by(s))
        leaves = any(isinstance(s, (gast.Return, gast.Expr)) and same & set(names(s.value)) for s in inside)
        if leaves or (changed or writes and len(inside) > 1) and reads(inside):
            return True
        changed = changed or writes
    return False
