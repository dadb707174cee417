"""Executing statements without control flow: assignments, in-place updates, nested functions, raises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import gast

from transpiler.core.language import LASTING
from transpiler.core.query import walk
from transpiler.core.variables import Var
from transpiler.errors import Origin, TranspileError, UnknownType, UnsupportedSyntax
from transpiler.normalize.flags import RESULT, is_flag, printed
from transpiler.rules.python import CALLED
from transpiler.specialize.domain.bindings import Binding, Known, Maybe, never
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.evaluation.activations import NoResult
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import STATEMENTS, executes
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NoValue
from transpiler.specialize.iterables.spaces import from_zero, has_parts, items_of, parts_of
from transpiler.specialize.iterables.unread import check_read
from transpiler.specialize.structures.ranges import Slice
from transpiler.specialize.structures.run_time_lists import DynamicList
from transpiler.specialize.structures.sequences import List
from transpiler.values.types import Array, Scalar, Tape, Type, Unknown


@dataclass(eq=False)
class Statements(Component):
    """`execute` runs a list of statements and says whether it never comes out at the end (it raises)."""

    expected: dict[str, Type] = field(default_factory=dict)  # what lists are going to hold that hold nothing so far

    def run_body(self, frame: Frame, body: list[gast.stmt]) -> Binding:
        """Run a function's body; its last statement is the one `return`."""
        self.run_through(frame, body[:-1])
        with self.builder.at(self._origin_of(frame, body[-1])):
            return self.ev.expressions.value_or_none(frame, body[-1].value)

    def run_through(self, frame: Frame, body: list[gast.stmt]) -> None:
        """Run statements behind which there are others."""
        if self.execute(frame, body):
            failure = self.builder.block.pop()
            raise NoValue(failure, any(isinstance(s, gast.Raise) for s in walk(self.builder.block)))

    def execute(self, frame: Frame, body: list[gast.stmt]) -> bool:
        for statement in body:
            with self.builder.at(self._origin_of(frame, statement), getattr(statement, 'role', None)):
                try:
                    part, method = STATEMENTS[type(statement)]
                    if self.ev.distribution.awaiting(frame, statement, getattr(self.ev.components[part], method)):
                        return True
                except NoValue as missing:
                    self.builder.append(missing.failure)
                    return True
        return False

    def awaiting(self, frame: Frame, statement: gast.stmt, do: Callable[[Frame, gast.stmt], bool]) -> bool:
        """Do a statement; a loop whose body needs a result that is not known yet is taken to have no iterations, for now."""
        if not isinstance(statement, (gast.For, gast.While)):
            return do(frame, statement)
        state, before = self.builder.snapshot(), frame.env
        unknown = any(apart.result is None for apart in self.ev.recursion.apart)
        try:
            with self.ev.failures.if_reached(frame):
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
        return replace(self.origin, inside=CALLED.get(frame.function.name, frame.function.name)) if inside else self.origin

    @executes(gast.Pass)
    def _do_pass(self, frame: Frame, statement: gast.Pass) -> bool:
        return False

    @executes(gast.Expr)
    def _do_expr(self, frame: Frame, statement: gast.Expr) -> bool:
        if not isinstance(statement.value, gast.Constant):
            check_read(self.ev, self.ev.expressions.value_or_none(frame, statement.value), 'this iterator is')
        return False

    @executes(gast.Delete)
    def _do_delete(self, frame: Frame, statement: gast.Delete) -> bool:
        """A name has no value any more; the memory lives as long as something needs it."""
        for target in statement.targets:
            if isinstance(target, gast.Subscript):
                self.ev.overloads.delete_item(self.ev.evaluate(frame, target.value), self.ev.indexing.index(frame, target.slice))
            else:
                frame.env[target.id] = Maybe(self.ev.parameters.name(frame, target), never, frozenset(), safe=True)
        return False

    @executes(gast.FunctionDef)
    def _do_functiondef(self, frame: Frame, statement: gast.FunctionDef) -> bool:
        frame.env[statement.name] = self.ev.scopes.close_over(frame, statement)
        return False

    def _do_assign(self, frame: Frame, statement: gast.Assign) -> bool:
        value = self.ev.expressions.value_or_none(frame, statement.value)
        for target in statement.targets:
            self.ev.distribution.bind_target(frame, target, value)
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

    @executes(gast.AnnAssign)
    def _do_annassign(self, frame: Frame, statement: gast.AnnAssign) -> bool:
        if statement.value is not None:
            self.ev.distribution.bind_target(frame, statement.target, self.ev.expressions.value_or_none(frame, statement.value))
        return False

    def bind_target(self, frame: Frame, target: gast.expr, value: Binding) -> None:
        match target:
            case gast.Name(id=name):
                check_read(self.ev, frame.env.get(name), f'what `{name}` has been is')
                frame.env[name] = self.ev.held(self.ev.parameters.named(frame.function, name, value))
                if isinstance(value, DynamicList) and name != RESULT:
                    self.ev.placeholders.name_lists(value, printed(name))
                base = printed(name)
                parts = zip((f'has_{base}', base), value.items, strict=True) if is_optional(value) else ((base, value),)
                for part, leaf in parts if name != RESULT and not is_flag(name) else ():
                    if isinstance(leaf, Var) and not self.builder.is_older(leaf.name):
                        self.name_after(frame, leaf, part)
            case gast.Tuple(elts=targets) | gast.List(elts=targets):
                for part, item in zip(targets, self._items_for(targets, self.ev.indexing.surely(value)), strict=True):
                    self.ev.distribution.bind_target(frame, part, item)
            case gast.Starred(value=inner):
                self.ev.distribution.bind_target(frame, inner, value)
            case gast.Attribute(value=base, attr=name):
                self.ev.attributes.set_attribute(self.ev.evaluate(frame, base), name, value)
            case gast.Subscript(value=base, slice=index):
                self.ev.distribution.store(self.ev.evaluate(frame, base), self.ev.indexing.index(frame, index), value)
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
        if not has_parts(self.ev, value):
            return self._parted(value, before, after)
        items = parts_of(self.ev, value, '*')
        if len(items) < before + after:
            raise self.ev.inference.failing(ValueError(
                f'not enough values to unpack (expected at least {before + after}, got {len(items)})'))
        end = len(items) - after
        return (*items[:before], List(items[before:end]), *items[end:])

    def _parted(self, value: Binding, before: int, after: int) -> tuple[Binding, ...]:
        """The first items of a sequence whose length shows at run time, a list of those between, and the last ones."""
        whole = self.ev.inlining.taken([value])[0]
        short = self.ev.compare(gast.Lt, self.ev.call(Known(len), [whole], {}), Known(before + after))
        self.ev.operations.raise_if(short, f'not enough values to unpack (expected at least {before + after})')
        first = [self.ev.get_item(whole, Known(k)) for k in range(before)]
        last = [self.ev.get_item(whole, Known(k)) for k in range(-after, 0)]
        between = Slice((Known(before), Known(-after or None), Known(None)))
        return (*first, self.ev.call(Known(list), [self.ev.get_item(whole, between)], {}), *last)

    def unpack(self, value: Binding, count: int) -> tuple[Binding, ...]:
        if isinstance(value, Var) and isinstance(value.type, Unknown):
            raise UnknownType(
                'a value of unknown type is unpacked',
                self.origin,
                instead='annotate the parameter it comes from, or give example arguments',
            )
        found = items_of(self.ev, self.ev.overloads.iterated(value))
        if found is None:
            raise TranspileError(f'{self.ev.describe(value)} cannot be unpacked', self.origin)
        found = from_zero(self.ev, found)
        length = Known(len(found.parts)) if found.parts is not None else found.bounds[1]
        differs = self.ev.compare(gast.NotEq, length, Known(count))
        if differs == Known(True):
            few = length.value < count
            raise self.ev.inference.failing(ValueError(f'not enough values to unpack (expected {count}, got {length.value})'
                                                       if few
                                          else f'too many values to unpack (expected {count})'))
        self.ev.operations.raise_if(differs, f'too many or not enough values to unpack (expected {count})')
        return found.parts or tuple(found.at(Known(k)) for k in range(count))
