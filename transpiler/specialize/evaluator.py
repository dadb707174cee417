"""The evaluator: it runs a program on abstract values, and writes what remains to be done at run time."""

from __future__ import annotations

from collections.abc import Callable, Set
from copy import copy
from dataclasses import dataclass, field
from typing import Any
from weakref import proxy

import gast
import numpy as np

from transpiler.core.builder import Builder
from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.errors import Origin
from transpiler.source.reading.capture import Function
from transpiler.specialize.components import COMPONENTS, Components
from transpiler.specialize.domain.abstraction import Presumption
from transpiler.specialize.domain.bindings import Binding, Closure
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import Assumptions
from transpiler.specialize.kinds.mixtures import Separation
from transpiler.values.types import Type


@dataclass(eq=False)
class Evaluator(Components):
    """One run of the partial evaluator: what it is told, and its parts, which ask each other through it.

    Its own methods are what many parts ask for; each is done by the part that it names.
    """

    builder: Builder = field(default_factory=Builder)
    differentiate: Callable[..., Any] | None = None
    static_captures: Set[tuple[tuple[int, str], int]] = frozenset()
    varied: set[str] = field(default_factory=set)  # numbers that differ from example to example: they can be no constants
    presumed: list[Presumption] | None = None  # what the program goes by that only calls can tell; None if it must not
    functions: dict[str, Core] = field(default_factory=dict)
    plain: Set[str] = frozenset()  # numbers that may be of Python though they are typed as NumPy's
    assumed: Assumptions = field(default_factory=Assumptions)  # what this run goes by
    lasting: set[str] = field(default_factory=set)  # parameters that hold a default which may change, for all calls
    ordered: set[str] = field(default_factory=set)  # the arguments whose items lie in C order at each such call
    mixed: bool | None = None  # whether numbers of two kinds have met under one name; None if nobody wants to know
    ranks_apart: bool = False  # whether what is a number on one path and an array on another is kept apart
    ours: bool = False  # whether the function that is being run is a template or a definition, not the user's

    def __post_init__(self) -> None:
        self.components: dict[type[Component], Component] = {}
        for place, component in COMPONENTS.items():
            self._take(place, component(proxy(self)))    # which nobody owns but who has made it

    def _take(self, place: str, component: Component) -> None:
        self.components[type(component)] = component
        setattr(self, place, component)

    def inside(self, builder: Builder) -> Evaluator:
        """An evaluator that writes elsewhere, and shares with this one what it knows."""
        other = copy(self)
        other.builder, other.components = builder, {}
        for place in COMPONENTS:
            mine = copy(getattr(self, place))
            mine.ev = proxy(other)
            other._take(place, mine)
        return other

    @property
    def origin(self) -> Origin | None:
        return self.builder.origin

    @property
    def derives(self) -> bool:
        """Whether what is written is the derivative's own: its numbers have the dtypes of what they are derivatives of."""
        return self.builder.role in ('pullback', 'tangent')

    @property
    def separation(self) -> Separation | None:
        """Which numbers are kept apart, for code with one type for each name."""
        return self.assumed.separation

    def apart_from_cells(self, binding: Binding) -> Binding:
        return self.elements.apart_from_cells(binding)

    def attribute(self, base: Binding, name: str) -> Binding:
        return self.distribution.attribute(base, name)

    def binary(self, kind: type[gast.operator], left: Binding, right: Binding) -> Binding:
        return self.distribution.binary(kind, left, right)

    def call(self, callee: Binding, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        return self.distribution.call(callee, args, keywords)

    def cast(self, value: Binding, dtype: np.dtype) -> Binding:
        return self.calls.cast(value, dtype)

    def choose(self, frame: Frame | None, test: Binding, then: Callable[[], Binding],
               otherwise: Callable[[], Binding]) -> Binding:
        return self.branches.choose(frame, test, then, otherwise)

    def compare(self, kind: type[gast.cmpop], left: Binding, right: Binding) -> Binding:
        return self.distribution.compare(kind, left, right)

    def current(self, binding: Binding) -> Binding:
        return self.elements.current(binding)

    def describe(self, binding: Binding) -> str:
        return self.descriptions.describe(binding)

    def evaluate(self, frame: Frame, node: gast.expr) -> Binding:
        return self.expressions.evaluate(frame, node)

    def execute(self, frame: Frame, body: list[gast.stmt]) -> bool:
        return self.statements.execute(frame, body)

    def get_item(self, base: Binding, index: Binding) -> Binding:
        return self.distribution.get_item(base, index)

    def held(self, binding: Binding, why: str | None=None) -> Binding:
        return self.rows.held(binding, why)

    def inline(self, callee: Closure, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        return self.inlining.inline(callee, args, keywords)

    def known(self, binding: Binding, what: str) -> Any:
        return self.expressions.known(binding, what)

    def load(self, base: Var, index: Binding) -> Var:
        return self.indexing.load(base, index)

    def operand(self, binding: Binding):
        return self.rows.operand(binding)

    def operate_by_name(self, name: str, operands: list[Binding], **statics: Any) -> Binding:
        return self.calls.operate_by_name(name, operands, **statics)

    def resolve(self, type_: Type) -> Type:
        return self.sizes.resolve(type_)

    def settled_entry(self, entry: Binding) -> Binding:
        return self.rows.settled_entry(entry)

    def template(self, function: Callable) -> Function:
        return self.captures.template(function)

    def tested(self, test: Binding) -> Binding:
        return self.distribution.tested(test)

    def unary(self, kind: type[gast.unaryop], operand: Binding) -> Binding:
        return self.distribution.unary(kind, operand)
