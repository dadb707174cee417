"""What tangents and cotangents have in common: values beside those of the primal, written through the specialiser."""

from __future__ import annotations

from collections.abc import Callable

import gast
import numpy as np

from transpiler.analyses.effects import is_fresh
from transpiler.analyses.widths import perhaps_plain
from transpiler.core.language import Core
from transpiler.core.query import primitive
from transpiler.errors import NotDifferentiable, UnknownType
from transpiler.rules.registry import Rule
from transpiler.specialize.bindings import Binding, Closure, Container, Known, Var, is_number
from transpiler.specialize.context import NoValue
from transpiler.specialize.specialize import Specializer
from transpiler.values.types import Array, Scalar, Tape, Type, Unknown, found_in

ZERO = Known(0.0)


class Derivatives:
    """Arithmetic on tangents or cotangents of the names of `core`: constants fold, and types are known."""

    suffix = ''
    role = 'primal'

    def __init__(self, core: Core):
        self.core = core
        self.run = Specializer()
        self.definitions: dict[str, gast.expr] = {}
        self.outdated: set[str] = set()  # names whose memory, or what it was computed from, has changed since
        self.active: frozenset[str] = frozenset()
        builder = self.run.builder
        builder.types, builder.hints, builder.used, builder.role = dict(core.types), dict(core.hints), set(core.types), self.role
        self.run.plain = perhaps_plain(core.body, core.types)
        builder.symbols, builder.changing = found_in(core.types.values()), set(core.types)

    def type_of(self, name: str) -> Type:
        return self.run.resolve(self.core.types[name])

    def value_type(self, value: Binding) -> Type:
        return self.run.operand(value)[1]

    def value_type_of(self, operand: Binding) -> Type | None:
        return None if isinstance(operand, Container) else self.value_type(operand)

    def variable(self, name: str) -> Var:
        return Var(name, self.type_of(name))

    def answer(self, name: str) -> Binding:
        """What a primitive gave, as its rule reads it: several results are a tuple."""
        return self.variable(name)

    def called(self, name: str) -> tuple[str, bool]:
        """What the derivative of `name` is called, and whether it is a temporary."""
        return self.core.base(name).rstrip('_') + self.suffix, self.core.is_temporary(name) and name not in self.core.inputs

    def cell(self, name: str) -> Var:
        """A variable for the derivative of `name` where it is assigned at several places."""
        base, temporary = self.called(name)
        return self.run.builder.fresh(base, self.type_of(name), temporary)

    def binding(self, node: gast.expr) -> Binding:
        """The binding of an operand or static argument of a core operation."""
        match node:
            case gast.Name(id=name) if '.' in name:
                return self.run.dotted(name)
            case gast.Name(id=name):
                return self.variable(name) if name in self.core.types else Var(name, self.run.builder.types[name])
            case gast.Constant(value=value):
                return Known(value)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                kind = 'tuple' if isinstance(node, gast.Tuple) else 'list'
                return Container(kind, tuple(map(self.binding, elements)))
        raise NotDifferentiable(f'`{type(node).__name__}` is no operand', self.run.origin)

    def is_active(self, operand: Binding) -> bool:
        match operand:
            case Var(name):
                return name in self.active
            case Container(_, items):
                return any(map(self.is_active, items))
        return False

    def check_rule(self, rule: Rule, operands: list[Binding], statics: dict[str, Binding]) -> None:
        """Refuse what has no derivative: constants of a primitive that depend on the inputs, some operands."""
        fixed = {name: operand for name, operand in zip(rule.operands, operands, strict=False) if name in rule.fixed}
        for key, binding in (statics | fixed).items():
            if self.is_active(binding) and not isinstance(getattr(binding, 'type', None), Unknown):
                raise NotDifferentiable(
                    f'`{rule.name}` has no derivative by `{key}`',
                    self.run.origin,
                    why=f'its rule takes `{key}` to be fixed',
                    instead='pass a value that does not depend on what is differentiated',
                )
        if rule.real_only and any(map(self.is_active, operands)) and any(
            getattr(t, 'dtype', None) is not None and t.dtype.kind == 'c' for t in map(self.value_type_of, operands)
        ):
            raise NotDifferentiable(f'`{rule.name}` has no derivative for complex numbers', self.run.origin)

    def inlined(
        self, rule: Rule, target: str, operands: list[Binding], statics: dict[str, Binding], ct: Binding
    ) -> list[Binding]:
        """What the rule's template gives each operand."""
        leading = [ct] * rule.takes_ct + [self.answer(target)] * rule.takes_ans
        args, keywords = rule.arrange(operands, statics)
        result = self.by_template(rule, rule.template, [*leading, *args], keywords)
        several = len(operands) > 1 and not (len(rule.operands) == 1 and rule.variadic is None)
        return list(result.items) if several or rule.variadic else [result]

    def by_template(self, rule: Rule, template: Callable, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """What a template gives; one that raises, whatever the values, refuses the derivative."""
        try:
            return self.run.inline(Closure(self.run.template(template)), args, keywords)
        except NoValue as never:
            raise never.as_error(f'the derivative of {rule.name}') from None

    def times(self, value: Binding, part: Binding) -> Binding:
        """`value * part`, where `value` is a tangent or cotangent and `part` a partial."""
        if isinstance(part, Known) and is_number(part.value):
            if part.value == 1:
                return value
            if part.value == -1:
                return self.run.unary(gast.USub, value)
        if value == Known(1.0):
            return self.inexact(part)
        selection = self._selection(value)
        if selection is not None:
            # a side not taken contributes nothing, so it must not meet an infinite partial: 0 * inf is no zero
            test, *sides = selection
            chosen = [side if isinstance(side, Known) and side.value == 0 else self.times(side, part) for side in sides]
            return self.run.operate_by_name('numpy.where', [test, *chosen])
        return self.run.binary(gast.Mult, value, part)

    def is_selection(self, value: Binding) -> bool:
        """Whether it is `where(test, value, 0)` or the like: `times` keeps its zeros."""
        return self._selection(value) is not None

    def _selection(self, value: Binding) -> list[Binding] | None:
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
            return self.run.operate_by_name('numpy.ones_like' if value.value else 'numpy.zeros_like', like), True
        return self.run.operate_by_name('numpy.full_like', [*like, value]), True

    def spread(self, value: Binding, name: str) -> Binding:
        """`value`, seen in the shape of `name` (read-only, no memory)."""
        shape = self.run.shape(self.variable(name), self.type_of(name))
        return self.run.operate_by_name('numpy.broadcast_to', [value], shape=shape)

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
                    return Var(name, self.run.builder.types[name])
        return None

    def cast(self, value: Binding, type_: Type) -> Binding:
        """Derivatives have the dtype of their primal: float32 stays float32, what is real stays real."""
        value = self.inexact(value)
        own = self.value_type(value)
        if isinstance(type_, Unknown) and getattr(own, 'dtype', np.dtype(float)).kind == 'c':
            raise UnknownType(
                'a derivative is complex here, but whether what it is taken by is complex is not known',
                self.run.origin,
                why='the derivative by a real number is real: its imaginary part would have to be left out',
                instead='annotate the parameters of the function, or call it: the arguments tell',
            )
        if not isinstance(type_, (Scalar, Array)) or not isinstance(own, (Scalar, Array)):
            return value
        if own.dtype.kind == 'c' and type_.dtype.kind == 'f':
            value = self.run.operate_by_name('numpy.real', [value])
            own = self.value_type(value)
        flexible = any(isinstance(t, Scalar) and t.weak for t in (own, type_))
        if own.dtype != type_.dtype and own.dtype.kind in 'fc' and not flexible:
            return self.run.cast(value, type_.dtype)
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
        return self.run.call(Known(type_.dtype.type), [value], {})

    def inexact(self, value: Binding) -> Binding:
        """An integer that becomes a derivative as it is (the partial of `n * x` is `n`) is a float."""
        own = self.value_type(value)
        if not isinstance(own, (Scalar, Array)) or own.dtype.kind not in 'iub':
            return value
        if isinstance(value, Known) or isinstance(own, Scalar):
            return self.run.call(Known(float), [value], {})
        return self.run.cast(value, np.dtype(np.float64))

    def is_owned(self, value: Binding) -> bool:
        """Whether the value was just computed into memory of its own."""
        definition = self.definition(value)
        return definition is not None and is_fresh(definition)

    def definition(self, value: Binding) -> gast.expr | None:
        """The operation that defines a variable of the derivative (those are assigned once)."""
        if isinstance(value, Var):
            for statement in reversed(self.run.builder.block):
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
