"""The places whose values loops carry: names, and the cells of containers that names share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnsafeMutation
from transpiler.specialize.containers.heap import SEVERAL
from transpiler.specialize.control.definedness import is_absent
from transpiler.specialize.domain.bindings import Binding, Conflict, Element, Ref, flatten, fold
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.structures.container import Container

Place = str | int  # a name, or a cell of the heap
State = tuple[tuple, dict[Place, Binding]]


class Places(Component):
    """Names and cells together: putting them back, holding carried containers, telling which are shared."""

    def before(self, frame: Frame) -> State:
        """What a trial begins with: the program as written so far, and what names and cells hold."""
        return self.builder.snapshot(), {**frame.env, **self.ev.heap.contents}

    def return_to(self, frame: Frame, state: State) -> None:
        """As if nothing had been tried since."""
        self.builder.restore(state[0])
        self.put_back(frame, state[1])

    def put_back(self, frame: Frame, places: dict[Place, Binding]) -> None:
        frame.env = {name: binding for name, binding in places.items() if isinstance(name, str)}
        self.ev.heap.contents = {cell: binding for cell, binding in places.items() if isinstance(cell, int)}

    def bases(self, frame: Frame, place: Place, binding: Binding) -> list[tuple[str, bool]]:
        """What the variables for the leaves of a place are called: items of dicts after their keys."""
        if isinstance(place, str) and not isinstance(binding, Container):
            return [self.ev.branches.base_of(frame, place)]
        base = self.ev.branches.base_of(frame, place) if isinstance(place, str) else ('item', True)
        return list(_leaf_names(binding, base))

    def hold(self, iteration: Any, place: Place, binding: Binding) -> Binding:
        """What a place holds at the start of an iteration: a rebuilt container in cells of its own."""
        if place not in iteration.rebuilt:
            return binding
        why = SEVERAL if place in iteration.shared else None
        if isinstance(place, str):
            held = self.ev.held(binding, why)
            self.ev.heap.several |= self.ev.heap.reached(held)
            return held
        return replace(binding, items=tuple(self.ev.held(item, why) for item in binding.items))

    def rebuilt(self, iteration: Any) -> frozenset[Place]:
        """The places that other containers are put into during the iteration."""
        found = set(iteration.rebuilt)
        for place, binding in iteration.before.items():
            if place not in iteration.rebuilt and (place in iteration.types or isinstance(place, int)):
                found |= {place} if refs(iteration.held.get(place, binding)) != refs(iteration.after[place]) else set()
        return frozenset(found)

    def shared(self, iteration: Any, wanted: frozenset[str] | None) -> frozenset[Place]:
        """The rebuilt places whose containers can be reached in another way, before the loop or between iterations, or from a
        list.

        And those with containers that may not be changed.
        """
        found = set(iteration.shared)
        for place in iteration.rebuilt:
            for places in (iteration.before, iteration.after):
                own = self._reached(places, places[place])
                others = [
                    binding
                    for other, binding in places.items()
                    if other != place and self._matters(other, own, iteration, wanted) and not is_absent(binding)
                ]
                elsewhere = self._reached(places, *others) | self.ev.elements.sources.keys() | self.ev.heap.frozen.keys()
                found |= {place} if own & elsewhere else set()
        return frozenset(found)

    def _matters(self, place: Place, own: set[int], iteration: Any, wanted: frozenset[str] | None) -> bool:
        if isinstance(place, int):
            return place not in own and place in iteration.before
        return wanted is None or place in wanted

    def _reached(self, places: dict[Place, Binding], *bindings: Binding) -> set[int]:
        return self._with_cells(places, lambda: self.ev.heap.reached(*bindings))

    def value_before(self, iteration: Any, binding: Binding) -> Binding:
        """The value of a binding before the loop, without its cells."""
        return self._with_cells(iteration.before, lambda: self.ev.apart_from_cells(binding))

    def _with_cells(self, places: dict[Place, Binding], ask):
        now, cells = self.ev.heap.contents, {cell: b for cell, b in places.items() if isinstance(cell, int)}
        self.ev.heap.contents = {**now, **cells}
        try:
            return ask()
        finally:
            self.ev.heap.contents = now

    def defined_inside(
        self, frame: Frame, iteration: Any, places: dict[Place, Binding], changing: set[Var]
    ) -> dict[str, Binding]:
        """The names that the body defines, as they are after the loop: what the copies overwrite is kept in other variables."""
        found = {}
        for name, binding in iteration.after.items():
            if isinstance(name, int) or name in iteration.before and not is_absent(places.get(name)) or is_absent(binding):
                continue
            if name.endswith('!') or frame.live and not any(name in live.after for live in frame.live.values()):
                continue
            base, _ = self.ev.branches.base_of(frame, name)
            keep = lambda leaf, base=base: self.kept(iteration, base, leaf) if leaf in changing else leaf
            found[name] = fold(binding, keep) if self.stays(binding) else self.lost(name)
            for cell in self.ev.heap.reached(binding) - iteration.before.keys():
                self.ev.heap.contents[cell] = places[cell] = fold(self.ev.heap.contents[cell], keep)
        return found

    def stays(self, binding: Binding) -> bool:
        """Whether a name means after a loop what it did in an iteration: an item whose place is a number of that one does not."""
        return not any(isinstance(self.ev.heap.contents.get(cell), Element) for cell in self.ev.heap.reached(binding))

    def lost(self, name: str) -> Conflict:
        """A name without a meaning after a loop."""
        return Conflict(lambda origin: UnsafeMutation(
            f'`{name}` is an item of a list, and is read after the loop that gave it', origin,
            why='the item is changed, and so it is kept in its list alone',
            instead='keep its number, and index the list with that'))

    def kept(self, iteration: Any, base: str, leaf: Var, temporary: bool = False) -> Var:
        """The start value of an iteration, in a variable that the copies at its end leave alone."""
        with self.builder.nested() as block:
            copy = self.builder.define(base, build.name(leaf.name), leaf.type, temporary)
        iteration.body.extend(block)
        return copy


def called(place: Place) -> str:
    """What a place is to the reader of a message, and among those that are kept apart."""
    return place if isinstance(place, str) else 'the container'


def refs(binding: Binding) -> list[Binding]:
    """The containers with cells that a binding refers to."""
    return [leaf for leaf in flatten(binding) if isinstance(leaf, Ref)]


def _leaf_names(binding: Binding, base: tuple[str, bool]) -> Iterator[tuple[str, bool]]:
    """For every leaf, what a variable for it is called, and whether nobody wrote that name."""
    if not isinstance(binding, Container):
        yield base
        return
    if is_optional(binding):
        yield f'has_{base[0]}', base[1]
        yield from _leaf_names(binding.items[1], base)
        return
    keys = binding.keys if len(binding.keys) == len(binding.items) else (None,) * len(binding.items)
    for key, item in zip(keys, binding.items, strict=True):
        yield from _leaf_names(item, (key, False) if isinstance(key, str) and key.isidentifier() else base)
