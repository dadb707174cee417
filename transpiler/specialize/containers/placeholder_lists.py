"""None on lists of run-time length: each item is a value beside a flag, which tells whether it is there.

    t.append(None if i == 1 else x[i])        has_t.append(not i == 1); t.append(0.0 if i == 1 else x[i])

Where a list turns out to hold None among values, or values among None as `[None] * n` that is filled in later, the program is run
again, and the list is one of such items from the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from transpiler.core import build
from transpiler.core.language import Hint
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.specialize.containers.methods import NONE
from transpiler.specialize.containers.ragged_rows import in_rows, like_rows
from transpiler.specialize.domain.bindings import Binding, Blank, Known, fold, leaf_type
from transpiler.specialize.domain.optionals import is_optional, levelled
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import Filled, NoValue
from transpiler.specialize.structures.alternatives import Optional
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import Array, Scalar, Type


class Fillers(Component):
    """Lists with None on them."""

    def grow(self, frame: Frame | None, cell: int, example: Binding) -> None:
        filler = self.ev.assumed.fillers.get(self.origin, example)
        example, _ = levelled(like_rows(filler, example), filler)
        self.ev.growing.grow(frame, cell, Optional((Known(False), NONE)) if example == NONE else example)
        base, name = self.ev.heap.contents[cell], self.ev.growing.name_of(frame, cell)
        if is_optional(base.item) and name != 'items':
            self.builder.hints[base.items[0].name] = Hint(f'has_{name}')

    def leaves(self, base: DynamicList, item: Binding) -> Iterator[tuple[Var, Binding]]:
        like, item = levelled(*in_rows(self.ev, base.item, item))
        if like is not base.item:
            raise Filled(self.ev.growing.grown.get(base.items[0].name), fold(like, _of_any_size))
        return self.ev.growing.leaves(base, fold(item, self._filled))

    def _filled(self, leaf: Binding) -> Binding:
        """What stands on a list where an item is None: nobody reads it."""
        if not isinstance(leaf, Blank):
            return leaf
        type_ = leaf.type
        if isinstance(type_, Array) and type_.ndim is not None:
            return self.ev.operate_by_name('numpy.empty', [], shape=Tuple((Known(0),) * type_.ndim),
                                           dtype=type_.dtype)
        if not isinstance(type_, Scalar):
            return Known(0.0)
        zero = Known(type_.dtype.type(0).item())
        return zero if type_.weak else self.ev.call(Known(type_.dtype.type), [zero], {})

    def name_lists(self, base: DynamicList, name: str) -> None:
        if is_optional(base.item):
            self.ev.growing.name_lists(replace(base, items=base.items[:1]), f'has_{name}')
        self.ev.growing.name_lists(base, name)

    def length_of(self, base: DynamicList) -> Var:
        return self.ev.growing.length_of(replace(base, items=base.items[-1:]) if is_optional(base.item) else base)

    def array_of(self, base: DynamicList) -> Binding:
        whole = self.all_there(base)
        return self.ev.growing.array_of(whole) if isinstance(whole, DynamicList) else self.ev.settled_entry(whole)

    def joined(self, name: str, base: Binding, keywords: dict[str, Binding]) -> Binding:
        return self.ev.growing.joined(name, self.all_there(base), keywords)

    def numbers_in(self, base: DynamicList | ArrayList) -> tuple[int, type | None]:
        return self.ev.heap.numbers_in(_values(base))

    def all_there(self, base: Binding) -> Binding:
        """The values on a list; where one is None, the program raises."""
        if _values(base) is base:
            return base
        lacks = self.ev.expressions.negate(self.ev.operate_by_name('numpy.all', [self.ev.tapes.array_tape(base.items[0])]))
        self._fail_where(lacks, 'TypeError', 'None stands where a value is needed')
        return _values(base)

    def listed(self, result: Binding, freely: bool) -> Binding:
        """A result with its lists as lists of values or None; if not `freely`, of values alone, of one part each."""
        if not isinstance(result, Container):
            return result
        if not isinstance(result, DynamicList):
            return replace(result, items=tuple(self.listed(item, freely) for item in result.items))
        result = result if freely else self.all_there(result)
        if not freely and isinstance(result.item, Container):
            raise TranspileError(
                f'the result has a list of run-time length, and each of its items is {self.ev.describe(result.item)}',
                self.origin,
                why='a derivative has the structure of what it is the derivative of, of lists of numbers or arrays',
                instead='give a list, or an array, for each of the parts')
        return result

    def _fail_where(self, wrong: Binding, kind: str, message: str) -> None:
        failure = build.fail(build.call(f'python.{kind}', build.constant(message)), self.origin, self.builder.role)
        if self.ev.branches.truth(wrong):
            raise NoValue(failure)
        if isinstance(wrong, Var):
            self.builder.append(build.branch(wrong.name, [failure], [], self.origin, self.builder.role))


def _values(base: Binding) -> Binding:
    """A list of what may be None as one of values."""
    if not isinstance(base, DynamicList) or not is_optional(base.item):
        return base
    value = base.item.value
    return List(()) if value == NONE else DynamicList(base.items[1:], value)


def _of_any_size(leaf: Binding) -> Binding:
    """An example of a type, for another run of the program."""
    type_: Type | None = leaf_type(leaf)
    match type_:
        case None:
            return leaf
        case Array(dtype, dims) if dims is not None:
            return Blank(Array(dtype, (None,) * len(dims)))
        case Scalar(dtype, weak):
            return Blank(Scalar(dtype, weak))
    return Blank(type_)
