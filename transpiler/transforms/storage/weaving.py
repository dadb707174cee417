"""Storage: make every value of the primal that the pullback reads available where it is read.

At the top level nothing is saved: locals stay alive. Inside loops a value of one iteration is recomputed in the reversed
iteration where that is cheap, and saved otherwise: in an array allocated before the nest if all trip counts are known there, on a
tape if not. A name carried from iteration to iteration is saved at the start of the iteration, any other where it is complete.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import gast

from transpiler.analyses.memory.aliases import tape_of
from transpiler.analyses.memory.views import bases
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.links import link, links
from transpiler.core.query import (
    all_defined,
    all_reads,
    all_written,
    at_the_end,
    blocks,
    defined,
    names,
    reads,
    walk,
    without_exit,
)
from transpiler.passes import remark
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.shared.placeholders import blank, without_value
from transpiler.transforms.storage.checkpointing import expand
from transpiler.transforms.storage.hoisted_comparisons import without
from transpiler.transforms.storage.planning import Planning
from transpiler.transforms.storage.rematerialization import Recompute
from transpiler.transforms.storage.report import kept
from transpiler.transforms.storage.reversed_carries import carry_backwards
from transpiler.transforms.storage.slots import Slots
from transpiler.transforms.storage.sweep_fusion import Merging
from transpiler.transforms.storage.trip_counts import Block, Nest, Trips
from transpiler.transforms.storage.write_undo import needed_undos


def store(sweep: Sweep, primal: Block, pullback: Block, merge: bool) -> tuple[Block, Block]:
    """The two sweeps with saves in the first and loads in the second.

    merge: whether loops may be run together with their pullbacks, so that the second does not stand alone
    """
    storage = Storage(sweep, Recompute(sweep.core, sweep.ev.builder, sweep.mutation))
    return storage.weave(*expand(storage, *storage.prepare(primal, pullback, merge)), Nest())


def store_apart(sweep: Sweep, primal: Block, pullback: Block) -> tuple[Block, Block, list[str]]:
    """The bodies of the forward and the backward function of a function, and the tapes between them.

    An activation is like an iteration of a loop around the body, but one inside which there are others: what it keeps is pushed
    when those are done, at the end of a block.
    """
    storage = Storage(sweep, Recompute(sweep.core, sweep.ev.builder, sweep.mutation), nested=True)
    primal, pullback = storage.prepare(primal, pullback)
    around = build.loop(True, [])
    around.body = primal
    forward, backward = storage.weave(primal, pullback, Nest((around,)))
    return forward, backward, [s.targets[0].id for s in storage.trips.preludes.pop(id(around), [])]


class Storage:
    """Weaves saves and loads into a pair of sweeps; `nested` if an iteration may have others of the same loop inside it."""

    def __init__(self, sweep: Sweep, again: Recompute, nested: bool = False):
        self.sweep, self.builder, self.again, self.nested = sweep, sweep.ev.builder, again, nested
        self.planning = Planning(Slots(Trips(sweep, again)))
        self.slots, self.trips = self.planning.slots, self.planning.trips
        self.rebuilt: dict[int, gast.stmt] = {}
        self.allocations: set[int] = set()

    def prepare(self, primal: Block, pullback: Block, merge: bool = False) -> tuple[Block, Block]:
        """The two sweeps with everything in them but saves and loads."""
        pullback = needed_undos(pullback, self.again, self.sweep.mutation)
        if merge:
            primal, pullback = Merging(self.sweep, self.again, primal, pullback).block(primal, pullback)
        pullback = carry_backwards(pullback, self.sweep, self.again)
        return self.rebuild(primal), self._mirroring(pullback)

    def _mirroring(self, pullback: Block) -> Block:
        """Let what mirrors a statement know what has become of it."""
        for statement in pullback:
            known = links(statement)
            if known.again is not None:
                link(statement, again=self.rebuild(known.again))
            if known.mirror is not None:
                link(statement, mirror=self.rebuilt[id(known.mirror)])
            for inner in blocks(statement):
                self._mirroring(inner)
        return pullback

    def rebuild(self, body: Block) -> Block:
        """The primal with the copies that the pullback asked for, and with iterations counted where it needs their number."""
        made: Block = []
        for statement in body:
            made += self.sweep.mutation.before.get(id(statement), [])
            new = statement
            if id(statement) in self.sweep.calls.forward:
                call = build.like(statement.value, func=build.name(f'call.{self.sweep.calls.forward[id(statement)]}'))
                new = build.like(statement, value=call)
            if blocks(statement):
                new = build.map_blocks(statement, self.rebuild)
                if (merged := links(new).backwards) is not None:
                    body = self._mirroring(carry_backwards(merged.body, self.sweep, self.again))
                    link(new, backwards=build.like(merged, body=body))
                if id(statement) in self.sweep.attempts.counters:
                    made += self._record_iterations(statement, new)
            self.rebuilt[id(statement)] = new
            made.append(new)
            made += self.sweep.mutation.after.get(id(statement), [])
        return made

    def _record_iterations(self, statement: gast.For | gast.While, new: gast.stmt) -> Block:
        """Let the loop record its iterations; gives what the record starts from."""
        counter = self.sweep.attempts.counters[id(statement)]
        with self.builder.at(statement.origin, 'storage'), self.builder.nested() as first:
            if isinstance(statement, gast.While):
                more = build.assign(counter.name, build.binary(counter.name, gast.Add, 1), statement.origin, 'storage')
                whole, test = without_exit(new.body)
                new.body = [*whole, more] if test is None else [more, *new.body]
                self.builder.assign(counter.name, 0)
            else:
                new.body = [build.assign(counter.name, statement.target.id, statement.origin, 'storage'), *new.body]
                start, _, step = map(self.sweep.binding, statement.iter.args)
                self.builder.assign(counter.name, self.sweep.ev.operand(self.sweep.ev.binary(gast.Sub, start, step))[0])
        return first

    def weave(self, primal: Block, pullback: Block, nest: Nest) -> tuple[Block, Block]:
        """One block and its mirror image."""
        starts: Block = []
        loads: Block = []
        again: Block = []
        ends: Block = []
        follows: dict[int, Block] = {}
        missing: dict[str, gast.stmt] = {}
        if nest.loops:
            primal, pullback, plan = self.planning.plan(primal, pullback, nest)
            again = [build.stamp(build.like(s), s.origin, 'storage') for s in plan.recomputed.values()]
            for name in plan.saved:
                save, load = self.slots.slot(name, nest)
                remark(functools.partial(self._said, name, load, pullback, nest))
                place = self._completion(name, primal, nest)
                own = name in all_defined(primal) and name not in self.planning.carried(nest)
                missing |= without_value(name, place, primal) if own else {}
                if self.nested:
                    save, pushes = self._at_the_end(name, place, save)
                    ends += pushes
                (starts if place is None else follows.setdefault(id(place), [])).extend(save)
                loads += load
            loads, again = ([rename(s, nest.renamed) for s in block] for block in (loads, again))
            own = self._apart({name for s in loads + again if (name := defined(s)) in nest.inside})
            loads, again = ([rename(s, own) for s in block] for block in (loads, again))
            pullback = [_renamed(s, own) for s in pullback]
            nest = Nest(nest.loops, {**nest.renamed, **own})
        blanks: dict[int, Block] = {}
        for name, first in missing.items():
            blanks.setdefault(id(first), []).append(blank(name, self.builder.types[name], first))
        mirrors = {id(mirror): s for s in pullback if (mirror := links(s).mirror) is not None}
        replaced: dict[int, Block] = {}
        forward = list(starts)
        for statement in primal:
            partner = mirrors.get(id(statement))
            new, ahead = statement, []
            if links(statement).backwards is not None:
                allocated, new = self._weave_both(statement, nest)
                forward += allocated
            if partner is not None:
                new, reversed_ = self._weave_pair(statement, partner, nest)
                ahead, behind = self.trips.around_loop(statement, reversed_)
                replaced[id(partner)] = [*behind, reversed_]
            prelude = self.trips.preludes.pop(id(statement), [])
            self.allocations |= {id(s) for s in prelude}
            before = [*prelude, *blanks.get(id(statement), [])]
            forward += [*before, new, *ahead, *follows.get(id(statement), [])]
        replaced |= {id(s): self._weave_again(s, nest) for s in pullback if links(s).again is not None}
        backward = [*loads, *_where_used(again, [new for s in pullback for new in replaced.get(id(s), [s])])]
        return at_the_end(forward, ends), backward

    def _weave_again(self, partner: gast.For, nest: Nest) -> Block:
        """A reversed loop that runs each iteration once more."""
        own = self._apart({partner.target.id, *all_defined(links(partner).again)})
        loop = link(build.like(partner, body=links(partner).again), backwards=partner, again=None)
        allocated, both = self._weave_both(loop, nest)
        return [rename(s, own) for s in (*allocated, both)]

    def _weave_both(self, loop: gast.For, nest: Nest) -> tuple[Block, gast.For]:
        """A loop with the pullback of each iteration in it; what iterations keep in the same memory is allocated before."""
        merged = links(loop).backwards
        forward, backward = self.weave(loop.body, merged.body, nest)
        others = [s for s in loop.body if not _is_size(s)]
        changing = {loop.target.id, *all_defined([*others, *merged.body])}
        before: Block = []
        for statement in forward:
            known = id(statement) in self.allocations or _is_size(statement)
            if known and not (reads(statement) | all_defined([statement])) & changing:
                before.append(statement)
            else:
                changing |= all_defined([statement])
        return before, link(build.like(loop, body=[*without(forward, before), *backward]), backwards=None)

    def _at_the_end(self, name: str, place: gast.stmt | None, save: Block) -> tuple[Block, Block]:
        """A save with its push at the end of the block; what is needed as it is at the start gets a name of its own there."""
        *copies, push = save
        if place is not None or copies:
            return copies, [push]
        kept = self.builder.fresh(self.sweep.core.base(name), self.builder.types[name], True).name
        return [build.assign(kept, build.name(name), push.origin, 'storage')], [rename(push, {name: kept})]

    def _said(self, name: str, load: Block, pullback: Block, nest: Nest) -> str:
        """What is kept, and which lines of the user's have it read again."""
        readers = [
            s.origin.line
            for s in walk(pullback)
            if s.origin is not None and name in reads(s).union(*(names(c.value) for c in self.again.closure(sorted(reads(s)))))
        ]
        where = 'a list' if any(tape_of(s) for s in load) else 'an array'
        type_ = self.sweep.ev.resolve(self.builder.types[name])
        return kept(self.sweep.core, name, type_, nest.loops, where, self.slots.origin(name, nest), readers)

    def _apart(self, own: set[str]) -> dict[str, str]:
        """Names of their own for the values of a reversed iteration: after the loops the primal's mean the last values still."""
        core = self.sweep.core
        return {
            name: self.builder.fresh(core.base(name), self.builder.types[name], core.is_temporary(name)).name
            for name in sorted(own)
        }

    def _weave_pair(self, statement: gast.stmt, partner: gast.stmt, nest: Nest) -> tuple[gast.stmt, gast.stmt]:
        """A loop or branch and its mirror image."""
        if isinstance(statement, gast.If):
            arms = ('orelse', 'body') if links(partner).turned else ('body', 'orelse')
            pairs = [
                self.weave(getattr(statement, arm), other, nest)
                for arm, other in zip(arms, (partner.body, partner.orelse), strict=True)
            ]
            new = build.like(statement, **{arm: pair[0] for arm, pair in zip(arms, pairs, strict=True)})
            return new, build.like(partner, body=pairs[0][1], orelse=pairs[1][1])
        target = {statement.target.id} if isinstance(statement, gast.For) else set()
        own = self._apart(target)
        partner = rename(partner, own)
        inside = all_defined([statement])  # what an iteration changes has another value in each
        at_hand = {name: new for name, new in nest.renamed.items() if name not in inside}
        at_hand = {**at_hand, **own, **(links(partner).carries or {})}
        forward, backward = self.weave(statement.body, partner.body, Nest((*nest.loops, statement), at_hand))
        return build.like(statement, body=forward), build.like(partner, body=backward)

    def _completion(self, name: str, primal: Block, nest: Nest) -> gast.stmt | None:
        """The statement after which `name`, and its memory, has the value that is needed; None for the start of the block."""
        views = self.sweep.mutation.views
        gives = set() if name in self.planning.carried(nest) else {name}
        writes = {w for w in all_written(primal) if name in (w, *bases(w, views))}
        found = [s for s in primal if gives & all_defined([s]) or writes & all_written([s])]
        return found[-1] if found else None  # if it comes from around the branch, it is at hand throughout


