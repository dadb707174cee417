"""Augmented assignments: in place for arrays, rebinding for numbers, read, computed and stored where NumPy does so."""

from __future__ import annotations

import gast
import numpy as np

from transpiler.core.indices import copies, may_repeat
from transpiler.core.query import all_written
from transpiler.core.variables import Var
from transpiler.errors import UnknownType
from transpiler.specialize.domain.bindings import Binding, Known, leaf_type
from transpiler.specialize.domain.operators import BINARY, SYMBOLS, WORDS
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import executes
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.structures.container import Container
from transpiler.values.types import FLOAT, Array, Scalar, Type, Unknown


class Updates(Component):
    """`x += v`, of names, attributes and places."""

    @executes(gast.AugAssign)
    def _do_augassign(self, frame: Frame, statement: gast.AugAssign) -> bool:
        """In place for arrays, rebinding for numbers: the type decides."""
        kind = type(statement.op)
        if isinstance(statement.target, gast.Name):
            load = gast.Name(id=statement.target.id, ctx=gast.Load(), annotation=None, type_comment=None)
            current = self.ev.evaluate(frame, gast.copy_location(load, statement.target))
            value = self.ev.evaluate(frame, statement.value)
            if isinstance(current, Var) and isinstance(current.type, Unknown):
                raise UnknownType(
                    f'`{statement.target.id} {SYMBOLS[kind]}= ...` depends on an unknown type',
                    self.origin,
                    why='it changes an array in place but rebinds a number',
                    instead='annotate the parameter, or give example arguments',
                )
            new = self.ev.distribution.augmented(frame, current, kind, value)
            if new is not None:
                self.ev.distribution.bind_target(frame, statement.target, new)
            return False
        if isinstance(statement.target, gast.Attribute):
            base, name = self.ev.evaluate(frame, statement.target.value), statement.target.attr
            old = self.ev.attribute(base, name)
            new = self.ev.distribution.augmented(frame, self.ev.current(old), kind, self.ev.evaluate(frame, statement.value))
            if new is not None or not self.ev.attributes.is_part(base, name):
                self.ev.attributes.set_attribute(base, name, old if new is None else new)
            return False
        base, index = self.ev.evaluate(frame, statement.target.value), self.ev.indexing.index(frame, statement.target.slice)
        if isinstance(base, Container):
            old = self.ev.get_item(base, index)
            new = self.ev.distribution.augmented(frame, self.ev.current(old), kind, self.ev.evaluate(frame, statement.value))
            if new is not None or base.python not in (list, dict):
                self.ev.overloads.set_item(self.ev.current(base), index, old if new is None else new)
            return False
        if not isinstance(base, Var):
            self.ev.rows.writable(base)
        index = self.ev.indices.settled_index(index)
        start = len(self.builder.block)
        value = self.ev.evaluate(frame, statement.value)
        if frame.function is None:  # in core programs an accumulation
            self.ev.indexing.add_at(base, index, value)
        else:
            self.ev.distribution.update(base, index, kind, value, self._read_before(base, index, start))
        return False

    def augmented(self, frame: Frame, current: Binding, kind: type[gast.operator], value: Binding) -> Binding | None:
        """`current kind= value`: the new value, or None where the old one was changed in place."""
        method = self.ev.overloads.special(current, f'__i{WORDS[kind]}__')
        if method is not None:
            return self.ev.call(method, [value], {})
        if isinstance(current, Container) and self.ev.changes.extended(self.ev.current(current), kind, value):
            return None
        if isinstance(current, Var) and isinstance(current.type, Array):
            self.ev.distribution.update(current, Known(...), kind, value)
            return None
        if frame.function is not None:
            self.ev.operations.check_power(kind, current, value)
        self.ev.sets.check_kept(kind, current)
        return self.ev.binary(kind, current, value)

    def _read_before(self, base: Var, index: Binding, start: int) -> Var | None:
        """`base[index]` as it was before the statements from `start` on, if that matters: Python reads an element first."""
        if not all_written(self.builder.block[start:]):
            return None
        with self.builder.nested() as first:
            current = self.ev.load(base, index)
        if not isinstance(current.type, Scalar) and not copies(self.ev.indices.index_expression(index), self.builder.types):
            return None  # a view shows what is written meanwhile
        self.builder.block[start:start] = first
        return current

    def update(self, base: Var, index: Binding, kind: type[gast.operator], value: Binding, current: Var | None = None) -> None:
        """`base[index] kind= value`. NumPy writes once per place: where places may repeat they are read, changed, written."""
        base, value = self.ev.operands.beside_arrays(kind, base, value)
        if self._stored_as_number(base, index, kind, value, current):
            return
        value = self._in_place(base, kind, value)
        if current is not None:
            self.ev.distribution.store(base, index, self.ev.binary(kind, current, value))
            return
        alone = not may_repeat(self.ev.indices.index_expression(index), self.builder.types)
        if kind is gast.Sub and alone and _is_inexact(base.type):
            kind, value = gast.Add, self.ev.unary(gast.USub, value)  # the same number, and the place keeps its cotangent
        if kind is gast.Add and alone:
            self.ev.indexing.add_at(base, index, value)
            return
        whole = isinstance(index, Known) and index.value is Ellipsis
        current = base if whole else self.ev.load(base, index)
        self.ev.distribution.store(base, index, self.ev.binary(kind, current, value))

    def _stored_as_number(
        self, base: Var, index: Binding, kind: type[gast.operator], value: Binding, current: Var | None
    ) -> bool:
        """Update an element whose new value is of another kind than the array: NumPy computes with numbers, and stores one."""
        own, given = (getattr(leaf_type(one), 'dtype', None) for one in (base, value))
        if not isinstance(base.type, Array) or given is None or own.kind == 'c' or own.kind == 'f' and given.kind != 'c':
            return False
        with self.builder.nested() as steps:
            now = current or self.ev.load(base, index)
            new = self.ev.binary(kind, now, value) if isinstance(now.type, Scalar) else Known(None)
            made = getattr(leaf_type(new), 'dtype', own)
            if made == own:
                return False
            new = self.ev.attribute(new, 'real') if made.kind == 'c' else new
        self.builder.block.extend(steps)
        self.ev.distribution.store(base, index, new)
        return True

    def _in_place(self, base: Var, kind: type[gast.operator], value: Binding) -> Binding:
        """What is computed with in place: an integer that is a float on another path is asked whether it is one."""
        _, type_ = self.ev.operand(value)
        if not isinstance(base.type, Array) or isinstance(type_, Unknown):
            return value
        kinds = self.ev.inference.kinds_of(value)
        if base.type.dtype.kind in 'iu' and {one.dtype.kind in 'iu' for one in kinds} == {True, False} and kind is not gast.Div:
            return self.ev.wholes.index(value)
        if kind is gast.Div and base.type.dtype.kind in 'iub':
            type_ = FLOAT
        elif not getattr(type_, 'weak', False):
            type_ = Scalar(np.promote_types(base.type.dtype, type_.dtype))  # of int8 and uint64 that is a float
        self.ev.inplace.check_cast(base.type, type_, BINARY[kind])
        return value


def _is_inexact(type_: Type) -> bool:
    return isinstance(type_, Array) and type_.dtype.kind in 'fc'
