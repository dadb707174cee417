"""The pullback sweep: statements last to first, branches taken again, loops run backwards."""

from __future__ import annotations

import gast

from transpiler.analyses.dataflow.definitions import Definitions
from transpiler.analyses.memory.aliases import tape_of
from transpiler.core.language import Core
from transpiler.core.links import link
from transpiler.core.query import call_of
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding
from transpiler.transforms.pullback.block_retries import Attempts
from transpiler.transforms.pullback.branches import BranchPullbacks
from transpiler.transforms.pullback.calls import FunctionPullbacks, is_item
from transpiler.transforms.pullback.cotangents import Bar, Cotangents
from transpiler.transforms.pullback.forward_backward_pairs import Split
from transpiler.transforms.pullback.influence import Reading
from transpiler.transforms.pullback.lists import ListPullbacks
from transpiler.transforms.pullback.loops import LoopPullbacks
from transpiler.transforms.pullback.primitives import Pullbacks
from transpiler.transforms.pullback.statements import StatementPullbacks
from transpiler.transforms.shared.mutation import Mutation
from transpiler.transforms.sweeps.base import AnySweep


class Sweep(AnySweep):
    """`pull_block` writes the pullback of a list of statements into the builder's block.

    `split` are the functions of the program; `live` holds the cotangents of the names that have one.
    """

    suffix, role, flagged = '_bar', 'pullback', 'is_read'

    def __init__(self, core: Core, active: frozenset[str], split: Split):
        super().__init__(core, active)
        self.split = split
        self.mutation, self.definitions_of = Mutation(core), Definitions(core)
        self.live: dict[str, Bar] = {}
        self.cotangents, self.reading, self.operations = Cotangents(self), Reading(self), Pullbacks(self)
        self.lists, self.statements, self.calls = ListPullbacks(self), StatementPullbacks(self), FunctionPullbacks(self)
        self.attempts, self.branches, self.loops = Attempts(self), BranchPullbacks(self), LoopPullbacks(self)

    def pull_block(self, body: list[gast.stmt]) -> None:
        for statement in reversed(body):
            before = len(self.ev.builder.block)
            with self.ev.builder.at(statement.origin, 'pullback'):
                self._pull(statement)
            for made in self.ev.builder.block[before:]:
                link(made, pulls=statement)

    def _pull(self, statement: gast.stmt) -> None:
        self.here = statement
        match statement:
            case gast.Assign() | gast.Expr() if call_of(statement) is not None:
                self.calls.pull_function(statement)
            case gast.Assign(targets=[gast.Name()], value=value) if is_item(self.core, value):
                pass  # its cotangent is taken by the call that gave it
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if isinstance(self.core.types[name], tuple):
                self.calls.pull_several(name, call)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                self.statements.pull_assignment(statement, name, value)
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value):
                self.statements.pull_store(statement, base, index, value)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value):
                self.statements.pull_accumulation(statement, base, index, value)
            case gast.Expr(
                value=gast.Call(func=gast.Name(id='tape.put' | 'tape.add' as name), args=[gast.Name(id=items), *operands])
            ):
                with self.statements.needed(statement):
                    self.lists.pull_list_effect(name, items, operands)
            case gast.Expr() if (tape := tape_of(statement)) is not None:
                self.statements.pull_push(tape, statement.value.args[1])
            case gast.If():
                self.branches.pull_branch(statement)
            case gast.For() | gast.While():
                self.loops.pull_loop(statement)

    def answer(self, name: str) -> Binding:
        return self.calls.answer(name)

    def selection(self, value: Binding) -> list[Binding] | None:
        return self.derivatives.selection(value)

    def times(self, value: Binding, part: Binding) -> Binding:
        return self.derivatives.times(value, part)

    def zero(self, name: str) -> Bar:
        """No cotangent, as a value."""
        return self.attempts.zero(name)

    def whole(self, name: str, bar: Bar) -> Bar:
        """The cotangent in the full shape of `name`."""
        return self.attempts.whole(name, bar)

    def copied(self, name: str, bar: Bar) -> Bar:
        """The cotangent of `name` in memory of its own."""
        return self.attempts.copied(name, bar)

    def own(self, name: str) -> Var:
        """The cotangent of an array as memory that may be written."""
        return self.statements.own(name)

    def add(self, name: str, value: Binding, owned: bool = False, small: bool = False, alone: bool = False) -> None:
        """`name_bar += value`."""
        self.cotangents.add(name, value, owned, small, alone)

    def add_at(self, name: str, index: gast.expr, value: Binding) -> None:
        """`name_bar[index] += value`."""
        self.statements.add_at(name, index, value)
