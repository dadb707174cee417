"""Methods of dicts and of named tuples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from transpiler.errors import TranspileError
from transpiler.specialize.containers.methods import NONE
from transpiler.specialize.domain.bindings import Binding, Container
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import answers


class DictMethods(Component):
    """Methods of dicts and of named tuples."""

    @answers('dict', 'get')
    def _dict_get(self, base: Container, key: Binding, default: Binding = NONE) -> Binding:
        known = self.ev.known(key, 'a dict key')
        return base.item(known) if known in base.keys else default

    @answers('dict', 'keys')
    def _dict_keys(self, base: Container) -> Binding:
        return self.ev.heap.view(self.ev.held(base), 'keys')

    @answers('dict', 'values')
    def _dict_values(self, base: Container) -> Binding:
        return self.ev.heap.view(self.ev.held(base), 'values')

    @answers('dict', 'items')
    def _dict_items(self, base: Container) -> Binding:
        return self.ev.heap.view(self.ev.held(base), 'items')

    @answers('dict', 'copy')
    def _dict_copy(self, base: Container) -> Binding:
        return Container('dict', base.items, base.keys)

    @answers('dict', 'clear')
    def _dict_clear(self, base: Container) -> Binding:
        self.ev.elements.change(base, ())
        return NONE

    @answers('dict', 'update')
    def _dict_update(self, base: Container, other: Binding = Container('dict', ()), **more: Binding) -> Binding:
        entries = dict(zip(base.keys, base.items, strict=True)) | self.ev.changes.entries(other, '`update`') | more
        self.ev.elements.change(base, tuple(entries.values()), tuple(entries))
        return NONE

    @answers('dict', 'setdefault')
    def _dict_setdefault(self, base: Container, key: Binding, default: Binding = NONE) -> Binding:
        known = self.ev.known(key, 'a dict key')
        if known not in base.keys:
            self.ev.elements.change(base, (*base.items, default), (*base.keys, known))
            return default
        return base.item(known)

    @answers('dict', 'pop')
    def _dict_pop(self, base: Container, key: Binding, *default: Binding) -> Binding:
        known = self.ev.known(key, 'a dict key')
        return default[0] if default and known not in base.keys else self.without(base, known)

    @answers('object', '_replace')
    def _object__replace(self, base: Container, **changes: Binding) -> Binding:
        if unknown := changes.keys() - set(base.keys):
            raise TranspileError(f'`{base.type.__name__}` has no field `{min(unknown)}`', self.origin)
        return replace(base, items=tuple((dict(zip(base.keys, base.items, strict=True)) | changes).values()))

    @answers('object', '_asdict')
    def _object__asdict(self, base: Container) -> Binding:
        return Container('dict', base.items, base.keys)

    def without(self, base: Container, key: Any) -> Binding:
        """Take an entry out of a dict; its value."""
        found = self.ev.indexing.dict_item(base, key)
        kept = {k: v for k, v in zip(base.keys, base.items, strict=True) if k != key}
        self.ev.elements.change(base, tuple(kept.values()), tuple(kept))
        return found
