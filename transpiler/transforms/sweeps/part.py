"""A part of a sweep, which has them in place of classes that it would inherit from."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import proxy

import gast

from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.evaluator import Evaluator
from transpiler.values.types import Type

if TYPE_CHECKING:
    from transpiler.transforms.sweeps.base import AnySweep


class Part:
    """One concern of a sweep, with the state that belongs to it; what others do it asks for through `sweep`."""

    def __init__(self, sweep: AnySweep):
        self.sweep = proxy(sweep)    # which owns its parts: nothing is to be left in a circle

    @property
    def core(self) -> Core:
        return self.sweep.core

    @property
    def ev(self) -> Evaluator:
        return self.sweep.ev

    @property
    def active(self) -> frozenset[str]:
        return self.sweep.active

    def type_of(self, name: str) -> Type:
        return self.sweep.type_of(name)

    def value_type(self, value: Binding) -> Type:
        return self.sweep.value_type(value)

    def variable(self, name: str) -> Var:
        return self.sweep.variable(name)

    def binding(self, node: gast.expr) -> Binding:
        return self.sweep.binding(node)
