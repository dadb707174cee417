"""`[None] * n`: a list of run-time length whose items are filled in later, each a value beside a flag: whether it is there.

What the items are shows where the first one is written; then the program is run again, and the list is one of such items from
the start.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from transpiler.core import build
from transpiler.errors import TranspileError
from transpiler.rules.python import REPEATED
from transpiler.specialize.bindings import Binding, Closure, Container, Known, Var, fold, leaf_type
from transpiler.specialize.changes import NONE
from transpiler.specialize.context import Filled, NoValue
from transpiler.specialize.growing import Growing
from transpiler.specialize.optional import is_optional, optional
from transpiler.values.types import Array, Scalar

KIND = 'nones'


class Fillers(Growing):
    """Lists of None."""

    def repeated(self, sequence: Container, count: Binding) -> Binding:
        if sequence.kind != 'list' or not sequence.items or any(item != NONE for item in sequence.items):
            return super().repeated(sequence, count)
        whole = self.binary(gast.Mult, count, Known(len(sequence.items)))
        if self.origin not in self.fillers:
            return Container(KIND, (whole,), (self.origin,))
        parts = Known(False), fold(self.fillers[self.origin], self._filler)
        flags, values = (
            self.inline(Closure(self.template(REPEATED)), [Container('list', (part,)), whole], {}) for part in parts)
        return Container('growing', (*flags.items, *values.items), (), optional(flags.type, values.type))

    def _filler(self, leaf: Binding) -> Binding:
        """Something of a type: nobody reads it."""
        type_ = leaf_type(leaf)
        if isinstance(type_, Array) and type_.ndim is not None:
            return self.operate_by_name('numpy.empty', [], shape=Container('tuple', (Known(0),) * type_.ndim), dtype=type_.dtype)
        if not isinstance(type_, Scalar):
            return leaf
        zero = Known(type_.dtype.type(0).item())
        return zero if type_.weak else self.call(Known(type_.dtype.type), [zero], {})

    def set_item(self, base: Container, index: Binding, value: Binding) -> None:
        if base.kind == KIND and value != NONE:
            raise Filled(base.keys[0], self.example_of(value))
        if base.kind == 'growing' and is_optional(base.type) and not is_optional(value):
            given = fold(base.type.items[1], self._filler) if value == NONE else self._plain(value)
            value = optional(Known(value != NONE), given)
        super().set_item(base, index, value)

    def name_lists(self, base: Container, name: str) -> None:
        if is_optional(base.type):
            super().name_lists(replace(base, items=base.items[:1]), f'has_{name}')
        super().name_lists(base, name)

    def get_item(self, base: Binding, index: Binding) -> Binding:
        if not isinstance(base, Container) or base.kind != KIND:
            return super().get_item(base, index)
        for wrong in (self.compare(gast.GtE, index, base.items[0]),
                      self.compare(gast.Lt, index, self.unary(gast.USub, base.items[0]))):
            self._fail_where(wrong, 'IndexError', 'list index out of range')
        return NONE

    def array_of(self, base: Container) -> Binding:
        return super().array_of(self.all_there(base))

    def joined(self, name: str, base: Binding, keywords: dict[str, Binding]) -> Binding:
        return super().joined(name, self.all_there(base), keywords)

    def numbers_in(self, base: Container) -> tuple[int, type | None]:
        return super().numbers_in(_values(base))

    def all_there(self, base: Binding) -> Binding:
        """The values on a list; where one is None, the program raises."""
        if _values(base) is base:
            return base
        lacks = self.negate(self.operate_by_name('numpy.all', [self.array_tape(base.items[0])]))
        self._fail_where(lacks, 'TypeError', 'None stands where a value is needed')
        return _values(base)

    def listed(self, result: Binding, freely: bool) -> Binding:
        """A result with its lists of None as lists of values or None; if not `freely`, of values alone, of one part each."""
        if not isinstance(result, Container):
            return result
        if result.kind == KIND and freely:
            flags = self.inline(Closure(self.template(REPEATED)), [Container('list', (Known(False),)), result.items[0]], {})
            return Container('growing', flags.items, (), optional(flags.type, NONE))
        if result.kind != 'growing':
            return replace(result, items=tuple(self.listed(item, freely) for item in result.items))
        result = result if freely else self.all_there(result)
        if not freely and isinstance(result.type, Container):
            raise TranspileError(
                f'the result has a list of run-time length, and each of its items is {self.describe(result.type)}', self.origin,
                why='a derivative has the structure of what it is the derivative of, of lists of numbers or arrays',
                instead='give a list, or an array, for each of the parts')
        return result

    def _fail_where(self, wrong: Binding, kind: str, message: str) -> None:
        failure = build.fail(build.call(f'python.{kind}', build.constant(message)), self.origin, self.builder.role)
        if self.truth(wrong):
            raise NoValue(failure)
        if isinstance(wrong, Var):
            self.builder.append(build.branch(wrong.name, [failure], [], self.origin, self.builder.role))


def _values(base: Binding) -> Binding:
    """A list of what may be None as one of values."""
    if isinstance(base, Container) and base.kind == 'growing' and is_optional(base.type):
        return Container('growing', base.items[1:], (), base.type.items[1])
    return base
