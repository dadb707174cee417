"""Constant tables that are asked for an item at run time: tuples and lists of numbers, rows of numbers, dicts by number."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known, is_one_flag, leaf_type, same_shape
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.numbers import is_number
from transpiler.values.types import PYTHONS

PICKED = 'it is picked from a table by an index that shows at run time'


class Lookups(Component):
    """Where an index must be a constant, but is none and cannot be made one, the program is run again with a table there."""

    def get_item(self, base: Binding, index: Binding) -> Binding:
        items = self._items_of_table(base)
        known = type(base.value) if isinstance(base, Known) else None
        sequence = base.written if isinstance(base, (Tuple, List)) else known
        if sequence in (list, tuple):
            index = self.ev.wholes.item(sequence.__name__, index)
        if items is not None and isinstance(index, Var) and is_one_flag(index):
            index = self.ev.call(Known(int), [index], {})     # a place, or a key
        if items is None or not isinstance(index, Var) or not self.ev.operands.is_scalar(index):
            return self.ev.indexing.get_item(base, index)
        if self.origin not in self.ev.assumed.rewritten:
            try:
                return self.ev.indexing.get_item(base, index)
            except NeedStatic as need:
                need.lookup = need.lookup or self.origin
                raise
        if isinstance(base, Dict) or isinstance(base, Known) and isinstance(base.value, dict):
            keys = base.keys if isinstance(base, Container) else tuple(base.value)
            return self._picked(items, self._place_of_key(keys, index))
        return self._picked(items, index)

    def _items_of_table(self, base: Binding) -> Sequence[Binding] | None:
        match base:
            case Tuple(items) | List(items) | Dict(items):
                return items
            case Known(tuple() | list() as values):
                return [_taken_apart(value) for value in values]
            case Known(dict() as known):
                return [_taken_apart(value) for value in known.values()]
        return None

    def _place_of_key(self, keys: Sequence, key: Var) -> Binding:
        """Where a number stands among the keys of a dict; Python's error where it does not."""
        if not keys or not all(is_number(k) for k in keys):
            raise UnsupportedFunction('a dict is asked by a number, and its keys are no numbers', self.origin)
        place: Binding = Known(len(keys) - 1)
        known = self.ev.compare(gast.Eq, key, Known(keys[-1]))
        for k, one in reversed(list(enumerate(keys[:-1]))):
            here = self.ev.compare(gast.Eq, key, Known(one))
            place, known = self.ev.selections.select(here, Known(k), place), self.ev.binary(gast.BitOr, here, known)
        failure = build.fail(build.call('python.KeyError', self.ev.operand(key)[0]), self.origin, self.builder.role)
        self.builder.append(build.branch(self.ev.expressions.negate(known).name, [failure], [], self.origin, self.builder.role))
        return place

    def _picked(self, items: Sequence[Binding], place: Binding) -> Binding:
        """The item at a place: of rows, what stands there in each column."""
        if items and all(self.ev.operands.is_scalar(item) for item in items):
            types = [leaf_type(item) for item in items]
            if len({t.dtype for t in types}) > 1 and not all(t.weak for t in types):
                return self._chosen(items, place)
            array = self.ev.operate_by_name('numpy.array', [List(tuple(items))])
            number = self.ev.load(array, place)
            weak = all(t.weak for t in types)
            return self.ev.calls.call_object(PYTHONS[array.type.dtype.kind], [number], {}) if weak else number
        values = [self.ev.apart_from_cells(item) for item in items]
        if not values or not isinstance(values[0], Container) or not all(same_shape(values[0], value) for value in values[1:]):
            raise UnsupportedFunction('an item of a table is picked at run time', self.origin,
                                      why='its items are not all numbers, or rows of as many numbers',
                                      instead='branch on the index with `if`, or make it an array')
        if any(self.ev.heap.reached(self.ev.held(item)) - self.ev.heap.frozen.keys() for item in items):
            raise UnsupportedFunction('a list in a list is picked at run time', self.origin,
                                      why='the lists may change, and which one is meant shows only at run time',
                                      instead='use tuples, or an array')
        columns = [self._picked([value.items[k] for value in values], place) for k in range(len(values[0].items))]
        return self.ev.current(self.ev.held(values[0].anew(tuple(columns)), PICKED))

    def _chosen(self, items: Sequence[Binding], place: Binding) -> Binding:
        """The number at a place, where an array would make them all one kind."""
        places = self.ev.operate_by_name('numpy.array', [List(tuple(map(Known, range(len(items)))))])
        place, found = self.ev.load(places, place), items[-1]
        for k, item in reversed(list(enumerate(items[:-1]))):
            here, other = self.ev.compare(gast.Eq, place, Known(k)), found
            found = self.ev.choose(None, here, lambda item=item: item, lambda other=other: other)
        return found


def _taken_apart(value) -> Binding:
    """A nest of known tuples and lists as containers."""
    if isinstance(value, (tuple, list)):
        return (Tuple if isinstance(value, tuple) else List)(tuple(map(_taken_apart, value)))
    return Known(value)
