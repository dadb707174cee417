"""Methods of dicts and of named tuples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from transpiler.errors import TranspileError
from transpiler.specialize.containers.methods import NONE
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import answers
from transpiler.specialize.structures.mappings import Dict, HeldView
from transpiler.specialize.structures.objects import Object


class DictMethods(Component):
    """Methods of dicts and of named tuples."""

    @answers(Dict, 'get')
    def _dict_get(self, base: Dict, key: Binding, default: Binding = NONE) -> Binding:
        known = self.ev.known(key, 'a dict key')
        return base.item(known) if known in base.keys else default

    @answers(Dict, 'keys')
    def _dict_keys(self, base: Dict) -> Binding:
        return self.ev.heap.shown(HeldView((self.ev.held(base),), 'keys'))

    @answers(Dict, 'values')
    def _dict_values(self, base: Dict) -> Binding:
        return self.ev.heap.shown(HeldView((self.ev.held(base),), 'values'))

    @answers(Dict, 'items')
    def _dict_items(self, base: Dict) -> Binding:
        return self.ev.heap.shown(HeldView((self.ev.held(base),), 'items'))

    @answers(Dict, 'copy')
    def _dict_copy(self, base: Dict) -> Binding:
        return Dict(base.items, base.keys)

    @answers(Dict, 'clear')
    def _dict_clear(self, base: Dict) -> Binding:
        self.ev.elements.change(base, ())
        return NONE

    @answers(Dict, 'update')
    def _dict_update(self, base: Dict, other: Binding = Dict(()), **more: Binding) -> Binding:
        entries = dict(zip(base.keys, base.items, strict=True)) | self.ev.changes.entries(other, '`update`') | more
        self.ev.elements.change(base, tuple(entries.values()), tuple(entries))
        return NONE

    @answers(Dict, 'setdefault')
    def _dict_setdefault(self, base: Dict, key: Binding, default: Binding = NONE) -> Binding:
        known = self.ev.known(key, 'a dict key')
        if known not in base.keys:
            self.ev.elements.change(base, (*base.items, default), (*base.keys, known))
            return default
        return base.item(known)

    @answers(Dict, 'pop')
    def _dict_pop(self, base: Dict, key: Binding, *default: Binding) -> Binding:
        known = self.ev.known(key, 'a dict key')
        return default[0] if default and known not in base.keys else self.without(base, known)

    @answers(Object, '_replace')
    def _object__replace(self, base: Object, **changes: Binding) -> Binding:
        if unknown := changes.keys() - set(base.keys):
            raise TranspileError(f'`{base.type.__name__}` has no field `{min(unknown)}`', self.origin)
        return replace(base, items=tuple((dict(zip(base.keys, base.items, strict=True)) | changes).values()))

    @answers(Object, '_asdict')
    def _object__asdict(self, base: Object) -> Binding:
        return Dict(base.items, base.keys)

    def without(self, base: Dict, key: Any) -> Binding:
        """Take an entry out of a dict; its value."""
        found = self.ev.indexing.dict_item(base, key)
        kept = {k: v for k, v in zip(base.keys, base.items, strict=True) if k != key}
        self.ev.elements.change(base, tuple(kept.values()), tuple(kept))
        return found
