"""Functions of the program, run in place of their calls."""

from __future__ import annotations

from dataclasses import replace

import gast

from transpiler.core.variables import Var
from transpiler.normalize.generators import collecting, is_generator
from transpiler.normalize.normalize import normalize
from transpiler.source.reading.capture import Function, as_definition
from transpiler.specialize.domain.bindings import Binding, Closure, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.iterables.eager import made_early
from transpiler.specialize.iterables.unread import check_all_read
from transpiler.specialize.structures.container import Container


class Inlining(Component):
    """Functions of the program, run in place of their calls."""

    def taken(self, args: list[Binding]) -> list[Binding]:
        """Lists in place of iterators."""
        return [self.ev.call(Known(list), [a], {}) if isinstance(a, Container) and a.is_iterator else a for a in args]

    def inline(self, callee: Closure, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """Run a function of the program, or of ours, on these arguments, writing its operations here."""
        if is_generator(callee.function.node):
            listing = replace(callee, function=replace(callee.function, node=collecting(callee.function.node)))
            made = made_early(self.ev, lambda: self.inline(listing, args, keywords), (*args, *keywords.values()))
            made.late.follows = True
            return made
        return self.inline_bound(callee, self.ev.tables.bind(callee, args, keywords))

    def inline_bound(self, callee: Closure, env: dict[str, Binding]) -> Binding:
        """The same, with every parameter bound already."""
        return self.run_function(callee, env) if callee.function.library else self.ev.customs.enter(callee, env)

    def run_function(self, callee: Closure, env: dict[str, Binding]) -> Binding:
        """Run the body of a function with its parameters bound."""
        frame = Frame(callee.function, env, callee.frame)
        body, frame.live = normalize(callee.function)
        for name, binding in frame.env.items():
            if isinstance(binding, Var):
                self.ev.statements.name_after(frame, binding, name)  # an argument that nobody named is called as the parameter
        outer, self.ev.ours = self.ev.ours, callee.function.library
        try:
            given = self.ev.rebinding.run_body(frame, body)
            check_all_read(self.ev, frame)
            return given
        finally:
            self.ev.ours = outer

    def nested_function(self, frame: Frame, node: gast.Lambda | gast.FunctionDef) -> Function:
        owner, definition = frame.function, as_definition(node) if isinstance(node, gast.Lambda) else node
        return Function(definition.name, definition, owner.file, owner.lines, owner.scope)
