"""Branches taken again."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.links import link
from transpiler.core.query import all_defined
from transpiler.core.variables import Var
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import INT, Tape


class BranchPullbacks(Part):
    """The pullback of `if`: the pullbacks of both arms."""

    def pull_branch(self, statement: gast.If) -> None:
        entry, outer_wishes = dict(self.sweep.live), self.sweep.cotangents.to_own
        inside = all_defined(statement.body) | all_defined(statement.orelse)
        attempt = self.sweep.attempts.attempt(statement)
        while True:
            state = self.ev.builder.snapshot()
            self.sweep.attempts.prepare(entry, attempt)
            wishes, self.sweep.cotangents.to_own = self.sweep.cotangents.to_own, set()
            start = dict(self.sweep.live)
            outside, self.sweep.cotangents.starts = self.sweep.cotangents.starts, start
            bodies = enumerate((statement.body, statement.orelse))
            arms = [self.sweep.attempts.arm(statement, arm, body, start) for arm, body in bodies]
            self.sweep.cotangents.starts = outside
            ends = [
                {n: b for n, b in live.items() if n not in inside or self.sweep.definitions_of.outside(n, statement)}
                for _, live in arms
            ]
            attempt.again = False
            for name in [*ends[0], *ends[1]]:
                if (name in ends[0]) != (name in ends[1]) and not self.sweep.definitions_of.only_with(
                    name, statement, 0 if name in ends[0] else 1
                ):
                    attempt.want('wanted', name)
                if name not in start and name in ends[0] and name in ends[1] and isinstance(self.type_of(name), Tape):
                    attempt.want('wanted', name)  # one list for both
            for name in start:
                if name in self.sweep.cotangents.to_own:
                    attempt.want('owned', name)
            if not attempt.again:
                break
            self.ev.builder.restore(state)
        self.sweep.cotangents.to_own = outer_wishes | wishes
        self.sweep.live = {}
        for name in {**ends[0], **ends[1]}:
            both = name in ends[0] and name in ends[1]
            self.sweep.live[name] = (
                self._merged(name, statement, start, ends, [block for block, _ in arms])
                if both
                else ends[name not in ends[0]][name]
            )
        self._append_branch(statement, arms)

    def _append_branch(self, statement: gast.If, arms: list) -> None:
        (body, _), (orelse, _) = arms
        if body or orelse:
            test = statement.test
            if not body:
                negated = self.ev.builder.define(
                    'not_', build.unary(gast.Not, test), self.core.types.get(getattr(test, 'id', ''), INT)
                )
                test, body, orelse = build.name(negated.name), orelse, []
            node = build.branch(test, body, orelse, statement.origin, 'pullback')
            self.ev.builder.append(link(node, mirror=statement, turned=bool(orelse == [] and not arms[0][0])))

    def _merged(self, name: str, statement: gast.If, start: dict[str, Bar], ends: list, blocks: list[list[gast.stmt]]) -> Bar:
        left, right = ends[0][name], ends[1][name]
        if left == right:
            return left
        if isinstance(left.value, Var) and left.value == right.value:
            return Bar(left.value, left.owned and right.owned, left.small or right.small)
        if ZERO in (left.value, right.value):
            self.sweep.reading.unread.add(name)
        cell, alone = self.sweep.derivatives.cell(name), True
        for arm, (bar, block) in enumerate(((left, blocks[0]), (right, blocks[1]))):
            outer, self.ev.builder.block = self.ev.builder.block, block
            with self.sweep.attempts.in_arm(statement, arm):
                untouched = bar == start.get(name)
                whole = self.sweep.attempts.anywhere(name, bar) if untouched else self.sweep.whole(name, bar)
            self.ev.builder.assign(cell.name, self.ev.operand(whole.value)[0])
            self.ev.builder.block, alone = outer, alone and whole.may_leave
        return Bar(cell, alone=alone)
