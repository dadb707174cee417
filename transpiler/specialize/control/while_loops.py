"""`while`, and what it shares with the other loops: an iteration, and the way out."""

from __future__ import annotations

from collections.abc import Callable

import gast

from transpiler.core import build
from transpiler.core.query import names, without_exit
from transpiler.errors import TranspileError, UnsupportedSyntax
from transpiler.specialize.containers.heap import Grows
from transpiler.specialize.control.loop_trial import Growth, Iteration
from transpiler.specialize.control.peeling import PEELS
from transpiler.specialize.control.while_conditions import as_expression
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import executes
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.ranks import unknown_length
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.specialize.iterables.spaces import UNROLLED
from transpiler.values.types import BOOL


class Whiles(Component):
    """Loops with a test."""

    def iteration(self, frame: Frame, statement: gast.For | gast.While, iteration: Iteration) -> None:
        """The body, once, and whether the loop is left after it."""
        body, leave = without_exit(statement.body)
        if not self.ev.execute(frame, body) and leave is not None:
            iteration.leave = self.ev.evaluate(frame, leave)

    def with_exit(self, iteration: Iteration) -> list[gast.stmt]:
        """The body, with the exit as its last statement if the loop may be left at all."""
        if self.ev.branches.truth(iteration.leave) is False:
            return iteration.body
        return [*iteration.body, build.leave(self.ev.operand(iteration.leave)[0], self.origin, self.builder.role)]

    @executes(gast.While)
    def _do_while(self, frame: Frame, statement: gast.While) -> bool:
        peels = PEELS if self.ev.ranks_apart and frame.function is not None else None
        run = lambda: self._going(frame, statement, peels)
        return self.ev.peeling.settling(frame, run, lambda error: self._each_of(frame, statement, error))

    def _each_of(self, frame: Frame, statement: gast.While, error: TranspileError, left: int = UNROLLED) -> bool:
        """All iterations one after the other; whether there is another one must be known each time."""
        begins = self.ev.branches.truth(self.ev.distribution.test(frame, statement.test))
        if begins is False:
            return False
        body, leave = without_exit(statement.body)
        if begins and left and self.ev.execute(frame, body):
            return True
        gone = Known(False) if leave is None else self.ev.evaluate(frame, leave)
        endless = isinstance(statement.test, gast.Constant) and self.ev.branches.truth(gone) is None
        if not begins or not left or endless:
            read = (frame.env.get(name) for name in (*names(statement.test), *names(statement)))
            raise unknown_length(self.ev, read, error)
        others = lambda: self._each_of(frame, statement, error, left - 1)
        live = frame.live.get(id(statement))
        return self.ev.branches.branch(frame, gone, lambda: self.ev.peeling.leave(frame, leave), others,
                                       live.after if live else None, statement)

    def _going(self, frame: Frame, statement: gast.While, peels: int | None) -> bool:
        """A `while`, of which so many iterations may be written before it."""

        def peel(more: int) -> bool:
            others = lambda: self._going(frame, statement, more)
            return self.ev.peeling.peeled(frame, statement, self.ev.peeling.begins(frame, statement.test), lambda: None, others)

        return self.ev.peeling.peeling(frame, lambda peels: self._tested(frame, statement, Growth(peels=peels)), peel, peels)

    def _tested(self, frame: Frame, statement: gast.While, growth: Growth) -> bool:
        if self._never_begins(frame, statement):
            return False
        nested = [True]

        def run(iteration: Iteration) -> None:
            names = dict(frame.env)
            with self.builder.nested() as block:
                test = self.ev.distribution.test(frame, statement.test)
            holds = self.ev.branches.truth(test)
            iteration.test = build.constant(holds) if holds is not None else as_expression(block, test.name)
            # a name that the test gives a value is read in the body: the test is more than an expression
            nested[0] = iteration.test is not None and all(names.get(n) is b for n, b in frame.env.items())
            if holds is not None:
                self.builder.block.extend(block)
            self.iteration(frame, statement, iteration)

        iteration = self.ev.rebinding.settle(frame, statement, run, growth)
        _, leave = without_exit(statement.body)
        endless = isinstance(iteration.test, gast.Constant) and iteration.test.value
        if endless and self.ev.branches.truth(iteration.leave) is False:
            raise UnsupportedSyntax(
                'this loop never ends',
                self.origin,
                why='its test is always true',
                instead='give it a test that changes, or a `break`',
            )
        if nested[0]:
            node = lambda: build.loop(iteration.test, self.with_exit(iteration), self.origin, self.builder.role)
            self.ev.iterations.finish(frame, iteration, node, (lambda ev: Known(True)) if endless else self._entered(iteration))
        else:
            self._flagged(frame, statement, iteration)
        if endless and isinstance(leave, gast.Name) and frame.function is not None:
            frame.env[leave.id] = Known(True)
        return False

    def _never_begins(self, frame: Frame, statement: gast.While) -> bool:
        """Whether the first test is known to fail; what it did is kept then, and taken back otherwise."""
        state = self.ev.places.before(frame)
        try:
            fails = self.ev.branches.truth(self.ev.distribution.test(frame, statement.test)) is False
        except (Grows, NeedStatic):  # the trial of the loop lets lists grow
            fails = False
        if not fails:
            self.ev.places.return_to(frame, state)
        return fails

    def _flagged(self, frame: Frame, statement: gast.While, iteration: Iteration) -> None:
        """A test that is no single expression is evaluated before the loop and at the end of each iteration."""
        flag = self.builder.fresh('going', BOOL, temporary=True)

        def evaluate_test() -> None:
            self.ev.places.put_back(frame, {**self.ev.heap.contents, **iteration.names()})
            self.builder.assign(flag.name, self.ev.operand(self.ev.distribution.test(frame, statement.test))[0])

        def node() -> gast.stmt:
            with self.builder.nested() as again:
                evaluate_test()
            if self.ev.branches.truth(iteration.leave) is not False:
                stop = build.assign(flag.name, False, self.origin, self.builder.role)
                again = [build.branch(self.ev.operand(iteration.leave)[0], [stop], again, self.origin, self.builder.role)]
            evaluate_test()
            return build.loop(flag.name, [*iteration.body, *again], self.origin, self.builder.role)

        self.ev.iterations.finish(frame, iteration, node, self._entered(iteration))

    def _entered(self, iteration: Iteration) -> Callable[..., Binding]:
        """Whether a `while` has run its body at all: a flag, set up when somebody asks."""
        place, flags = (self.builder.block, len(self.builder.block)), []

        def ran(ev) -> Binding:
            if not flags:
                flags.append(self.builder.fresh('entered', BOOL, temporary=True))
                block, position = place
                block.insert(position, build.assign(flags[0].name, False, self.origin, self.builder.role))
                iteration.node.body.insert(0, build.assign(flags[0].name, True, self.origin, self.builder.role))
            return flags[0]

        return ran
