"""Names that change places in one line: `a, b = b, a`."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, names


def swap_together(core: Core) -> Core:
    """Write `a, b = b, a` for `t = a; a = b; b = t`, if nobody else reads `t`; likewise for longer rings.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> core = parse('t = a; a = b; b = c; c = t; return a')
    >>> Spelling().statement(swap_together(core).body[0])
    'a, b, c = b, c, a'
    """
    reads = Counter(name for statement in core.body for name in names(statement))
    spare = Counter(run[0].targets[0].id for run in _runs(core.body))

    def block(body: Sequence[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        position = 0
        while position < len(body):
            run = _ring(body, position)
            # each ring names its spare twice: where it is given a value, and where that is read
            if run and reads[run[0].targets[0].id] == 2 * spare[run[0].targets[0].id]:
                targets = gast.Tuple(elts=[s.targets[0] for s in run[1:]], ctx=gast.Store())
                values = [s.value for s in run[1:-1]] + [run[0].value]
                done.append(build.like(run[0], targets=[targets], value=build.expression(tuple(values))))
            else:
                run = []
                done.append(body[position])
            position += len(run) or 1
        return [build.map_blocks(s, block) for s in done]
    return core.with_body(block(core.body)) if spare else core


def _runs(body: Sequence[gast.stmt]) -> list[list[gast.Assign]]:
    found = [run for position in range(len(body)) if (run := _ring(body, position))]
    return found + [run for statement in body for inner in blocks(statement) for run in _runs(inner)]


def _ring(body: Sequence[gast.stmt], start: int) -> list[gast.Assign]:
    """The copies from `start` on by which names pass their values around, the first of them into a spare name."""
    run: list[gast.Assign] = []
    for statement in islice(body, start, None):
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=source)):
                pass
            case _:
                break
        if run and target != run[-1].value.id:
            break
        run.append(statement)
        if len(run) > 2 and source == run[0].targets[0].id:
            given = [s.targets[0].id for s in run]
            return run if len(set(given)) == len(given) else []
    return []
