"""What names mean where they are read, and functions that read those around them."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.errors import UnsupportedSyntax
from transpiler.normalize.comprehensions import local_names
from transpiler.normalize.flags import RESULT
from transpiler.source.reading.capture import MISSING
from transpiler.specialize.domain.bindings import (
    Binding,
    Closure,
    Known,
    Maybe,
)
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NoValue


class Scopes(Component):
    """What names mean where they are read, and functions that read those around them."""

    def demanded(self, name: str, maybe: Maybe) -> Binding:
        """The value of a name that may have none: then Python raises, and so do derivatives and compiled code."""
        defined = self.ev.tested(maybe.defined(self.ev))
        if defined == Known(False):
            raise NoValue(self.no_value(name))
        if defined != Known(True) and name != RESULT:  # every path gives the result a value, or raises
            failure = self.no_value(name)
            self.builder.append(build.branch(self.ev.expressions.negate(defined).name, [failure], [], self.origin,
                                             self.builder.role))
        return maybe.binding

    def no_value(self, name: str) -> gast.Raise:
        message = build.constant(f"cannot access local variable '{name}' where it is not associated with a value")
        return build.fail(build.call('python.UnboundLocalError', message), self.origin, self.builder.role)

    def _check_not_early(self, name: str) -> None:
        """Refuse an iterator whose items read a name that has no value yet: Python reads it when their turn comes."""
        if self.ev.heap.late is not None:
            raise UnsupportedSyntax(
                f'`{name}` has no value where an iterator is made whose items read it', self.origin,
                why='Python makes each item when its turn comes, generated code where the iterator is made',
                instead='give it a value before, or make the iterator where it is read')

    def look_up(self, frame: Frame, name: str) -> Binding | None:
        """A local, a name of an enclosing function, a primitive, or what the scope of the source says.

        Raises NoValue for a name that a function gives a value, but has not on the way to this line.
        """
        if '.' in name:
            return self.ev.captures.dotted(name)
        scope: Frame | None = frame
        while scope is not None:
            if name in scope.env:
                if self.ev.heap.late is not None:
                    self.ev.heap.late.frames[id(scope), name] = scope
                return scope.env[name]
            inside = scope.parent is not None and scope.parent.function is scope.function  # of a comprehension
            if scope.function is not None and not inside and name in local_names(scope.function.node):
                self._check_not_early(name)
                raise NoValue(self.no_value(name))
            if scope.parent is None and scope.function is not None:
                value = scope.function.scope.lookup(name)
                return None if value is MISSING else self.ev.captures.free_value(scope.function, name, value)
            scope = scope.parent
        return Known(range) if name == 'range' else None  # core programs have no scope but the language's own

    def close_over(self, frame: Frame, node: gast.Lambda | gast.FunctionDef) -> Closure:
        """A nested function: its defaults are evaluated now, its free names when it runs."""
        function = self.ev.inlining.nested_function(frame, node)
        arguments = function.node.args
        named = [a.id for a in arguments.posonlyargs + arguments.args][-len(arguments.defaults) :] if arguments.defaults else []
        defaults = [(n, self.ev.held(self.ev.evaluate(frame, d))) for n, d in zip(named, arguments.defaults, strict=True)]
        defaults += [
            (a.id, self.ev.held(self.ev.evaluate(frame, d)))
            for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if d is not None
        ]
        return Closure(function, frame, tuple(defaults))
