"""Items of lists and dicts that are known by position or key, and the methods of Python's containers."""

from __future__ import annotations

from typing import Any

import gast

from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.rules.arrays.inplace import PUT_FLAT
from transpiler.rules.python import COUNT_OF, SORT
from transpiler.specialize.domain.bindings import Binding, Closure, Container, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import METHODS, answers
from transpiler.specialize.iterables.spaces import items_of, parts_of

NONE = Known(None)


class Changes(Component):
    """A container goes in with what it holds; a changed one is put back into its cell."""

    def set_item(self, base: Container, index: Binding, value: Binding) -> None:
        """`base[index] = value` for a list or dict."""
        self.check_no_row(base)
        if base.kind == 'growing':
            self.ev.elements.put_item(base, index, value)
        elif base.kind == 'dict':
            entries = dict(zip(base.keys, base.items, strict=True))
            entries[self.ev.known(index, 'a dict key')] = value
            self.ev.elements.change(base, tuple(entries.values()), tuple(entries))
        elif base.kind == 'flat':
            self.ev.inline(Closure(self.ev.template(PUT_FLAT)), [base.items[1], index, value], {})
        elif isinstance(index, Container) and index.kind == 'slice':
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
        if base.kind == 'growing' and isinstance(index, Container) and index.kind == 'slice':
            self.ev.elements.put_item(base, index, Container('tuple', ()))
        elif base.kind == 'growing':
            self.container_method('pop', base, [index], {})
        elif base.kind == 'dict':
            self.ev.dict_methods.without(base, self.ev.known(index, 'a dict key'))
        elif isinstance(index, Container) and index.kind == 'slice':
            items = list(base.items)
            del items[self._static_slice(index)]
            self.ev.elements.change(self._changeable(base), tuple(items))
        else:
            position = self.ev.indexing.position_in(base, index)
            self.ev.elements.change(self._changeable(base), base.items[:position] + base.items[position + 1 :])

    def check_no_row(self, base: Container) -> None:
        if base.kind == 'row':
            raise UnsupportedFunction(
                f'{self.ev.describe(base)} is changed here',
                self.origin,
                why='the lists in it are kept as arrays of numbers, which nobody else refers to',
                instead='make an array of them first, `np.zeros((n, m))` or `np.array(...)`',
            )

    def _static_slice(self, index: Container) -> slice:
        return slice(*(self.ev.known(part, 'a slice of a sequence') for part in index.items))

    def _changeable(self, base: Container) -> Container:
        if base.kind != 'list':
            raise TranspileError(
                f'a {base.kind} cannot be changed in place', self.origin, why='Python raises an error here', instead='use a list'
            )
        return base

    def container_method(self, name: str, base: Container, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """`base.name(*args, **keywords)` for a list, tuple or dict."""
        if keywords and name not in WITH_KEYWORDS:
            raise UnsupportedFunction(f'`.{name}` of a {base.kind} is called with keywords', self.origin)
        part, method = METHODS[base.kind, name]
        run = getattr(self.ev.components[part], method)
        try:
            return run(base, *args, **keywords)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise UnsupportedFunction(f'`.{name}` is called with {len(args)} arguments', self.origin) from None
            raise

    def has_method(self, base: Container, name: str) -> bool:
        return (base.kind, name) in METHODS

    @answers('list', 'append')
    def _list_append(self, base: Container, item: Binding) -> Binding:
        self.ev.elements.change(base, (*base.items, item))
        return NONE

    @answers('list', 'extend')
    def _list_extend(self, base: Container, items: Binding) -> Binding:
        found = items_of(self.ev, items)
        if found is None or found.parts is not None:
            self.ev.elements.change(base, base.items + parts_of(self.ev, items, 'extend'))
            return NONE
        return self.ev.growing.growing_extend(base, items)

    @answers('list', 'insert')
    def _list_insert(self, base: Container, index: Binding, item: Binding) -> Binding:
        items = list(base.items)
        items.insert(self.ev.known(self.ev.wholes.index(index), 'a position in a list'), item)
        self.ev.elements.change(base, tuple(items))
        return NONE

    @answers('list', 'pop')
    def _list_pop(self, base: Container, index: Binding = Known(-1)) -> Binding:
        position = self.ev.indexing.position_in(base, self.ev.wholes.index(index))
        self.ev.elements.change(base, base.items[:position] + base.items[position + 1 :])
        return base.items[position]

    @answers('list', 'popleft')
    @answers('growing', 'popleft')
    def _list_popleft(self, base: Container) -> Binding:
        return self.container_method('pop', base, [Known(0)], {})

    @answers('list', 'appendleft')
    @answers('growing', 'appendleft')
    def _list_appendleft(self, base: Container, item: Binding) -> Binding:
        return self.container_method('insert', base, [Known(0), item], {})


    @answers('list', 'clear')
    def _list_clear(self, base: Container) -> Binding:
        self.ev.elements.change(base, ())
        return NONE

    @answers('list', 'reverse')
    def _list_reverse(self, base: Container) -> Binding:
        self.ev.elements.change(base, base.items[::-1])
        return NONE

    @answers('list', 'sort')
    @answers('growing', 'sort')
    def _list_sort(self, base: Container, **options: Binding) -> Binding:
        return self.ev.inline(Closure(self.ev.template(SORT)), [self.ev.held(base)], options)


    @answers('list', 'count')
    @answers('growing', 'count')
    @answers('tuple', 'count')
    def _list_count(self, base: Container, item: Binding) -> Binding:
        return self.ev.inline(Closure(self.ev.template(COUNT_OF)), [self.ev.held(base), item], {})


    @answers('list', 'copy')
    def _list_copy(self, base: Container) -> Binding:
        return Container('list', base.items)

    def entries(self, mapping: Binding, what: str) -> dict[Any, Binding]:
        """The items of a dict, or of a sequence of pairs, by key."""
        match mapping:
            case Container('dict', items, keys):
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
        if base.kind == 'growing' and kind is gast.Add:
            self.container_method('extend', base, [value], {})
            return True
        if base.kind == 'dict' and kind is gast.BitOr:
            self.container_method('update', base, [value], {})
            return True
        if base.kind != 'list' or kind not in (gast.Add, gast.Mult):
            return False
        items = base.items + parts_of(self.ev, value, '+=') if kind is gast.Add else self.ev.binary(kind, base, value).items
        self.ev.elements.change(base, items)
        return True


WITH_KEYWORDS = 'update', 'sort', '_replace'
