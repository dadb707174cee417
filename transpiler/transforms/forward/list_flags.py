"""Flags of lists of run-time length: a list of flags beside the list of tangents, for each item a flag or an array of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import gast
import numpy as np

from transpiler.analyses.memory.effects import is_fresh
from transpiler.core import build
from transpiler.core.fixpoint import closure
from transpiler.core.query import changed_by, defined, names, primitive
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.transforms.forward.influence import MOVES, RESTS
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import BOOL, INT, Array, Scalar, Tape, Type

EMPTY = ('tape.list', 'tape.new')
OF_ZEROS = ('tape.zeros', 'tape.zeros_like')


class ListFlags(Part):
    """What is done with a list is done with the list of its flags, if all that changes it can be followed."""

    def with_items(self, some: Iterable[str]) -> frozenset[str]:
        some = frozenset(some)
        lists = some & self._followed()
        linked = closure(lists, lambda found: (other for pair in self._links() if found.intersection(pair) for other in pair))
        return self.sweep.moving.with_items(some) | linked

    def _links(self) -> list[tuple[str, str]]:
        """Pairs of lists of which one is the other, or a copy of it."""
        found = []
        for statement in self.core.statements:
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=other) | gast.Call(
                        func=gast.Name(id='tape.copy'), args=[gast.Name(id=other)])) if self._is_list(name):
                    found.append((name, other))
        return found

    def _followed(self) -> frozenset[str]:
        odd = {name for name in self.core.inputs if self._is_list(name)}
        for statement in self.core.statements:
            value = None if isinstance(statement, gast.Return) else getattr(statement, 'value', None)
            odd |= {n for n in (defined(statement), *names(value)) if self._is_list(n) and self._is_odd(statement, n)}
        odd = closure(odd, lambda found: (other for pair in self._links() if found.intersection(pair) for other in pair))
        return frozenset(filter(self._is_list, self.core.types)) - odd

    def _is_list(self, name: str | None) -> bool:
        type_ = self.core.types.get(name)
        element = type_.element if isinstance(type_, Tape) else None
        return isinstance(element, Scalar) or isinstance(element, Array) and element.dims is not None

    def _is_odd(self, statement: gast.stmt, name: str) -> bool:
        """Whether a statement makes or changes a list in a way that is not followed."""
        value, called = statement.value, primitive(statement.value) or ''
        of_numbers = isinstance(self.core.types[name].element, Scalar)
        if defined(statement) != name:
            changes = isinstance(statement, gast.Expr) and called not in ('tape.push', 'tape.put')
            return changes or not called and not isinstance(value, gast.Name)
        match value:
            case gast.Name(id=other) | gast.Call(func=gast.Name(id='tape.copy'), args=[gast.Name(id=other)]):
                return other not in self.active and not of_numbers
        return called not in (*EMPTY, 'tape.of') and not (of_numbers and called in OF_ZEROS)

    def is_taken(self, name: str, value: gast.expr) -> bool:
        if primitive(value) not in ('tape.pop', 'tape.item'):
            return False
        return value.args[0].id in self.sweep.moving.watched or name not in self.written_through

    @cached_property
    def written_through(self) -> frozenset[str]:
        """The arrays that something is written into, and those that they may be views of."""
        statements = self.core.statements
        assigned = [(defined(s), s.value) for s in statements if isinstance(s, gast.Assign) and defined(s)]
        shown = [(name, value) for name, value in assigned if not is_fresh(value)]
        written = {name for s in statements for name in changed_by(s)}
        return closure(written, lambda found: (other for name, value in shown if name in found for other in names(value)))

    def flag(self, target: str, operation: gast.expr) -> Binding:
        match primitive(operation), getattr(operation, 'args', ()):
            case 'tape.new', _:
                return self.ev.tapes.new_tape()
            case 'tape.list', _:
                made = self.ev.tapes.new_list()
                self.ev.statements.expect(made, self._flags_type(target))
                return made
            case 'tape.pop' | 'tape.item' as taking, [gast.Name(id=items), *place]:
                if (flags := self.sweep.moving.flags.get(items)) is None:
                    return self._unknown(items)
                if taking == 'tape.pop':
                    return self.ev.tapes.pop_tape(flags)
                return self.ev.tapes.tape_item(flags, self.binding(place[0]))
            case 'tape.array', [gast.Name(id=items)]:
                if (flags := self.sweep.moving.flags.get(items)) is None:
                    return self._unknown(items)
                return self.ev.cast(self.ev.tapes.array_tape(flags), np.dtype(bool))
            case 'tape.copy', [gast.Name(id=items)]:
                known = self.sweep.moving.flags
                return self.ev.tapes.copy_tape(known[items]) if items in known else self._all_rest(items)
            case 'tape.of', [gast.Name() as array]:
                return self.ev.tapes.list_of(self.items_flag(array))
            case 'tape.zeros', [length, _]:
                return self.ev.tapes.zeros_list(self.binding(length), Known(np.dtype(bool)))
            case 'tape.zeros_like', [gast.Name(id=items)]:
                return self._all_rest(items)
            case _, _ if self._is_list(target) and isinstance(operation, gast.Name):
                return self.sweep.moving.flags.get(operation.id) or self._all_rest(operation.id)
        return self.sweep.moving.flag(target, operation)

    def _unknown(self, items: str) -> Known:
        """The flag of what comes from a list without flags."""
        return MOVES if items in self.active else RESTS

    def _flags_type(self, name: str) -> Tape:
        type_ = self.core.types[name]
        element = type_.element
        return Tape(BOOL if isinstance(element, Scalar) else Array(np.dtype(bool), element.dims), type_.lasting)

    def _all_rest(self, items: str) -> Var:
        """Flags for a list of numbers that do not move."""
        length = self.ev.builder.define('length', build.call('python.len', items), INT)
        return self.ev.tapes.zeros_list(length, Known(np.dtype(bool)))

    def items_flag(self, value: gast.expr) -> Binding:
        """The flag of what is put on a list; of an array, one for each of its items."""
        operand = self.binding(value)
        flag = self.sweep.moving.moves_of(operand)
        if isinstance(self.value_type(operand), Scalar):
            return self.sweep.flags.any_of(flag)
        return flag if self.sweep.flags.has_items(flag, operand.name) else self.sweep.flags.for_each(operand, flag)

    def flag_type(self, name: str) -> Type:
        return self._flags_type(name) if self._is_list(name) else self.sweep.moving.flag_type(name)

    def mark_list(self, items: str, effect: str, operands: list[gast.expr]) -> None:
        """A push, or a write, on a list: the same on the list of its flags."""
        flags = self.sweep.moving.flags.get(items)
        if items not in self.sweep.moving.watched or not isinstance(flags, Var):
            return
        *place, value = operands
        if effect == 'tape.push':
            self.ev.tapes.push_tape(flags, self.items_flag(value))
        else:
            self.ev.tapes.put_tape(flags, self.binding(place[0]), self.items_flag(value))

    def mark_pop(self, items: str) -> None:
        """An item is taken from a list, and not used."""
        if items in self.sweep.moving.watched and items in self.sweep.moving.flags:
            self.ev.tapes.pop_tape(self.sweep.moving.flags[items])
