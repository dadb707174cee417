"""The tangent sweep: statements first to last, each with its tangent, control flow kept once."""

from __future__ import annotations

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.core.language import Core
from transpiler.specialize.domain.bindings import Binding
from transpiler.transforms.forward.calls import TangentCalls
from transpiler.transforms.forward.influence import MOVES, Moving
from transpiler.transforms.forward.jvp_functions import Twins
from transpiler.transforms.forward.list_flags import ListFlags
from transpiler.transforms.forward.primitives import Dot, Tangents
from transpiler.transforms.forward.statements import TangentStatements
from transpiler.transforms.sweeps.base import AnySweep


class TangentSweep(AnySweep):
    """`block` writes statements and their tangents; `twins` are the functions that give tangents too.

    apart: the tangents of arrays have memory of their own, as those of the arguments of a function do
    """

    suffix, role, flagged = '_dot', 'tangent', 'moves'

    def __init__(self, core: Core, active: frozenset[str], twins: Twins, *, apart: bool = False):
        super().__init__(core, active)
        self.twins, self.memory = twins, memory(core)
        self.ev.functions = dict(twins.functions)
        self.tangents, self.moving, self.list_flags = Tangents(self), Moving(self), ListFlags(self)
        self.statements, self.calls = TangentStatements(self, apart), TangentCalls(self)
        self.moving.watch(self.memory)

    def block(self, body: list[gast.stmt]) -> None:
        self.statements.block(body)

    def answer(self, name: str) -> Binding:
        return self.statements.answer(name)

    def selection(self, value: Binding) -> list[Binding] | None:
        return self.statements.selection(value)

    def times(self, value: Binding, part: Binding) -> Binding:
        return self.tangents.times(value, part)

    def whole(self, name: str) -> Binding:
        """The tangent of `name` in its full shape and dtype."""
        return self.tangents.whole(name)

    def dot_of(self, operand: Binding) -> Binding:
        """The tangent of an operand; of a sequence, those of its items."""
        return self.tangents.dot_of(operand)

    def assign(self, name: str, dot: Dot, fresh: bool, shown: bool = False, flag: Binding = MOVES) -> None:
        """Make `dot` the tangent of `name` from here on."""
        self.statements.assign(name, dot, fresh, shown, flag)

    def atom(self, value: Binding) -> gast.expr:
        return self.statements.atom(value)
