"""Cotangents during the pullback sweep: which names have one, what it is, and how contributions are added."""

from __future__ import annotations

from dataclasses import dataclass

import gast
import numpy as np

from transpiler.analyses.aliases import memory
from transpiler.analyses.effects import is_fresh
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import defined, names, primitive
from transpiler.specialize.bindings import Binding, Known, Var
from transpiler.specialize.specialize import Specializer
from transpiler.values.types import Array, Scalar, Tape, Type, found_in


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


ZERO = Known(0.0)


class Cotangents:
    """Arithmetic on cotangents, written through the specialiser's builder (so constants fold and types are known)."""

    def __init__(self, core: Core):
        self.core = core
        self.run = Specializer()
        builder = self.run.builder
        builder.types, builder.hints, builder.used, builder.role = dict(core.types), dict(core.hints), set(core.types), 'pullback'
        builder.symbols, builder.changing = found_in(core.types.values()), set(core.types)
        self.live: dict[str, Bar] = {}
        self.from_before: frozenset[str] = frozenset()  # in a loop: the names that have a cotangent when it starts
        self.to_own: set[str] = set()
        self.starts: dict[str, Bar] = {}  # the cotangents with which the loop or branch around starts
        self.definitions: dict[str, gast.expr] = {}
        self.outdated: set[str] = set()  # names whose memory, or what it was computed from, has changed since

    def type_of(self, name: str) -> Type:
        return self.run.resolve(self.core.types[name])

    def value_type(self, value: Binding) -> Type:
        return self.run.operand(value)[1]

    def variable(self, name: str) -> Var:
        return Var(name, self.type_of(name))

    def bar_base(self, name: str) -> tuple[str, bool]:
        """What the cotangent of `name` is called, and whether it is a temporary."""
        return f'{self.core.base(name)}_bar', self.core.is_temporary(name) and name not in self.core.inputs

    def cell(self, name: str) -> Var:
        """A variable for the cotangent of `name` where control flow needs one that is assigned at several places."""
        base, temporary = self.bar_base(name)
        return self.run.builder.fresh(base, self.type_of(name), temporary)

    def call_after(self, name: str) -> None:
        """A temporary that holds the whole cotangent of `name` is called after it."""
        base, temporary = self.bar_base(name)
        value = self.live[name].value
        if isinstance(value, Var) and not (temporary and self.run.builder.hints[value.name].base.endswith('_bar')):
            self.run.builder.rename_hint(value.name, base, temporary)

    def zero(self, name: str) -> Bar:
        """No cotangent, as a value: zeros in the shape of `name`, fresh."""
        match self.type_of(name):
            case Scalar():
                return Bar(ZERO)
            case Tape():
                return Bar(self.run.new_tape(), owned=True)
        return Bar(self.run.operate_by_name('numpy.zeros_like', [self.variable(name)]), owned=True)

    def whole(self, name: str, bar: Bar) -> Bar:
        """The cotangent in the full shape of `name`."""
        if not self.is_small(name, bar):
            return bar
        if isinstance(self.value_type(bar.value), Scalar):
            like = [self.variable(name)]
            if bar.value in (Known(1.0), Known(0.0)):
                return Bar(
                    self.run.operate_by_name('numpy.ones_like' if bar.value.value else 'numpy.zeros_like', like), owned=True
                )
            return Bar(self.run.operate_by_name('numpy.full_like', [*like, bar.value]), owned=True)
        return Bar(self.spread(bar.value, name))

    def spread(self, value: Binding, name: str) -> Binding:
        """`value`, seen in the shape of `name` (read-only, no memory)."""
        shape = self.run.shape(self.variable(name), self.type_of(name))
        return self.run.operate_by_name('numpy.broadcast_to', [value], shape=shape)

    def is_small(self, name: str, bar: Bar) -> bool:
        type_ = self.type_of(name)
        if isinstance(type_, (Scalar, Tape)) or bar.shown or bar.fixed:
            return False
        own = self.value_type(bar.value)
        if isinstance(type_, Array) and type_.dims is not None and getattr(own, 'ndim', None) is not None:
            return not same_sizes(own, type_)
        return bar.small or isinstance(own, Scalar)

    def add(self, name: str, value: Binding, owned: bool = False, small: bool = False) -> None:
        """`name_bar += value`; the first contribution is the cotangent itself."""
        value = self.held(name, self.cast(value, self.type_of(name)))
        inner = self.unspread(value)
        if inner is not None:
            value, owned, small = inner, False, True
        bar = self.live.get(name)
        if bar is None or bar.value == ZERO:
            self.live[name] = Bar(value, owned, small)
        elif self._changes_in_place(name, bar):
            self._written(bar.value.name)
            self.run.builder.accumulate(build.subscript(bar.value.name, build.constant(...)), self.run.operand(value)[0])
        else:
            if name in self.from_before and isinstance(self.type_of(name), Array):
                self._wish(name, bar)
            self.live[name] = Bar(self.run.binary(gast.Add, bar.value, value), True, bar.small and small)
        self.call_after(name)

    def _changes_in_place(self, name: str, bar: Bar) -> bool:
        if bar.shown or bar.fixed:
            return True
        return name in self.from_before and bar.owned and isinstance(self.type_of(name), Array) and isinstance(bar.value, Var)

    def held(self, name: str, value: Binding) -> Binding:
        """A value of the primal that becomes a cotangent gets a name of its own: the primal's may mean another value later."""
        if isinstance(value, Var) and value.name in self.core.types:
            base, temporary = self.bar_base(name)
            found = memory(self.core)
            if found.of(value.name) & found.written:  # the pullback may put back what the memory held before
                return self.run.operate_by_name('numpy.copy', [value])
            return self.run.builder.define(base, build.name(value.name), self.value_type(value), temporary)
        return value

    def unspread(self, value: Binding) -> Binding | None:
        """What `np.broadcast_to` spreads, if that is how `value` was made in this block."""
        definition = self.definition(value)
        if definition is not None and primitive(definition) == 'numpy.broadcast_to':
            match definition.args[0]:
                case gast.Constant(value=number):
                    return Known(number)
                case gast.Name(id=name):
                    return Var(name, self.run.builder.types[name])
        return None

    def add_at(self, name: str, index: gast.expr, value: Binding) -> None:
        """`name_bar[index] += value`, in place."""
        bar = self.own(name)
        self.run.builder.accumulate(build.subscript(bar.name, index), self.run.operand(value)[0])

    def own(self, name: str) -> Var:
        """The cotangent of an array as memory that may be written: zeros if there is none yet, a copy if it is shared."""
        bar = self.live.get(name)
        if bar is None or bar.value == ZERO:
            bar = self.zero(name)
        elif not bar.owned or self.is_small(name, bar):
            self._wish(name, bar)
            bar = self.whole(name, bar)
            if not bar.owned:
                bar = Bar(self.run.operate_by_name('numpy.copy', [bar.value]), owned=True)
        self.live[name] = bar
        self.call_after(name)
        self._written(bar.value.name)
        return bar.value

    def _written(self, name: str) -> None:
        """The memory of `name` changes now: a selection that it holds, or that was made from it, is no longer what it was."""
        block = [(s.targets[0].id, s.value) for s in self.run.builder.block if isinstance(s, gast.Assign) and defined(s)]
        for other, value in [*self.definitions.items(), *block]:
            if primitive(value) == 'numpy.where' and (other == name or name in names(value)):
                self.outdated.add(other)

    def _wish(self, name: str, bar: Bar) -> None:
        """The cotangent of `name` would better have memory of its own from the start, under the name that it has there."""
        started = (n for n, start in self.starts.items() if isinstance(bar.value, Var) and start.value == bar.value)
        self.to_own.add(next(started, name))

    def cast(self, value: Binding, type_: Type) -> Binding:
        """Cotangents have the dtype of their primal: float32 stays float32, a real input gets a real cotangent."""
        value = self.inexact(value)
        own = self.value_type(value)
        if not isinstance(type_, (Scalar, Array)) or not isinstance(own, (Scalar, Array)):
            return value
        if own.dtype.kind == 'c' and type_.dtype.kind == 'f':
            value = self.run.operate_by_name('numpy.real', [value])
            own = self.value_type(value)
        flexible = any(isinstance(t, Scalar) and t.weak for t in (own, type_))
        if own.dtype != type_.dtype and own.dtype.kind in 'fc' and not flexible:
            return self.run.cast(value, type_.dtype)
        return value

    def inexact(self, value: Binding) -> Binding:
        """An integer that becomes a cotangent as it is (the partial of `n * x` is `n`) is a float."""
        own = self.value_type(value)
        if not isinstance(own, (Scalar, Array)) or own.dtype.kind not in 'iub':
            return value
        if isinstance(value, Known) or isinstance(own, Scalar):
            return self.run.call(Known(float), [value], {})
        return self.run.cast(value, np.dtype(np.float64))

    def is_owned(self, value: Binding) -> bool:
        """Whether the value was just computed into memory of its own."""
        definition = self.definition(value)
        return definition is not None and is_fresh(definition)

    def definition(self, value: Binding) -> gast.expr | None:
        """The operation that defines a variable of the pullback (those are assigned once)."""
        if isinstance(value, Var):
            for statement in reversed(self.run.builder.block):
                match statement:
                    case gast.Assign(targets=[gast.Name(id=name)], value=expression) if name == value.name:
                        return expression
            return self.definitions.get(value.name)
        return None


def same_sizes(own: Type, primal: Type) -> bool:
    """Whether a cotangent has the sizes of its primal; where these are not known, one not known will do."""
    left, right = dims_of(own) or (), dims_of(primal) or ()
    return len(left) == len(right) and all(
        a == b or b is None and a is not None and a.is_found for a, b in zip(left, right, strict=True)
    )


def dims_of(type_: Type) -> tuple | None:
    return type_.dims if isinstance(type_, Array) else ()
