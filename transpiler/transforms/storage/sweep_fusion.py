"""Both sweeps of a loop as one: each iteration is followed by its own pullback, and nothing of it is kept.

That is legal where the pullback of an iteration adds to cotangents, or uses places of its own, and where the cotangents that it
starts from are known before the loop: what comes after the loop is linear in its results. Where it is not, an iteration with
loops inside can be run once more before its pullback, if it finds the same values again.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.analyses.dataflow.liveness import live_before
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import is_pure, memory_reads
from transpiler.analyses.polyhedral.parallel_loops import is_independent
from transpiler.core import build
from transpiler.core.links import link, links
from transpiler.core.query import (
    added_to,
    all_defined,
    all_reads,
    blocks,
    changed_by,
    defined,
    names,
    reads,
    snapshots_of,
    walk,
    without_exit,
    written,
)
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.storage.hoisted_comparisons import without
from transpiler.transforms.storage.rematerialization import Recompute
from transpiler.transforms.storage.trip_counts import Block


class _Effect(NamedTuple):
    """The names that get values, the arrays that are written, and those that the pullback writes and does not put back."""

    defined: frozenset[str]
    changed: frozenset[str]
    pulled: frozenset[str]


class Merging:
    """Merges loops of a program, and loops in those.

    A merged loop has its pullback as `backwards`; the pullback of one whose iterations are run once more has what is run as
    `again`.
    """

    def __init__(self, sweep: Sweep, again: Recompute, primal: Block, pullback: Block):
        self.sweep, self.again, self.pullback = sweep, again, pullback
        types = MappingProxyType({name: sweep.ev.resolve(type_) for name, type_ in sweep.ev.builder.types.items()})
        self.whole = sweep.core.with_body((*primal, *pullback, sweep.core.body[-1]), types=types)
        self.memory = memory(self.whole)
        self.times = counts(self.whole.body)
        self.pulled = {id(s) for s in walk(pullback) if links(s).undoes is None}
        self.found: dict[int, tuple[gast.stmt, _Effect]] = {}

    def effect(self, statement: gast.stmt) -> _Effect:
        """What a statement and those inside it do, found out once."""
        if id(statement) not in self.found:
            inside = list(_walk([statement]))
            pulled = [array for s in inside if id(s) in self.pulled for array in changed_by(s)]
            effect = _Effect(all_defined(inside), frozenset(_changed([statement])), frozenset(pulled))
            self.found[id(statement)] = statement, effect
        return self.found[id(statement)][1]

    def block(self, primal: Block, pullback: Block) -> tuple[Block, Block]:
        """The two sweeps of a block without the pullbacks of the loops that have taken them in."""
        for loop in [s for s in primal if isinstance(s, gast.For)]:
            partner = next((s for s in pullback if links(s).mirror is loop), None)
            if partner is not None and self._in_any_order(loop, partner):
                primal, pullback = self._merged(loop, partner, primal, pullback)
        return primal, pullback

    def _merged(self, loop: gast.For, partner: gast.For, primal: Block, pullback: Block) -> tuple[Block, Block]:
        here, there = primal.index(loop), pullback.index(partner)
        between = [*primal[here + 1:], *pullback[:there]]
        moved = _Start(self, loop, partner, between).moved()
        if moved is None:
            again = _Again(self, loop, partner, between).body()
            if again is None:
                return primal, pullback
            anew = build.linked(partner, again=again, mirror=None)
            return primal, [*pullback[:there], anew, *pullback[there + 1:]]
        body, backwards = self.block(loop.body, partner.body)
        both = link(build.like(loop, body=body), backwards=build.like(partner, body=backwards))
        primal = [*primal[:here], *moved, both, *without(primal[here + 1:], moved)]
        return primal, [*without(pullback[:there], moved), *pullback[there + 1:]]

    def _in_any_order(self, loop: gast.For, partner: gast.For) -> bool:
        """Whether the pullbacks of iterations may be run from the first to the last, each with the values of its own."""
        inside = all_defined(loop.body)
        before = live_before(loop.body)
        carried = {name for name in inside if name in before or self.sweep.definitions_of.outside(name, loop)}
        plain = without_exit(loop.body)[1] is None and not any(snapshots_of(s) is not None for s in walk([loop]))
        undos = (links(s) for s in walk(partner.body))
        undone = {root for undo in undos if undo.undoes is not None for root in self.memory.of(undo.array)}
        if not plain or not undone <= inside or loop.target.id != partner.target.id or carried & self._read_back(loop, partner):
            return False
        return is_independent(self.whole, self.memory, partner, self._mentioned_outside(partner) - {loop.target.id})

    def _read_back(self, loop: gast.For, partner: gast.For) -> set[str]:
        """The names that the pullback of an iteration reads, or will read to compute values again that loops inside of it had."""
        deeper = all_defined(s for s in walk(loop.body) if isinstance(s, (gast.For, gast.While)))
        pending, found = list(all_reads(partner.body)), set()
        while pending:
            name = pending.pop()
            source = self.again.source(name) if name in deeper and name not in found else None
            pending += [] if source is None else names(source.value)
            found.add(name)
        return found

    def _mentioned_outside(self, partner: gast.For) -> set[str]:
        inside = {id(s) for s in walk([partner])}
        return {name for s in walk(self.pullback) if id(s) not in inside for name in (*reads(s), defined(s)) if name}


class _Start:
    """What must be done before a merged loop, of the statements `between` the loop and its pullback."""

    def __init__(self, merging: Merging, loop: gast.For, partner: gast.For, between: Block):
        self.memory, self.loop, self.partner, self.between = merging.memory, loop, partner, between
        self.effect, self.times = merging.effect, merging.times
        self.added = {name for s in walk(partner.body) if (name := written(s)) and self._only_adds([partner], name)}

    def moved(self) -> Block | None:
        """Those statements in their order; None if the loop has to be over before they can be done."""
        chosen: dict[int, gast.stmt] = {}
        pending = [*all_reads([self.partner]), *_changed([self.partner])]
        seen: set[str] = set()
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            for statement in self._giving(name):
                if not _is_simple(statement):
                    return None
                chosen[id(statement)] = statement
                pending += [*reads(statement), *changed_by(statement)]
        moved = [s for s in self.between if id(s) in chosen]
        return moved if self._may_move(moved) else None

    def _giving(self, name: str) -> Iterator[gast.stmt]:
        """The statements that have a part in the value that `name` must have before the loop.

        What the primal writes after a loop, and the pullback undoes before that of the loop, is not written yet.
        """
        defining, writing = self._between
        yield from defining.get(name, ())
        for statement, roots in writing:
            if not roots.isdisjoint(self.memory.of(name)) and not (name in self.added and self._only_adds([statement], name)):
                yield statement

    @cached_property
    def _between(self) -> tuple[dict[str, Block], list[tuple[gast.stmt, frozenset[str]]]]:
        """The statements that define each name; those with writes of the pullback, and the memory that these change."""
        defining: defaultdict[str, Block] = defaultdict(list)
        for statement in self.between:
            for name in self.effect(statement).defined:
                defining[name].append(statement)
        return defining, [(s, self.memory.of(*pulled)) for s in self.between if (pulled := self.effect(s).pulled)]

    def _only_adds(self, body: Iterable[gast.stmt], name: str) -> bool:
        """Whether nothing is done with the memory of an array but to add to it."""
        for statement in _walk(body):
            used = {n for n in (*reads(statement), *changed_by(statement)) if self.memory.may_alias(n, name)}
            if used != {added_to(statement)} and used & (_read_memory(statement) | set(changed_by(statement))):
                return False
        return True

    def _may_move(self, moved: Block) -> bool:
        """Whether what is moved finds the values that it reads, and the others do not notice."""
        rest = without(self.between, moved)
        others = [self.effect(s) for s in (self.loop, *rest)]
        given = frozenset().union(*(effect.defined for effect in others))
        if any(reads(s) & given for s in moved) or any(self.times[name] != n for name, n in counts(moved).items()):
            return False
        changed = self.memory.of(*(name for effect in others for name in effect.changed))
        if any(self.memory.of(*_read_memory(s)) & changed for s in moved):
            return False
        counters = {s.target.id for s in walk(self.partner.body) if isinstance(s, gast.For)}
        if counters & (live_before(self.loop.body) | live_before(rest)):
            return False
        bound, changed = all_defined(self.partner.body) - counters, _changed([*moved, self.partner])
        return not any(self._notices(statement, bound, changed) for statement in _walk([self.loop, *rest]))

    def _notices(self, statement: gast.stmt, bound: set[str], changed: set[str]) -> bool:
        """Whether it matters to a statement that names have been bound anew by then, and that arrays have been changed."""
        used = _read_memory(statement) | set(changed_by(statement))
        if (used | {defined(statement)}) & bound or defined(statement) in changed:
            return True
        touched = {name for name in used if name in changed or any(self.memory.may_alias(name, other) for other in changed)}
        only_added = {a for a in self.added if self._only_adds([statement], a)}
        return not all(any(self.memory.may_alias(name, a) for a in only_added) for name in touched)


class _Again:
    """What an iteration of a loop has to do once more so that its pullback finds what it reads."""

    def __init__(self, merging: Merging, loop: gast.For, partner: gast.For, between: Block):
        self.memory, self.loop, self.partner, self.between = merging.memory, loop, partner, between
        mutation = merging.sweep.mutation
        self.copies = [s for s in walk(loop.body) for table in (mutation.before, mutation.after) for s in table.get(id(s), ())]

    def body(self) -> Block | None:
        """The statements; None if they would give something else, or if nothing would be kept without them."""
        needed = self._needed()
        inside = {id(s) for s in walk(needed)}
        loops = [s for s in walk(self.partner.body) if id(links(s).mirror) in inside and isinstance(s, gast.For)]
        return needed if loops and self._gives_the_same(needed) else None

    def _needed(self) -> Block:
        wanted = all_reads(self.partner.body) | {name for s in self.copies for name in reads(s)}
        needed: Block = []
        for statement in reversed(self.loop.body):
            given = all_defined([statement]) | _changed([statement])
            if any(name in given or self.memory.may_alias(name, other) for name in wanted for other in given):
                needed.insert(0, statement)
                wanted |= all_reads([statement]) | _changed([statement])
        return needed

    def _gives_the_same(self, needed: Block) -> bool:
        own = all_defined(needed)
        plain = all(blocks(s) or _is_simple(s) or isinstance(s, gast.Break) for s in walk(needed))
        read = {name for s in (*walk(needed), *self.copies) for name in _read_memory(s)}
        changed = _changed([self.loop, *self.between, self.partner])
        local = {name for name in (*read, *changed) if self.memory.of(name) and self.memory.of(name) <= own}
        if not plain or not _changed(needed) <= local:
            return False
        given = all_defined(_walk([self.loop, *self.between])) - own - {self.loop.target.id}
        before = live_before(needed)
        if before & (own | given):
            return False
        return not self.memory.of(*(read - local)) & self.memory.of(*(changed - local))


def _walk(body: Iterable[gast.stmt]) -> Iterator[gast.stmt]:
    """All statements, those of the pullbacks in merged loops too."""
    for statement in walk(body):
        yield statement
        if (backwards := links(statement).backwards) is not None:
            yield from _walk(backwards.body)


def _changed(body: Iterable[gast.stmt]) -> set[str]:
    return {name for s in _walk(body) for name in changed_by(s)}


def _read_memory(statement: gast.stmt) -> set[str]:
    """The names whose value, or contents, a statement itself reads."""
    match statement:
        case gast.Assign(targets=[target], value=value) | gast.AugAssign(target=target, value=value):
            index = target.slice if isinstance(target, gast.Subscript) else None
            old = {target.id} if isinstance(statement, gast.AugAssign) and isinstance(target, gast.Name) else set()
            return {*memory_reads(value), *names(index), *old}
    return set(reads(statement))


def _is_simple(statement: gast.stmt) -> bool:
    return isinstance(statement, (gast.Assign, gast.AugAssign)) and is_pure(statement.value)
