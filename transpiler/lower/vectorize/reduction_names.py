"""A sum that goes by several names on its way through an iteration, called by one."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.polyhedral.parallel_loops import step
from transpiler.core import build
from transpiler.core.query import blocks, defined, reads
from transpiler.lower.vectorize.speculation_safety import Unfit


def by_one_name(body: Sequence[gast.stmt], name: str, current: str, ways: set[str]) -> tuple[list[gast.stmt], str]:
    """Statements in which a sum is always called `name`, and what it was called after them; `current`: what it was before."""
    made: list[gast.stmt] = []
    for statement in body:
        if isinstance(statement, gast.If) and not ways & reads(statement):
            (then, end), (other, other_end) = (by_one_name(b, name, current, ways) for b in (statement.body, statement.orelse))
            if end != other_end or other and not then:
                raise Unfit
            is_new = [*then, *other] != [*statement.body, *statement.orelse]
            made += [build.like(statement, body=then, orelse=other) if is_new else statement] if then else []
            current = end
        elif blocks(statement):
            if not isinstance(statement, (gast.For, gast.While)) or ways & reads(statement):
                raise Unfit
            inner, end = by_one_name(statement.body, name, current, ways)
            if end != current:
                raise Unfit
            made.append(build.like(statement, body=inner) if inner != statement.body else statement)
        elif defined(statement) in ways or ways & reads(statement):
            source, _ = step(statement) or ('', set())
            if source != current:
                raise Unfit
            current = defined(statement)
            if isinstance(statement.value, gast.BinOp):
                value = build.like(statement.value, left=build.name(name))
                made.append(build.like(statement, targets=[gast.Name(id=name, ctx=gast.Store())], value=value))
        else:
            made.append(statement)
    return made, current
