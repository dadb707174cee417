"""Applying primitives: fold what is known, ask for the type of what is not, and write the operation down."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from transpiler.analyses.memory.effects import ASKING
from transpiler.core import build
from transpiler.core.build import static_expression
from transpiler.core.links import link
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.rules.base.registry import Rule
from transpiler.specialize.domain.bindings import Binding, Closure, Known
from transpiler.specialize.domain.literals import same_value, shown
from transpiler.specialize.domain.operators import BINARY, COMPARE, OPERATOR, PYTHON, UNARY
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.specialize.evaluation.temporary_names import temporary_name
from transpiler.specialize.expressions.percent import filled_in
from transpiler.specialize.expressions.single_numbers import OF_A_NUMBER, of_a_number
from transpiler.specialize.expressions.size_facts import decided
from transpiler.specialize.expressions.strings import is_text, joined_text, pieces_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Results, Scalar, Type, Unknown

KEEP_NATURAL = gast.Add, gast.Mult, gast.FloorDiv, gast.Mod, gast.Pow  # give no negative number of numbers that are none
SIZED = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: Dim.times,
         gast.FloorDiv: lambda left, right: left.divided(right.constant)}


class Operations(Component):
    """Primitives on bindings."""

    def binary(self, kind: type[gast.operator], left: Binding, right: Binding) -> Binding:
        """`left kind right` for a Python operator."""
        left, right = self.ev.operands.beside_arrays(kind, left, right)
        if kind is gast.Mod and is_text(left):
            return filled_in(self.ev, left, right)
        if isinstance(left, Container) or isinstance(right, Container):
            return self._sequence_operator(kind, left, right)
        if isinstance(left, Known) and isinstance(right, Known):
            return self.fold(PYTHON[kind], left, right)
        if kind is gast.Pow and self.ev.numbers.is_whole(left) and self.ev.numbers.is_negative(right):
            left = self.fold(float, left) if isinstance(left, Known) else self.ev.call(Known(float), [left], {})
        made = self.emit_operator(BINARY[kind], [left, right], lambda a, b: gast.BinOp(left=a, op=kind(), right=b))
        if kind in KEEP_NATURAL and self.ev.numbers.is_natural(left) and self.ev.numbers.is_natural(right):
            self.builder.natural.add(made.name)
        sizes = self.ev.numbers.size_of(left), self.ev.numbers.size_of(right)
        if None in sizes and sizes != (None, None) and kind in SIZED:
            sizes = tuple(size or self.ev.sizes.value_of(number) for size, number in zip(sizes, (left, right), strict=True))
        return self._with_size(made, kind, *sizes)

    def check_power(self, kind: type[gast.operator], base: Binding, exponent: Binding) -> None:
        """What Python's integers give depends on the sign of the exponent; code that is generated knows one type only."""
        numbers = self.ev.numbers
        if kind is not gast.Pow or not numbers.is_whole(base) or not numbers.is_int(exponent) or numbers.is_natural(exponent):
            return
        negative = self.ev.compare(gast.Lt, exponent, Known(0))
        zero = self.ev.compare(gast.Eq, base, Known(0))
        sure = Known(True) in (zero, negative)
        both = (negative if zero == Known(True) else zero) if sure else self.ev.binary(gast.BitAnd, zero, negative)
        self.raise_if(both, '0.0 cannot be raised to a negative power', 'ZeroDivisionError')
        if not self.ev.numbers.is_negative(exponent) and zero != Known(True):
            self.raise_if(negative, 'an integer is raised to a power that turns out negative: make it a float first')

    def _with_size(self, made: Var, kind: type[gast.operator], left: Dim | None, right: Dim | None) -> Var:
        """Sums, products and quotients of sizes are known as such."""
        if left is None or right is None or made.type.size is not None or kind not in SIZED:
            return made
        if kind is gast.FloorDiv and not (right.is_constant and right.constant > 0):
            return made
        return self.sized(made, SIZED[kind](left, right))

    def sized(self, number: Var, size: Dim) -> Var:
        """The number, known to be `size`."""
        self.builder.types[number.name] = replace(number.type, size=size)
        return Var(number.name, self.builder.types[number.name])

    def unary(self, kind: type[gast.unaryop], operand: Binding) -> Binding:
        if isinstance(operand, Known):
            return self.fold(PYTHON[kind], operand)
        made = self.emit_operator(UNARY[kind], [operand], lambda a: gast.UnaryOp(op=kind(), operand=a))
        if kind is gast.USub and self.ev.numbers.is_natural(operand):
            self.builder.negated.add(made.name)
        return made

    def compare(self, kind: type[gast.cmpop], left: Binding, right: Binding) -> Binding:
        if isinstance(left, Known) and isinstance(right, Known):
            return self.fold(PYTHON[kind], left, right)
        sizes = self.ev.numbers.size_of(left), self.ev.numbers.size_of(right)
        answer = None if None in sizes else decided(PYTHON[kind], sizes[0] - sizes[1])
        if answer is not None:
            return Known(answer)
        return self.emit_operator(COMPARE[kind], [left, right], lambda a, b: gast.Compare(left=a, ops=[kind()], comparators=[b]))

    def raise_if(self, wrong: Binding, message: str, error: str = 'ValueError') -> None:
        """Raise an error when the program runs, if `wrong`, which is not known before, is true."""
        if isinstance(wrong, Var):
            failure = build.fail(build.call(f'python.{error}', build.constant(message)), self.origin, self.builder.role)
            self.builder.append(build.branch(wrong.name, [failure], [], self.origin, self.builder.role))

    def fold(self, function, *operands: Known) -> Known:
        try:
            with np.errstate(all='ignore'):
                return Known(function(*(o.value for o in operands)))
        except Exception as error:
            if self.derives:
                raise TranspileError(f'this always fails: {type(error).__name__}: {error}', self.origin,
                                     why='the operation on constants raises', instead='mend the expression') from error
            raise self.ev.inference.failing(error) from error

    def emit_operator(self, name: str, operands: list[Binding], node) -> Var:
        atoms, types = zip(*map(self.ev.operand, self.ev.operands.python_numbers(operands)), strict=True)
        function = OPERATOR[name]
        flags = function is operator.pow and isinstance(types[0], Array) and types[0].dtype == np.bool_
        if flags and getattr(atoms[1], 'value', None) != 2:
            function = np.power    # `flags ** 2` is a product of flags for NumPy, in 8 bits, as no other power is
        made = self.builder.define(self._hint(name, atoms), node(*atoms),
                                   self.ev.inference.infer(name, function, types, {}, atoms))
        return self.ev.inference.noted(made, name, function, types, {}, atoms)

    def order_kept(self, *args: Binding, **keywords: Binding) -> dict[str, Binding]:
        """The keywords of the user's `np.copy(x)`: items stay in the order in which they lie, as they do in no other copy."""
        whole = args[0] if len(args) == 1 else keywords.get('a')
        type_ = self.ev.resolve(whole.type) if isinstance(whole, Var) else None
        keeps = isinstance(type_, Array) and type_.ndim != 1 and not self.ev.ours
        return {'order': Known('K'), **keywords} if keeps else keywords

    def operate(self, rule: Rule, operands: list[Binding], statics: dict[str, Binding]) -> Binding:
        """Call the primitive of `rule`."""
        pairs = zip(rule.names_of(operands), operands, strict=True)
        operands = [self.ev.operands.sequence_of(rule, o) if name in rule.sequences else self.ev.operands.array_like(o) for name,
                    o in pairs]
        definition = rule.template if rule.kind == 'definition' else None
        if rule.beyond is not None and not all(_covers(rule, key, value) for key, value in statics.items()):
            definition = rule.beyond
        elif rule.of_complex is not None and any(map(self.is_complex, operands)):
            definition = rule.of_complex
        elif definition is not None:
            for key, binding in statics.items():
                self._require_covered(rule, key, binding)
        if definition is not None:
            if rule.real_only:
                self._require_real(rule, operands)
            given = {key: self.ev.operands.array_like(v) if rule.statics[key] is None and _is_list(v) else v for key,
                     v in statics.items()}
            args, keywords = rule.arrange(operands, given)
            return self.ev.inline(Closure(self.ev.template(definition)), args, keywords)
        if rule.name in ASKING:
            return self.ev.wholes.again(rule.name, operands[0])
        if rule.name in OF_A_NUMBER and self.ev.operands.is_scalar(operands[0]):
            own = self.ev.operand(operands[0])[1]
            return of_a_number(self.ev, rule.name, operands[0], own, self.ev.inference.infer(rule.name, rule, (own,), {}))
        if rule.name == 'numpy.where' and all(map(self.ev.operands.is_scalar, operands)):
            return self.ev.selections.select(*operands)
        if rule.name == 'numpy.broadcast_to' and statics['shape'] == Tuple(()):
            return operands[0]
        operands = self.ev.operands.python_numbers(operands) if rule.kind == 'elementwise' else operands
        statics = {key: self.ev.wholes.static(rule, key, value) for key, value in statics.items()}
        atoms, types = zip(*map(self.ev.operand, operands), strict=True) if operands else ((), ())
        nodes, values = {}, {}
        for key, binding in statics.items():
            if not (isinstance(binding, Known) and same_value(binding.value, rule.statics[key])):
                nodes[key], values[key] = self.static(rule, key, binding)
        if rule.fold is not None and (decided := rule.fold(*types, **values)) is not None:
            return Known(decided)
        if rule.identity is not None and (self.ev.ours or self.derives) and rule.identity(*types, **values):
            return operands[0]
        type_ = self.ev.inference.infer(rule.name, rule, types, values, atoms)
        args, keywords = rule.arrange(atoms, nodes)
        node = gast.Call(
            func=build.name(rule.name), args=args, keywords=[gast.keyword(arg=k, value=v) for k, v in keywords.items()]
        )
        link(node, typed=(atoms, types, values), of_numbers=bool(types) and all(isinstance(t, Scalar) for t in types))
        if isinstance(type_, tuple):
            return self.results(rule, self.parts(node, Results(type_)))
        return self.ev.inference.noted(self.builder.define(self._hint(rule.name, atoms), node, type_), rule.name, rule, types,
                                       values, atoms)

    def results(self, rule: Rule, parts: list[Binding]) -> Tuple | Object:
        """Several results, under names if NumPy names them."""
        fields = getattr(rule.named, '_fields', ())
        return Object(tuple(parts), fields, rule.named) if fields else Tuple(tuple(parts))

    def parts(self, node: gast.Call, types: tuple[Type, ...]) -> list[Var]:
        """The results of a call that gives several, one by one."""
        whole = self.builder.define('parts', node, types)
        return [self.builder.define('part', build.subscript(whole.name, k), type_) for k, type_ in enumerate(types)]

    def _require_covered(self, rule: Rule, key: str, binding: Binding) -> None:
        if not _covers(rule, key, binding):
            if isinstance(binding, Var) and self.ev.operands.is_scalar(binding):
                self.ev.known(binding, f'`{key}` of `{shown(rule.name)}`')
            value = repr(binding.value) if isinstance(binding, Known) else self.ev.describe(binding)
            raise UnsupportedFunction(
                f'`{key}={value}` of `{shown(rule.name)}` is not supported',
                self.origin,
                why=f'the rule covers {", ".join(map(repr, rule.allowed[key]))}',
            )

    def _require_real(self, rule: Rule, operands: list[Binding]) -> None:
        """Refuse complex numbers for a definition that is not what NumPy does with them."""
        values = [item for o in operands for item in (o.items if isinstance(o, Container) else (o,))]
        if any(self.is_complex(value) for value in values):
            raise UnsupportedFunction(
                f'`{shown(rule.name)}` is not supported for complex numbers',
                self.origin,
                why='what it is written as here is right for real numbers',
            )

    def is_complex(self, binding: Binding) -> bool:
        if isinstance(binding, Known):
            return np.iscomplexobj(binding.value)
        return isinstance(binding, Var) and getattr(self.ev.resolve(binding.type), 'dtype', np.dtype(bool)).kind == 'c'

    def static(self, rule: Rule, key: str, binding: Binding) -> tuple[gast.expr, Any]:
        """A static argument as an expression and as the value (or type) that type inference sees."""
        match binding:
            case Known(value):
                self._require_covered(rule, key, binding)
                return static_expression(value), value
            case Tuple(items) | List(items):
                self._require_covered(rule, key, binding)
                parts = [self.static(rule, key, item) for item in items]
                return build.expression(tuple(p[0] for p in parts)), tuple(p[1] for p in parts)
            case Var(name, Unknown()) if key in rule.runtime:
                return build.name(name), Unknown()
            case Var(name, type_) if key in rule.runtime:
                return build.name(name), self.ev.resolve(type_)
            case Var(name):
                raise NeedStatic(
                    name,
                    TranspileError(
                        f'`{key}` of `{shown(rule.name)}` must be known when the code is generated',
                        self.origin,
                        why='it decides the type of the result',
                        instead='pass a constant, or an argument that can be one',
                    ),
                )
        raise UnsupportedFunction(f'`{shown(rule.name)}` does not take {self.ev.describe(binding)} as `{key}`', self.origin)

    def _sequence_operator(self, kind, left: Binding, right: Binding) -> Binding:
        """`(a, b) + (c,)` and `[0.0] * 3`."""
        left, right = self.ev.current(left), self.ev.current(right)
        if self.ev.sets.takes(left, right):
            return self.ev.sets.binary(kind, left, right)
        if kind is gast.Add and is_text(left) and is_text(right):
            return joined_text([*pieces_of(left), *pieces_of(right)])
        if kind is gast.Add and any(isinstance(side, (DynamicList, ArrayList)) for side in (left, right)):
            both = self.ev.current(self.ev.held(List(())))
            for side in (left, right):
                self.ev.changes.container_method('extend', self.ev.current(both), [side], {})
            return self.ev.current(both)
        if kind is gast.BitOr:
            entries = {**self.ev.changes.entries(left, '`|`'), **self.ev.changes.entries(right, '`|`')}
            return Dict(tuple(entries.values()), tuple(entries))
        if kind is gast.Add and isinstance(left, (Tuple, List)) and type(left) is type(right):
            return left.anew(left.items + right.items)
        if kind is gast.Mult:
            sequence, count = (left, right) if isinstance(left, Container) else (right, left)
            count = self.ev.wholes.count(count)
            if isinstance(count, Known) and isinstance(count.value, int) and isinstance(sequence, (Tuple, List)):
                return sequence.anew(sequence.items * count.value)
            at_run_time = isinstance(count, Var) and isinstance(sequence, List) and sequence.items
            if isinstance(sequence, (DynamicList, ArrayList)) or at_run_time:
                return self.ev.rows.repeated(sequence, count)
        if Known(None) in (left, right):
            raise self.ev.inference.lacking()
        raise UnsupportedFunction(
            f'`{self.ev.describe(left)}` and `{self.ev.describe(right)}` have no such operator',
            self.origin,
            instead='make arrays of them first: `np.array(...)`',
        )

    def _hint(self, name: str, atoms) -> str:
        hints = self.builder.hints
        return temporary_name(name, (hints[a.id].base if a.id in hints else a.id for a in atoms if isinstance(a, gast.Name)))


def _is_list(binding: Binding) -> bool:
    """An optional array may be given as one; a tuple may be one of axes."""
    listed = isinstance(binding, Container) and binding.python is list
    return listed or isinstance(binding, Known) and isinstance(binding.value, list)


def _covers(rule: Rule, key: str, given: Binding) -> bool:
    if key not in rule.allowed:
        return True
    return isinstance(given, Known) and any(same_value(given.value, good) for good in rule.allowed[key])
