"""Applying primitives: fold what is known, ask for the type of what is not, and write the operation down."""
from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.errors import TranspileError, UnknownType, UnsupportedFunction
from transpiler.rules.registry import Rule, nearest
from transpiler.specialize.bindings import Binding, Closure, Container, Known, Var, is_number, number_type
from transpiler.specialize.context import Context, NeedStatic
from transpiler.values.dims import Dim
from transpiler.values.joining import join_types
from transpiler.values.probe import infer
from transpiler.values.types import Array, Scalar, Tape, Type, Unknown

BINARY = {gast.Add: 'numpy.add', gast.Sub: 'numpy.subtract', gast.Mult: 'numpy.multiply', gast.Div: 'numpy.true_divide',
          gast.FloorDiv: 'numpy.floor_divide', gast.Mod: 'numpy.remainder', gast.Pow: 'numpy.power', gast.MatMult: 'numpy.matmul',
          gast.BitAnd: 'numpy.bitwise_and', gast.BitOr: 'numpy.bitwise_or', gast.BitXor: 'numpy.bitwise_xor',
          gast.LShift: 'numpy.left_shift', gast.RShift: 'numpy.right_shift'}
OPERATOR = {'numpy.add': operator.add, 'numpy.subtract': operator.sub, 'numpy.multiply': operator.mul, 'numpy.true_divide': operator.truediv,
            'numpy.floor_divide': operator.floordiv, 'numpy.remainder': operator.mod, 'numpy.power': operator.pow,
            'numpy.matmul': operator.matmul, 'numpy.bitwise_and': operator.and_, 'numpy.bitwise_or': operator.or_,
            'numpy.bitwise_xor': operator.xor, 'numpy.left_shift': operator.lshift, 'numpy.right_shift': operator.rshift,
            'numpy.negative': operator.neg, 'numpy.positive': operator.pos, 'numpy.invert': operator.invert, 'numpy.less': operator.lt,
            'numpy.less_equal': operator.le, 'numpy.greater': operator.gt, 'numpy.greater_equal': operator.ge,
            'numpy.equal': operator.eq, 'numpy.not_equal': operator.ne}
UNARY = {gast.USub: 'numpy.negative', gast.UAdd: 'numpy.positive', gast.Invert: 'numpy.invert'}
COMPARE = {gast.Lt: 'numpy.less', gast.LtE: 'numpy.less_equal', gast.Gt: 'numpy.greater', gast.GtE: 'numpy.greater_equal',
           gast.Eq: 'numpy.equal', gast.NotEq: 'numpy.not_equal'}
PYTHON = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul, gast.Div: operator.truediv,
          gast.FloorDiv: operator.floordiv, gast.Mod: operator.mod, gast.Pow: operator.pow, gast.MatMult: operator.matmul,
          gast.BitAnd: operator.and_, gast.BitOr: operator.or_, gast.BitXor: operator.xor, gast.LShift: operator.lshift,
          gast.RShift: operator.rshift, gast.USub: operator.neg, gast.UAdd: operator.pos, gast.Invert: operator.invert,
          gast.Lt: operator.lt, gast.LtE: operator.le, gast.Gt: operator.gt, gast.GtE: operator.ge, gast.Eq: operator.eq,
          gast.NotEq: operator.ne, gast.Is: operator.is_, gast.IsNot: operator.is_not, gast.Not: operator.not_}

# A reduction of a number is the number itself; NumPy agrees, Numba has no such call.
OF_A_NUMBER = {'numpy.sum', 'numpy.mean', 'numpy.max', 'numpy.min', 'numpy.prod', 'numpy.copy'}


