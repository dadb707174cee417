"""What tangents and cotangents have in common: values beside those of the primal, written through the specialiser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import gast
import numpy as np

from transpiler.analyses.memory.effects import is_fresh
from transpiler.core.query import primitive
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable, UnknownType
from transpiler.rules.base.registry import Rule
from transpiler.specialize.domain.bindings import Binding, Closure, Known
from transpiler.specialize.evaluation.signals import NoValue
from transpiler.specialize.structures.container import Container
from transpiler.transforms.sweeps.part import Part
from transpiler.values.numbers import is_number
from transpiler.values.types import Array, Scalar, Tape, Type, Unknown

if TYPE_CHECKING:
    from transpiler.transforms.sweeps.base import AnySweep

ZERO = Known(0.0)


class Derivatives(Part):
    """Arithmetic on tangents or cotangents of the names of `core`: constants fold, and types are known."""

    def __init__(self, sweep: AnySweep):
        super().__init__(sweep)
        self.definitions: dict[str, gast.expr] = {}
        self.selections: dict[str, gast.expr] = {}  # those of them that are `np.where`
        self.outdated: set[str] = set()  # names whose memory, or what it was computed from, has changed since

    def value_type_of(self, operand: Binding) -> Type | None:
        return None if isinstance(operand, Container) else self.value_type(operand)

    def answer(self, name: str) -> Binding:
        """What a primitive gave, as its rule reads it: several results are a tuple."""
        return self.variable(name)

    def called(self, name: str) -> tuple[str, bool]:
        """What the derivative of `name` is called, and whether it is a temporary."""
        return self.core.base(name).rstrip('_') + self.sweep.suffix, self.core.is_temporary(name) and name not in self.core.inputs

    def cell(self, name: str) -> Var:
        """A variable for the derivative of `name` where it is assigned at several places."""
        base, temporary = self.called(name)
        return self.ev.builder.fresh(base, self.type_of(name), temporary)

    def is_active(self, operand: Binding) -> bool:
        match operand:
            case Var(name):
                return name in self.active
            case Container(items=items):
                return any(map(self.is_active, items))
        return False

    def check_rule(self, rule: Rule, operands: list[Binding], statics: dict[str, Binding]) -> None:
        """Refuse what has no derivative: constants of a primitive that depend on the inputs, some operands."""
        fixed = {name: operand for name, operand in zip(rule.operands, operands, strict=False) if name in rule.fixed}
        for key, binding in (statics | fixed).items():
            if self.is_active(binding) and not isinstance(getattr(binding, 'type', None), Unknown):
                raise NotDifferentiable(
                    f'`{rule.name}` has no derivative by `{key}`',
                    self.ev.origin,
                    why=f'its rule takes `{key}` to be fixed',
                    instead='pass a value that does not depend on what is differentiated',
                )
        if rule.real_only and any(map(self.is_active, operands)) and any(
            getattr(t, 'dtype', None) is not None and t.dtype.kind == 'c' for t in map(self.value_type_of, operands)
        ):
            raise NotDifferentiable(f'`{rule.name}` has no derivative for complex numbers', self.ev.origin)

    def inlined(
        self, rule: Rule, target: str, operands: list[Binding], statics: dict[str, Binding], ct: Binding
    ) -> list[Binding]:
        """What the rule's template gives each operand."""
        leading = [ct] * rule.takes_ct + [self.sweep.answer(target)] * rule.takes_ans
        args, keywords = rule.arrange(operands, statics)
        result = self.by_template(rule, rule.template, [*leading, *args], keywords)
        several = len(operands) > 1 and not (len(rule.operands) == 1 and rule.variadic is None)
        return list(result.items) if several or rule.variadic else [result]

    def by_template(self, rule: Rule, template: Callable, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """What a template gives; one that raises, whatever the values, refuses the derivative."""
        try:
            return self.ev.inline(Closure(self.ev.template(template)), args, keywords)
        except NoValue as never:
            raise never.as_error(f'the derivative of {rule.name}') from None

    def times(self, value: Binding, part: Binding) -> Binding:
        """`value * part`, where `value` is a tangent or cotangent and `part` a partial."""
        if isinstance(part, Known) and is_number(part.value):
            if part.value == 1:
                return value
            if part.value == -1:
                return self.ev.unary(gast.USub, value)
        if value == Known(1.0):
            return self.inexact(part)
        selection = self.sweep.selection(value)
        if selection is not None:
            # a side not taken contributes nothing, so it must not meet an infinite partial: 0 * inf is no zero
            test, *sides = selection
            chosen = [side if isinstance(side, Known) and side.value == 0 else self.sweep.times(side, part) for side in sides]
            return self.ev.operate_by_name('numpy.where', [test, *chosen])
        return self.ev.binary(gast.Mult, value, part)

    def is_selection(self, value: Binding) -> bool:
        """Whether it is `where(test, value, 0)` or the like: `times` keeps its zeros."""
        return self.sweep.selection(value) is not None

    def selection(self, value: Binding) -> list[Binding] | None:
        """The operands of the `where` that made `value`, if one side of it is zero."""
        if isinstance(value, Var) and value.name in self.outdated:
            return None
        match self.definition(value):
            case gast.Call(func=gast.Name(id='numpy.where'), args=[_, _, _] as nodes):
                parts = list(map(self.binding, nodes))
            case gast.IfExp(test=test, body=body, orelse=orelse):
                parts = list(map(self.binding, (test, body, orelse)))
            case _:
                return None
        return parts if any(isinstance(side, Known) and side.value == 0 for side in parts[1:]) else None

    def full(self, name: str, value: Binding) -> tuple[Binding, bool]:
        """A value that only broadcasts to the shape of `name`, in that shape, and whether it has memory of its own then."""
        if not isinstance(self.value_type(value), Scalar):
            return self.spread(value, name), False
        like = [self.variable(name)]
        if value in (Known(1.0), ZERO):
            return self.ev.operate_by_name('numpy.ones_like' if value.value else 'numpy.zeros_like', like), True
        return self.ev.operate_by_name('numpy.full_like', [*like, value]), True

    def spread(self, value: Binding, name: str) -> Binding:
        """`value`, seen in the shape of `name` (read-only, no memory)."""
        shape = self.ev.expressions.shape(self.variable(name), self.type_of(name))
        return self.ev.operate_by_name('numpy.broadcast_to', [value], shape=shape)

    def only_broadcasts(self, name: str, value: Binding, small: bool = False) -> bool:
        """Whether `value` is smaller than `name`; `small` is what is known of it where types do not tell."""
        type_ = self.type_of(name)
        if isinstance(type_, (Scalar, Tape)):
            return False
        own = self.value_type(value)
        if isinstance(type_, Array) and type_.dims is not None and getattr(own, 'ndim', None) is not None:
            return isinstance(own, Scalar) or not same_sizes(own, type_)
        return small or isinstance(own, Scalar)

    def unspread(self, value: Binding) -> Binding | None:
        """What `np.broadcast_to` spreads, if that is how `value` was made in this block."""
        definition = self.definition(value)
        if definition is not None and primitive(definition) == 'numpy.broadcast_to':
            match definition.args[0]:
                case gast.Constant(value=number):
                    return Known(number)
                case gast.Name(id=name):
                    return Var(name, self.ev.builder.types[name])
        return None

    def cast(self, value: Binding, type_: Type) -> Binding:
        """Derivatives have the dtype of their primal: float32 stays float32, what is real stays real, a number is one."""
        value = self.inexact(value)
        own = self.value_type(value)
        if isinstance(type_, Unknown) and getattr(own, 'dtype', np.dtype(float)).kind == 'c':
            raise UnknownType(
                'a derivative is complex here, but whether what it is taken by is complex is not known',
                self.ev.origin,
                why='the derivative by a real number is real: its imaginary part would have to be left out',
                instead='annotate the parameters of the function, or call it: the arguments tell',
            )
        if not isinstance(type_, (Scalar, Array)) or not isinstance(own, (Scalar, Array)):
            return value
        if isinstance(type_, Scalar):
            value = self.ev.operands.as_number(value)
            own = self.value_type(value)
        if own.dtype.kind == 'c' and type_.dtype.kind == 'f':
            value = self.ev.operate_by_name('numpy.real', [value])
            own = self.value_type(value)
        flexible = any(isinstance(t, Scalar) and t.weak for t in (own, type_))
        if own.dtype != type_.dtype and own.dtype.kind in 'fc' and not flexible:
            return self.ev.cast(value, type_.dtype)
        return value

    def given_out(self, value: Binding, type_: Type, plain: frozenset[str]) -> Binding:
        """`value`, the derivative of what has this type, as a result: NumPy's number where that is one, if it is constant too.

        plain: the names that may hold a number of Python, whatever their types
        """
        if not isinstance(type_, Scalar) or type_.weak or type_.kinds:
            return value
        own = self.value_type(value)
        if not isinstance(own, Scalar):
            return value
        if not own.weak and not (isinstance(value, Var) and value.name in plain):
            return value
        if isinstance(value, Known):
            return Known(type_.dtype.type(value.value))
        return self.ev.call(Known(type_.dtype.type), [value], {})

    def inexact(self, value: Binding) -> Binding:
        """An integer that becomes a derivative as it is (the partial of `n * x` is `n`) is a float."""
        own = self.value_type(value)
        if not isinstance(own, (Scalar, Array)) or own.dtype.kind not in 'iub':
            return value
        if isinstance(value, Known) or isinstance(own, Scalar):
            return self.ev.call(Known(float), [value], {})
        return self.ev.cast(value, np.dtype(np.float64))

    def define(self, made: Mapping[str, gast.expr]) -> None:
        """Some names of the derivative have got values."""
        self.definitions |= made
        for name, value in made.items():
            if primitive(value) == 'numpy.where':
                self.selections[name] = value
            else:
                self.selections.pop(name, None)

    def is_owned(self, value: Binding) -> bool:
        """Whether the value was just computed into memory of its own."""
        definition = self.definition(value)
        return definition is not None and is_fresh(definition)

    def definition(self, value: Binding) -> gast.expr | None:
        """The operation that defines a variable of the derivative (those are assigned once)."""
        if isinstance(value, Var):
            for statement in reversed(self.ev.builder.block):
                match statement:
                    case gast.Assign(targets=[gast.Name(id=name)], value=expression) if name == value.name:
                        return expression
            return self.definitions.get(value.name)
        return None


def same_sizes(own: Type, primal: Type) -> bool:
    """Whether a derivative has the sizes of its primal; where these are not known, one not known will do."""
    left, right = dims_of(own) or (), dims_of(primal) or ()
    return len(left) == len(right) and all(
        a == b or b is None and a is not None and a.is_found for a, b in zip(left, right, strict=True)
    )


def dims_of(type_: Type) -> tuple | None:
    return type_.dims if isinstance(type_, Array) else ()
