"""Containers that can change: each has a cell, which all names and containers that refer to it share."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from transpiler.core.variables import Var
from transpiler.errors import UnsafeMutation
from transpiler.specialize.containers.shared import Change, Part, cells_in
from transpiler.specialize.domain.bindings import (
    Binding,
    Conflict,
    Element,
    Known,
    Maybe,
    Method,
    Partial,
    Ref,
    alike,
    same_shape,
)
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Late
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import DictView, HeldView, Shown
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import PYTHONS, Array, Scalar

SEVERAL = 'which container is meant shows only at run time'


class Grows(Exception):
    """A list of the program, in `cell`, changes its length at run time; `example` is one of its items, by value."""

    def __init__(self, cell: int, example: Binding):
        self.cell, self.example = cell, example
        super().__init__(cell)


class Frozen(UnsafeMutation):
    """What is in `cell` would be changed, though something else may hold it."""

    cell: int


@dataclass(frozen=True)
class Kept:
    """The list that a name keeps; `holding` are the flags that are known where the innermost loop stands."""

    cell: int
    holding: dict[str, bool]


@dataclass(eq=False)
class Heap(Component):
    """What every cell holds now, and why some must not be changed.

    Names hold a `Ref`; evaluating one gives the container with what is in it at that time (`current`). A container that is
    new has no cell; it gets one when it is first held by a name or another container (`held`).
    """

    late: Late | None = None  # while items are made that Python would make later
    contents: dict[int, Binding] = field(default_factory=dict)
    frozen: dict[int, str] = field(default_factory=dict)
    given: Mapping[int, Part] = field(default_factory=dict)  # the cells of arguments
    changed: dict[Part, Change] = field(default_factory=dict)  # where they are changed first
    arguments: frozenset[str] = frozenset()  # the variables of arguments
    lone: set[str] = field(default_factory=set)  # those of them whose memory must be no other's
    several: set[int] = field(default_factory=set)  # the cells that stand for one of several from before
    numbers: Any = field(default_factory=itertools.count)
    clock: Any = field(default_factory=itertools.count)  # ticks whenever something is read
    read_at: dict[int, int] = field(default_factory=dict)  # when each cell was read last

    def held(self, binding: Binding, why: str | None = None) -> Binding:
        """The binding as a name holds it; with `why`, nothing in it may be changed, for that reason."""
        if not isinstance(binding, Container):
            return binding
        if binding.cell is not None:
            return Ref(binding.cell)
        if isinstance(binding, DictView) and binding.shows is not None:
            return binding.shows.view
        content = replace(binding, items=tuple(self.ev.held(item, why) for item in binding.items))
        if not content.mutable:
            return content
        cell = next(self.numbers)
        self.contents[cell] = content
        if why is not None:
            self.frozen[cell] = why
        return Ref(cell)

    def taken_in(self, arguments: Mapping[str, Binding], variables: Iterable[str]) -> dict[str, Binding]:
        """The arguments of the program, as names hold them, and their variables; what becomes of them is watched from now on."""
        held = {name: self.ev.held(binding) for name, binding in arguments.items()}
        self.given, self.changed = dict(cells_in(held, self.contents)), {}
        self.arguments, self.lone = frozenset(variables), set()
        return held

    def current(self, binding: Binding) -> Binding:
        """The binding with what its containers hold now."""
        match binding:
            case Ref(cell):
                return replace(self.ev.current(self.ev.elements.content(binding)), cell=cell)
            case Container(cell=int(cell)):
                return self.ev.current(Ref(cell))
            case (HeldView() as view) | DictView(shows=Shown(view)):
                return self.shown(view)
            case Container(items=items):
                return replace(binding, items=tuple(map(self.ev.current, items)))
        return binding

    def content(self, held: Ref | Container) -> Binding:
        """What a cell holds now, of which each item stands for what it holds itself: `current` asks all of them."""
        content = self.contents[held.cell]
        self.read_at[held.cell] = next(self.clock)
        if self.late is not None:
            self.late.cells[held.cell] = None
        if isinstance(content, Conflict):
            raise content.error(self.origin)
        return content

    def shown(self, view: HeldView) -> DictView:
        """The keys, values or items that a dict has now."""
        held = self.ev.current(*view.items)
        keys = tuple(map(Known, held.keys))
        pairs = (Tuple(pair) for pair in zip(keys, held.items, strict=True))
        items = {'keys': keys, 'values': held.items, 'items': tuple(pairs)}[view.which]
        return DictView(items, view.which, Shown(view, held.keys))

    def change(self, container: Container, items: tuple[Binding, ...], keys: tuple[Any, ...] = ()) -> None:
        """Put `items` in place of what a container holds, for all who refer to it."""
        assert container.cell is not None
        if container.cell in self.frozen:
            what, why = f'{self.ev.describe(container)} is changed here', self.frozen[container.cell]
            error = Frozen(what, self.origin, why=why, instead='change a copy of it')
            error.cell = container.cell
            raise error
        if container.cell in self.given:
            self.changed.setdefault(self.given[container.cell], Change(self.ev.describe(container), self.origin))
        held = tuple(map(self.ev.held, items))
        if any(container.cell in self.reached(item) for item in held):
            raise UnsafeMutation(f'{container.spoken} is put into itself', self.origin, why='what it holds would have no end',
                                 instead='hold a copy')
        self.contents[container.cell] = container.holding(held, keys)

    def reached(self, *bindings: Binding) -> set[int]:
        """The cells that can be reached from bindings."""
        found: set[int] = set()
        pending = list(bindings)
        while pending:
            match pending.pop():
                case Ref(cell) if cell not in found:
                    found.add(cell)
                    pending.append(self.contents[cell])
                case Container(items=items):
                    pending += items
                case Element(items=items):
                    pending.append(items)
                case Method(receiver):
                    pending.append(self.ev.held(receiver))
                case Partial(args=args, keywords=keywords):
                    pending += map(self.ev.held, (*args, *dict(keywords).values()))
                case Maybe(inner):
                    pending.append(inner)
        return found

    def value_now(self, binding: Binding) -> Binding:
        """What a binding stands for at this moment, without its cells."""
        return _without_cells(self.ev.current(binding))

    def apart_from_cells(self, binding: Binding) -> Binding:
        """The value of a binding without its cells, to be held in their place."""
        return self.value_now(binding)

    def check_growth(self, cell: int, one: Binding, other: Binding) -> None:
        """Raise Grows if a cell holds lists of different lengths on two paths."""
        lists = [side for side in (one, other) if isinstance(side, (List, DynamicList))]
        if len(lists) == 2 and not same_shape(*lists):
            grown = [side.item for side in lists if isinstance(side, DynamicList)]
            longer = max(lists, key=lambda side: len(side.items))
            raise Grows(cell, _of_any_numbers(grown) if grown else self.example_of(longer.items[-1]))

    def example_of(self, item: Binding) -> Binding:
        """An item as a list will hold it, for its types."""
        return self._example(self.ev.apart_from_cells(item))

    def _example(self, item: Binding) -> Binding:
        """A list that grew is an array by then."""
        match item:
            case DynamicList((tape, *_), inner):
                element = self.builder.types[tape.name].element
                depth = 1 + (isinstance(inner, Container) and not isinstance(inner, ArrayList))
                array = Var(tape.name, Array(element.dtype, (None,) * depth + (getattr(element, 'dims', None) or ())))
                return ArrayList((array,), *self.ev.placeholders.numbers_in(item))
            case ArrayList():
                return replace(item, table=None)
            case Container(items=items):
                return replace(item, items=tuple(map(self._example, items)))
        return item

    def numbers_in(self, base: DynamicList | ArrayList) -> tuple[int, type | None]:
        """How deep a list is nested, and which of Python's numbers it holds, if it holds such."""
        if isinstance(base, ArrayList):
            return base.depth, base.number
        if isinstance(base.item, ArrayList):
            depth, number = self.ev.placeholders.numbers_in(base.item)
            return depth + 1, number
        if isinstance(base.item, Container):
            found = {self.pythons_number(tape) for tape in base.items}
            return 2, found.pop() if len(found) == 1 else None
        return 1, self.pythons_number(base.items[0])

    def pythons_number(self, tape: Var) -> type | None:
        """Which of Python's numbers are on a list, if they are such."""
        item = self.ev.resolve(self.builder.types[tape.name].element)
        weak = isinstance(item, Scalar) and item.weak
        return PYTHONS[item.dtype.kind] if weak else None

    def set_apart(self, why: str) -> None:
        """What runs from here on changes no cell that is there already, and none of the evaluator around this one."""
        self.contents, self.frozen = dict(self.contents), {**dict.fromkeys(self.contents, why), **self.frozen}

    def freeze(self, cells: set[int], why: str) -> None:
        self.frozen = {**dict.fromkeys(cells, why), **self.frozen}

    @contextmanager
    def changing_itself(self, cell: int) -> Iterator[None]:
        """What a container is kept in may change, whoever holds it."""
        why = self.frozen.get(cell)
        self.frozen = {other: reason for other, reason in self.frozen.items() if other != cell}
        try:
            yield
        finally:  # what is tried again begins with what was frozen
            if why is not None:
                self.freeze({cell}, why)


