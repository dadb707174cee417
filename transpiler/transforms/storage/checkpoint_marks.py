"""Checkpoint marks: loops with snapshots, and those of one iteration around anything else, which derivatives run again."""

from __future__ import annotations

from types import MappingProxyType

import gast

from transpiler.core import build
from transpiler.core.language import Core, Hint
from transpiler.core.query import all_reads, snapshots_of
from transpiler.passes import rewrite
from transpiler.values.types import INT

Block = list[gast.stmt]


def is_once(statement: gast.stmt) -> bool:
    match statement:
        case gast.For(iter=gast.Call(args=[gast.Constant(value=0), gast.Constant(value=1), _])):
            return snapshots_of(statement) is not None
    return False


def without_loop(statement: gast.For) -> Block:
    iteration = statement.target.id
    number = [build.assign(iteration, 0, statement.origin, statement.role)] if iteration in all_reads(statement.body) else []
    return [*number, *statement.body]


def plain(body: Block) -> Block:
    """The statements with ordinary loops only; those of one iteration, which mark what is to be run again, give way to their
    bodies.

    >>> from transpiler.core.text import parse
    >>> [loop] = plain(parse('for t in range(0, n, 1, snapshots=5): x = x + 1\\nreturn x').body[:1])
    >>> snapshots_of(loop)
    """
    made: Block = []
    for statement in body:
        statement = build.map_blocks(statement, plain)
        if is_once(statement):
            made += without_loop(statement)
            continue
        if snapshots_of(statement) is not None:
            statement = build.like(statement, iter=build.like(statement.iter, keywords=[]))
        made.append(statement)
    return made


def checkpointed_whole(core: Core) -> Core:
    """All of a program as the one iteration of a loop with snapshots, to be run again for its derivative.

    >>> from transpiler.passes import show
    >>> from transpiler.core.text import parse
    >>> core = checkpointed_whole(parse('y = np.sin(x); z = y * y; return z'))
    >>> snapshots_of(core.body[0]).value, len(core.body[0].body), len(checkpoints_inlined(core).body)
    (1, 2, 3)
    """
    if not core.body[:-1]:
        return core
    iteration = 'turn'
    while iteration in core.types:
        iteration += '_'
    loop = build.counted(iteration, 0, 1, 1, core.body[:-1], core.origin, snapshots=1)
    types, hints = {**core.types, iteration: INT}, {**core.hints, iteration: Hint(iteration, True)}
    return core.with_body((loop, core.body[-1]), types=MappingProxyType(types), hints=MappingProxyType(hints))


@rewrite('checkpoints inlined')
def checkpoints_inlined(core: Core) -> Core:
    """The program without loops that only mark what is to be run again: no derivative is going to be taken any more."""
    return core.with_body(plain(core.body)) if any(is_once(s) for s in core.statements) else core
