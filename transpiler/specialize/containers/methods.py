"""Items of lists and dicts that are known by position or key, and the methods of Python's containers."""

from __future__ import annotations

from typing import Any

import gast

from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.rules.arrays.inplace import PUT_FLAT
from transpiler.rules.python import COUNT_OF, DELETE_PART, REPEAT_IN_PLACE, SORT
from transpiler.specialize.domain.bindings import Binding, Closure, Known, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import METHODS, answers
from transpiler.specialize.iterables.spaces import items_of, parts_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Flat
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.ranges import Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import Scalar

NONE = Known(None)


class Changes(Component):
    """A container goes in with what it holds; a changed one is put back into its cell."""

    def set_item(self, base: Container, index: Binding, value: Binding) -> None:
        """`base[index] = value` for a list or dict."""
        self.check_no_row(base)
        if isinstance(base, DynamicList):
            self.ev.elements.put_item(base, index, value)
        elif isinstance(base, Dict):
            entries = dict(zip(base.keys, base.items, strict=True))
            entries[self.ev.known(index, 'a dict key')] = value
            self.ev.elements.change(base, tuple(entries.values()), tuple(entries))
        elif isinstance(base, Flat):
            self.ev.inline(Closure(self.ev.template(PUT_FLAT)), [base.items[1], index, value], {})
        elif isinstance(index, Slice):
            items = list(base.items)
            items[self._static_slice(index)] = parts_of(self.ev, value, 'a slice of a list')
            self.ev.elements.change(self._changeable(base), tuple(items))
        else:
            position = self.ev.indexing.position_in(base, index)
            self.ev.elements.change(self._changeable(base), (*base.items[:position], value, *base.items[position + 1 :]))

    def delete_item(self, base: Binding, index: Binding) -> None:
        """`del base[index]`."""
        if not isinstance(base, Container):
            raise TranspileError(f'an item of {self.ev.describe(base)} cannot be deleted', self.origin, instead='use `np.delete`')
        self.check_no_row(base)
        if isinstance(base, DynamicList) and isinstance(index, Slice):
            if index.items[2] in (Known(None), Known(1)):
                self.ev.elements.put_item(base, index, Tuple(()))
            else:
                self.ev.inline(Closure(self.ev.template(DELETE_PART)), [self.ev.held(base), self.ev.wholes.part(index)], {})
        elif isinstance(base, DynamicList):
            self.container_method('pop', base, [index], {})
        elif isinstance(base, Dict):
            self.ev.dict_methods.without(base, self.ev.known(index, 'a dict key'))
        elif isinstance(index, Slice):
            items = list(base.items)
            del items[self._static_slice(index)]
            self.ev.elements.change(self._changeable(base), tuple(items))
        else:
            position = self.ev.indexing.position_in(base, index)
            self.ev.elements.change(self._changeable(base), base.items[:position] + base.items[position + 1 :])

    def check_no_row(self, base: Container) -> None:
        if isinstance(base, ArrayList):
            raise UnsupportedFunction(
                f'{self.ev.describe(base)} is changed here',
                self.origin,
                why='the lists in it are kept as arrays of numbers, which nobody else refers to',
                instead='make an array of them first, `np.zeros((n, m))` or `np.array(...)`',
            )

    def _static_slice(self, index: Slice) -> slice:
        return slice(*(self.ev.known(part, 'a slice of a sequence') for part in index.items))

    def _changeable(self, base: Container) -> Container:
        if not isinstance(base, List):
            raise TranspileError(
                f'{base.spoken} cannot be changed in place', self.origin, why='Python raises an error here', instead='use a list'
            )
        return base

    def container_method(self, name: str, base: Container, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """`base.name(*args, **keywords)` for a list, tuple or dict."""
        if keywords and name not in WITH_KEYWORDS:
            raise UnsupportedFunction(f'`.{name}` of {base.spoken} is called with keywords', self.origin)
        part, method = METHODS[type(base), name]
        run = getattr(self.ev.components[part], method)
        try:
            return run(base, *args, **keywords)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise UnsupportedFunction(f'`.{name}` is called with {len(args)} arguments', self.origin) from None
            raise

    def has_method(self, base: Container, name: str) -> bool:
        return (type(base), name) in METHODS

    @answers(List, 'append')
    def _list_append(self, base: List, item: Binding) -> Binding:
        self.ev.elements.change(base, (*base.items, item))
        return NONE

    @answers(List, 'extend')
    def _list_extend(self, base: List, items: Binding) -> Binding:
        found = items_of(self.ev, items)
        if found is None or found.parts is not None:
            self.ev.elements.change(base, base.items + parts_of(self.ev, items, 'extend'))
            return NONE
        return self.ev.growing.growing_extend(base, items)

    @answers(List, 'insert')
    def _list_insert(self, base: List, index: Binding, item: Binding) -> Binding:
        items = list(base.items)
        items.insert(self.ev.known(self.ev.wholes.index(index), 'a position in a list'), item)
        self.ev.elements.change(base, tuple(items))
        return NONE

    @answers(List, 'pop')
    def _list_pop(self, base: List, index: Binding = Known(-1)) -> Binding:
        position = self.ev.indexing.position_in(base, self.ev.wholes.index(index))
        self.ev.elements.change(base, base.items[:position] + base.items[position + 1 :])
        return base.items[position]

    @answers(List, 'popleft')
    @answers(DynamicList, 'popleft')
    def _list_popleft(self, base: List | DynamicList) -> Binding:
        return self.container_method('pop', base, [Known(0)], {})

    @answers(List, 'appendleft')
    @answers(DynamicList, 'appendleft')
    def _list_appendleft(self, base: List | DynamicList, item: Binding) -> Binding:
        return self.container_method('insert', base, [Known(0), item], {})


    @answers(List, 'clear')
    def _list_clear(self, base: List) -> Binding:
        self.ev.elements.change(base, ())
        return NONE

    @answers(List, 'reverse')
    def _list_reverse(self, base: List) -> Binding:
        self.ev.elements.change(base, base.items[::-1])
        return NONE

    @answers(List, 'sort')
    @answers(DynamicList, 'sort')
    def _list_sort(self, base: List | DynamicList, **options: Binding) -> Binding:
        return self.ev.inline(Closure(self.ev.template(SORT)), [self.ev.held(base)], options)


    @answers(List, 'count')
    @answers(DynamicList, 'count')
    @answers(Tuple, 'count')
    def _list_count(self, base: Tuple | List | DynamicList, item: Binding) -> Binding:
        return self.ev.inline(Closure(self.ev.template(COUNT_OF)), [self.ev.held(base), item], {})


    @answers(List, 'copy')
    def _list_copy(self, base: List) -> Binding:
        return List(base.items)

    def entries(self, mapping: Binding, what: str) -> dict[Any, Binding]:
        """The items of a dict, or of a sequence of pairs, by key."""
        match mapping:
            case Dict(items, keys):
                return dict(zip(keys, items, strict=True))
            case Known(dict() as known):
                return {key: Known(value) for key, value in known.items()}
        if what.startswith('`**`'):
            raise TranspileError(f'{what} takes a dict, not {self.ev.describe(mapping)}', self.origin)
        pairs = [parts_of(self.ev, pair, what) for pair in parts_of(self.ev, mapping, what)]
        if any(len(pair) != 2 for pair in pairs):
            raise TranspileError(f'{what} takes pairs', self.origin, why='Python raises ValueError here')
        return {self.ev.known(key, 'a dict key'): value for key, value in pairs}

    def extended(self, base: Container, kind: type[gast.operator], value: Binding) -> bool:
        """`base += value` and `base *= 2` change a list in place; whether this is one."""
        if isinstance(base, DynamicList) and kind is gast.Add:
            self.container_method('extend', base, [value], {})
            return True
        if isinstance(base, Dict) and kind is gast.BitOr:
            self.container_method('update', base, [value], {})
            return True
        if isinstance(base, List) and kind is gast.Add:
            self.ev.elements.change(base, base.items + parts_of(self.ev, value, '+='))
            return True
        return isinstance(base, (List, DynamicList)) and kind is gast.Mult and _is_count(value) and self._repeat(base, value)

    def _repeat(self, base: List | DynamicList, count: Binding) -> bool:
        if isinstance(base, List) and isinstance(count, Known):
            self.ev.elements.change(base, base.items * count.value)
        else:
            self.ev.inline(Closure(self.ev.template(REPEAT_IN_PLACE)), [self.ev.held(base), count], {})
        return True


def _is_count(value: Binding) -> bool:
    """Whether a list is repeated so often; an array of numbers it is multiplied with, which gives another array."""
    type_ = leaf_type(value)
    return isinstance(type_, Scalar) and type_.dtype.kind in 'biu'


WITH_KEYWORDS = 'update', 'sort', '_replace'