class Meeting:
    """Two paths meet: what every cell held on each, and the cells that stand for one on the left and another on the right."""

    def __init__(self, ev: Heap, before: dict[int, Binding], left: dict[int, Binding], right: dict[int, Binding]):
        self.ev, self.before, self.left, self.right = ev, before, left, right
        self.pairs: dict[tuple[int, int], Ref] = {}
        ev.heap.contents = {**left, **right}

    def join(self, left: Ref, right: Ref, join: Callable[[Binding, Binding], Binding]) -> Binding:
        """One reference for two: a cell of its own, since both containers may live on under other names."""
        key = left.cell, right.cell
        if key not in self.pairs:
            ref = self.pairs[key] = Ref(next(self.ev.heap.numbers))
            self.ev.heap.several.add(ref.cell)
            self.ev.heap.contents[ref.cell] = join(self._held(self.left, left), self._held(self.right, right))
            for cell in {left.cell, right.cell} & self.ev.heap.frozen.keys():
                self.ev.heap.freeze({ref.cell}, self.ev.heap.frozen[cell])
        return self.pairs[key]

    def _held(self, path: dict[int, Binding], ref: Ref) -> Binding:
        """What a cell holds at the end of a path; one that stands for a name without a value there is made while both meet."""
        return path[ref.cell] if ref.cell in path else self.ev.heap.contents[ref.cell]

    def close(self, join: Callable[[str, Binding, Binding], Binding], values: Iterable[Binding]) -> None:
        """Merge what the cells of before the branch hold now, and freeze those whose aliases depend on the path."""
        for cell, old in self.before.items():
            one, other = self.left[cell], self.right[cell]
            if one is not other:
                self.ev.heap.check_growth(cell, one, other)
                self.ev.heap.contents[cell] = old if one == other == old else _by_item(join, one, other)
        for (one, other), ref in self.pairs.items():
            beside = self.ev.heap.reached(*(value for value in values if value != ref))
            others = {cell for pair, new in self.pairs.items() if new != ref for cell in pair}
            if {one, other} & (self.before.keys() | beside | others | self.ev.elements.sources.keys()):
                self.ev.heap.freeze({one, other, ref.cell}, SEVERAL)


def _of_any_numbers(examples: list[Binding]) -> Binding:
    """One example for lists of lists of numbers: NumPy's, if some hold such."""
    return next((e for e in examples if isinstance(e, ArrayList) and e.number is None), examples[0])


def _by_item(join: Callable[[str, Binding, Binding], Binding], left: Binding, right: Binding) -> Binding:
    """Two contents of one cell, merged; a dict's items are called after their keys."""
    if alike(left, right):
        keys = left.keys or (None,) * len(left.items)
        names = [key if isinstance(key, str) and key.isidentifier() else 'item' for key in keys]
        return replace(left, items=tuple(map(join, names, left.items, right.items)))
    return join('the container', left, right)


def _without_cells(binding: Binding) -> Binding:
    if not isinstance(binding, Container):
        return binding
    return binding.anew(tuple(map(_without_cells, binding.items)))

