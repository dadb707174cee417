"""What a function that calls itself gives: one structure, and one type for each of its leaves."""

from __future__ import annotations

from transpiler.core.variables import Var
from transpiler.errors import UnknownType
from transpiler.specialize.domain.bindings import Binding, flatten, fold, same_shape
from transpiler.specialize.evaluation.activations import (
    Given,
    is_runtime,
    plain,
    type_of_leaf,
)
from transpiler.specialize.evaluation.component import Component
from transpiler.values.joining import join_types
from transpiler.values.types import Array, Scalar, Type


class RecursiveResults(Component):
    """What a function that calls itself gives: one structure, and one type for each of its leaves."""

    def joined_result(self, known: Binding | None, result: Binding) -> Binding:
        """What is known of the result so far: its structure, and the types of its leaves."""
        for leaf in flatten(result):
            if isinstance(leaf, Var) and not isinstance(leaf.type, (Scalar, Array)):
                raise self._no_type(leaf.type)
        if known is None:
            return fold(result, lambda leaf: Var('', plain(type_of_leaf(leaf))) if is_runtime(leaf) else leaf)
        if not same_shape(known, result):
            raise self.ev.tables.conflict('result', known, result).error(self.origin)
        pending = iter(flatten(result))

        def join(old: Binding) -> Binding:
            new = next(pending)
            if old == new:
                return old
            if isinstance(old, (Var, Given)) and (is_runtime(new) or isinstance(new, Given)):
                joined = join_types(plain(old.type), plain(self.ev.resolve(type_of_leaf(new))))
                if not isinstance(joined, (Scalar, Array)):
                    raise self._no_type(old.type, type_of_leaf(new))
                return Var('', joined)
            raise self.ev.tables.conflict('result', old, new).error(self.origin)
        return fold(known, join)

    def _no_type(self, *found: Type) -> UnknownType:
        """What a function that calls itself gives must be a number or an array of known rank, one for all paths."""
        kinds = ' on one path, '.join(map(str, found)) + (' on another' if len(found) > 1 else '')
        return UnknownType(
            'the result of a function that calls itself has no single type',
            self.origin,
            why=f'it is {kinds}',
            instead='annotate the parameters, or give example arguments; give a number, or an array, on all paths',
        )
