"""The pullback sweep: statements last to first, branches taken again, loops run backwards."""

from __future__ import annotations

import gast

from transpiler.analyses.aliases import tape_of
from transpiler.core import build
from transpiler.core.query import all_defined, call_of
from transpiler.specialize.bindings import Var
from transpiler.transforms.calls import is_item
from transpiler.transforms.cotangents import Bar
from transpiler.transforms.derivatives import ZERO
from transpiler.transforms.loops import LoopPullbacks
from transpiler.values.types import INT, Tape


class Sweep(LoopPullbacks):
    """`pull_block` writes the pullback of a list of statements into the builder's block."""

    def pull_block(self, body: list[gast.stmt]) -> None:
        for statement in reversed(body):
            before = len(self.run.builder.block)
            with self.run.builder.at(statement.origin, 'pullback'):
                self._pull(statement)
            for made in self.run.builder.block[before:]:
                made.pulls = statement

    def _pull(self, statement: gast.stmt) -> None:
        self.here = statement
        match statement:
            case gast.Assign() | gast.Expr() if call_of(statement) is not None:
                self._pull_function(statement)
            case gast.Assign(targets=[gast.Name()], value=value) if is_item(self.core, value):
                pass  # its cotangent is taken by the call that gave it
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if isinstance(self.core.types[name], tuple):
                self._pull_several(name, call)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                self._pull_assignment(statement, name, value)
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value):
                self._pull_store(statement, base, index, value)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value):
                self._pull_accumulation(statement, base, index, value)
            case gast.Expr(
                value=gast.Call(func=gast.Name(id='tape.put' | 'tape.add' as name), args=[gast.Name(id=items), *operands])
            ):
                with self._needed(statement):
                    self.pull_list_effect(name, items, operands)
            case gast.Expr() if (tape := tape_of(statement)) is not None:
                self._pull_push(tape, statement.value.args[1])
            case gast.If():
                self._pull_branch(statement)
            case gast.For() | gast.While():
                self._pull_loop(statement)

    def _pull_branch(self, statement: gast.If) -> None:
        entry, outer_wishes = dict(self.live), self.to_own
        inside = all_defined(statement.body) | all_defined(statement.orelse)
        attempt = self.attempt(statement)
        while True:
            state = self.run.builder.snapshot()
            self._prepare(entry, attempt)
            wishes, self.to_own = self.to_own, set()
            start = dict(self.live)
            outside, self.starts = self.starts, start
            arms = [self._arm(statement, arm, body, start) for arm, body in enumerate((statement.body, statement.orelse))]
            self.starts = outside
            ends = [
                {n: b for n, b in live.items() if n not in inside or self.definitions_of.outside(n, statement)}
                for _, live in arms
            ]
            attempt.again = False
            for name in [*ends[0], *ends[1]]:
                if (name in ends[0]) != (name in ends[1]) and not self.definitions_of.only_with(
                    name, statement, 0 if name in ends[0] else 1
                ):
                    attempt.want('wanted', name)
                if name not in start and name in ends[0] and name in ends[1] and isinstance(self.type_of(name), Tape):
                    attempt.want('wanted', name)  # one list for both
            for name in start:
                if name in self.to_own:
                    attempt.want('owned', name)
            if not attempt.again:
                break
            self.run.builder.restore(state)
        self.to_own = outer_wishes | wishes
        self.live = {}
        for name in {**ends[0], **ends[1]}:
            both = name in ends[0] and name in ends[1]
            self.live[name] = (
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
                negated = self.run.builder.define(
                    'not_', build.unary(gast.Not, test), self.core.types.get(getattr(test, 'id', ''), INT)
                )
                test, body, orelse = build.name(negated.name), orelse, []
            node = build.branch(test, body, orelse, statement.origin, 'pullback')
            node.mirror = statement
            node.turned = bool(orelse == [] and not arms[0][0])
            self.run.builder.append(node)

    def _merged(self, name: str, statement: gast.If, start: dict[str, Bar], ends: list, blocks: list[list[gast.stmt]]) -> Bar:
        left, right = ends[0][name], ends[1][name]
        if left == right:
            return left
        if isinstance(left.value, Var) and left.value == right.value:
            return Bar(left.value, left.owned and right.owned, left.small or right.small)
        if ZERO in (left.value, right.value):
            self.unread.add(name)
        cell, alone = self.cell(name), True
        for arm, (bar, block) in enumerate(((left, blocks[0]), (right, blocks[1]))):
            outer, self.run.builder.block = self.run.builder.block, block
            with self._in_arm(statement, arm):
                untouched = bar == start.get(name)
                whole = self.anywhere(name, bar) if untouched else self.whole(name, bar)
            self.run.builder.assign(cell.name, self.run.operand(whole.value)[0])
            self.run.builder.block, alone = outer, alone and whole.may_leave
        return Bar(cell, alone=alone)
