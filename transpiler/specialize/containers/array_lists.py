"""Lists of numbers that are kept in arrays and written into: a list of lists of one length is an array, a list in it a view."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from transpiler.core.query import defined
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnsafeMutation, UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import answers
from transpiler.specialize.evaluation.signals import Rewritten
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.ranges import Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.joining import join_types
from transpiler.values.types import PYTHONS, Array, Scalar, Tape

NEAR = 20  # statements


@dataclass(frozen=True)
class Table:
    """What makes an `ArrayList` one that is written into: where its list is made in the program.

    whole: the variable of the array; uses: 'named' if something else than the whole refers to a list in it, 'replaced' if one of
    these gives way to another list
    """

    origin: object = field(compare=False)
    whole: Var = field(compare=False)
    uses: set[str] = field(compare=False, default_factory=set)

    def note(self, use: str, origin) -> None:
        self.uses.add(use)
        if {'named', 'replaced'} <= self.uses:
            raise UnsafeMutation(
                'a list in a list is replaced by another one', origin,
                why='another name, argument or container holds such a list too, and it is kept in the place of the old one',
                instead='write the numbers one by one, or write `table[i][j]` wherever the list has a name',
            )


@dataclass(eq=False)
class Rows(Component):
    """Reading and writing such rows."""

    picked: dict[str, Any] = field(default_factory=dict)  # rows of arrays: the variable, the array and the place in it
    alone: dict[str, Var] = field(default_factory=dict)  # copies of lists that nothing refers to so far

    def item_at(self, base: DynamicList, index: Binding) -> Binding:
        found = self.ev.elements.item_at(base, index)
        array = found.array if isinstance(found, ArrayList) else found
        if isinstance(array, Var) and isinstance(array.type, Array):
            self.ev.growing.grown[array.name] = self.ev.growing.grown.get(base.items[0].name)
        return found

    def writable(self, base: Binding) -> Var:
        """An array in a list that is written into is part of one array, in another run, if that can be."""
        origin = self.ev.growing.grown.get(base.name) if isinstance(base, Var) and not self.ev.ours else None
        if origin is not None and origin not in self.ev.assumed.rewritten:
            raise Rewritten(origin)
        return self.ev.indexing.writable(base)

    def item_of_row(self, base: ArrayList, index: Binding) -> Binding:
        """An item, or a part, of a list that is kept in an array."""
        cut = isinstance(index, Container)
        if cut and not isinstance(index, Slice):
            raise TranspileError(f'a list is indexed by {self.ev.describe(index)}', self.origin,
                                 why='Python raises TypeError here')
        depth, number = base.depth, base.number
        array, place = self._place(base, index)
        item = self.ev.load(array, place)
        if depth == 1 and not cut:
            return item if number is None else self.ev.calls.call_object(number, [item], {})
        self.ev.growing.grown[item.name] = self.ev.growing.grown.get(base.array.name)
        self.picked[item.name] = item, array, place
        found = ArrayList((item,), depth if cut else depth - 1, number, base.table)
        return self._row_copy(found) if cut and base.table is not None else found

    def _place(self, base: ArrayList, index: Binding) -> tuple[Var, Binding]:
        """An item of a row that has just been picked from an array is one of that array: `a[i, j]`."""
        view, array, place = self.picked.get(base.array.name, (None, None, None))
        just = view is base.array and any(defined(statement) == view.name for statement in self.builder.block[-NEAR:])
        if not just or any(isinstance(part, Slice) for part in (place, index)):
            return base.array, index
        before = place.items if isinstance(place, Container) else (place,)
        return array, Tuple((*before, index))

    @answers(ArrayList, 'copy')
    def _row_copy(self, base: ArrayList) -> ArrayList:
        """A list of its own; the lists in it would be shared."""
        if base.table is not None and base.array.type.ndim > 1:
            base.table.note('named', self.origin)
            return base
        copy = self.ev.operate_by_name('numpy.copy', list(base.items))
        self.alone[copy.name] = copy
        return replace(base, items=(copy,))

    def settled_entry(self, entry: Binding) -> Binding:
        if isinstance(entry, ArrayList) and entry.table is not None:
            return self.ev.operate_by_name('numpy.copy', list(entry.items))
        return self.ev.indices.settled_entry(entry)

    def held(self, binding: Binding, why: str | None = None) -> Binding:
        if isinstance(binding, Container) and binding.cell is None and binding.mutable:
            self.note_rows(binding)
        return self.ev.heap.held(binding, why)

    def plain_item(self, item: Binding) -> Binding:
        """What a list of run-time length holds, nobody else changes."""
        if self._has_written_rows(item):
            raise UnsafeMutation('a list whose numbers are changed is put into another list', self.origin,
                                 why='both would have to show what is written into it', instead='put a copy into it: `list(...)`')
        return self.ev.growing.plain_item(replace(item, table=None) if isinstance(item, ArrayList)
                                          else item)

    def _has_written_rows(self, item: Binding) -> bool:
        match item:
            case ArrayList((array,), table=Table()):
                return self.alone.get(array.name) is not array
            case Container(items=items):
                return any(map(self._has_written_rows, items))
        return False

    def note_rows(self, binding: Binding) -> None:
        """Something holds a list that is in a list."""
        match binding:
            case ArrayList((Var() as array,), table=Table() as table):
                self.alone.pop(array.name, None)
                if array is not table.whole:
                    table.note('named', self.origin)
            case Container(items=items):
                for item in items:
                    self.note_rows(item)

    def set_item(self, base: Container, index: Binding, value: Binding) -> None:
        if not isinstance(base, ArrayList):
            self.ev.changes.set_item(base, index, value)
            return
        table = self._table_of(base)
        if isinstance(index, Container):
            raise UnsupportedFunction('a slice of a list in an array is written', self.origin,
                                      instead='write its items one by one')
        new = value if base.depth == 1 else self._as_row(base, table, value)
        if leaf_type(new) is None or base.depth == 1 and not self.ev.operands.is_scalar(new):
            raise UnsupportedFunction(f'{self.ev.describe(value)} is put among the numbers of a list', self.origin,
                                      why='the list is kept as an array of numbers', instead='use lists of one kind of items')
        self._check_wide_enough(base, table, new)
        self.ev.distribution.store(*self._place(base, index), new)

    def _table_of(self, base: ArrayList) -> Table:
        """The table that a row is in; one that nobody has written into so far is made one, in another run."""
        origin = self.ev.growing.grown.get(base.array.name)
        if base.table is None and origin is not None and origin not in self.ev.assumed.rewritten:
            raise Rewritten(origin)
        if base.table is None:
            self.ev.changes.check_no_row(base)
        return base.table

    def _as_row(self, base: ArrayList, table: Table, value: Binding) -> Var:
        """A list that takes the place of one in a table: its numbers take the place of those."""
        if base.array is not table.whole:
            raise UnsupportedFunction('a list in a list in a list is replaced', self.origin, instead='write its items one by one')
        table.note('replaced', self.origin)
        self.note_rows(value)
        whole = self.ev.expressions.shape(base.array, self.ev.resolve(base.array.type))
        new = self.ev.operands.array_like(value)
        if not isinstance(new, Var) or new.type.ndim != base.depth - 1:
            raise UnsupportedFunction(f'{self.ev.describe(value)} takes the place of a list', self.origin,
                                      why='the lists are kept in one array', instead='give all the same structure')
        for wanted, size in zip(whole.items[1:], self.ev.expressions.shape(new, self.ev.resolve(new.type)).items, strict=True):
            differs = self.ev.compare(gast.NotEq, wanted, size)
            if differs == Known(True):
                raise TranspileError('a list of another length takes the place of one', self.origin,
                                     why='the lists are kept in one array', instead='use lists of one length')
            self.ev.operations.raise_if(differs,
                                        'a list of another length takes the place of one: here they must have one length')
        return new

    def _check_wide_enough(self, base: ArrayList, table: Table, new: Binding) -> None:
        """An array that is made of integers may have to hold floats: then it is made of floats, in another run."""
        own, given = self.ev.resolve(base.array.type).dtype, self.operand(new)[1]
        weak = base.number is not None
        stays = weak and (getattr(given, 'weak', False) or base.depth > 1)
        wide = Scalar(np.result_type(own, given.dtype), stays)
        if wide == Scalar(own, weak):
            return
        if self.ev.assumed.rewritten.get(table.origin) != wide:
            raise Rewritten(table.origin, wide)
        raise UnsupportedFunction('numbers of another kind are put into this list', self.origin,
                                  why='it is kept as an array', instead='begin with floats, `0.0`')

    def made_table(self, origin, array: Var, element: Scalar, depth: int) -> ArrayList:
        """A list so many levels deep, of numbers or of arrays."""
        return ArrayList((array,), depth, PYTHONS[element.dtype.kind] if element.weak else None, Table(origin, array))

    def repeated(self, sequence: Container, count: Binding) -> Binding:
        match sequence:
            case List((item,)) if self.origin in self.ev.assumed.rewritten and isinstance(leaf_type(item), Scalar):
                return self.filled(self.origin, (count,), item, leaf_type(item))
            case List(items) \
                    if self.origin in self.ev.assumed.rewritten and any(isinstance(i, Container) for i in items):
                raise UnsafeMutation('a list is changed that stands many times in another one', self.origin,
                                     why='`[row] * n` is the same list `n` times: a change of one is a change of all',
                                     instead='make a list for each: `[[0.0] * m for _ in range(n)]`')
        return self.ev.growing.repeated(sequence, count)

    def filled(self, origin, sizes: tuple[Binding, ...], item: Binding, type_: Scalar) -> ArrayList:
        """A table of one number, or of others of the type `type_` later."""
        element = self.element_of(origin, type_)
        shape = Tuple(tuple(size if self.ev.numbers.is_natural(size) else self.ev.call(Known(max), [size, Known(0)], {})
                                         for size in sizes))
        zero, dtype = isinstance(item, Known) and item.value == 0, {'dtype': Known(element.dtype)}
        if zero and element.dtype == np.float64:
            dtype = {}
        if zero:
            array = self.ev.calls.call_object(np.zeros, [shape], dtype)
        else:
            array = self.ev.calls.call_object(np.full, [shape, item], dtype)
        return self.made_table(origin, array, element, array.type.ndim)

    def element_of(self, origin, type_: Scalar) -> Scalar:
        """What the numbers of a table are, of which some have this type."""
        wide = self.ev.assumed.rewritten[origin]
        joined = type_ if wide is None else join_types(Tape(wide), Tape(type_)).element
        return Scalar(joined.dtype, joined.weak)

    def operand(self, binding: Binding):
        if isinstance(binding, Var) and isinstance(binding.type, Tape):
            origin = self.ev.growing.grown.get(binding.name)
            if origin is not None and origin not in self.ev.assumed.rewritten:
                raise Rewritten(origin)
        return self.ev.operands.operand(binding)
