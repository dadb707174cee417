"""Lists in core programs: what is put on them, read from them, made of them, and of which kinds the numbers on them may be."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import gast
import numpy as np

from transpiler.analyses.memory.nonempty_lists import is_filled
from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import primitive
from transpiler.specialize.evaluation.ranks import check_ranks_on_list
from transpiler.specialize.kinds.mixtures import (
    Separate,
    are_mixed,
    check_listed,
    items_differ,
    kinds_in,
    of_all_items,
    of_items,
    of_sorts,
    with_value,
    without_kinds,
)
from transpiler.values.kinds import LISTED, Kinds
from transpiler.values.types import FLOAT, Array, Scalar, Tape, Type, Unknown

LONG = f'an integer of more than {LISTED.bit_length() - 1} bits is put on a list that has floats: make it a float'


@dataclass(eq=False)
class Lists(Component):
    """What is asked of a number that is read from a list is asked of every kind that it may be of."""

    long: dict[str, frozenset[str]] = field(default_factory=dict)  # the places where lists get integers of any length

    @primitive('tape.new')
    def new_tape(self) -> Var:
        return self.builder.define('tape', build.call('tape.new'), Tape())

    @primitive('tape.list')
    def new_list(self) -> Var:
        return self.builder.define('items', build.call('tape.list'), Tape(None, True))

    @primitive('tape.push')
    def push_tape(self, tape: Var, value: Binding) -> Known:
        atom, type_ = self.ev.operand(value)
        self._widen(tape, type_, value)
        self.builder.effect(build.call('tape.push', tape.name, atom))
        return Known(None)

    def _widen(self, tape: Var, type_: Type, value: Binding) -> None:
        """The list holds `value` too, which is of `type_`."""
        known: Type = self.builder.types[tape.name]
        check_listed(known.element, self.ev.resolve(type_), self.ev.separation)
        if known.lasting and self.ev.separation is not None and self.ev.separation.compiled:
            check_ranks_on_list(known.element, self.ev.resolve(type_), self.origin)
        type_ = self.type_on_list(value, type_) if known.lasting else type_
        apart = known.lasting and self.ev.wholes.are_apart and not self.derives
        self.widen(tape, Tape(self._short(tape, value, type_) if apart else type_, known.lasting))

    def _short(self, tape: Var, value: Binding, type_: Type) -> Type:
        """The type of a value on a list; an integer is asked whether it is short if it matters that the list has floats, too."""
        kinds = kinds_in(type_).each if isinstance(value, Var) and isinstance(type_, Scalar) else ()
        if len(kinds) != 1 or not all(kind.is_whole and kind.bound is None for kind in kinds):
            return type_
        place = f'item at {self.origin}'
        if place not in self.ev.separation.places:
            self.long[tape.name] = self.long.get(tape.name, frozenset()) | {place}
            return type_
        natural = self.ev.numbers.is_natural(value)
        size = value if natural else self.ev.call(Known(abs), [value], {})
        self.ev.operations.raise_if(self.ev.compare(gast.Gt, size, Known(LISTED)), LONG, 'OverflowError')
        return replace(type_, kinds=Kinds(frozenset(replace(kind, among=(0 if natural else -LISTED, LISTED)) for kind in kinds)))

    def type_on_list(self, value: Binding, type_: Type) -> Type:
        """The type of a value on a list of the program, which knows of which kinds it may be."""
        if self.ev.separation is None and isinstance(value, Var) and isinstance(type_, Scalar):
            return of_sorts(type_, self.ev.inference.on_paths(value))
        return with_value(type_, getattr(value, 'value', None))

    def widen(self, tape: Var, more: Tape) -> None:
        """The list holds what another one does, too."""
        known = self.builder.types[tape.name]
        made = of_items(known, more, self.ev.separation)
        kinds = made.element.kinds if isinstance(made.element, Scalar) else None
        if kinds is not None and len(kinds.sorts) > 1 and tape.name in self.long:
            kinds = replace(kinds, places=kinds.places | self.long[tape.name])
            made = replace(made, element=replace(made.element, kinds=kinds))
        self.builder.types[tape.name] = made
        if self.ev.mixed is False and known.lasting:
            self.ev.mixed = are_mixed(known.element, more.element)

    def _element(self, tape: Var) -> Type:
        """The type of an item; of which kinds it may be, code tells that has one type for each name."""
        element = self.list_type(tape.name).element
        return element if self.ev.separation is not None else without_kinds(element)

    def _of_each_kind(self, item: Var, tape: Var) -> Var:
        """An item, or an array of all of them; of what kinds it may be is remembered."""
        element = self.list_type(tape.name).element
        kinds = element.kinds if isinstance(element, Scalar) and isinstance(item.type, Scalar) else None
        if items_differ(element) or kinds is not None and len({kind.is_whole for kind in kinds.each}) > 1:
            each = (Array(k.dtype, None) if isinstance(item.type, Array) else Scalar(k.dtype, k.weak) for k in element.kinds.each)
            self.ev.inference.unlike[item.name] = frozenset(each)
        return item

    def list_type(self, name: str) -> Tape:
        """The type of a list; one that nothing is put on, after all, is of what would have been, or of floats."""
        type_: Tape = self.builder.types[name]
        return type_ if type_.element is not None else replace(type_, element=self.ev.statements.expected.get(name, FLOAT))

    @primitive('tape.pop')
    def pop_tape(self, tape: Var) -> Var:
        return self._of_each_kind(self.builder.define('item', build.call('tape.pop', tape.name), self._element(tape)), tape)

    @primitive('tape.item')
    def tape_item(self, tape: Var, index: Binding) -> Var:
        index = self.ev.wholes.item('list', index)
        node = build.call('tape.item', tape.name, self.ev.operand(index)[0])
        return self._of_each_kind(self.builder.define('item', node, self._element(tape)), tape)

    @primitive('tape.put')
    def put_tape(self, tape: Var, index: Binding, value: Binding) -> Known:
        index = self.ev.wholes.item('list', index)
        atom, type_ = self.ev.operand(value)
        self._widen(tape, type_, value)
        self.builder.effect(build.call('tape.put', tape.name, self.ev.operand(index)[0], atom))
        return Known(None)

    @primitive('tape.array')
    def array_tape(self, tape: Var) -> Var:
        """The items of a list as one array, whose dtype holds those that are there."""
        element = self.list_type(tape.name).element
        if isinstance(element, Unknown):
            return self.builder.define('items', build.call('tape.array', tape.name), element)
        dtype, sure = of_all_items(element)
        of_one = {name: type_ for name, type_ in self.builder.types.items() if not sure and name not in self.ev.inference.unlike}
        sure = sure or is_filled(self.builder.block, tape.name, of_one, dtype)
        if not sure and self.ev.separation is not None and not (self.ev.separation.asked or self.derives):
            raise Separate([element.kinds], self.origin)
        dims = None if element.ndim is None else (None, *(element.dims if isinstance(element, Array) else ()))
        array = self.builder.define('items', build.call('tape.array', tape.name), Array(dtype, dims))
        return array if sure else self._of_each_kind(array, tape)

    @primitive('tape.of')
    def list_of(self, array: Var) -> Var:
        """The list of the items of an array; arrays among them may be parts of it."""
        type_ = self.ev.resolve(array.type)
        element: Type = Scalar(type_.dtype) if type_.ndim == 1 else Array(type_.dtype, type_.dims and type_.dims[1:])
        return self.builder.define('items', build.call('tape.of', array.name), Tape(element, True))

    @primitive('tape.copy')
    def copy_tape(self, tape: Var) -> Var:
        """A list with the same items."""
        return self.builder.define('items', build.call('tape.copy', tape.name), self.builder.types[tape.name])

    @primitive('tape.zeros_like')
    def zero_list(self, like: Var) -> Var:
        """As many zeros as a list has items, of the shapes of these."""
        return self.builder.define('items', build.call('tape.zeros_like', like.name), Tape(self._element(like), True))

    @primitive('tape.zeros')
    def zeros_list(self, length: Binding, dtype: Binding = Known(np.dtype(np.float64))) -> Var:
        """A list of `length` zeros."""
        known = np.dtype(dtype.value)
        node = build.call('tape.zeros', self.ev.operand(length)[0], build.name(f'numpy.{known.name}'))
        return self.builder.define('items', node, Tape(Scalar(known, weak=known in (np.float64, np.complex128, np.bool_)), True))

    @primitive('tape.add')
    def add_to_list(self, tape: Var, array: Var) -> Known:
        """Add the items of an array, or of another list, to those of a list."""
        self.builder.effect(build.call('tape.add', tape.name, array.name))
        return Known(None)
