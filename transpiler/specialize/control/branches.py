"""Branches: both arms are run, then merged; a test that is known picks one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import gast

from transpiler.core import build
from transpiler.core.links import link, links
from transpiler.core.variables import Var
from transpiler.normalize.flags import printed
from transpiler.specialize.containers.heap import Grows, Meeting
from transpiler.specialize.domain.bindings import Binding, Conflict, Known
from transpiler.specialize.domain.optionals import narrowed, widened
from transpiler.specialize.evaluation.activations import NoResult
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import executes
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NoValue
from transpiler.specialize.structures.container import Container

T = TypeVar('T')


class Branches(Component):
    """`if`, conditional expressions, `and` and `or`."""

    def truth(self, test: Binding) -> bool | None:
        """Whether a test is known to hold; None if that shows only at run time."""
        match test:
            case Known(value):
                return bool(value)
            case Container(items=items):
                return bool(items)
            case Var():
                return None
            case Conflict(error):
                raise error(self.origin)
        return True

    def narrowed(self, names: dict, test: Var, holds: bool) -> dict:
        """What names stand for where a test holds, or does not."""
        return narrowed(names, self.builder.block, test, holds)

    def choose(
        self, frame: Frame | None, test: Binding, then: Callable[[], Binding], otherwise: Callable[[], Binding]
    ) -> Binding:
        """The value of a conditional expression; only the arm taken is evaluated."""
        test = self.ev.tested(test)
        holds = self.truth(test)
        if holds is not None:
            return then() if holds else otherwise()
        frame = frame or Frame(None)
        return self._with_growth(frame, lambda: self._one_of(frame, test, then, otherwise))

    def _one_of(self, frame: Frame, test: Var, then: Callable[[], Binding], otherwise: Callable[[], Binding]) -> Binding:
        before, heap = frame.env, self.ev.heap.contents
        known = [self.ev.distribution.narrowed(before, test, holds) for holds in (True, False)]
        with self.builder.knowing(test.name, True):
            left, body, left_env = self._arm(frame, known[0], then)
        left_heap, self.ev.heap.contents = self.ev.heap.contents, heap
        with self.builder.knowing(test.name, False):
            right, orelse, right_env = self._arm(frame, known[1], otherwise)
        frame.env = before
        missing = [isinstance(value, (NoValue, NoResult)) for value in (left, right)]
        if all(missing):
            unknown = next((value for value in (left, right) if isinstance(value, NoResult)), None)
            raise unknown or NoValue(build.branch(test.name, body, orelse, self.origin, self.builder.role))
        if any(missing):
            merged, frame.env = (right, right_env) if missing[0] else (left, left_env)
            self.ev.heap.contents = self.ev.heap.contents if missing[0] else left_heap
        else:
            left_env, right_env = (widened(env, arm, before) for env, arm in zip((left_env, right_env), known, strict=True))
            self.ev.joins.meeting = Meeting(self.ev, heap, left_heap, self.ev.heap.contents)
            place = f'choice at {self.origin}' if self.ev.separation is not None and self.ev.separation.asked else ''
            merged = self.ev.tables.join('choice', left, body, right, orelse, True, place)
            for name in [n for n in {**left_env, **right_env} if left_env.get(n) is not right_env.get(n)]:
                frame.env[name] = self.ev.rebinding.merge(frame, name, test, (left_env.get(name), body),
                                                          (right_env.get(name), orelse))
            self._meet(frame, body, orelse, merged)
        if body or orelse:
            node = build.branch(test.name, body, orelse, self.origin, self.builder.role)
            self.builder.append(link(node, expression=True))
        return self.ev.current(merged)

    def _meet(self, frame: Frame, body: list, orelse: list, *values: Binding) -> None:
        """Merge what the containers hold after the two arms, which `values` refer to among others."""
        others = [binding for binding in frame.env.values() if binding is not None]
        self.ev.joins.meeting.close(lambda name, a, b: self.ev.tables.join(name, a, body, b, orelse), (*values, *others))

    def _arm(self, frame: Frame, before: dict, arm: Callable[[], Binding]) -> tuple[Binding | NoValue | NoResult, list, dict]:
        """The value of one arm of an expression, unless it surely raises; its statements, its names."""
        frame.env, self.ev.heap.contents = dict(before), dict(self.ev.heap.contents)
        with self.ev.sizes.perhaps_run() as block:
            try:
                return self.ev.held(arm()), block, frame.env
            except NoValue as missing:
                self.builder.append(missing.failure)
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

    @executes(gast.If)
    def _do_if(self, frame: Frame, statement: gast.If) -> bool:
        live = frame.live.get(id(statement))
        arms = (lambda: self.ev.execute(frame, statement.body)), (lambda: self.ev.execute(frame, statement.orelse))
        test = self.ev.distribution.test(frame, statement.test)
        with self.ev.failures.if_reached(frame):
            return self.branch(frame, test, *arms, live.after if live else None, statement)

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
        test = self.ev.tested(test)
        holds = self.truth(test)
        if holds is not None:
            return then() if holds else otherwise()
        return self._with_growth(frame, lambda: self.ev.rebinding.both(frame, test, then, otherwise, live, statement))

    def _with_growth(self, frame: Frame, run: Callable[[], T]) -> T:
        """What two arms give; lists from before that are longer after one of them grow at run time, and both are run anew."""
        before, heap = frame.env, self.ev.heap.contents
        while True:
            try:
                return run()
            except Grows as need:
                frame.env, self.ev.heap.contents = before, heap
                if need.cell not in heap:
                    raise
                self.ev.placeholders.grow(frame, need.cell, need.example)

    def both(
        self,
        frame: Frame,
        test: Var,
        then: Callable[[], bool],
        otherwise: Callable[[], bool],
        live: frozenset[str] | None,
        statement: gast.stmt,
    ) -> bool:
        before, heap = frame.env, self.ev.heap.contents
        missing: list[NoResult] = []
        known = [self.ev.distribution.narrowed(before, test, holds) for holds in (True, False)]
        frame.env, self.ev.heap.contents = dict(known[0]), dict(heap)
        with self.ev.sizes.perhaps_run() as body, self.builder.knowing(test.name, True):
            left_ends = self._ends(missing, then)
        left, left_heap = frame.env, self.ev.heap.contents
        frame.env, self.ev.heap.contents = dict(known[1]), dict(heap)
        with self.ev.sizes.perhaps_run() as orelse, self.builder.knowing(test.name, False):
            right_ends = self._ends(missing, otherwise)
        right = frame.env
        if missing and left_ends and right_ends:
            raise missing[0]
        if left_ends or right_ends:
            frame.env, self.ev.heap.contents = (right, self.ev.heap.contents) if left_ends else (left, left_heap)
        else:
            left, right = (widened(env, arm, before) for env, arm in zip((left, right), known, strict=True))
            self.ev.joins.meeting = Meeting(self.ev, heap, left_heap, self.ev.heap.contents)
            names = [n for n in {**left, **right} if live is None or n in live]
            pairs = ((n, left.get(n), right.get(n)) for n in names)
            frame.env = {
                n: a if a is b and isinstance(a, (Var, Known)) else self.ev.rebinding.merge(
                    frame, n, test, (a, body), (b, orelse))
                for n, a, b in pairs
            }
            self._meet(frame, body, orelse)
        if body or orelse:
            self.builder.append(self._branch_node(statement, test.name, body, orelse))
        return left_ends and right_ends

    def _branch_node(self, statement: gast.If, test: str, body: list, orelse: list) -> gast.If:
        """A branch whose first arm came out empty is turned round."""
        if not body:
            negated = self.builder.define('not_', build.unary(gast.Not, test), self.builder.types[test])
            test, body, orelse = negated.name, orelse, []
        node = build.branch(test, body, orelse, self.origin, self.builder.role)
        return link(node, expression=links(statement).expression)

    def base_of(self, frame: Frame, name: str) -> tuple[str, bool]:
        """What variables that merge the values of `name` are called, and whether nobody wrote that name."""
        hint = frame.hints.get(name)
        if hint is not None:
            return hint.base, hint.temporary
        return printed(name), frame.function is not None and frame.function.library
