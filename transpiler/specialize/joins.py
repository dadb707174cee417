"""Where paths meet: one binding for two, or the reason why there is none."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.errors import TranspileError
from transpiler.specialize.bindings import Binding, Conflict, Container, Known, Maybe, Var, is_number, number_type, same_shape
from transpiler.specialize.context import Frame
from transpiler.specialize.literals import as_kind
from transpiler.specialize.statements import Statements
from transpiler.values.joining import join_types
from transpiler.values.types import Type

Block = list[gast.stmt]


class Joins(Statements):
    """Merging the bindings of two paths, writing the copies that make them one variable."""

    def join(
        self, base: str, left: Binding, left_block: Block, right: Binding, right_block: Block, temporary: bool = False
    ) -> Binding:
        """One binding for `left` (at the end of `left_block`) and `right` (at the end of `right_block`)."""
        if left == right:
            return left
        if isinstance(left, Maybe) or isinstance(right, Maybe):
            return self._join_maybe(base, left, right)
        if isinstance(left, Container) and isinstance(right, Container) and same_shape(left, right):
            return Container(
                left.kind,
                tuple(
                    self.join(base, a, left_block, b, right_block, temporary)
                    for a, b in zip(left.items, right.items, strict=True)
                ),
                left.keys,
                left.type,
            )
        types = leaf_type(left), leaf_type(right)
        if types[0] is None or types[1] is None:
            return self.conflict(base, left, right)
        merged = self.builder.fresh(base, join_types(*map(self.resolve, types)), temporary)
        for block, side in ((left_block, left), (right_block, right)):
            block.append(build.assign(merged.name, self.converted(side, merged.type), self.origin, self.builder.role))
        return merged

    def _join_maybe(self, base: str, left: Binding, right: Binding) -> Binding:
        """The same variable, which one path has found to be defined: it still may not be."""
        inner = [side.binding if isinstance(side, Maybe) else side for side in (left, right)]
        if inner[0] == inner[1]:
            return left if isinstance(left, Maybe) else right
        return self.undefined(base)

    def perhaps(self, frame: Frame, binding: Binding, defined) -> Binding:
        """A name of the user's that only some paths define; generated code reads its names only where they are defined."""
        return binding if frame.function is None or isinstance(binding, Conflict) else Maybe(binding, defined)

    def undefined(self, base: str) -> Conflict:
        return Conflict(
            lambda origin: TranspileError(
                f'`{base}` may have no value here',
                origin,
                why='not every path defines it',
                instead='define it before the branch or loop',
            )
        )

    def conflict(self, base: str, left: Binding, right: Binding) -> Conflict:
        why = f'on one path it is {self.describe(left)}, on the other {self.describe(right)}'
        shown = 'the result' if base in ('return', 'result') else f'`{base}`'
        return Conflict(
            lambda origin: TranspileError(
                f'{shown} has no single kind here', origin, why=why, instead='give it the same structure on both paths'
            )
        )

    def converted(self, binding: Binding, type_: Type) -> gast.expr:
        """The atom of a number or variable on its way into a merged variable."""
        return as_kind(self.operand(binding)[0], type_)

    def only_here(self, base: str, binding: Binding, block: Block, temporary: bool) -> Binding:
        """A name that only one path gives a value: it must be a variable, so that Python itself notices when it has none."""
        if isinstance(binding, Container):
            return Container(
                binding.kind, tuple(self.only_here(base, b, block, temporary) for b in binding.items), binding.keys, binding.type
            )
        if isinstance(binding, Known) and is_number(binding.value):
            variable = self.builder.fresh(base, number_type(binding.value), temporary)
            block.append(build.assign(variable.name, self.operand(binding)[0], self.origin, self.builder.role))
            return variable
        return binding if isinstance(binding, (Var, Maybe)) else self.undefined(base)


def leaf_type(binding: Binding) -> Type | None:
    """The type of a number or variable; None for anything else."""
    if isinstance(binding, Var):
        return binding.type
    if isinstance(binding, Known) and is_number(binding.value):
        return number_type(binding.value)
    return None


def in_sequence(copies: list[tuple[str, gast.expr]], temporary) -> list[tuple[str, gast.expr]]:
    """Parallel copies as a sequence: no name is overwritten before it is read; a cycle goes through a temporary.

    >>> pairs = in_sequence([('a', build.name('b')), ('b', build.name('a'))], lambda name: 't')
    >>> [(target, source.id) for target, source in pairs]
    [('t', 'a'), ('a', 'b'), ('b', 't')]
    """
    pending = [(t, s) for t, s in copies if not (isinstance(s, gast.Name) and s.id == t)]
    done = []
    while pending:
        sources = [s.id for _, s in pending if isinstance(s, gast.Name)]
        ready = next((pair for pair in pending if pair[0] not in sources), None)
        if ready is None:
            target = pending[0][0]
            spare = temporary(target)
            done.append((spare, build.name(target)))
            pending = [(t, build.name(spare) if isinstance(s, gast.Name) and s.id == target else s) for t, s in pending]
            continue
        pending.remove(ready)
        done.append(ready)
    return done
