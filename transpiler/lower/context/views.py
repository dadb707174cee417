"""Views: whether what a statement shows is written to later, so that a copy in the place of a view would be noticed."""
from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.memory_order import in_c_order
from transpiler.analyses.memory.views import bases, views_of
from transpiler.core import build
from transpiler.lower.context.values import Value
from transpiler.lower.context.view_semantics import described, is_copy_noticed, shared_later

if TYPE_CHECKING:
    from transpiler.lower.context.context import Context


class Views:
    """What the statement that `context` lowers shows of arrays."""

    def __init__(self, context: Context):
        self.context, self._shared = context, shared_later(context.core)

    @property
    def is_shared(self) -> bool:
        """Whether what the statement being lowered shows may be written later, so that a copy would be noticed."""
        return self.context.here in self._shared

    def in_c_order(self, value: Value, source: gast.expr) -> Value:
        """The array `source` in C order: a copy where need be, but never one that writes would show to be a copy."""
        name, core = source.id if isinstance(source, gast.Name) else '', self.context.core
        dense = name in in_c_order(core)
        if not self.is_shared or not dense and not is_copy_noticed(core, self.context.here):
            return Value(build.call('numpy.ascontiguousarray', value.node), value.type)
        ordered = dense or [name, *bases(name, views_of(core))][-1] in core.inputs
        if not ordered:
            self.must_not_show('whether NumPy makes a view of it depends on the order of its items, which may differ here')
        function = self.context.target.memory.in_place if ordered else 'numpy.ascontiguousarray'
        return Value(build.call(function, value.node), value.type)

    def apart(self, target: gast.Subscript, value: Value, node: gast.expr) -> Value:
        """A copy of a value, or index, that shares memory with the array it goes into: NumPy looks for that, helpers do not."""
        named = isinstance(node, gast.Name) and isinstance(target.value, gast.Name)
        shared = named and memory(self.context.core).may_alias(target.value.id, node.id)
        return value if value.is_scalar or not shared else Value(build.call('numpy.copy', value.node), value.type)

    def must_not_show(self, why: str, *instead: str) -> None:
        """Refuse to copy where NumPy has a view of memory that is written to later, if somebody would notice."""
        if self.is_shared and is_copy_noticed(self.context.core, self.context.here):
            shown = described(self.context.core, self.context.here)
            raise self.context.refuse(f'{shown} may show memory that is written to', why, *instead)
