"""What both arms of an `if` begin with is said once, before it."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.effects import is_pure, may_raise, memory_reads
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import all_defined, all_reads, all_written, blocks, defined, names, reads
from transpiler.core.text import dump
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Array, Unknown


@rewrite('common beginnings', surface=True)
def hoist_beginnings(core: Core) -> Core:
    """Move an assignment that stands in both arms in front of the branch, where nothing before it in them is in its way.

    >>> from transpiler.passes import show
    >>> show(hoist_beginnings, '''
    ... if c:
    ...     s = 0.0
    ...     r = x
    ... else:
    ...     r = 2 * x
    ...     s = 0.0
    ... return r + s''')
    s = 0.0
    if c:
        r = x
    else:
        r = 2 * x
    return r + s
    """
    return unchanged_or(core, _block(core.body, core))


def _block(body: Sequence[gast.stmt], core: Core) -> list[gast.stmt]:
    done: list[gast.stmt] = []
    for statement in body:
        if blocks(statement):
            statement = with_blocks(statement, [_block(block, core) for block in blocks(statement)])
        if isinstance(statement, gast.If) and statement.orelse:
            moved, body_, orelse = _common(statement, core)
            done += moved
            statement = with_blocks(statement, [body_, orelse]) if moved else statement
        done.append(statement)
    return done


def _common(statement: gast.If, core: Core) -> tuple[list[gast.stmt], list[gast.stmt], list[gast.stmt]]:
    moved: list[gast.stmt] = []
    body, orelse = list(statement.body), list(statement.orelse)
    twins: dict[str, list[gast.stmt]] = {}
    for one in filter(_is_assignment, orelse):
        twins.setdefault(dump(one), []).append(one)
    for candidate in filter(_is_assignment, statement.body):
        alike = twins.get(dump(candidate))
        if not alike or len(body) == 1 or len(orelse) == 1:
            continue
        twin = alike[0]
        free = all(_may_come_first(s, arm, core) for s, arm in ((candidate, body), (twin, orelse)))
        if free and defined(candidate) not in reads(statement):
            moved.append(like(candidate, origin=statement.origin))
            body.remove(candidate)
            orelse.remove(twin)
            del alike[0]
    return moved, body, orelse


def _is_assignment(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.Assign)


def _may_come_first(statement: gast.stmt, arm: Sequence[gast.stmt], core: Core) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=value) if is_pure(value) and not may_raise(value, core.types):
            before = arm[:arm.index(statement)]
            taken = all_defined(before) | all_reads(before) | all_written(before)
            numbers = not any(isinstance(core.types.get(n, Unknown()), (Array, Unknown)) for n in memory_reads(value))
            return numbers and target not in taken and not set(names(value)) & all_defined(before)
    return False
