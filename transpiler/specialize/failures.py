"""Raising and asserting: exceptions, and the messages that they carry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gast

from transpiler.core import build
from transpiler.core.query import RAISES
from transpiler.errors import TranspileError, UnsupportedSyntax
from transpiler.specialize.bindings import Known
from transpiler.specialize.calls import Calls
from transpiler.specialize.context import Frame
from transpiler.specialize.literals import class_at
from transpiler.specialize.texts import written


class Failures(Calls):
    """`raise` and `assert`."""

    @contextmanager
    def if_reached(self, frame: Frame) -> Iterator[None]:
        """Do what Python does, or does not: whether what is refused there is an error of Python's shows at run time."""
        try:
            yield
        except TranspileError as error:
            error.certain = error.certain and frame.function is not None and frame.function.library
            raise

    def _do_raise(self, frame: Frame, statement: gast.Raise) -> bool:
        self.builder.append(build.fail(self.exception(frame, statement.exc), self.origin, self.builder.role))
        return True

    def exception(self, frame: Frame, node: gast.expr) -> gast.expr:
        """`ValueError('...')`: the class can be found by its name; the message may show run-time numbers."""
        called = isinstance(node, gast.Call)
        kind = self.known(self.evaluate(frame, node.func if called else node), 'the class of an exception')
        args = [self._message(frame, a) for a in node.args] if called else []
        keywords = {k.arg: self._message(frame, k.value) for k in node.keywords} if called else {}
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

    def _message(self, frame: Frame, node: gast.expr) -> gast.expr:
        return written(self, self.evaluate(frame, node))

    def _do_assert(self, frame: Frame, statement: gast.Assert) -> bool:
        holds = self.test(frame, statement.test)
        if isinstance(holds, Known) and holds.value:
            return False
        arguments = [] if statement.msg is None else [self._message(frame, statement.msg)]
        failure = build.fail(build.call('python.AssertionError', *arguments), self.origin, self.builder.role)
        if isinstance(holds, Known):
            self.builder.append(failure)
            return True
        self.builder.append(build.branch(self.negate(holds).name, [failure], [], self.origin, self.builder.role))
        return False
