"""Branches: both arms are run, then merged; a test that is known picks one."""

from __future__ import annotations

from collections.abc import Callable

import gast

from transpiler.core import build
from transpiler.normalize.flags import printed
from transpiler.specialize.bindings import Binding, Container, Known, Var
from transpiler.specialize.context import Frame, NoValue
from transpiler.specialize.joins import Joins
from transpiler.specialize.recursion import NoResult


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

    def choose(
        self, frame: Frame | None, test: Binding, then: Callable[[], Binding], otherwise: Callable[[], Binding]
    ) -> Binding:
        """The value of a conditional expression; only the arm taken is evaluated."""
        holds = self.truth(test)
        if holds is not None:
            return then() if holds else otherwise()
        frame = frame or Frame(None)
        before = frame.env
        (left, body, left_env), (right, orelse, right_env) = (self._arm(frame, before, arm) for arm in (then, otherwise))
        frame.env = before
        missing = [isinstance(value, (NoValue, NoResult)) for value in (left, right)]
        if all(missing):
            raise left if isinstance(left, NoResult) else right
        if any(missing):
            merged, frame.env = (right, right_env) if missing[0] else (left, left_env)
        else:
            merged = self.join('choice', left, body, right, orelse, temporary=True)
            for name in [n for n in {**left_env, **right_env} if left_env.get(n) is not right_env.get(n)]:
                frame.env[name] = self.merge(frame, name, test, (left_env.get(name), body), (right_env.get(name), orelse))
        if body or orelse:
            node = build.branch(test.name, body, orelse, self.origin, self.builder.role)
            node.form = 'expression'
            self.builder.append(node)
        return merged

    def _arm(self, frame: Frame, before: dict, arm: Callable[[], Binding]) -> tuple[Binding | NoValue | NoResult, list, dict]:
        """The value of one arm of an expression, unless it reads a name without one; its statements, its names."""
        frame.env = dict(before)
        with self.perhaps_run() as block:
            try:
                return arm(), block, frame.env
            except NoValue as missing:
                self.builder.append(self.no_value(missing.name))
                return missing, block, frame.env
            except NoResult as missing:  # nobody can say what it gives yet
                return missing, block, frame.env

    def _ends(self, missing: list[NoResult], run: Callable[[], bool]) -> bool:
        """Whether one thing never comes out at its end; what needs a result that is not known yet does not, for now."""
        try:
            return run()
        except NoResult as error:
            missing.append(error)
            return True

    def _do_if(self, frame: Frame, statement: gast.If) -> bool:
        live = frame.live.get(id(statement))
        arms = (lambda: self.execute(frame, statement.body)), (lambda: self.execute(frame, statement.orelse))
        return self.branch(frame, self.evaluate(frame, statement.test), *arms, live.after if live else None, statement)

    def branch(
        self,
        frame: Frame,
        test: Binding,
        then: Callable[[], bool],
        otherwise: Callable[[], bool],
        live: frozenset[str] | None,
        statement: gast.stmt,
    ) -> bool:
        """Run one of two things, or both if the test shows only at run time; each says whether it never comes out at its end."""
        holds = self.truth(test)
        if holds is not None:
            return then() if holds else otherwise()
        before = frame.env
        missing: list[NoResult] = []
        frame.env = dict(before)
        with self.perhaps_run() as body:
            left_ends = self._ends(missing, then)
        left, frame.env = frame.env, dict(before)
        with self.perhaps_run() as orelse:
            right_ends = self._ends(missing, otherwise)
        right = frame.env
        if missing and left_ends and right_ends:
            raise missing[0]
        if left_ends or right_ends:
            frame.env = right if left_ends else left
        else:
            names = [n for n in {**left, **right} if live is None or n in live]
            frame.env = {n: self.merge(frame, n, test, (left.get(n), body), (right.get(n), orelse)) for n in names}
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

    def base_of(self, frame: Frame, name: str) -> tuple[str, bool]:
        """What variables that merge the values of `name` are called, and whether nobody wrote that name."""
        hint = frame.hints.get(name)
        if hint is not None:
            return hint.base, hint.temporary
        return printed(name), frame.function is not None and frame.function.library
