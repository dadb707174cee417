"""Items of lists of run-time length that change: lists, dicts and objects, read and written where their list keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast

from transpiler.errors import UnsafeMutation
from transpiler.specialize.containers.heap import SEVERAL
from transpiler.specialize.containers.methods import NONE
from transpiler.specialize.domain.bindings import Binding, Conflict, Element, Known, Ref, flatten, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import answers
from transpiler.specialize.evaluation.signals import Rewritten
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.run_time_lists import DynamicList

OF_A_LIST = 'it is an item of a list whose length shows at run time'
APART = 'each item is kept in that list alone, so that whoever reads it sees what is written'


@dataclass(eq=False)
class Elements(Component):
    """A list whose items nobody changes gives them by value. Where one is changed the program is run again with its list among
    `rewritten`: an item is an `Element` then, a place in its list.
    """

    sources: dict[int, Any] = field(default_factory=dict)  # where the lists begin to grow that cells hold an item of, by value
    moving: bool = False  # while a list moves its own items

    def item_at(self, base: DynamicList, index: Binding) -> Binding:
        found = self.ev.growing.item_at(base, index)
        if isinstance(index, Container) or not _changes(base.item):
            return found
        if self.ev.ours:
            self._refuse_second_holder(base)
            return found
        if not self._is_rewritten(base):
            return self._by_value(base, found)
        cell = next(self.ev.heap.numbers)
        self.ev.heap.contents[cell] = Element(self.ev.held(base), self._from_start(base, index))
        return self.current(Ref(cell))

    def _by_value(self, base: DynamicList, item: Binding) -> Binding:
        held = self.ev.held(item, OF_A_LIST)
        if isinstance(held, Ref):
            self.sources[held.cell] = self.ev.growing.grown[base.items[0].name]
        return self.current(held)

    def is_same_cell(self, left: int, right: int) -> Binding:
        """Whether two lists, dicts or objects are one: two items of a list are, if their places are the same."""
        for cell in (left, right):
            if self.sources.get(cell) is not None and self.sources[cell] not in self.ev.assumed.rewritten:
                raise Rewritten(self.sources[cell])
        if left == right:
            return Known(True)
        items = self.ev.heap.contents[left], self.ev.heap.contents[right]
        if all(isinstance(item, Element) for item in items):
            return self.ev.compare(gast.Eq, items[0].index, items[1].index) if items[0].items == items[1].items else Known(False)
        if {left, right} & self.ev.heap.several or {left, right} <= self.ev.heap.given.keys():
            raise UnsafeMutation('whether these are the same object shows only at run time', self.origin, why=SEVERAL,
                                 instead='compare a name or a number that tells them apart')
        return Known(False)

    def _is_rewritten(self, base: DynamicList) -> bool:
        return self.ev.growing.grown.get(base.items[0].name) in self.ev.assumed.rewritten

    def _refuse_second_holder(self, base: DynamicList) -> None:
        """What the library does with items of a list, it does by value."""
        if self.ev.assumed.rewritten and not self.moving:
            raise UnsafeMutation('items are moved, or put into another list, in a program that changes items of lists',
                                 self.origin, why=APART, instead='keep their numbers in arrays, one for each attribute')

    def _from_start(self, base: DynamicList, index: Binding) -> Binding:
        """A place that later appends leave where it is."""
        if self.ev.numbers.is_natural(index) or isinstance(index, Known) and index.value >= 0:
            return index
        length = self.ev.placeholders.length_of(base)
        if isinstance(index, Known):
            return self.ev.binary(gast.Add, length, index)
        negative = self.ev.compare(gast.Lt, index, Known(0))
        return self.ev.choose(None, negative, lambda: self.ev.binary(gast.Add, index, length), lambda: index)

    def current(self, binding: Binding) -> Binding:
        match binding:
            case Ref(cell) | Container(cell=int(cell)) if isinstance(element := self.ev.heap.contents.get(cell), Element):
                items = self.current(element.items)
                found = self.ev.growing.rebuilt_item(items, lambda tape: self.ev.tapes.tape_item(tape, element.index))
                parts = tuple(self.current(self.ev.held(item, OF_A_LIST)) for item in found.items)
                return replace(found, items=parts, cell=cell)
        return self.ev.heap.current(binding)

    def content(self, held: Ref | Container) -> Binding:
        return self.current(held) if isinstance(self.ev.heap.contents.get(held.cell), Element) else self.ev.heap.content(held)

    def change(self, container: Container, items: tuple[Binding, ...], keys: tuple = ()) -> None:
        element = self.ev.heap.contents.get(container.cell)
        if not isinstance(element, Element):
            source = self.sources.get(container.cell)
            if source is not None and source not in self.ev.assumed.rewritten:
                raise Rewritten(source)
            self.ev.heap.change(container, items, keys)
            return
        base, new = self.current(element.items), container.holding(items, keys)
        old = [leaf for leaf in flatten(self.apart_from_cells(replace(container, cell=None))) if leaf_type(leaf) is not None]
        for (tape, leaf), before in zip(self.ev.placeholders.leaves(base, self.ev.rows.plain_item(new)), old, strict=True):
            if leaf != before:
                self.ev.tapes.put_tape(tape, element.index, leaf)

    def apart_from_cells(self, binding: Binding) -> Binding:
        cells = self.ev.heap.reached(binding) | ({binding.cell} if isinstance(binding, Container) else set())
        if any(isinstance(self.ev.heap.contents.get(cell), Element) for cell in cells):
            raise UnsafeMutation('an item of a list would be held in another place too', self.origin, why=APART,
                                 instead='keep its number, and index the list with that')
        return self.ev.heap.apart_from_cells(binding)

    @answers(DynamicList, 'append')
    def growing_append(self, base: DynamicList, item: Binding) -> Binding:
        appended = self.ev.growing.growing_append(base, item)
        self._give_up(base, item)
        return appended

    def put_item(self, base: DynamicList, index: Binding, item: Binding) -> None:
        self.ev.growing.put_item(base, index, item)
        self._give_up(base, item)
        self._moved(base)

    @answers(DynamicList, 'pop')
    def _growing_pop(self, base: DynamicList, index: Binding = Known(-1)) -> Binding:
        outer, self.moving = self.moving, True
        popped = self.ev.growing._growing_pop(base, index)
        self.moving = outer
        self._moved(base)
        alone = self.ev.ours or self._is_rewritten(base) or not _changes(base.item)
        return popped if alone else self._by_value(base, self.apart_from_cells(popped))

    @answers(DynamicList, 'insert')
    def _growing_insert(self, base: DynamicList, index: Binding, item: Binding) -> Binding:
        outer, self.moving = self.moving, True
        self.ev.growing._growing_insert(base, index, item)
        self.moving = outer
        self._give_up(base, item)
        self._moved(base)
        return NONE

    @answers(DynamicList, 'reverse')
    def _growing_reverse(self, base: DynamicList) -> Binding:
        outer, self.moving = self.moving, True
        self.ev.growing._growing_reverse(base)
        self.moving = outer
        self._moved(base)
        return NONE

    def _give_up(self, base: DynamicList, item: Binding) -> None:
        """What such a list holds is read from it, and no other way."""
        if self._is_rewritten(base):
            for cell in self.ev.heap.reached(self.ev.held(item)):
                if cell in self.sources:
                    self._refuse_second_holder(base)
                self._lose(cell, 'a list holds it now, whose items are changed', 'read it from the list')

    def _moved(self, base: DynamicList) -> None:
        """Items that were read from a list before may be in another place now."""
        for cell, content in list(self.ev.heap.contents.items()):
            if isinstance(content, Element) and content.items == Ref(base.cell):
                self._lose(cell, 'it was an item of a list in which items have moved since', 'read it from the list again')

    def _lose(self, cell: int, why: str, instead: str) -> None:
        what = 'this list, dict or object cannot be read any more'
        self.ev.heap.contents[cell] = Conflict(lambda origin: UnsafeMutation(what, origin, why=why, instead=instead))


def _changes(item: Binding) -> bool:
    """Whether an item, or something in it, can change."""
    return isinstance(item, Container) and (item.mutable or any(map(_changes, item.items)))
