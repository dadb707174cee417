"""Reading and writing elements and slices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType, UnsupportedFunction
from transpiler.rules.arrays.inplace import ITEM_AT_FLAT, PART_AT_FLAT
from transpiler.rules.python import INDEXED, ITEM_OF_RANGE, PART_OF_RANGE, PICKED_BY_FLAG
from transpiler.specialize.domain.bindings import Binding, Closure, Known, is_one_flag, known_range, of_range
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NeedStatic, NoValue
from transpiler.specialize.expressions.inference import kind_of
from transpiler.specialize.kinds.agreement import check_stored
from transpiler.specialize.kinds.mixtures import is_mixed
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Enumerate, Flat, Generator, Islice, NdEnumerate, Product, Reversed, Zip
from transpiler.specialize.structures.mappings import Dict, DictView
from transpiler.specialize.structures.ranges import Range, Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.specialize.structures.texts import Text
from transpiler.values.broadcasting import broadcast
from transpiler.values.types import PYTHONS, Array, Scalar, Type, Unknown


class Indexing(Component):
    """Items of containers and arrays."""

    def index(self, frame: Frame, node: gast.expr) -> Binding:
        match node:
            case gast.Slice(lower=lower, upper=upper, step=step):
                parts = [Known(None) if p is None else self.ev.evaluate(frame, p) for p in (lower, upper, step)]
                return Slice(tuple(parts))
            case gast.Tuple(elts=elements):
                parts = [self.ev.expressions.each(frame, [e]) if isinstance(e, gast.Starred) else (self.index(frame, e),)
                         for e in elements]
                return Tuple(tuple(item for part in parts for item in part))
        return self.ev.evaluate(frame, node)

    def get_item(self, base: Binding, index: Binding) -> Binding:
        if isinstance(base, (Range, ArrayList)):
            index = self.ev.wholes.item(base.python_name, index)
        match base:
            case DynamicList():
                return self.ev.rows.item_at(base, index)
            case ArrayList():
                return self.ev.rows.item_of_row(base, index)
            case Range() if (known := known_range(base)) is not None:
                return self.ev.get_item(Known(known), index)
            case Range():
                wanted = PART_OF_RANGE if isinstance(index, Slice) else ITEM_OF_RANGE
                return self.ev.inline(Closure(self.ev.template(wanted)), [base, index], {})
            case Zip() | Enumerate() | Reversed() | Islice() | Product() | NdEnumerate() | Generator() | Text():
                raise UnsupportedFunction(
                    f'an item of {self.ev.describe(base)} is not supported', self.origin, instead='make a list of it: `list(...)`'
                )
            case Flat((_, array)):
                wanted = ITEM_AT_FLAT if self.ev.operands.is_scalar(index) else PART_AT_FLAT
                return self.ev.inline(Closure(self.ev.template(wanted)), [array, index], {})
            case Dict():
                return self.dict_item(base, self.ev.known(index, 'a dict key'))
            case Container():
                return self._sequence_item(base, index)
            case Var(type=Scalar(weak=False) | Array(dims=())) if _adds_axes(index):
                return self._with_axes(base, index)
            case (Var(type=Array()) | Known(np.ndarray())) if is_one_flag(index):
                return self.ev.inline(Closure(self.ev.template(PICKED_BY_FLAG)), [base, index], {})
            case Var(name, Array() | Unknown() as type_):
                if isinstance(type_, Unknown) and isinstance(index, Known) and isinstance(index.value, str):
                    raise UnknownType(
                        f'`{name}` is used as a dict, but its type is not known',
                        self.origin,
                        instead='annotate the parameter, or give example arguments',
                    )
                return self.load(base, index)
            case Var(name, tuple() as parts):     # one of several results of a call
                position = self.ev.known(index, 'the number of a result')
                return self.builder.define('part', build.subscript(name, position), parts[position])
            case Var() | Known(None):
                raise self._no_items_in(base)
            case Known(np.ndarray()):
                return self.load(self.ev.operands.constant_array(base.value), index)
            case Known(value) if value is np.s_ or value is np.index_exp:
                return index
            case Known(value) if any(value is one for one in INDEXED):
                return self.ev.calls.call_object(INDEXED[value], [index], {})
            case Known(value) if isinstance(value, (tuple, list, dict, str, bytes, range, set, frozenset)):
                return self._known_item(value, self._known_index(index))
        raise TranspileError(f'{self.ev.describe(base)} cannot be indexed', self.origin)

    def surely(self, binding: Binding) -> Binding:
        """The value of what may be None; where it is, the program raises as Python does, in words of its own."""
        if not is_optional(binding):
            return binding
        flag, value = self.ev.tested(binding.flag), binding.value
        if flag == Known(False) or value == Known(None):
            raise self.ev.inference.lacking()
        if flag != Known(True):
            failure = self.ev.inference.lacking().failure
            self.builder.append(build.branch(self.ev.expressions.negate(flag).name, [failure], [], self.origin,
                                             self.builder.role))
        return value

    def _known_item(self, value: Any, place: Any) -> Binding:
        try:
            found = value[place]
        except (LookupError, TypeError) as error:
            raise self.ev.inference.failing(error) from error
        return of_range(found) if isinstance(found, range) else Known(found)

    def _with_axes(self, base: Var, index: Binding) -> Binding:
        """A number of NumPy's, or an array without axes, with more of them."""
        axes = _parts_of(index).count(Known(None))
        if axes:
            return self.ev.operate_by_name('numpy.reshape', [base], shape=Tuple((Known(1),) * axes))
        if isinstance(base.type, Array):
            return self.load(base, index)
        return self.ev.operate_by_name('numpy.array', [base]) if _parts_of(index) else base

    def _no_items_in(self, base: Var | Known) -> NoValue:
        """A number, or None, has no items; where it is an array on another path, Python raises on this one."""
        number = base.type if isinstance(base, Var) else None
        error: Exception = IndexError('invalid index to scalar variable.')
        if not isinstance(number, Scalar) or number.weak:
            kind = PYTHONS[number.dtype.kind] if isinstance(number, Scalar) else type(None)
            error = TypeError(f"'{kind.__name__}' object is not subscriptable")
        refusal = TranspileError(f'{number} cannot be indexed', self.origin)
        refusal.certain, refusal.raised = True, error
        return self.ev.inference.failing(error, refusal)

    def _known_index(self, index: Binding) -> Any:
        if isinstance(index, Slice):
            return slice(*(self.ev.known(part, 'a slice of a sequence') for part in index.items))
        return self.ev.known(index, 'an index into a constant')

    def dict_item(self, base: Dict, key) -> Binding:
        if key not in base.keys:
            raise self.ev.inference.failing(KeyError(key))
        return base.item(key)

    def _sequence_item(self, base: Container, index: Binding) -> Binding:
        if isinstance(base, DictView):
            raise self.ev.inference.failing(TypeError(f"'{base.python_name}' object is not subscriptable"))
        if isinstance(index, Slice):
            return (List if isinstance(base, List) else Tuple)(base.items[self._known_index(index)])
        return base.items[self.position_in(base, index)]

    def position_in(self, base: Container, index: Binding) -> int:
        """An index into a tuple or list, counted from its start."""
        index = self.ev.wholes.item(base.python_name, index)
        try:
            position = self.ev.known(index, 'an index into a tuple or list')
        except NeedStatic as need:
            if isinstance(base, List) and base.cell is not None and not base.items:
                raise self._no_item(base) from None
            if isinstance(base, List) and base.cell is not None:
                need.growth = base.cell, self.ev.heap.example_of(base.items[-1])
            raise
        if not -len(base.items) <= position < len(base.items):
            raise self._no_item(base)
        return int(position) % len(base.items)

    def _no_item(self, base: Container) -> NoValue:
        """A list that is too short now may have more items in a later iteration of a loop; if not, Python raises."""
        return self.ev.inference.failing(IndexError(f'{base.python_name} index out of range'))

    def load(self, base: Var, index: Binding) -> Var:
        """`base[index]` for an array."""
        index = self.ev.indices.settled_index(index)
        type_, kinds = self.ev.indices.item_type(self.ev.resolve(base.type), index), self.ev.inference.on_paths(base)
        if isinstance(type_, Unknown):      # of an array on one path, which is the one that leads here
            found = {self.ev.indices.item_type(kind, index) for kind in kinds if isinstance(kind, Array)}
            type_, kinds = found.pop() if len(found) == 1 else type_, frozenset()
        hint = self.builder.hints[base.name].base if base.name in self.builder.hints else base.name
        part = build.subscript(base.name, self.ev.indices.index_expression(index))
        made = self.builder.define(f'{hint}_item' if type_.ndim == 0 else f'{hint}_part', part, type_)
        if kinds:
            self.ev.inference.unlike[made.name] = frozenset(kind_of(replace(type_, dtype=kind.dtype)) for kind in kinds)
        return made

    def store(self, base: Binding, index: Binding, value: Binding) -> None:
        """`base[index] = value`; into an array, the value must be a number or an array."""
        if isinstance(base, Container):
            self.ev.overloads.set_item(self.ev.current(base), index, value)
            return
        if base == Known(None):
            raise self.ev.inference.failing(TypeError("'NoneType' object does not support item assignment"))
        base, index = self.ev.rows.writable(base), self.ev.indices.settled_index(index)
        if isinstance(value, Container):
            whole = getattr(self.ev.resolve(base.type), 'dtype', np.dtype(float)).kind in 'iu'
            if whole:
                value = self.ev.list_arrays.array_for(value, base.type.dtype)
            else:
                value = self.ev.operate_by_name('numpy.array', [value])
        atom, type_ = self.ev.operand(self._without_extra_axes(value,
                                                               self.ev.indices.item_type(self.ev.resolve(base.type), index)))
        self._fit(base, index, type_)
        self.builder.assign(build.subscript(base.name, self.ev.indices.index_expression(index)), atom)

    def add_at(self, base: Binding, index: Binding, value: Binding) -> None:
        """`base[index] += value`, as often as the index names a place."""
        base, index = self.ev.rows.writable(base), self.ev.indices.settled_index(index)
        atom, type_ = self.ev.operand(value)
        self._fit(base, index, type_)
        if is_mixed([type_]):
            self.ev.inference.infer('numpy.add', np.add, (self.ev.indices.item_type(self.ev.resolve(base.type), index), type_),
                                    {})
        self.builder.accumulate(build.subscript(base.name, self.ev.indices.index_expression(index)), atom)

    def _without_extra_axes(self, value: Binding, place: Type) -> Binding:
        """Leading axes that the place lacks must have size 1: NumPy leaves them out in assignments, and only there."""
        _, type_ = self.ev.operand(value)
        extra = type_.ndim - place.ndim if place.ndim and type_.ndim else 0
        try:
            return self.ev.operate_by_name('numpy.squeeze', [value], axis=tuple(range(extra))) if extra > 0 else value
        except UnsupportedFunction as error:
            raise TranspileError(f'{type_} does not fit into {place}', self.origin, why=error.why) from error

    def _fit(self, base: Var, index: Binding, type_: Type) -> None:
        """What is written fits the place: NumPy demands it, so sizes that cannot be 1 are the same."""
        place = self.ev.indices.item_type(self.ev.resolve(base.type), index)
        if isinstance(place, (Scalar, Array)) and self.ev.separation is not None and not self.ev.separation.asked:
            check_stored(type_, place.dtype, self.origin)
        what = f'{type_} does not fit into {place}'
        if isinstance(place, Scalar) and type_.ndim:
            raise TranspileError(what, self.origin, why='NumPy raises ValueError here', instead='pick an item: `y[0]`')
        if isinstance(place, Array) and isinstance(type_, Array) and place.dims is not None and type_.dims is not None:
            try:
                self.ev.sizes.equate(broadcast(place.dims, type_.dims).equalities)
            except ValueError as error:
                raise TranspileError(what, self.origin, why=str(error)) from error
            pairs = zip(reversed(place.dims), reversed(type_.dims))
            if any(own and given and own.is_one and given.is_large for own, given in pairs):
                raise TranspileError(what, self.origin, why='NumPy raises ValueError here: there is one place for several values')

    def writable(self, base: Binding) -> Var:
        match base:
            case Var(_, Array() | Unknown()):
                return base
        number = isinstance(base, Var) and isinstance(base.type, Scalar)
        raise TranspileError(
            f'{self.ev.describe(base)} cannot be written to', self.origin,
            why='it is a number here, and an array whose memory is written on another path' if number else '',
            instead='give it a new value, `a = a + b`, or make it an array on every path, `np.array(...)`' if number else '')


def _parts_of(index: Binding) -> tuple[Binding, ...]:
    if index == Known(()):
        return ()
    return index.items if isinstance(index, Tuple) else (index,)


def _adds_axes(index: Binding) -> bool:
    """Whether an index picks nothing, but adds axes."""
    parts = _parts_of(index)
    return parts.count(Known(...)) < 2 and all(part in (Known(None), Known(...)) for part in parts)
