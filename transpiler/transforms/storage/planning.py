"""What one block keeps for its pullback, and what it computes again: the least is kept of all that would do."""

from __future__ import annotations

from dataclasses import dataclass, field

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.core.links import links
from transpiler.core.query import all_defined, blocks, defined, names, reads
from transpiler.transforms import storage
from transpiler.transforms.storage.hoisted_comparisons import ahead, flags_of, made_once, shaped_by_others, without, worth_it
from transpiler.transforms.storage.readable import Readable
from transpiler.transforms.storage.slots import Slots
from transpiler.transforms.storage.trip_counts import Block, Nest
from transpiler.transforms.storage.write_undo import DEEPER
from transpiler.values.types import Array, Scalar

WIDER = 16  # an array of two axes is as much as so many of one, however long these are
MUCH = 8  # so many operations on arrays are as much as keeping what one gives, in memory that has to be set up


@dataclass
class Plan:
    """What one block saves, and what it computes again, by which statements."""

    saved: dict[str, None] = field(default_factory=dict)
    recomputed: dict[str, gast.stmt] = field(default_factory=dict)


class Planning:
    """Chooses for each block; the slots then hold what is kept."""

    def __init__(self, slots: Slots):
        self.slots, self.trips, self.sweep = slots, slots.trips, slots.sweep
        self.builder, self.again = slots.builder, slots.trips.again

    def plan(self, primal: Block, pullback: Block, nest: Nest) -> tuple[Block, Block, Plan]:
        """What a block keeps, once it asks for no more than it needs: flags for what is only compared, no shapes."""
        types = self.builder.types

        def shaped(block: Block) -> Block:
            around = [name for name in self.sweep.core.inputs if name not in nest.inside]
            return shaped_by_others(block, primal, types, around, self._is_given, self._outer_reads)

        def cost(block: Block) -> int:
            return sum(map(self._weight, self._plan(primal, shaped(block), nest).saved))

        known = self.sweep.definitions_of.total
        pullback, flags = made_once(pullback, flags_of(primal, pullback, types, known, nest.inside, self.carried(nest)))
        flags = worth_it(pullback, flags, self._weight, cost)
        pullback = shaped(without(pullback, flags))
        plan = self._plan(primal, pullback, nest)
        chosen = {str(defined(flag)): flag for flag in flags}
        self.slots.flags |= chosen
        plan.saved |= dict.fromkeys(chosen)
        return ahead(primal, flags), pullback, plan

    def _is_given(self, type_: Array) -> bool:
        """Whether its sizes are those of arguments."""
        return self.slots.measures.at_hand(type_)

    def _plan(self, primal: Block, pullback: Block, nest: Nest) -> Plan:
        """Of all that the values needed can be computed from, keep the least."""
        needed = sorted(n for n in self._needed(pullback, self._belonging(primal, nest)) if self._is_of_iteration(n, nest))
        local = {name for s in primal if isinstance(s, gast.Assign) and (name := defined(s)) is not None}
        times, carried = counts(primal), self.carried(nest)
        once = {name for name in local if times[name] == 1}
        once |= self.again.choices.keys() & all_defined(s for s in primal if isinstance(s, gast.If))
        once -= carried
        again = self._had_again(needed, once, nest, Readable(primal, pullback, self.again))
        sources = {name: [n for n in names(s.value) if self._is_of_iteration(n, nest)] for name, s in again.items()}
        kept = storage.min_cut.least_kept(needed, sources, self._weight, lambda name: self._effort(again[name]))
        plan = Plan(dict.fromkeys(sorted(kept, key=lambda name: (-self._weight(name), name))))
        for name in needed:
            self._trace(name, again, nest, plan)
        return plan

    def _had_again(self, needed: list[str], once: set[str], nest: Nest, readable: Readable) -> dict[str, gast.Assign]:
        """The statements that can be run again in the pullback, of all that would have to be for the values needed."""
        again, pending = {}, list(needed)
        while pending:
            name = pending.pop()
            statement = self.again.source(name) if name in once and name not in again else None
            if statement is not None and self.again.is_cheap(statement) and readable(statement):
                again[name] = statement
                pending += [n for n in names(statement.value) if self._is_of_iteration(n, nest)]
        return again

    def _is_of_iteration(self, name: str, nest: Nest) -> bool:
        return name in nest.inside and name not in nest.at_hand

    def _weight(self, name: str) -> int:
        """How much it is to keep a value: the bytes of a number, far more for an array, and more the more axes it has."""
        type_ = self.builder.types.get(name)
        size = type_.dtype.itemsize if isinstance(type_, (Scalar, Array)) else 8
        axes = min(getattr(type_, 'ndim', None) or 1, 3)
        return size if isinstance(type_, Scalar) else size * DEEPER * WIDER ** (axes - 1)

    def _effort(self, statement: gast.Assign) -> int:
        """How much it is to have a value again: numbers and views are next to nothing."""
        name = str(defined(statement))
        is_light = isinstance(self.builder.types.get(name), Scalar) or self.again.is_view(statement)
        return 0 if is_light else self._weight(name) // MUCH

    def _trace(self, name: str, again: dict[str, gast.Assign], nest: Nest, plan: Plan) -> None:
        """Compute `name` again, and what it is computed from, up to what is kept."""
        if not self._is_of_iteration(name, nest) or name in plan.recomputed or name in plan.saved:
            return
        for source in dict.fromkeys(names(again[name].value)):
            self._trace(source, again, nest, plan)
        plan.recomputed[name] = again[name]

    def _belonging(self, primal: Block, nest: Nest) -> set[str]:
        """The names whose value this block gives: the carried names of its loop belong to the loop's body."""
        own = all_defined(primal)
        return own | self.carried(nest) if primal is nest.loops[-1].body else own

    def carried(self, nest: Nest) -> set[str]:
        inner = nest.loops[-1]
        return {name for name in all_defined(inner.body) if self.sweep.definitions_of.outside(name, inner)}

    def _needed(self, pullback: Block, own: set[str]) -> set[str]:
        """The names of a block's own that its reversed block reads, and those that values of other blocks are computed from."""
        found = self._direct_reads(pullback)
        elsewhere = self.again.closure(sorted(found - own))
        return own & found.union(*(names(s.value) for s in elsewhere))

    def _outer_reads(self, pullback: Block) -> set[str]:
        """The names needed in a reversed block, or to compute what is, but for values of a loop or branch inside."""
        found = self._direct_reads(pullback)
        return found.union(*(names(s.value) for s in self.again.closure(sorted(found))))

    def _direct_reads(self, pullback: Block) -> set[str]:
        found: set[str] = set()
        for statement in pullback:
            found |= reads(statement)
            mirror = links(statement).mirror
            for inner in blocks(statement):
                found |= self._direct_reads(inner) if mirror is None else self._outer_reads(inner) - all_defined([mirror])
        return found
