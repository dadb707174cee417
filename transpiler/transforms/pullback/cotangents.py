"""Cotangents during the pullback sweep: which names have one, what it is, and how contributions are added."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.numeric.precision import perhaps_narrow
from transpiler.core import build
from transpiler.core.query import defined, names, primitive
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import Array, Scalar, Tape

if TYPE_CHECKING:
    from transpiler.transforms.pullback.sweep import Sweep


@dataclass(frozen=True)
class Bar:
    """The cotangent of a name.

    owned: an array that nothing else refers to, so that it may be changed in place
    alone: nothing else refers to it, whichever path it comes from: it may be handed out as it is
    small: the value only broadcasts to the shape of the name: the cotangent of a sum is one number for all items
    shown: a view of the cotangent of what the name is a view of; what is added to it is there already
    fixed: others show this memory, so it changes in place only
    """

    value: Binding
    owned: bool = False
    small: bool = False
    alone: bool = False
    shown: bool = False
    fixed: bool = False

    @property
    def may_leave(self) -> bool:
        return self.owned or self.alone


class Cotangents(Part):
    """Which names have a cotangent, and how contributions are added."""

    def __init__(self, sweep: Sweep):
        super().__init__(sweep)
        self.from_before: frozenset[str] = frozenset()  # in a loop: the names that have a cotangent when it starts
        self.to_own: set[str] = set()
        self.starts: dict[str, Bar] = {}  # the cotangents with which the loop or branch around starts

    def call_after(self, name: str) -> None:
        """A temporary that holds the whole cotangent of `name` is called after it."""
        base, temporary = self.sweep.called(name)
        value = self.sweep.live[name].value
        if isinstance(value, Var) and not (temporary and self.ev.builder.hints[value.name].base.endswith('_bar')):
            self.ev.builder.rename_hint(value.name, base, temporary)

    def zero(self, name: str) -> Bar:
        """No cotangent, as a value: zeros in the shape of `name`, fresh."""
        match self.type_of(name):
            case Scalar():
                return Bar(ZERO)
            case Tape():
                return Bar(self.ev.tapes.new_tape(), owned=True)
        dtype = {'dtype': self.type_of(name).dtype} if name in self.narrow else {}
        return Bar(self.ev.operate_by_name('numpy.zeros_like', [self.variable(name)], **dtype), owned=True)

    @cached_property
    def narrow(self) -> frozenset[str]:
        """The names that hold less than their type says on some path, where a cotangent of this type does not fit."""
        return perhaps_narrow(self.core.body, self.core.types)

    def whole(self, name: str, bar: Bar) -> Bar:
        """The cotangent in the full shape of `name`."""
        if not self.is_small(name, bar):
            return bar
        return Bar(*self.sweep.derivatives.full(name, bar.value))

    def copied(self, name: str, bar: Bar) -> Bar:
        """The cotangent of `name` in memory of its own."""
        return Bar(self.ev.operate_by_name('numpy.copy', [bar.value]), owned=True)

    def is_small(self, name: str, bar: Bar) -> bool:
        return not (bar.shown or bar.fixed) and self.sweep.derivatives.only_broadcasts(name, bar.value, bar.small)

    def add(self, name: str, value: Binding, owned: bool = False, small: bool = False, alone: bool = False) -> None:
        """`name_bar += value`; the first contribution is the cotangent itself."""
        self.sweep.reading.contributed(name)
        value = self.held(name, self.sweep.cast(value, self.type_of(name)))
        inner = self.sweep.derivatives.unspread(value)
        if inner is not None:
            value, owned, small, alone = inner, False, True, False
        bar = self.sweep.live.get(name)
        if bar is None or bar.value == ZERO:
            self.sweep.live[name] = Bar(value, owned, small, alone)
        elif self._changes_in_place(name, bar):
            self._written(bar.value.name)
            self.ev.builder.accumulate(build.subscript(bar.value.name, build.constant(...)), self.ev.operand(value)[0])
        else:
            if name in self.from_before and isinstance(self.type_of(name), Array):
                self.wish(name, bar)
            self.sweep.live[name] = Bar(self.ev.binary(gast.Add, bar.value, value), True, bar.small and small)
        self.call_after(name)

    def _changes_in_place(self, name: str, bar: Bar) -> bool:
        if bar.shown or bar.fixed:
            return True
        is_array = isinstance(self.type_of(name), Array) and isinstance(bar.value, Var)
        return is_array and name in self.from_before and bar.owned and not self.is_small(name, bar)

    def held(self, name: str, value: Binding) -> Binding:
        """A value of the primal that becomes a cotangent gets a name of its own: the primal's may mean another value later."""
        if isinstance(value, Var) and value.name in self.core.types:
            base, temporary = self.sweep.called(name)
            found = memory(self.core)
            if found.of(value.name) & found.written:  # the pullback may put back what the memory held before
                return self.ev.operate_by_name('numpy.copy', [value])
            return self.ev.builder.define(base, build.name(value.name), self.value_type(value), temporary)
        return value

    def add_at(self, name: str, index: gast.expr, value: Binding) -> None:
        """`name_bar[index] += value`, in place."""
        self.sweep.reading.unread.add(name)
        bar = self.sweep.own(name)
        self.ev.builder.accumulate(build.subscript(bar.name, index), self.ev.operand(value)[0])

    def own(self, name: str) -> Var:
        """The cotangent of an array as memory that may be written: zeros if there is none yet, a copy if it is shared."""
        self.sweep.reading.contributed(name)
        bar = self.sweep.live.get(name)
        if bar is None or bar.value == ZERO:
            bar = self.sweep.zero(name)
        elif not bar.owned or self.is_small(name, bar):
            self.wish(name, bar)
            bar = self.sweep.whole(name, bar)
            if not bar.owned:
                bar = self.sweep.copied(name, bar)
        self.sweep.live[name] = bar
        self.call_after(name)
        self._written(bar.value.name)
        return bar.value

    def _written(self, name: str) -> None:
        """The memory of `name` changes now: a selection that it holds, or that was made from it, is no longer what it was."""
        block = [(s.targets[0].id, s.value) for s in self.ev.builder.block if isinstance(s, gast.Assign) and defined(s)
                 and primitive(s.value) == 'numpy.where']
        for other, value in [*self.sweep.derivatives.selections.items(), *block]:
            if other == name or name in names(value):
                self.sweep.derivatives.outdated.add(other)

    def wish(self, name: str, bar: Bar) -> None:
        """The cotangent of `name` would better have memory of its own from the start, under the name that it has there."""
        started = (n for n, start in self.starts.items() if isinstance(bar.value, Var) and start.value == bar.value)
        self.to_own.add(next(started, name))
