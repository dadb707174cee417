"""Items of lists and dicts that are known by position or key, and the methods of Python's containers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.rules.inplace import PUT_FLAT
from transpiler.rules.python import COUNT_OF, SORT
from transpiler.specialize.bindings import Binding, Closure, Container, Known
from transpiler.specialize.indexing import Indexing
from transpiler.specialize.iteration import items_of, parts_of

NONE = Known(None)


class Changes(Indexing):
    """A container goes in with what it holds; a changed one is put back into its cell."""

    def set_item(self, base: Container, index: Binding, value: Binding) -> None:
        """`base[index] = value` for a list or dict."""
        self._check_no_row(base)
        if base.kind == 'growing':
            self.put_item(base, index, value)
        elif base.kind == 'dict':
            entries = dict(zip(base.keys, base.items, strict=True))
            entries[self.known(index, 'a dict key')] = value
            self.change(base, tuple(entries.values()), tuple(entries))
        elif base.kind == 'flat':
            self.inline(Closure(self.template(PUT_FLAT)), [base.items[1], index, value], {})
        elif isinstance(index, Container) and index.kind == 'slice':
            items = list(base.items)
            items[self._static_slice(index)] = parts_of(self, value, 'a slice of a list')
            self.change(self._changeable(base), tuple(items))
        else:
            position = self.position_in(base, index)
            self.change(self._changeable(base), (*base.items[:position], value, *base.items[position + 1 :]))

    def delete_item(self, base: Binding, index: Binding) -> None:
        """`del base[index]`."""
        if not isinstance(base, Container):
            raise TranspileError(f'an item of {self.describe(base)} cannot be deleted', self.origin, instead='use `np.delete`')
        self._check_no_row(base)
        if base.kind == 'growing' and isinstance(index, Container) and index.kind == 'slice':
            self.put_item(base, index, Container('tuple', ()))
        elif base.kind == 'growing':
            self.container_method('pop', base, [index], {})
        elif base.kind == 'dict':
            self._without(base, self.known(index, 'a dict key'))
        elif isinstance(index, Container) and index.kind == 'slice':
            items = list(base.items)
            del items[self._static_slice(index)]
            self.change(self._changeable(base), tuple(items))
        else:
            position = self.position_in(base, index)
            self.change(self._changeable(base), base.items[:position] + base.items[position + 1 :])

    def _check_no_row(self, base: Container) -> None:
        if base.kind == 'row':
            raise UnsupportedFunction(
                f'{self.describe(base)} is changed here',
                self.origin,
                why='the lists in it are kept as arrays of numbers, which nobody else refers to',
                instead='make an array of them first, `np.zeros((n, m))` or `np.array(...)`',
            )

    def _static_slice(self, index: Container) -> slice:
        return slice(*(self.known(part, 'a slice of a sequence') for part in index.items))

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
        run = getattr(self, f'_{base.kind}_{name}')
        try:
            return run(base, *args, **keywords)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise UnsupportedFunction(f'`.{name}` is called with {len(args)} arguments', self.origin) from None
            raise

    def has_method(self, base: Container, name: str) -> bool:
        return hasattr(self, f'_{base.kind}_{name}') and name in PUBLIC

    def _list_append(self, base: Container, item: Binding) -> Binding:
        self.change(base, (*base.items, item))
        return NONE

    def _list_extend(self, base: Container, items: Binding) -> Binding:
        found = items_of(self, items)
        if found is None or found.parts is not None:
            self.change(base, base.items + parts_of(self, items, 'extend'))
            return NONE
        return self._growing_extend(base, items)

    def _list_insert(self, base: Container, index: Binding, item: Binding) -> Binding:
        items = list(base.items)
        items.insert(self.known(index, 'a position in a list'), item)
        self.change(base, tuple(items))
        return NONE

    def _list_pop(self, base: Container, index: Binding = Known(-1)) -> Binding:
        position = self.position_in(base, index)
        self.change(base, base.items[:position] + base.items[position + 1 :])
        return base.items[position]

    def _list_popleft(self, base: Container) -> Binding:
        return self.container_method('pop', base, [Known(0)], {})

    def _list_appendleft(self, base: Container, item: Binding) -> Binding:
        return self.container_method('insert', base, [Known(0), item], {})

    _growing_popleft, _growing_appendleft = _list_popleft, _list_appendleft

    def _list_clear(self, base: Container) -> Binding:
        self.change(base, ())
        return NONE

    def _list_reverse(self, base: Container) -> Binding:
        self.change(base, base.items[::-1])
        return NONE

    def _list_sort(self, base: Container, **options: Binding) -> Binding:
        return self.inline(Closure(self.template(SORT)), [self.held(base)], options)

    _growing_sort = _list_sort

    def _list_count(self, base: Container, item: Binding) -> Binding:
        return self.inline(Closure(self.template(COUNT_OF)), [self.held(base), item], {})

    _tuple_count = _growing_count = _list_count

    def _list_copy(self, base: Container) -> Binding:
        return Container('list', base.items)

    def _dict_get(self, base: Container, key: Binding, default: Binding = NONE) -> Binding:
        known = self.known(key, 'a dict key')
        return base.item(known) if known in base.keys else default

    def _dict_keys(self, base: Container) -> Binding:
        return self.view(self.held(base), 'keys')

    def _dict_values(self, base: Container) -> Binding:
        return self.view(self.held(base), 'values')

    def _dict_items(self, base: Container) -> Binding:
        return self.view(self.held(base), 'items')

    def _dict_copy(self, base: Container) -> Binding:
        return Container('dict', base.items, base.keys)

    def _dict_clear(self, base: Container) -> Binding:
        self.change(base, ())
        return NONE

    def _dict_update(self, base: Container, other: Binding = Container('dict', ()), **more: Binding) -> Binding:
        entries = dict(zip(base.keys, base.items, strict=True)) | self.entries(other, '`update`') | more
        self.change(base, tuple(entries.values()), tuple(entries))
        return NONE

    def _dict_setdefault(self, base: Container, key: Binding, default: Binding = NONE) -> Binding:
        known = self.known(key, 'a dict key')
        if known not in base.keys:
            self.change(base, (*base.items, default), (*base.keys, known))
            return default
        return base.item(known)

    def _dict_pop(self, base: Container, key: Binding, *default: Binding) -> Binding:
        known = self.known(key, 'a dict key')
        return default[0] if default and known not in base.keys else self._without(base, known)

    def _object__replace(self, base: Container, **changes: Binding) -> Binding:
        if unknown := changes.keys() - set(base.keys):
            raise TranspileError(f'`{base.type.__name__}` has no field `{min(unknown)}`', self.origin)
        return replace(base, items=tuple((dict(zip(base.keys, base.items, strict=True)) | changes).values()))

    def _object__asdict(self, base: Container) -> Binding:
        return Container('dict', base.items, base.keys)

    def _without(self, base: Container, key: Any) -> Binding:
        """Take an entry out of a dict; its value."""
        found = self._dict_item(base, key)
        kept = {k: v for k, v in zip(base.keys, base.items, strict=True) if k != key}
        self.change(base, tuple(kept.values()), tuple(kept))
        return found

    def entries(self, mapping: Binding, what: str) -> dict[Any, Binding]:
        """The items of a dict, or of a sequence of pairs, by key."""
        match mapping:
            case Container('dict', items, keys):
                return dict(zip(keys, items, strict=True))
            case Known(dict() as known):
                return {key: Known(value) for key, value in known.items()}
        if what.startswith('`**`'):
            raise TranspileError(f'{what} takes a dict, not {self.describe(mapping)}', self.origin)
        pairs = [parts_of(self, pair, what) for pair in parts_of(self, mapping, what)]
        if any(len(pair) != 2 for pair in pairs):
            raise TranspileError(f'{what} takes pairs', self.origin, why='Python raises ValueError here')
        return {self.known(key, 'a dict key'): value for key, value in pairs}

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
        items = base.items + parts_of(self, value, '+=') if kind is gast.Add else self.binary(kind, base, value).items
        self.change(base, items)
        return True


WITH_KEYWORDS = 'update', 'sort', '_replace'
PUBLIC = frozenset(
    'append extend insert pop popleft appendleft clear reverse sort copy count '
    'get keys values items update setdefault _replace _asdict'.split())
