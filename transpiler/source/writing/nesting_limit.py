"""Python takes a hundred levels of indentation, and twenty loops inside each other: deep branches go on further out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import gast

from transpiler.core import build
from transpiler.core.functions import everywhere
from transpiler.core.language import Core
from transpiler.core.naming import Supply
from transpiler.core.query import all_reads, blocks
from transpiler.errors import Origin, TranspileError

LEVELS = 95  # of the hundred that Python's parser takes
LOOPS = 20  # as Python's compiler takes
BRANCHES = 24  # inside each other, in code that has too many

Block = Sequence[gast.stmt]


def levelled(core: Core) -> Core:
    """Branches that lie too deep for Python are done after the outermost one, if a flag says that the run has come there.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.emit import emit
    >>> first, last = parse('y = 2 * x; return x').body
    >>> for k in range(100):
    ...     first = build.branch(build.compare('x', gast.Gt, build.constant(k)), [first])
    >>> text = emit(parse('return x').with_body([first, last])).text
    >>> text.count('if deeper'), max(len(line) - len(line.lstrip()) for line in text.splitlines()) // 4
    (4, 25)
    """
    return everywhere(core, _levelled)


def _levelled(core: Core) -> Core:
    loops = _deepest_loops(core.body)
    if _height(core.body) <= LEVELS and loops <= LOOPS:
        return core
    if loops > LOOPS:
        raise too_many_loops(loops, core.origin)
    taken = {*all_reads(core.body), *core.types, *core.inputs, core.name}
    room = min(BRANCHES, (LEVELS - loops) // (loops + 1))
    return core.with_body(_Levelling(Supply(taken), room).block(core.body))


def too_many_loops(count: int, origin: Origin | None) -> TranspileError:
    return TranspileError(
        f'{count} loops inside each other',
        origin,
        why=f'Python takes {LOOPS}, with those of the functions that are called and of operations on whole arrays',
        instead='go over several axes by one loop, with `np.unravel_index(k, shape)`',
    )


def arms(branch: gast.If) -> Iterator[gast.If]:
    """The tests of a chain of `if` and `elif`, each with its own arm."""
    yield branch
    while len(branch.orelse) == 1 and isinstance(branch.orelse[0], gast.If):
        branch = branch.orelse[0]
        yield branch


def _inside(statement: gast.stmt) -> Iterator[Block]:
    """The blocks that are printed one level deeper than a statement."""
    if not isinstance(statement, gast.If):
        yield from blocks(statement)
        return
    for arm in arms(statement):
        last = arm
        yield arm.body
    yield last.orelse


def _height(body: Iterable[gast.stmt]) -> int:
    """How many levels a block is printed on."""
    return 1 + max((_height(inner) for statement in body for inner in _inside(statement)), default=0)


def _deepest_loops(body: Iterable[gast.stmt]) -> int:
    return max((isinstance(s, (gast.For, gast.While)) + _deepest_loops(b) for s in body for b in _inside(s)), default=0)


@dataclass(frozen=True)
class _Rest:
    """What is still to be done, further out, if the flag is set."""

    flag: str
    body: Block


@dataclass
class _Levelling:
    """room: how many branches may lie inside each other in one block of a loop, or of the function"""

    supply: Supply
    room: int

    def block(self, body: Block) -> list[gast.stmt]:
        """The body of a function or of a loop."""
        done: list[gast.stmt] = []
        for statement in body:
            kept, waiting = self.within([statement], self.room)
            made, flags = list(kept), [rest.flag for rest in waiting]
            while waiting:
                rest = waiting.pop(0)
                kept, deeper = self.within(rest.body, self.room - 1)
                made.append(build.branch(rest.flag, kept, [], rest.body[0].origin, rest.body[0].role))
                waiting, flags = deeper + waiting, flags + [one.flag for one in deeper]
            done += [build.assign(flag, build.constant(False), statement.origin, statement.role) for flag in flags] + made
        return done

    def within(self, body: Block, room: int) -> tuple[list[gast.stmt], list[_Rest]]:
        """The block on so many levels, and what is left of it to be done further out, in order."""
        kept: list[gast.stmt] = []
        for position, statement in enumerate(body):
            if isinstance(statement, gast.If) and not room:
                rest = _Rest(self.supply.take('deeper'), body[position:])
                return [*kept, _set(rest.flag, statement)], [rest]
            made, waiting = self.statement(statement, room)
            after = body[position + 1:]
            if waiting and after:
                rest = _Rest(self.supply.take('deeper'), after)
                return [*kept, _set(rest.flag, statement), made], [*waiting, rest]
            kept.append(made)
            if waiting:
                return kept, waiting
        return kept, []

    def statement(self, statement: gast.stmt, room: int) -> tuple[gast.stmt, list[_Rest]]:
        if not isinstance(statement, gast.If):
            changed = {f: self.block(getattr(statement, f)) for f in ('body',) if blocks(statement)}
            return build.like(statement, **changed) if changed else statement, []
        chain, waiting = list(arms(statement)), []
        orelse, waiting = self.within(chain[-1].orelse, room - 1)
        for arm in reversed(chain):
            body, deeper = self.within(arm.body, room - 1)
            waiting = deeper + waiting
            orelse = [build.like(arm, body=body, orelse=orelse)]
        return orelse[0], waiting


def _set(flag: str, place: gast.stmt) -> gast.stmt:
    return build.assign(flag, build.constant(True), place.origin, place.role)