def _is_size(statement: gast.stmt) -> bool:
    """Whether it asks an array for its size, which stays the same."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Attribute() | gast.Subscript(value=gast.Attribute(attr='shape'))):
            return True
    return False


def _where_used(again: Block, pullback: Block) -> Block:
    """The pullback with recomputed values where they are used first."""
    pending = {defined(s): s for s in again}
    made: Block = []

    def place(name: str) -> None:
        statement = pending.pop(name, None)
        if statement is not None:
            for source in names(statement.value):
                place(source)
            made.append(statement)

    for statement in pullback:
        for name in sorted(all_reads([statement]) | all_written([statement])):
            place(name)
        made.append(statement)
    return made


def _renamed(statement: gast.stmt, renamed: Mapping[str, str]) -> gast.stmt:
    """A statement of the pullback with names replaced, but not where a reversed loop gives them other values."""
    if not blocks(statement):
        return rename(statement, dict(renamed))
    mirror = links(statement).mirror
    changed = all_defined(mirror.body) if isinstance(mirror, (gast.For, gast.While)) else set()
    inner = {name: new for name, new in renamed.items() if name not in changed}
    bodies = {f: [_renamed(s, inner) for s in getattr(statement, f)] for f in ('body', 'orelse') if getattr(statement, f, None)}
    head = rename(build.like(statement, **{field: [] for field in bodies}), dict(renamed))
    return build.like(head, **bodies)
