"""Dead code: what nobody reads is not computed."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import gast

from transpiler.analyses.dataflow.liveness import Names, before, inside, live_after
from transpiler.analyses.memory.aliases import OUTSIDE, memory, tape_of
from transpiler.analyses.memory.effects import LIST_READS, is_pure, may_raise, memory_reads
from transpiler.analyses.numeric.narrower_kinds import Reader, perhaps_flags, perhaps_integers
from transpiler.analyses.numeric.ranges import makes_sizes, ranges
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, names, primitive, reads, without_exit, written
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite


@rewrite('dead code')
def eliminate_dead_code(core: Core) -> Core:
    """Drop assignments that nothing reads, writes into local arrays that nothing reads, and what is empty then.

    An operation without effects may go if its value is not live. In a program without a pullback, what may raise for
    some values (an element out of bounds) stays: the user asked for it. A derivative need not repeat such errors.

    >>> from transpiler.passes import show
    >>> show(eliminate_dead_code, "y = 2 * x; z = y + 1; return y")
    y = 2 * x
    return y
    >>> show(eliminate_dead_code, '''
    ... # pullback
    ... a = np.zeros(3)
    ... for i in range(3):
    ...     a[i] = x
    ... return x''')
    return x
    >>> show(eliminate_dead_code, '''
    ... t = tape.new(); tape.push(t, x); tape.push(t, y)
    ... # pullback
    ... z = tape.pop(t); w = tape.pop(t)
    ... return z''')
    t = []
    t.append(x)
    t.append(y)
    z = t.pop()
    return z
    """
    needed = _Needed(core)
    kept = _sweep(core.body, needed)
    body, _ = _drop_dead(kept, frozenset(), needed)
    return unchanged_or(core, body)


class _Needed:
    """The names and the memory that matter for the result or for an effect, whatever the order of the statements."""

    def __init__(self, core: Core):
        self.core, self.memory, self.live = core, memory(core), live_after(core)
        self.has_pullback = any(s.role != 'primal' for s in core.statements)
        self.exits = {id(loop.body[-1]): loop for loop in core.statements if _has_exit(loop)}  # they go with their loops
        self.names: set[str] = set()
        self.roots: set[str] = set()
        # what is read stands before its reader mostly, so backwards one round does nearly all
        waiting, grown = core.statements[::-1], True
        while grown:
            rest: list[gast.stmt] = []
            for statement in waiting:
                if self.keeps(statement):
                    self.names |= self.reads_of(statement)
                    self.roots |= self.memory_of(statement)
                else:
                    rest.append(statement)
            waiting, grown = rest, len(rest) < len(waiting)

    def droppable(self, statement: gast.stmt) -> bool:
        """A simple statement that may go if nobody reads what it gives."""
        match statement:
            case gast.Assign(targets=[gast.Name()], value=value):
                return self.harmless(value, statement)
            case gast.Assign() | gast.AugAssign():
                return self.has_pullback or statement.role != 'primal'
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push' | 'tape.add'), args=[_, *values])):
                return all(self.harmless(value, statement) for value in values)
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.put'))):
                return self.has_pullback or statement.role != 'primal'
        return False

    def harmless(self, value: gast.expr, statement: gast.stmt) -> bool:
        """Whether nobody would notice that a value beside a statement, which nothing reads, is not computed."""
        if not is_pure(value) and not _is_tape_operation(value):
            return False
        if self.has_pullback or statement.role != 'primal':
            return True
        if may_raise(value, self.core.types) or self.flags.are_refused(value) or self.integers.divides(value):
            return False
        return makes_sizes(self.core, value, statement)

    @cached_property
    def flags(self) -> Reader:
        return Reader(self.core, perhaps_flags(self.core))

    @cached_property
    def integers(self) -> Reader:
        return Reader(self.core, perhaps_integers(self.core))

    def keeps(self, statement: gast.stmt) -> bool:
        inner = blocks(statement)
        if id(statement) in self.exits:
            return self.keeps(self.exits[id(statement)])
        if inner:
            kept_inside = any(self.keeps(s) for block in inner for s in block if id(s) not in self.exits)
            return kept_inside or _counts(statement, self.live[statement]) or not self.harmless_head(statement)
        if not self.droppable(statement):
            return True
        place, tape = written(statement), tape_of(statement)
        if tape is not None:
            # a pop that nobody reads still moves the tape on for the next one
            own = self.memory.list_itself(tape)
            return bool(own & self.roots) or OUTSIDE in own or not own or defined(statement) in self.names
        if place is not None:
            roots = self.memory.of(place)
            return bool(roots & self.roots) or not roots or not self.memory.is_local(place)
        return defined(statement) in self.names

    def is_only_name(self, tape: str) -> bool:
        """A list that was made here and goes by one name."""
        own = self.memory.list_itself(tape)
        return bool(own) and OUTSIDE not in own and not any(
            own & self.memory.of(other) for other in self.memory.roots if other != tape)

    def harmless_head(self, statement: gast.stmt) -> bool:
        match statement:
            case gast.If(test=test) | gast.While(test=test):
                return self.harmless(test, statement)
            case gast.For(iter=gast.Call(args=[_, _, step])) if not self.has_pullback and statement.role == 'primal':
                within = ranges(self.core).of(step, statement)
                return within is not None and not within[0] <= 0 <= within[1]
        return True

    def reads_of(self, statement: gast.stmt) -> set[str]:
        place = written(statement)
        return reads(statement) | ({place} if place else set())

    def memory_of(self, statement: gast.stmt) -> frozenset[str]:
        """The roots of the memory that matters because this statement reads it."""
        return self.memory.of(*looked_into(statement))


def _has_exit(statement: gast.stmt) -> bool:
    return isinstance(statement, (gast.For, gast.While)) and without_exit(statement.body)[1] is not None


def _does_something(block: list[gast.stmt]) -> bool:
    """Whether a block is more than the exit of a loop."""
    return bool(without_exit(block)[0])


def looked_into(statement: gast.stmt) -> set[str]:
    """The names whose memory a statement itself reads."""
    match statement:
        case gast.If(test=value) | gast.While(test=value) | gast.For(iter=value) | gast.Raise(exc=value):
            return memory_reads(value)
        case gast.Assign(targets=[gast.Name()], value=value) | gast.Return(value=value) | gast.Expr(value=value):
            return memory_reads(value)
        case gast.Assign(targets=[gast.Subscript(slice=index)], value=value):
            return memory_reads(index) | memory_reads(value)
        case gast.AugAssign(target=target, value=value):
            return memory_reads(target) | memory_reads(value)
    return set(names(statement))


def _is_tape_operation(value: gast.expr) -> bool:
    return primitive(value) in ('tape.new', 'tape.pop', *LIST_READS)


def _sweep(body: Sequence[gast.stmt], needed: _Needed) -> list[gast.stmt]:
    kept = []
    for statement in body:
        if needed.keeps(statement):
            kept.append(with_blocks(statement, [_sweep(block, needed) for block in blocks(statement)])
                        if blocks(statement) else statement)
    return kept


def _drop_dead(body: Sequence[gast.stmt], live: Names, needed: _Needed) -> tuple[list[gast.stmt], Names]:
    """Backwards through a block: drop assignments to names that are not live after them."""
    kept: list[gast.stmt] = []
    for statement in reversed(body):
        target = defined(statement)
        if isinstance(statement, gast.Assign) and target and target not in live \
                and not _is_pop(statement.value) and needed.droppable(statement):
            continue
        if (tape := tape_of(statement)) and not {tape, target} & live and needed.is_only_name(tape) \
                and needed.droppable(statement):
            continue
        if blocks(statement):
            new = [_drop_dead(block, after, needed)[0] for block, after in inside(statement, live)]
            statement = with_blocks(statement, new)
            if not any(map(_does_something, new)) and needed.harmless_head(statement) and not _counts(statement, live):
                continue
        kept.append(statement)
        live = before(statement, live)
    return kept[::-1], live


def _is_pop(value: gast.expr) -> bool:
    match value:
        case gast.Call(func=gast.Name(id='tape.pop')):
            return True
    return False


def _counts(statement: gast.stmt, live: Names) -> bool:
    """A loop with an empty body still binds its variable, which is read after it."""
    return isinstance(statement, gast.For) and statement.target.id in live
