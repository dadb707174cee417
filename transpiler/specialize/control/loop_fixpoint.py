"""What loops carry: the body is run on abstract values until the types of what it carries settle, then written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.source.writing.nesting_limit import LOOPS, too_many_loops
from transpiler.specialize.containers.heap import Grows
from transpiler.specialize.control.definedness import has_value, is_absent
from transpiler.specialize.control.joins import in_sequence
from transpiler.specialize.control.loop_state import Place, called, refs
from transpiler.specialize.control.loop_trial import Growth, Iteration, Types, presence
from transpiler.specialize.domain.bindings import (
    Binding,
    Blank,
    Conflict,
    Known,
    Maybe,
    Ref,
    Unbound,
    flatten,
    fold,
    leaf_type,
    same_shape,
)
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.specialize.kinds.eithers import kept
from transpiler.specialize.kinds.mixtures import with_value
from transpiler.values.types import BOOL, Tape, Type


@dataclass(eq=False)
class Iterations(Component):
    """Trials of a loop's body, and the loop that comes out."""

    depth: int = 0  # how many are being run, one inside the other

    def settle(
        self, frame: Frame, statement: gast.For | gast.While, run: Callable[[Iteration], None], growth: Growth = Growth()
    ) -> Iteration:
        """Run the body until the types of what it carries no longer change.

        Raises Grows or NeedStatic, unless `growth` allows it, for a list from before the loop that changes or is indexed.
        """
        live = frame.live.get(id(statement))
        carried = {n for n in stores(statement.body) | stores([statement]) if live is None or n in live.after or n in live.head}
        before, types, markers, maybe = self._entering(frame, carried, carried if live is None else live.head)
        before |= self.ev.heap.contents
        wanted = None if live is None else live.after | live.head
        rebuilt, shared, may_change, back = frozenset[Place](), frozenset[Place](), set(types), set[Place]()
        while True:
            state, lists, free = self.builder.snapshot(), self._lists(), before.keys() - self.ev.heap.frozen.keys()
            iteration = Iteration(before, types, markers, frozenset(maybe), rebuilt, shared, growth.peels, frozenset(may_change))
            try:
                iteration = self.ev.rebinding.trial(frame, iteration, run)
                if lacking := self.ev.peeling.levelled(iteration):
                    self._start_again(frame, state, before, types, lacking)
                    continue
                rebuilt, shared = self.ev.places.rebuilt(iteration), self.ev.places.shared(iteration, wanted)
                settled = {p: type_ for p, type_ in types.items() if p in back}
                settled |= self.ev.peeling.joined_types(frame, iteration, rebuilt)
                back |= may_change & settled.keys() - types.keys()
            except (Grows, NeedStatic) as need:
                wish = (need.cell, need.example) if isinstance(need, Grows) else need.growth if growth.may_index else None
                if not growth.may_grow or wish is None or wish[0] not in before:
                    raise
                self.builder.restore(state)
                self.ev.places.put_back(frame, before)
                self.ev.placeholders.grow(frame, *wish)
                types = self._grown(before, types, rebuilt)
                rebuilt = shared = frozenset()
                continue
            found = {n: iteration.after[n] for n, m in markers.items() if n not in maybe and self._persists(iteration, n, m)}
            grown = {name: type_ for name, type_ in self._lists().items() if name in lists and lists[name] != type_}
            stays = free.isdisjoint(self.ev.heap.frozen)  # what one iteration freezes is frozen when the next begins
            if stays and not grown and not found and (settled, rebuilt, shared) == (types, iteration.rebuilt, iteration.shared):
                return iteration
            # code that would have read a name without a value was cut off: what it changes is not known yet
            types = {**types, **settled} if found else settled
            for name, binding in found.items():
                before[name], before[presence(name)] = self._blanks(before, binding), Known(False)
                rebuilt |= {name} if refs(self._certain(binding)) else set()
                types |= {name: [leaf_type(leaf) for leaf in flatten(before[name])], presence(name): [BOOL]}
            maybe, may_change = maybe | found.keys(), may_change | {*found, *map(presence, found)}
            self.builder.restore(state)
            self.builder.types.update(grown)
            self.ev.places.put_back(frame, before)

    def _entering(self, frame: Frame, carried: set[str], head: Set[str]):
        """What names stand for before a loop, the types of what it may carry, and the names that have no value, or maybe none."""
        before, types, maybe = dict(frame.env), {}, set()
        markers: dict[str, Unbound] = {}
        for name in sorted(carried) if frame.function is not None else ():
            binding = before.get(name)
            if isinstance(binding, Maybe):
                base, _ = self.ev.branches.base_of(frame, name)
                before[name], before[presence(name)] = self.ev.presence.settled(base, binding, self.builder.block)
                maybe.add(name)
            elif is_absent(binding) or not has_value(binding) and name not in head:
                outer = binding if isinstance(binding, Unbound) else None
                markers[name] = before[name] = Unbound(frozenset(self.builder.types), outer)
        for name in before:
            if name in carried and name not in markers:
                types[name] = self._types_of(before[name])
                types |= {presence(name): [BOOL]} if name in maybe else {}
        return before, types, markers, maybe

    def _types_of(self, binding: Binding) -> list[Type | None]:
        """The types that the leaves of a place have before a loop."""
        values = [leaf.value if isinstance(leaf, Known) else None for leaf in flatten(binding)]
        types = map(leaf_type, flatten(binding))
        return [with_value(t, v) if self.ev.separation is not None else t for t, v in zip(types, values, strict=True)]

    def _grown(self, before: dict, types: dict, rebuilt: frozenset[Place]) -> dict:
        """The types of what a loop carries, now that a list from before it is one of run-time length."""
        before |= self.ev.heap.contents
        kept = {place: found for place, found in types.items() if isinstance(place, str) and place not in rebuilt}
        return kept | {n: [leaf_type(leaf) for leaf in flatten(before[n])] for n in rebuilt if isinstance(n, str)}

    def _lists(self) -> dict[str, Type]:
        """The lists of run-time length, with what is known of their items so far."""
        return {name: type_ for name, type_ in self.builder.types.items() if isinstance(type_, Tape) and type_.lasting}

    def _persists(self, iteration: Iteration, name: str, marker: Unbound) -> bool:
        """Whether a name without a value before the loop may get one in an iteration that matters in a later one, or after."""
        binding = iteration.after.get(name)
        if isinstance(binding, Maybe):
            marker.miss(binding.reads)
        return marker.missed and has_value(binding)

    def _certain(self, binding: Binding) -> Binding:
        while isinstance(binding, Maybe):
            binding = binding.binding
        return binding

    def _blanks(self, env: dict[Place, Binding], binding: Binding) -> Binding:
        """What holds the place of a value like `binding` before the loop."""
        value = self.ev.apart_from_cells(self._certain(binding))
        return fold(value, lambda leaf: leaf if leaf_type(leaf) is None
                    else Blank(self.ev.presence.blank_type(env, leaf_type(leaf))))

    def trial(self, frame: Frame, iteration: Iteration, run: Callable[[Iteration], None]) -> Iteration:
        for place, types in iteration.types.items():
            start = self.ev.apart_from_cells(iteration.before[place]) if place in iteration.rebuilt else iteration.before[place]
            pending = iter(zip(types, self.ev.places.bases(frame, place, start), strict=True))

            def variable(leaf: Binding, pending=pending) -> Binding:
                type_, (base, temporary) = next(pending)
                if type_ is None:
                    return leaf
                made = self.builder.fresh(base, type_, temporary)
                self.builder.changing.add(made.name)
                self.ev.joins.note_kinds(made, leaf, made)
                self.ev.growing.grown[made.name] = self.ev.growing.grown.get(getattr(leaf, 'name', ''))
                return made

            iteration.carried[place] = fold(start, variable)
        for place, binding in iteration.carried.items():
            iteration.held[place] = self.ev.places.hold(iteration, place, binding)
        self.ev.places.put_back(frame, {**self.ev.heap.contents, **iteration.names()})
        with self.builder.nested() as iteration.body, self._one_more_loop():
            run(iteration)
            after = dict(frame.env)
            for name in iteration.maybe:
                end, base = after[name], self.ev.branches.base_of(frame, name)[0]
                value = end, Known(True)
                if isinstance(end, Maybe):
                    value = self.ev.presence.settled(base, end, iteration.body, iteration.carried.get(name))
                after[name], after[presence(name)] = value
        iteration.after = {**after, **self.ev.heap.contents}
        return iteration

    @contextmanager
    def _one_more_loop(self) -> Iterator[None]:
        """Refuse more loops inside each other than Python takes, before each is tried twice in each trial of the one around."""
        self.depth += 1
        try:
            if self.depth > LOOPS:
                raise too_many_loops(self.depth, self.origin)
            yield
        finally:
            self.depth -= 1

    def _start_again(self, frame: Frame, state: tuple, before: dict, types: Types, lacking: dict[Place, Binding]) -> None:
        """Take back a trial, and let places begin with what they lack."""
        self.builder.restore(state)
        before |= lacking
        types |= {place: self._types_of(b) for place, b in lacking.items() if place in types}
        self.ev.places.put_back(frame, before)

    def levelled(self, iteration: Iteration) -> dict[Place, Binding]:
        """The places that hold None at the start of some iterations and a value at that of others, as before the loop."""
        found: dict[Place, Binding] = {}
        for place, before in iteration.before.items():
            typed = place in iteration.types or isinstance(place, int)
            if place in iteration.after and typed and place not in iteration.rebuilt:
                start, iteration.after[place] = self._on_one_level(iteration, place)
                if start is not before:
                    keep = lambda leaf: leaf if not isinstance(leaf, Blank) else Blank(
                        self.ev.presence.blank_type(iteration.before, leaf.type))
                    found[place] = fold(start, keep)
        return found

    def _on_one_level(self, iteration: Iteration, place: Place) -> tuple[Binding, Binding]:
        """What a place is before the loop, and at the end of an iteration, with the same parts."""
        start, end = self.ev.joins.on_one_level(called(place), iteration.before[place], iteration.after[place])
        return start, kept(end, iteration.carried.get(place))

    def joined_types(self, frame: Frame, iteration: Iteration, rebuilt: frozenset[Place]) -> Types:
        """The types of the carried leaves after the body; places that it leaves alone are not carried at all.

        One that an iteration with narrower types has left alone (it took another way, or raised) may change after all.
        """
        settled: Types = {}
        for place, old in iteration.before.items():
            if place not in iteration.types and not (
                    (isinstance(place, int) or place in iteration.may_change) and iteration.after[place] != old):
                continue
            if place in rebuilt - iteration.rebuilt:
                settled[place] = [leaf_type(leaf) for leaf in flatten(self.ev.places.value_before(iteration, old))]
                continue
            start, end = iteration.carried.get(place, old), iteration.after[place]
            if isinstance(place, str) and isinstance(end, Ref) and isinstance(self.ev.heap.contents[end.cell], Conflict):
                raise self.ev.rebinding.disagreement(frame, place, old, self.ev.heap.contents[end.cell])
            end = self.ev.apart_from_cells(end) if place in iteration.rebuilt else end
            if start == end or isinstance(end, Known) and end == old:
                continue
            name = called(place)
            if not same_shape(start, end):
                if isinstance(place, int):
                    self.ev.heap.check_growth(place, start, end)
                raise self.ev.rebinding.disagreement(frame, name, old, end)
            types = iteration.types.get(place) or [leaf_type(leaf) for leaf in flatten(old)]
            settled[place] = self._joined(frame, name, types, flatten(start), flatten(end))
        return settled

    def disagreement(self, frame: Frame, name: str, start: Binding, end: Binding) -> Exception:
        """Why a name cannot be one thing at the start of an iteration and another at its end."""
        return self.ev.tables.conflict(name, start, end).error(self.origin)

    def _joined(
        self, frame: Frame, name: str, types: list[Type | None], starts: list[Binding], ends: list[Binding]
    ) -> list[Type | None]:
        joined: list[Type | None] = []
        for type_, old, new in zip(types, starts, ends, strict=True):
            if type_ is None or leaf_type(new) is None:
                if old != new:
                    raise self.ev.rebinding.disagreement(frame, name, old, new)
                joined.append(None)
            else:
                joined.append(self.ev.joins.type_for(name, (type_, leaf_type(new)), (old, new)))
        return joined

    def finish(
        self, frame: Frame, iteration: Iteration, node: Callable[[], gast.stmt], ran: Callable,
        reads: frozenset[str] | None = None
    ) -> None:
        """Write the loop: start values before it, copies and the exit at the end of its body."""
        copies, changing = [], set()
        for place, binding in iteration.carried.items():
            first, last = iteration.before[place], iteration.after[place]
            if place in iteration.rebuilt:
                first, last = self.ev.places.value_before(iteration, first), self.ev.apart_from_cells(last)
            for variable, start, end in zip(flatten(binding), flatten(first), flatten(last), strict=True):
                if isinstance(variable, Var) and variable.type is not None and variable != start:
                    self.ev.joins.note_kinds(variable, start, end)
                    self.builder.assign(variable.name, self.ev.joins.converted(start, variable, iteration.before))
                    copies.append((variable.name, self.ev.joins.converted(end, variable)))
                    changing.add(variable)
        if isinstance(iteration.leave, Var) and iteration.leave in changing:
            iteration.leave = self.ev.places.kept(iteration, 'leave', iteration.leave, temporary=True)
        iteration.held = {place: self.ev.places.hold(iteration, place, binding) for place, binding in iteration.carried.items()}
        made = {cell: content for cell, content in self.ev.heap.contents.items() if cell not in iteration.before}
        places = {**made, **iteration.names()}
        places |= {name: marker.outer for name, marker in iteration.markers.items() if name not in iteration.maybe}
        inside = self.ev.places.defined_inside(frame, iteration, places, changing)
        spare = lambda name: self.builder.fresh(self.builder.hints[name].base, self.builder.types[name], True).name
        iteration.body.extend(build.assign(t, s, self.origin, self.builder.role) for t, s in in_sequence(copies, spare))
        for name, binding in inside.items():
            base, temporary = self.ev.branches.base_of(frame, name)
            if isinstance(places.get(name), Unbound):
                places[name].miss(reads)
            places[name] = self.ev.presence.perhaps(frame, base, (binding, iteration.body), temporary, ran, reads)
        places |= {cell: self.ev.heap.contents[cell] for cell in self.ev.heap.contents if cell not in places}
        iteration.node = node()
        self.builder.append(iteration.node)
        places |= self.ev.distribution.of_later_kinds(iteration, changing, ran)
        self.ev.places.put_back(frame, {place: binding for place, binding in places.items() if binding is not None})
