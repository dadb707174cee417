"""What both sweeps have: a program, an evaluator that writes, arithmetic on derivatives, and flags beside these."""

from __future__ import annotations

from abc import ABC, abstractmethod

import gast

from transpiler.analyses.numeric.precision import perhaps_plain
from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.transforms.sweeps.derivative_writer import Derivatives
from transpiler.transforms.sweeps.influence_flags import Flags
from transpiler.values.types import Type, found_in


class AnySweep(ABC):
    """The state of a sweep over `core`: derivatives are called after names, with `suffix`, and a flag says what `flagged` says.

    active: the names that depend on the inputs, and on which outputs depend; here: the statement at hand
    """

    suffix = role = flagged = ''

    def __init__(self, core: Core, active: frozenset[str]):
        self.core, self.active = core, active
        self.here: gast.stmt | None = None
        self.ev = Evaluator()
        builder = self.ev.builder
        builder.types, builder.hints, builder.used, builder.role = dict(core.types), dict(core.hints), set(core.types), self.role
        builder.symbols, builder.changing = found_in(core.types.values()), set(core.types)
        self.ev.plain = perhaps_plain(core.body, core.types)
        self.derivatives, self.flags = Derivatives(self), Flags(self)

    def type_of(self, name: str) -> Type:
        return self.ev.resolve(self.core.types[name])

    def value_type(self, value: Binding) -> Type:
        return self.ev.operand(value)[1]

    def variable(self, name: str) -> Var:
        return Var(name, self.type_of(name))

    def binding(self, node: gast.expr) -> Binding:
        """The binding of an operand or static argument of a core operation."""
        match node:
            case gast.Name(id=name) if '.' in name:
                return self.ev.captures.dotted(name)
            case gast.Name(id=name):
                return self.variable(name) if name in self.core.types else Var(name, self.ev.builder.types[name])
            case gast.Constant(value=value):
                return Known(value)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return (Tuple if isinstance(node, gast.Tuple) else List)(tuple(map(self.binding, elements)))
        raise NotDifferentiable(f'`{type(node).__name__}` is no operand', self.ev.origin)

    def called(self, name: str) -> tuple[str, bool]:
        """What the derivative of `name` is called, and whether it is a temporary."""
        return self.derivatives.called(name)

    def cast(self, value: Binding, type_: Type) -> Binding:
        """Derivatives have the dtype of their primal."""
        return self.derivatives.cast(value, type_)

    @abstractmethod
    def answer(self, name: str) -> Binding:
        """What a primitive gave, as its rule reads it: several results are a tuple."""

    @abstractmethod
    def selection(self, value: Binding) -> list[Binding] | None:
        """The operands of the `where` that made `value`, if one side of it is zero."""

    @abstractmethod
    def times(self, value: Binding, part: Binding) -> Binding:
        """`value * part`, where `value` is a derivative and `part` a partial."""
