"""Branches: both arms are run, then merged; a test that is known picks one."""

from __future__ import annotations

from collections.abc import Callable

import gast

from transpiler.core import build
from transpiler.normalize.returns import RESULT
from transpiler.specialize.bindings import Binding, Container, Known, Var
from transpiler.specialize.context import Frame
from transpiler.specialize.joins import Joins


class Branches(Joins):
    """`if`, conditional expressions, `and` and `or`."""

    def truth(self, test: Binding) -> bool | None:
        """Whether a test is known to hold; None if that shows only at run time."""
        match test:
            case Known(value):
                return bool(value)
            case Container(_, items):
                return bool(items)
            case Var():
                return None
        return True

    def choose(self, frame: Frame, test: Binding, then: Callable[[], Binding], otherwise: Callable[[], Binding]) -> Binding:
        """The value of a conditional expression; only the arm taken is evaluated."""
        holds = self.truth(test)
        if holds is not None:
            return then() if holds else otherwise()
        with self.perhaps_run() as body:
            left = then()
        with self.perhaps_run() as orelse:
            right = otherwise()
        merged = self.join('choice', left, body, right, orelse, temporary=True)
        if body or orelse:
            node = build.branch(test.name, body, orelse, self.origin, self.builder.role)
            node.form = 'expression'
            self.builder.append(node)
        return merged

    def _do_if(self, frame: Frame, statement: gast.If) -> bool:
        test = self.evaluate(frame, statement.test)
        holds = self.truth(test)
        if holds is not None:
            return self.execute(frame, statement.body if holds else statement.orelse)
        before = frame.env
        frame.env = dict(before)
        with self.perhaps_run() as body:
            left_ends = self.execute(frame, statement.body)
        left, frame.env = frame.env, dict(before)
        with self.perhaps_run() as orelse:
            right_ends = self.execute(frame, statement.orelse)
        right = frame.env
        if left_ends or right_ends:
            frame.env = right if left_ends else left
        else:
            live = frame.live.get(id(statement))
            frame.env = self._merge(frame, test, left, body, right, orelse, live.after if live else None)
        if body or orelse:
            self.builder.append(self._branch_node(statement, test.name, body, orelse))
        return left_ends and right_ends

    def _branch_node(self, statement: gast.If, test: str, body: list, orelse: list) -> gast.If:
        """A branch whose first arm came out empty is turned round."""
        if not body:
            negated = self.builder.define('not_', build.unary(gast.Not, test), self.builder.types[test])
            test, body, orelse = negated.name, orelse, []
        node = build.branch(test, body, orelse, self.origin, self.builder.role)
        if hasattr(statement, 'form'):
            node.form = statement.form
        return node

    def _merge(
        self, frame: Frame, test: Binding, left: dict, body: list, right: dict, orelse: list, live: frozenset[str] | None
    ) -> dict:
        env = {}
        for name in [*left, *(n for n in right if n not in left)]:
            if live is not None and name not in live:
                continue
            base, temporary = self.base_of(frame, name)
            if name in left and name in right:
                env[name] = self.join(base, left[name], body, right[name], orelse, temporary)
            elif name in left:
                env[name] = self.perhaps(frame, self.only_here(base, left[name], body, temporary), lambda run: test)
            else:
                env[name] = self.perhaps(
                    frame, self.only_here(base, right[name], orelse, temporary), lambda run: run.negate(test)
                )
        return env

    def base_of(self, frame: Frame, name: str) -> tuple[str, bool]:
        """What variables that merge the values of `name` are called, and whether nobody wrote that name."""
        if name == RESULT:
            return 'result', False
        hint = frame.hints.get(name)
        if hint is not None:
            return hint.base, hint.temporary
        return name, frame.function is not None and frame.function.library
