"""Raising and asserting: exceptions, and the messages that they carry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gast

from transpiler.core import build
from transpiler.core.query import RAISES
from transpiler.errors import TranspileError, UnsupportedSyntax
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.domain.literals import class_at
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import executes
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.expressions.strings import settled, unsure_of, ways_of, written


class Failures(Component):
    """`raise` and `assert`."""

    @contextmanager
    def if_reached(self, frame: Frame) -> Iterator[None]:
        """Do what Python does, or does not: whether what is refused there is an error of Python's shows at run time."""
        try:
            yield
        except TranspileError as error:
            error.certain = error.certain and frame.function is not None and frame.function.library
            raise

    @executes(gast.Raise)
    def _do_raise(self, frame: Frame, statement: gast.Raise) -> bool:
        called = isinstance(statement.exc, gast.Call)
        kind = self.ev.known(self.ev.evaluate(frame, statement.exc.func if called else statement.exc),
                             'the class of an exception')
        args = [self.ev.expressions.value_or_none(frame, a) for a in statement.exc.args] if called else []
        args = [self._shown(args[0])] if len(args) == 1 else args   # of several, texts would stand in quotes
        self._fail(kind, args,
                   {k.arg: self.ev.expressions.value_or_none(frame, k.value) for k in statement.exc.keywords} if called else {})
        return True

    def _fail(self, kind: type, args: list[Binding], keywords: dict[str, Binding]) -> None:
        """Raise in a branch of its own for what may be None and is not, and for each kind of what is of several."""
        unsure = unsure_of((*args, *keywords.values()))
        if unsure is None:
            self.builder.append(build.fail(self.exception(kind, args, keywords), self.origin, self.builder.role))
            return
        test, *ways = ways_of(self.ev, unsure)
        arms = []
        for found in ways:
            with self.builder.nested() as arm:
                self._fail(kind, [settled(a, unsure, found) for a in args],
                           {key: settled(value, unsure, found) for key, value in keywords.items()})
            arms.append(arm)
        test = self.ev.tested(test)
        if isinstance(test, Known):
            self.builder.block.extend(arms[0 if test.value else 1])
        else:
            self.builder.append(build.branch(self.ev.operand(test)[0], *arms, self.origin, self.builder.role))

    def exception(self, kind: type, args: list[Binding], keywords: dict[str, Binding]) -> gast.expr:
        """`ValueError('...')`: the class can be found by its name; the message may show run-time numbers."""
        args = [written(self.ev, value) for value in args]
        keywords = {key: written(self.ev, value) for key, value in keywords.items()}
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            raise UnsupportedSyntax(
                f'{kind!r} is raised, which is no class of exceptions',
                self.origin,
                why='the class must be known when the code is generated',
                instead='raise a class, or call one: `raise ValueError(...)`',
            )
        if kind.__module__ == 'builtins':
            return build.call(f'python.{kind.__name__}', *args, **keywords)
        place = f'{kind.__module__}:{kind.__qualname__}'
        if class_at(place) is not kind:
            raise UnsupportedSyntax(
                f'`{kind.__name__}` cannot be raised by generated code',
                self.origin,
                why=f'it is not found as `{kind.__qualname__}` in the module `{kind.__module__}`, where it would be looked for',
                instead='define the class at the top level of a module',
            )
        return build.call(f'{RAISES}{place}', *args, **keywords)

    @executes(gast.Assert)
    def _do_assert(self, frame: Frame, statement: gast.Assert) -> bool:
        holds = self.ev.distribution.test(frame, statement.test)
        if isinstance(holds, Known) and holds.value:
            return False
        if isinstance(holds, Known):
            self._fail(AssertionError, self._message(frame, statement), {})
            return True
        with self.builder.nested() as arm:
            self._fail(AssertionError, self._message(frame, statement), {})
        self.builder.append(build.branch(self.ev.expressions.negate(holds).name, arm, [], self.origin, self.builder.role))
        return False

    def _message(self, frame: Frame, statement: gast.Assert) -> list[Binding]:
        return [] if statement.msg is None else [self._shown(self.ev.expressions.value_or_none(frame, statement.msg))]

    def _shown(self, value: Binding) -> Binding:
        return self.ev.texts.whole(self.ev.current(value))
