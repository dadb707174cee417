"""Executing statements without control flow: assignments, in-place updates, nested functions, raises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from transpiler.core.indices import copies, may_repeat
from transpiler.core.language import LASTING
from transpiler.core.query import all_written
from transpiler.errors import Origin, TranspileError, UnknownType, UnsupportedSyntax
from transpiler.normalize.flags import RESULT, is_flag
from transpiler.specialize.apart import NoResult
from transpiler.specialize.bindings import Binding, Container, Known, Maybe, Var, never
from transpiler.specialize.context import Frame, NoValue
from transpiler.specialize.failures import Failures
from transpiler.specialize.iteration import from_zero, has_parts, items_of, parts_of
from transpiler.specialize.overloads import WORDS
from transpiler.values.types import FLOAT, Array, Scalar, Tape, Type, Unknown

HOLDERS = ('list', 'dict', 'growing', 'row')    # an array that is changed in place need not be put back into these


class Statements(Failures):
    """`execute` runs a list of statements and says whether it never comes out at the end (it raises)."""

    def run_body(self, frame: Frame, body: list[gast.stmt]) -> Binding:
        """Run a function's body; its last statement is the one `return`."""
        if self.execute(frame, body[:-1]):
            if isinstance(self.builder.block[-1], gast.Raise):
                raise NoValue(self.builder.block.pop())
            raise TranspileError(f'`{frame.function.name}` always raises', self.origin, why='there is no value to compute with')
        with self.builder.at(self._origin_of(frame, body[-1])):
            return self.value_or_none(frame, body[-1].value)

    def execute(self, frame: Frame, body: list[gast.stmt]) -> bool:
        for statement in body:
            with self.builder.at(self._origin_of(frame, statement), getattr(statement, 'role', None)):
                try:
                    if self._awaiting(frame, statement, getattr(self, f'_do_{type(statement).__name__.lower()}')):
                        return True
                except NoValue as missing:
                    self.builder.append(missing.failure)
                    return True
        return False

    def _awaiting(self, frame: Frame, statement: gast.stmt, do: Callable[[Frame, gast.stmt], bool]) -> bool:
        """Do a statement; a loop whose body needs a result that is not known yet is taken to have no turns, for now."""
        if not isinstance(statement, (gast.For, gast.While)):
            return do(frame, statement)
        state, before, unknown = self.builder.snapshot(), frame.env, any(apart.result is None for apart in self.apart)
        try:
            with self.if_reached(frame):
                return do(frame, statement)
        except NoResult:
            if not unknown:
                raise
            self.builder.restore(state)
            frame.env = before
            return False

    def _origin_of(self, frame: Frame, statement: gast.stmt) -> Origin | None:
        """Core statements carry their origin; the lines of rules and definitions stand for the user's line that called them."""
        if hasattr(statement, 'origin'):
            return statement.origin
        if frame.function is not None and not frame.function.library:
            return frame.function.origin(statement)
        inside = frame.function is not None and self.origin is not None and not self.origin.inside
        return replace(self.origin, inside=frame.function.name) if inside else self.origin

    def _do_pass(self, frame: Frame, statement: gast.Pass) -> bool:
        return False

    def _do_expr(self, frame: Frame, statement: gast.Expr) -> bool:
        if not isinstance(statement.value, gast.Constant):
            self.evaluate(frame, statement.value)
        return False

    def _do_delete(self, frame: Frame, statement: gast.Delete) -> bool:
        """A name has no value any more; the memory lives as long as something needs it."""
        for target in statement.targets:
            if isinstance(target, gast.Subscript):
                self.delete_item(self.evaluate(frame, target.value), self.index(frame, target.slice))
            else:
                frame.env[target.id] = Maybe(self._name(frame, target), never, frozenset(), safe=True)
        return False

    def _do_functiondef(self, frame: Frame, statement: gast.FunctionDef) -> bool:
        frame.env[statement.name] = self.close_over(frame, statement)
        return False

    def _do_assign(self, frame: Frame, statement: gast.Assign) -> bool:
        value = self.value_or_none(frame, statement.value)
        for target in statement.targets:
            self.bind_target(frame, target, value)
            if isinstance(value, Var) and isinstance(value.type, Tape) and isinstance(target, gast.Name):
                self.expect(value, frame.types.get(target.id))
        return False

    def expect(self, made: Var, before: Type | None) -> None:
        """A list of a core program may be read, in the order of the text, before anything is put on it."""
        match before:
            case Tape(Array(dtype, dims)) if dims is not None:
                self.expected[made.name] = Array(dtype, (None,) * len(dims))
            case Tape(Scalar() as element):
                self.expected[made.name] = element

    def _do_annassign(self, frame: Frame, statement: gast.AnnAssign) -> bool:
        if statement.value is not None:
            self.bind_target(frame, statement.target, self.value_or_none(frame, statement.value))
        return False

    def bind_target(self, frame: Frame, target: gast.expr, value: Binding) -> None:
        match target:
            case gast.Name(id=name):
                self.check_no_iterator(frame.function, name, value)
                frame.env[name] = self.held(value)
                if isinstance(value, Container) and value.kind == 'growing':
                    self.name_lists(value, name)
                if isinstance(value, Var) and name != RESULT and not is_flag(name) and not self.builder.is_older(value.name):
                    self.name_after(frame, value, name)
            case gast.Tuple(elts=targets) | gast.List(elts=targets):
                for part, item in zip(targets, self._items_for(targets, self.surely(value)), strict=True):
                    self.bind_target(frame, part, item)
            case gast.Starred(value=inner):
                self.bind_target(frame, inner, value)
            case gast.Attribute(value=base, attr=name):
                self.set_attribute(self.evaluate(frame, base), name, value)
            case gast.Subscript(value=base, slice=index):
                self.store(self.evaluate(frame, base), self.index(frame, index), value)
            case _:
                raise UnsupportedSyntax(f'assignment to `{type(target).__name__}` is not supported', self.origin)

    def name_after(self, frame: Frame, value: Var, name: str) -> None:
        """The first name that a program gives a temporary is its name; rules and generated code name nothing."""
        hint = frame.hints.get(name)
        if frame.function is not None and frame.function.library:
            return
        if hint is None or not hint.temporary or hint.base.endswith(LASTING):
            self.builder.rename_hint(value.name, hint.base if hint else name, hint is not None and hint.temporary)

    def _items_for(self, targets: list[gast.expr], value: Binding) -> tuple[Binding, ...]:
        """One item for each target; a starred one gets a list of those that the others leave."""
        starred = [place for place, target in enumerate(targets) if isinstance(target, gast.Starred)]
        if not starred:
            return self.unpack(value, len(targets))
        before, after = starred[0], len(targets) - starred[0] - 1
        if not has_parts(self, value):
            return self._parted(value, before, after)
        items = parts_of(self, value, '*')
        if len(items) < before + after:
            raise TranspileError(
                f'{before + after} names for {len(items)} values', self.origin, why='Python would raise ValueError here'
            )
        end = len(items) - after
        return (*items[:before], Container('list', items[before:end]), *items[end:])

    def _parted(self, value: Binding, before: int, after: int) -> tuple[Binding, ...]:
        """The first items of a sequence whose length shows at run time, a list of those between, and the last ones."""
        whole = self.taken([value])[0]
        short = self.compare(gast.Lt, self.call(Known(len), [whole], {}), Known(before + after))
        self.raise_if(short, f'not enough values to unpack (expected at least {before + after})')
        first = [self.get_item(whole, Known(k)) for k in range(before)]
        last = [self.get_item(whole, Known(k)) for k in range(-after, 0)]
        between = Container('slice', (Known(before), Known(-after or None), Known(None)))
        return (*first, self.call(Known(list), [self.get_item(whole, between)], {}), *last)

    def unpack(self, value: Binding, count: int) -> tuple[Binding, ...]:
        if isinstance(value, Var) and isinstance(value.type, Unknown):
            raise UnknownType(
                'a value of unknown type is unpacked',
                self.origin,
                instead='annotate the parameter it comes from, or give example arguments',
            )
        found = items_of(self, self.iterated(value))
        if found is None:
            raise TranspileError(f'{self.describe(value)} cannot be unpacked', self.origin)
        found = from_zero(self, found)
        length = Known(len(found.parts)) if found.parts is not None else found.bounds[1]
        differs = self.compare(gast.NotEq, length, Known(count))
        if differs == Known(True):
            raise TranspileError(
                f'{count} names for {length.value} values', self.origin, why='Python would raise ValueError here'
            )
        self.raise_if(differs, f'too many or not enough values to unpack (expected {count})')
        return found.parts or tuple(found.at(Known(k)) for k in range(count))

    def _do_augassign(self, frame: Frame, statement: gast.AugAssign) -> bool:
        """In place for arrays, rebinding for numbers: the type decides."""
        kind = type(statement.op)
        if isinstance(statement.target, gast.Name):
            load = gast.Name(id=statement.target.id, ctx=gast.Load(), annotation=None, type_comment=None)
            current = self.evaluate(frame, gast.copy_location(load, statement.target))
            value = self.evaluate(frame, statement.value)
            if isinstance(current, Var) and isinstance(current.type, Unknown):
                raise UnknownType(
                    f'`{statement.target.id} {_symbol(kind)}= ...` depends on an unknown type',
                    self.origin,
                    why='it changes an array in place but rebinds a number',
                    instead='annotate the parameter, or give example arguments',
                )
            new = self._augmented(frame, current, kind, value)
            if new is not None:
                self.bind_target(frame, statement.target, new)
            return False
        if isinstance(statement.target, gast.Attribute):
            base, name = self.evaluate(frame, statement.target.value), statement.target.attr
            old = self.attribute(base, name)
            new = self._augmented(frame, self.current(old), kind, self.evaluate(frame, statement.value))
            self.set_attribute(base, name, old if new is None else new)
            return False
        base, index = self.evaluate(frame, statement.target.value), self.index(frame, statement.target.slice)
        if isinstance(base, Container):
            old = self.get_item(base, index)
            new = self._augmented(frame, self.current(old), kind, self.evaluate(frame, statement.value))
            if new is not None or base.kind not in HOLDERS:
                self.set_item(self.current(base), index, old if new is None else new)
            return False
        if not isinstance(base, Var):
            self.writable(base)
        index = self.settled_index(index)
        start = len(self.builder.block)
        value = self.evaluate(frame, statement.value)
        if frame.function is None:  # in core programs an accumulation
            self.add_at(base, index, value)
        else:
            self._update(base, index, kind, value, self._read_before(base, index, start))
        return False

    def _augmented(self, frame: Frame, current: Binding, kind: type[gast.operator], value: Binding) -> Binding | None:
        """`current kind= value`: the new value, or None where the old one was changed in place."""
        method = self.special(current, f'__i{WORDS[kind]}__')
        if method is not None:
            return self.call(method, [value], {})
        if isinstance(current, Container) and self.extended(self.current(current), kind, value):
            return None
        if isinstance(current, Var) and isinstance(current.type, Array):
            self._update(current, Known(...), kind, value)
            return None
        if frame.function is not None:
            self.check_power(kind, current, value)
        return self.binary(kind, current, value)

    def _read_before(self, base: Var, index: Binding, start: int) -> Var | None:
        """`base[index]` as it was before the statements from `start` on, if that matters: Python reads an element first."""
        if not all_written(self.builder.block[start:]):
            return None
        with self.builder.nested() as first:
            current = self.load(base, index)
        if not isinstance(current.type, Scalar) and not copies(self.index_expression(index), self.builder.types):
            return None  # a view shows what is written meanwhile
        self.builder.block[start:start] = first
        return current

    def _update(self, base: Var, index: Binding, kind: type[gast.operator], value: Binding, current: Var | None = None) -> None:
        """`base[index] kind= value`. NumPy writes once per place: where places may repeat they are read, changed, written."""
        base, value = self.beside_arrays(kind, base, value)
        self._check_in_place(base, kind, value)
        if current is not None:
            self.store(base, index, self.binary(kind, current, value))
            return
        alone = not may_repeat(self.index_expression(index), self.builder.types)
        if kind is gast.Sub and alone and _is_inexact(base.type):
            kind, value = gast.Add, self.unary(gast.USub, value)  # the same number, and the place keeps its cotangent
        if kind is gast.Add and alone:
            self.add_at(base, index, value)
            return
        whole = isinstance(index, Known) and index.value is Ellipsis
        current = base if whole else self.load(base, index)
        self.store(base, index, self.binary(kind, current, value))

    def _check_in_place(self, base: Var, kind: type[gast.operator], value: Binding) -> None:
        if isinstance(base.type, Array):
            _, type_ = self.operand(value)
            if isinstance(type_, Unknown):
                return
            if kind is gast.Div and base.type.dtype.kind in 'iub':
                type_ = FLOAT
            self.check_cast(base.type, type_)


def _is_inexact(type_: Type) -> bool:
    return isinstance(type_, Array) and type_.dtype.kind in 'fc'


def _symbol(kind: type[gast.operator]) -> str:
    return {
        gast.Add: '+',
        gast.Sub: '-',
        gast.Mult: '*',
        gast.Div: '/',
        gast.Pow: '**',
        gast.FloorDiv: '//',
        gast.Mod: '%',
        gast.MatMult: '@',
    }.get(kind, '?')
