"""The tangent of one operation: its rule, forward."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import gast

from transpiler.analyses.numeric.precision import perhaps_plain
from transpiler.core.query import defined, names, primitive
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable
from transpiler.rules.base.registry import RULES, Rule
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.domain.operators import BINARY, UNARY
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.structures.container import Container
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import Array, Scalar, Tape

if TYPE_CHECKING:
    from transpiler.transforms.forward.sweep import TangentSweep


@dataclass(frozen=True)
class Dot:
    """The tangent of a name. `small`: where types do not tell, it may only broadcast to the shape of the name."""

    value: Binding = ZERO
    small: bool = False

    @property
    def is_zero(self) -> bool:
        return self.value == ZERO


NONE = Dot()


class Tangents(Part):
    """`dots` are the tangents of names, where these have one that is not zero."""

    def __init__(self, sweep: TangentSweep):
        super().__init__(sweep)
        self.dots: dict[str, Dot] = {}

    def tangent(self, target: str, operation: gast.expr) -> Dot:
        """The tangent of `target = operation`; what works element by element may be smaller, all else is of the same type."""
        dot = self._tangent(target, operation)
        rule, value = self._rule(operation), dot.value
        if isinstance(self.type_of(target), Scalar) and getattr(self.value_type(value), 'dims', None) == ():
            return Dot(self.ev.get_item(value, Known(())))      # NumPy's `where` gives an array without axes
        if not self.is_new(value) or isinstance(operation, gast.IfExp) or rule is not None and rule.kind == 'elementwise':
            return dot
        own, type_ = self.type_of(target), self.ev.builder.types[value.name]
        if isinstance(own, Array) and isinstance(type_, Array) and own.ndim == type_.ndim:
            self.ev.builder.types[value.name] = Array(type_.dtype, own.dims)
            return Dot(Var(value.name, self.ev.builder.types[value.name]))
        return dot

    def is_new(self, value: Binding) -> bool:
        """Whether a variable is defined in the block that is being written."""
        return isinstance(value, Var) and any(defined(s) == value.name for s in self.ev.builder.block)

    def _rule(self, operation: gast.expr) -> Rule | None:
        match operation:
            case gast.BinOp(op=op):
                return RULES[BINARY[type(op)]]
            case gast.UnaryOp(op=op):
                return RULES.get(UNARY.get(type(op), ''))
            case gast.Call():
                return RULES.get(str(primitive(operation)))
        return None

    def _tangent(self, target: str, operation: gast.expr) -> Dot:
        match operation:
            case gast.Name(id=source):
                dot = self.dots.get(source, NONE)  # whose smallness the type of the source may tell, but not that of the target
                return Dot(dot.value, not dot.is_zero and self.sweep.derivatives.only_broadcasts(source, dot.value, dot.small))
            case gast.Subscript(value=gast.Name(id=base), slice=index):
                return self.sweep.calls.item(base, index)
            case gast.BinOp(left=left, op=op, right=right):
                return self._by_rule(target, RULES[BINARY[type(op)]], [left, right], {})
            case gast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
                return self._by_rule(target, RULES[UNARY[type(op)]], [operand], {})
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return self._by_rule(target, RULES['numpy.where'], [test, body, orelse], {})
            case gast.Call() if (primitive(operation) or '').startswith('tape.'):
                return Dot(self._of_list(target, operation))
            case gast.Call():
                rule = RULES[primitive(operation)]
                operands, statics = rule.bind(operation.args, {k.arg: k.value for k in operation.keywords})
                return self._by_rule(target, rule, operands, {name: self.binding(node) for name, node in statics.items()})
            case gast.Constant() | gast.Attribute() | gast.Subscript() | gast.UnaryOp() | gast.Compare():
                return NONE
        raise NotDifferentiable(f'`{type(operation).__name__}` has no tangent', self.ev.origin)

    def dot_of(self, operand: Binding) -> Binding:
        """The tangent of an operand; of a sequence, those of its items."""
        match operand:
            case Var(name) if name in self.active:
                return self.dots.get(name, NONE).value
            case Container(items=items):
                return operand.anew(tuple(map(self.dot_of, items)))
        return ZERO

    def whole(self, name: str) -> Binding:
        """The tangent of `name` in its full shape and dtype."""
        dot = self.dots.get(name, NONE)
        if isinstance(self.type_of(name), Tape) or not self.sweep.derivatives.only_broadcasts(name, dot.value, dot.small):
            return dot.value
        return self.sweep.derivatives.full(name, dot.value)[0]

    def given(self, name: str, alone: bool = False) -> Binding:
        """The tangent of `name` as a result; unless it is `alone`, it may be a number of Python where that is one."""
        plain = perhaps_plain([*self.core.body, *self.ev.builder.block], self.ev.builder.types)
        value = self.whole(name)
        if alone or name not in plain:
            value = self.sweep.derivatives.given_out(value, self.type_of(name), plain)
        if isinstance(value, Var):
            self.ev.builder.rename_hint(value.name, *self.sweep.called(name))
        return value

    def index(self, index: gast.expr) -> Binding:
        return self.ev.indexing.index(Frame(None, {name: self.variable(name) for name in names(index)}), index)

    def item(self, base: str, index: gast.expr) -> Dot:
        """Of an array whose tangent is one number, the tangent of any item is that number."""
        dot = self.dots.get(base, NONE)
        if dot.is_zero or isinstance(self.type_of(base), Array) and isinstance(self.value_type(dot.value), Scalar):
            return dot
        return Dot(self.ev.load(self.whole(base), self.index(index)))

    def _by_rule(self, target: str, rule: Rule, nodes: list[gast.expr], statics: dict[str, Binding]) -> Dot:
        operands = [self.binding(node) for node in nodes]
        self.sweep.derivatives.check_rule(rule, operands, statics)
        dots = list(map(self.dot_of, operands))
        if rule.kind == 'inactive' or all(map(_is_zero, dots)):
            return NONE
        if rule.kind == 'elementwise':
            return self._elementwise(target, rule, operands, statics, dots)
        dots = list(map(self._whole_of, operands))
        if rule.jvp is not None:
            return Dot(self.by_forward_template(rule, target, operands, statics, dots))
        if rule.jointly_linear:
            return Dot(self.ev.operations.operate(rule, list(map(self._filled, operands, dots)), statics))
        if rule.linear_in:
            return Dot(self._each_in_turn(rule, operands, statics, dots))
        raise NotDifferentiable(
            f'`{rule.name}` has no forward mode', self.ev.origin, instead='use reverse mode: `grad` or `vjp`'
        )

    def _whole_of(self, operand: Binding) -> Binding:
        match operand:
            case Var(name) if not self.dots.get(name, NONE).is_zero:
                return self.whole(name)
            case Container(items=items):
                return operand.anew(tuple(map(self._whole_of, items)))
        return ZERO

    def _filled(self, operand: Binding, dot: Binding) -> Binding:
        """The tangent of an operand, with zeros where it has none."""
        if isinstance(operand, Container) and isinstance(dot, Container):
            return operand.anew(tuple(map(self._filled, operand.items, dot.items)))
        if not _is_zero(dot) or isinstance(self.value_type(operand), Scalar):
            return dot
        return self.ev.operate_by_name('numpy.zeros_like', [operand])

    def by_forward_template(
        self, rule: Rule, target: str, operands: list[Binding], statics: dict[str, Binding], dots: list[Binding]
    ) -> Binding:
        leading = [*dots, *([self.sweep.answer(target)] if rule.jvp_takes_ans else [])]
        args, keywords = rule.arrange(operands, statics)
        return self.sweep.derivatives.by_template(rule, rule.jvp, [*leading, *args], keywords)

    def _each_in_turn(self, rule: Rule, operands: list[Binding], statics: dict[str, Binding], dots: list[Binding]) -> Binding:
        """A product: the sum of products with one factor replaced by its tangent."""
        parameters = [*rule.operands, *rule.operands[-1:] * (len(operands) - len(rule.operands))]
        terms = [
            self.ev.operations.operate(rule, [*operands[:k], dot, *operands[k + 1 :]], statics)
            for k, (dot, parameter) in enumerate(zip(dots, parameters, strict=True))
            if not _is_zero(dot) and parameter in rule.linear_in
        ]
        return self.sum([(1, term) for term in terms])

    def _elementwise(
        self, target: str, rule: Rule, operands: list[Binding], statics: dict[str, Binding], dots: list[Binding]
    ) -> Dot:
        """The sum of partials times tangents; what broadcasts to the shape of the result may stay smaller."""
        shields = self.sweep.flags.shields(self.sweep.here, rule, operands) if self.sweep.here is not None else {}
        if rule.jvp is not None and not any(map(self.sweep.selection, dots)) and not shields:
            value = self.sweep.moving.by_forward_mode(rule, target, operands, statics, dots)
        elif rule.takes_ct:
            given = [(k, dot) for k, dot in enumerate(dots) if not _is_zero(dot)]
            parts = [self.sweep.derivatives.inlined(rule, target, operands, statics, dot)[k] for k, dot in given]
            value = self.sum([(1, part) for part in parts if part not in (Known(None), Known(0))])
        else:
            partials = self.sweep.derivatives.inlined(rule, target, operands, statics, ZERO)
            counting = self.sweep.moving.counting
            terms = [
                (-1, dot) if part == Known(-1)
                else (1, self._shielded(counting(target, o, dot, part), dot, shields.get(getattr(o, 'name', ''))))
                for o, dot, part in zip(operands, dots, partials, strict=True)
                if not _is_zero(dot) and part not in (Known(None), Known(0))
            ]
            value = self.sum(terms)
        return self._spread_out(value, target, operands)

    def _shielded(self, product: Binding, dot: Binding, shield: Binding | None) -> Binding:
        """A product that is zero where the shield is, be the tangent infinite."""
        if shield is None or isinstance(dot, Known) or isinstance(product, Known):
            return product
        return self.sweep.flags.where_it_counts(self.ev.compare(gast.NotEq, shield, ZERO), product, dot)

    def times(self, value: Binding, part: Binding) -> Binding:
        if isinstance(value, Var) and not self.sweep.selection(value) and not isinstance(part, Known):
            return self.ev.binary(gast.Mult, part, value)
        return self.sweep.derivatives.times(value, part)

    def sum(self, terms: list[tuple[int, Binding]]) -> Binding:
        """The sum of values with signs."""
        if not terms:
            return ZERO
        first, *rest = sorted(terms, key=lambda term: -term[0])
        total = first[1] if first[0] > 0 else self.ev.unary(gast.USub, first[1])
        for sign, value in rest:
            total = self.ev.binary(gast.Add if sign > 0 else gast.Sub, total, value)
        return total

    def _spread_out(self, value: Binding, target: str, operands: list[Binding]) -> Dot:
        """A tangent that was computed from all arrays that give the result its shape has that shape; else it may be smaller."""
        type_, own = self.type_of(target), self.ev.builder.types.get(getattr(value, 'name', ''))
        if not self._covers(value, target, operands):
            return Dot(value, getattr(type_, 'dims', None) is None and not isinstance(type_, Scalar))
        if isinstance(type_, Array) and isinstance(own, Array) and own.ndim == type_.ndim and self.is_new(value):
            self.ev.builder.types[value.name] = Array(own.dtype, type_.dims)
            return Dot(Var(value.name, self.ev.builder.types[value.name]))
        return Dot(value)

    def _covers(self, value: Binding, target: str, operands: list[Binding]) -> bool:
        made = {defined(s): s.value for s in self.ev.builder.block if isinstance(s, gast.Assign)}
        seen, waiting = set(), [value.name] if isinstance(value, Var) else []
        while waiting:
            name = waiting.pop()
            if name not in seen and name in made:
                waiting += list(names(made[name]))
            seen.add(name)
        spread = [o.name for o in operands if isinstance(o, Var) and not isinstance(o.type, Scalar)]
        return target in seen or all(name in seen or self._is_seen(name, seen) for name in spread)

    def _is_seen(self, name: str, seen: set[str]) -> bool:
        dot = self.dots.get(name, NONE)
        whole = isinstance(dot.value, Var) and not self.sweep.derivatives.only_broadcasts(name, dot.value, dot.small)
        return whole and dot.value.name in seen

    def _of_list(self, target: str, operation: gast.Call) -> Binding:
        """The tangent of making or reading a list: the same on the list of tangents."""
        match primitive(operation), operation.args:
            case 'tape.new', _:
                return self.ev.tapes.new_tape()
            case 'tape.list', _:
                made = self.ev.tapes.new_list()
                self.ev.statements.expect(made, self.core.types.get(target))
                return made
            case 'tape.pop', [gast.Name(id=items)]:
                return self.ev.tapes.pop_tape(self.dots[items].value)
            case 'tape.item', [gast.Name(id=items), place]:
                return self.ev.tapes.tape_item(self.dots[items].value, self.binding(place))
            case 'tape.copy', [gast.Name(id=items)]:
                known = self.dots.get(items)
                return self.ev.tapes.zero_list(self.variable(items)) if known is None else self.ev.tapes.copy_tape(known.value)
            case 'tape.array', [gast.Name(id=items)]:
                known = self.dots.get(items)
                return self._filled(self.variable(target), ZERO) if known is None else self.ev.tapes.array_tape(known.value)
            case 'tape.of', [gast.Name(id=array)]:
                return self.ev.tapes.list_of(self.whole(array))
            case 'tape.zeros_like', [gast.Name(id=items)]:
                return self.ev.tapes.zero_list(self.variable(items))
            case 'tape.zeros', [length, dtype]:
                return self.ev.tapes.zeros_list(self.binding(length), self.binding(dtype))
        raise NotDifferentiable(f'`{primitive(operation)}` has no tangent', self.ev.origin)


def _is_zero(dot: Binding) -> bool:
    return all(map(_is_zero, dot.items)) if isinstance(dot, Container) else dot == ZERO