class Operations(Context):
    """Primitives on bindings."""

    def binary(self, kind: type[gast.operator], left: Binding, right: Binding) -> Binding:
        """`left kind right` for a Python operator."""
        if isinstance(left, Container) or isinstance(right, Container):
            return self._sequence_operator(kind, left, right)
        if isinstance(left, Known) and isinstance(right, Known):
            return self.fold(PYTHON[kind], left, right)
        return self.emit_operator(BINARY[kind], [left, right], lambda a, b: gast.BinOp(left=a, op=kind(), right=b))

    def unary(self, kind: type[gast.unaryop], operand: Binding) -> Binding:
        if isinstance(operand, Known):
            return self.fold(PYTHON[kind], operand)
        return self.emit_operator(UNARY[kind], [operand], lambda a: gast.UnaryOp(op=kind(), operand=a))

    def compare(self, kind: type[gast.cmpop], left: Binding, right: Binding) -> Binding:
        if isinstance(left, Known) and isinstance(right, Known):
            return self.fold(PYTHON[kind], left, right)
        return self.emit_operator(COMPARE[kind], [left, right], lambda a, b: gast.Compare(left=a, ops=[kind()], comparators=[b]))

    def fold(self, function, *operands: Known) -> Known:
        try:
            with np.errstate(all='ignore'):
                return Known(function(*(o.value for o in operands)))
        except Exception as error:
            raise TranspileError(f'this always fails: {type(error).__name__}: {error}', self.origin,
                                 why='the operation on constants raises', instead='mend the expression') from error

    def emit_operator(self, name: str, operands: list[Binding], node) -> Var:
        atoms, types = zip(*map(self.operand, operands), strict=True)
        function = OPERATOR[name]
        return self.builder.define(self._hint(name, atoms), node(*atoms), self.infer(name, function, types, {}))

    def operate(self, rule: Rule, operands: list[Binding], statics: dict[str, Binding]) -> Binding:
        """Call the primitive of `rule`."""
        if rule.kind == 'definition':
            for key, binding in statics.items():
                if isinstance(binding, Known):
                    self._require_covered(rule, key, binding.value)
            args, keywords = rule.arrange(operands, statics)
            return self.inline(Closure(self.template(rule.template)), args, keywords)
        if rule.name in OF_A_NUMBER and self._is_scalar(operands[0]):
            return operands[0]
        if rule.name == 'numpy.where' and all(map(self._is_scalar, operands)):
            return self.select(*operands)
        if rule.name == 'numpy.broadcast_to' and statics['shape'] == Container('tuple', ()):
            return operands[0]
        atoms, types = zip(*map(self.operand, operands), strict=True) if operands else ((), ())
        nodes, values = {}, {}
        for key, binding in statics.items():
            if not (isinstance(binding, Known) and _same(binding.value, rule.statics[key])):
                nodes[key], values[key] = self.static(rule, key, binding)
        if rule.fold is not None and (decided := rule.fold(*types, **values)) is not None:
            return Known(decided)
        if rule.identity is not None and self.builder.role == 'pullback' and rule.identity(*types, **values):
            return operands[0]
        type_ = self.infer(rule.name, rule, types, values)
        args, keywords = rule.arrange(atoms, nodes)
        node = gast.Call(func=build.name(rule.name), args=args, keywords=[gast.keyword(arg=k, value=v) for k, v in keywords.items()])
        return self.builder.define(self._hint(rule.name, atoms), node, type_)

    def select(self, test: Binding, chosen: Binding, other: Binding) -> Binding:
        """One of two numbers, both computed: `chosen if test else other`."""
        if isinstance(test, Known) or chosen == other:
            return chosen if chosen == other or test.value else other
        (condition, _), (left, first), (right, second) = map(self.operand, (test, chosen, other))
        type_ = join_types(first, second)
        left, right = (as_kind(node, type_) for node in (left, right))
        return self.builder.define('choice', gast.IfExp(test=condition, body=left, orelse=right), type_)

    def infer(self, name: str, primitive: Any, types, statics: dict[str, Any]) -> Type:
        """The type of the result; equalities of sizes that NumPy itself demands are remembered."""
        try:
            type_, equalities = infer(primitive, [self.resolve(t) for t in types], statics)
        except (ValueError, TypeError, IndexError, np.linalg.LinAlgError) as error:
            described = ', '.join(map(_described, types))
            raise UnsupportedFunction(f'`{_shown(name)}` does not take ({described})', self.origin, why=str(error).splitlines()[0]) from error
        for symbol, value in equalities.items():
            self.sizes = {known: size.substitute({symbol: value}) for known, size in self.sizes.items()}
            self.sizes[symbol] = value.substitute(self.sizes)
        return type_

    def operand(self, binding: Binding) -> tuple[gast.expr, Any]:
        """The atom (or tuple or list of atoms) and the type of an operand."""
        match binding:
            case Var(name, type_):
                if isinstance(type_, Tape):
                    raise TranspileError('a tape is no operand', self.origin)
                return build.name(name), self.resolve(type_)
            case Known(value) if is_number(value):
                if isinstance(value, np.generic) and type(value) not in (np.float64, np.complex128, np.bool_):
                    strong = self.builder.define('c', build.call(f'numpy.{value.dtype}', value.item()), number_type(value))
                    return build.name(strong.name), strong.type
                return build.constant(value.item() if isinstance(value, np.generic) else value), number_type(value)
            case Known(np.ndarray() as value):
                return self.operand(self.constant_array(value))
            case Container('tuple' | 'list' as kind, items):
                parts = [self.operand(item) for item in items]
                return build.expression((tuple if kind == 'tuple' else list)(p[0] for p in parts)), tuple(p[1] for p in parts)
        raise UnknownType(f'{self.describe(binding)} stands where a number or an array is needed', self.origin)

    def constant_array(self, value: np.ndarray) -> Var:
        nested = build.call('numpy.array', build.expression(value.tolist()), dtype=build.name(f'numpy.{value.dtype}'))
        return self.builder.define('table', nested, Array(value.dtype, tuple(map(Dim.of, value.shape))))

    def _require_covered(self, rule: Rule, key: str, value: Any) -> None:
        if key in rule.allowed and not any(_same(value, good) for good in rule.allowed[key]):
            raise UnsupportedFunction(f'`{key}={value!r}` of `{_shown(rule.name)}` is not supported', self.origin,
                                      why=f'the rule covers {", ".join(map(repr, rule.allowed[key]))}')

    def static(self, rule: Rule, key: str, binding: Binding) -> tuple[gast.expr, Any]:
        """A static argument as an expression and as the value (or type) that type inference sees."""
        match binding:
            case Known(value):
                self._require_covered(rule, key, value)
                return static_expression(value), value
            case Container('tuple' | 'list', items):
                parts = [self.static(rule, key, item) for item in items]
                return build.expression(tuple(p[0] for p in parts)), tuple(p[1] for p in parts)
            case Var(name, Unknown()) if key in rule.runtime:
                return build.name(name), Unknown()
            case Var(name, type_) if key in rule.runtime:
                return build.name(name), self.resolve(type_)
            case Var(name):
                raise NeedStatic(name, TranspileError(
                    f'`{key}` of `{_shown(rule.name)}` must be known when the code is generated', self.origin,
                    why='it decides the type of the result', instead='pass a constant, or an argument that can be one'))
        raise UnsupportedFunction(f'`{_shown(rule.name)}` does not take {self.describe(binding)} as `{key}`', self.origin)

    def _sequence_operator(self, kind, left: Binding, right: Binding) -> Binding:
        """`(a, b) + (c,)`, `[0.0] * 3`, and comparisons with arrays made of sequences."""
        if kind is gast.Add and isinstance(left, Container) and isinstance(right, Container) and left.kind == right.kind:
            return Container(left.kind, left.items + right.items)
        if kind is gast.Mult:
            sequence, count = (left, right) if isinstance(left, Container) else (right, left)
            if isinstance(count, Known) and isinstance(count.value, int):
                return Container(sequence.kind, sequence.items * count.value)
        raise UnsupportedFunction(f'`{self.describe(left)}` and `{self.describe(right)}` have no such operator', self.origin,
                                  instead='make arrays of them first: `np.array(...)`')

    def _is_scalar(self, binding: Binding) -> bool:
        type_ = binding.type if isinstance(binding, Var) else number_type(binding.value) if is_number(binding.value) else None
        return isinstance(type_, Scalar)

    def _hint(self, name: str, atoms) -> str:
        """What a temporary is called, should it survive: `exp_x` for `np.exp(x)`."""
        short = name.rsplit('.', 1)[-1]
        for atom in atoms:
            if isinstance(atom, gast.Name):
                base = self.builder.hints[atom.id].base if atom.id in self.builder.hints else atom.id
                return f'{short}_{base}' if len(base) < 8 and '_' not in base and name not in OPERATOR_NAMES else SHORT.get(short, short + '_')
        return SHORT.get(short, short + '_')


OPERATOR_NAMES = {*BINARY.values(), *UNARY.values(), *COMPARE.values()}
SHORT = {'add': 'total', 'subtract': 'difference', 'multiply': 'product', 'true_divide': 'ratio', 'negative': 'minus',
         'power': 'power', 'matmul': 'product', 'less': 'below', 'less_equal': 'below', 'greater': 'above',
         'greater_equal': 'above', 'equal': 'same', 'not_equal': 'differs'}


def static_expression(value: Any) -> gast.expr:
    """A Python object known while specialising, as an expression: `np.float32`, `'ij'`, `(0, 1)`."""
    if isinstance(value, np.dtype):
        return build.name(f'numpy.{value.name}')
    if isinstance(value, type) and issubclass(value, np.generic):
        return build.name(f'numpy.{value.__name__}')
    if isinstance(value, type):
        return build.name(f'python.{value.__name__}')
    if isinstance(value, (tuple, list)):
        return build.expression(type(value)(map(static_expression, value)))
    return build.constant(value.item() if isinstance(value, np.generic) else value)


def as_kind(node: gast.expr, type_: Type) -> gast.expr:
    """A literal on its way into a variable of `type_`: `1` becomes `1.0` where floats join it."""
    kinds = {'f': float, 'c': complex, 'i': int}
    if isinstance(node, gast.Constant) and isinstance(type_, (Scalar, Array)) and isinstance(node.value, (bool, int, float)):
        return build.constant(kinds.get(type_.dtype.kind, type(node.value))(node.value))
    return node


def unknown_function(value: Any, origin) -> UnsupportedFunction:
    name = f'{getattr(value, "__module__", "") or ""}.{getattr(value, "__name__", value)!s}'.lstrip('.')
    close = nearest(name)
    return UnsupportedFunction(
        f'`{_shown(name)}` is not supported', origin, why='it has no rule, no definition and no Python source to read',
        instead=f'perhaps `{_shown(close)}`; docs/adding_a_rule.md shows how to add it' if close else 'docs/adding_a_rule.md shows how to add it')


def _shown(name: str) -> str:
    return name.replace('numpy.', 'np.', 1) if name.startswith('numpy.') else name.removeprefix('python.').removeprefix('builtins.')


def _described(type_: Any) -> str:
    return f'({", ".join(map(_described, type_))})' if isinstance(type_, tuple) else str(type_)


def _same(left: Any, right: Any) -> bool:
    return left is right or (type(left) is type(right) and not isinstance(left, np.ndarray) and left == right)
