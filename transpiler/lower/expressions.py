"""Lowering expressions: what kind each is, and which function knows about it."""
from __future__ import annotations

from functools import reduce
from importlib import import_module
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.indices import integer
from transpiler.core.links import links
from transpiler.core.naming import RUNTIME
from transpiler.core.query import callee, is_atom, is_primitive
from transpiler.errors import TranspileError
from transpiler.lower.context.black_boxes import is_compiled
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowering_of
from transpiler.lower.context.values import Value, array_type, dtype_name
from transpiler.lower.primitives import elementwise, indexing
from transpiler.lower.target import mathematics as ufuncs
from transpiler.values.numbers import is_number, number_type
from transpiler.values.types import BOOL, INT, Array, Scalar, Tape, Type


class Expressions:
    """`value` lowers one expression; statements that it needs go before it, into the block of `context`."""

    def __init__(self, context: Context):
        self.context = context

    def value(self, node: gast.expr, type_: Type | None = None) -> Value:
        """The lowered expression; `type_` is what the types table says of it, where it says anything."""
        match node:
            case gast.Name(id=identifier):
                return Value(node, self.context.type_of(identifier))
            case gast.Constant(value=value):
                return Value(node, number_type(value) if is_number(value) else INT)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return Value(build.unary(gast.Not, self.truth(self.value(operand)).node), BOOL)
            case gast.BinOp(left=left, op=operator, right=right):
                return self.primitive(Call(build.call(ufuncs.NAMES[type(operator)], left, right)), type_)
            case gast.UnaryOp(op=operator, operand=operand):
                return self.primitive(Call(build.call(ufuncs.NAMES[type(operator)], operand)), type_)
            case gast.Compare(left=left, ops=[operator], comparators=[right]):
                return self.primitive(Call(build.call(ufuncs.NAMES[type(operator)], left, right)), type_)
            case gast.BoolOp(op=operator, values=values):
                return self.both_or_either(type(operator), values)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return self.primitive(Call(build.call('numpy.where', test, body, orelse)), type_)
            case gast.Call() if callee(node) is not None:
                return Value(self.function_call(node), type_ or INT)
            case gast.Call() if links(node).box is not None:
                return self.box(node, type_)
            case gast.Subscript():
                return self.item(node)
            case gast.Attribute(value=base, attr=field):
                return self.attribute(self.value(base), field)
            case gast.Call():
                return self.primitive(Call(self.of_numpys(node)), type_)
        raise self.context.refuse(f'`{type(node).__name__}` cannot be compiled', 'it has no compiled form')

    def both_or_either(self, operator: type[gast.boolop], values: list[gast.expr]) -> Value:
        """`a and b`: statements that only `b` needs are run only if `a` holds."""
        first, *rest = values
        found = self.truth(self.value(first))
        for value in rest:
            with self.context.builder.nested() as needed:
                then = self.truth(self.value(value))
            if needed:
                flag = build.name(self.context.builder.define('holds', found.node, BOOL).name)
                needed.append(build.assign(flag.id, then.node, self.context.origin, self.context.builder.role))
                asked = flag if operator is gast.And else build.unary(gast.Not, flag)
                self.context.builder.append(build.branch(asked, needed, (), self.context.origin, self.context.builder.role))
                found = Value(flag, BOOL)
            else:
                found = Value(gast.BoolOp(op=operator(), values=[found.node, then.node]), BOOL)
        return found

    def of_numpys(self, call: gast.Call) -> gast.Call:
        """A call of a function of which there is an operator: it takes Python's numbers for NumPy's, as the operator does not."""
        if callee(call) is not None or Call(call).name not in ufuncs.BY_NAME or not all(map(is_atom, call.args)):
            return call
        first, *rest = call.args
        if not ufuncs.are_pythons(ufuncs.BY_NAME[Call(call).name], [self.value(a).type for a in call.args]):
            return call
        return build.like(call, args=[build.call(dtype_name(self.value(first).dtype).id, first), *rest])

    def primitive(self, call: Call, type_: Type | None = None) -> Value:
        """A call of a primitive; an operator is one, too."""
        lowering = lowering_of(call.name)
        try:
            if lowering is not None:
                return lowering(self.context, call, type_ or self.inferred(call))
            if call.name in ufuncs.UFUNCS and not call.keywords:
                return elementwise.apply(self.context, ufuncs.UFUNCS[call.name], [self.value(a) for a in call.args], type_)
        except (TypeError, ValueError) as error:
            if isinstance(error, TranspileError):
                raise
            raise self.context.unsupported(call.name, str(error)) from error
        raise self.context.unsupported(call.name)

    def inferred(self, call: Call) -> Type:
        """The type of a call inside the test of a `while`, which has no name: the function is asked, on ones."""
        package, *path = call.name.split('.')
        if package == 'python':     # what others of Python's own functions give follows from what they are given
            return number_type(0j) if path == ['complex'] else INT
        if call.name == 'tape.item':
            return self.context.type_of(call.args[0].id).element
        with self.context.builder.nested():  # nothing of it is computed
            operands = [self._sample(a) for a in call.args]
        function = _as_dtype if call.name == 'numpy.astype' else _found(package, *path)
        result = function(*operands, **{k: self._fixed(v) for k, v in call.keywords.items()})
        return array_type(result.dtype, result.ndim) if isinstance(result, np.ndarray) else number_type(result)

    def _sample(self, node: gast.expr, among: bool = False) -> Any:
        """Something of the type of an operand; sizes and axes, which stand among others, are what they are if they are known."""
        if isinstance(node, (gast.Tuple, gast.List)):
            return (tuple if isinstance(node, gast.Tuple) else list)(self._sample(e, True) for e in node.elts)
        if isinstance(node, gast.Name) and is_primitive(node.id):
            return self._fixed(node)
        number = integer(node) if among else None
        return _ones(self.value(node).type) if number is None else number

    def _fixed(self, node: gast.expr) -> Any:
        """A static argument, a dtype among them."""
        return _found(*node.id.split('.')) if isinstance(node, gast.Name) else self.context.literal(node)

    def function_call(self, call: gast.Call) -> gast.Call:
        """A call of a function of the program, with arguments of exactly the types that it was written for."""
        function = self.context.functions[str(callee(call))]
        types = [function.types[name] for name in function.inputs]
        pairs = zip(call.args, types, strict=True)
        args = [a if isinstance(t, Tape) else self.context.settled(self.value(a), t).node for a, t in pairs]
        return build.like(call, args=args)

    def box(self, node: gast.Call, type_: Type | None) -> Value:
        """A call of a function that is not looked into: Numba must have a way of calling it."""
        box = links(node).box
        if not is_compiled(box.function):
            raise self.context.refuse(
                f'`{box.name}` is a black box',
                'compiled code calls pointers of ctypes that have `argtypes`, and what Numba has compiled, and nothing else',
            )
        args = [Value(a, None) if isinstance(a, (gast.Tuple, gast.List)) else self.value(a) for a in node.args]
        like = box.results[0]
        type_ = type_ or (args[like].type if isinstance(like, int) else like)
        return Value(build.like(node, args=[a.node for a in args]), type_)

    def truth(self, value: Value) -> Value:
        """What `if` and `while` ask."""
        return Value(self.context.number(value).node, BOOL)

    def attribute(self, base: Value, field: str) -> Value:
        if base.is_scalar:
            return Value(build.expression({'size': 1, 'ndim': 0, 'shape': ()}[field]), INT)
        return Value(build.attribute(base.node, field), INT)

    def item(self, node: gast.Subscript) -> Value:
        match node.value:
            case gast.Attribute(attr='shape'):
                return Value(build.subscript(self.value(node.value).node, node.slice), INT)
            case gast.Name(id=whole) if isinstance(parts := self.context.builder.types.get(whole), tuple):
                return Value(node, parts[node.slice.value])
        return indexing.load(self.context, self.value(node.value), node.slice)


def _found(package: str, *path: str) -> Any:
    return reduce(getattr, path, import_module(RUNTIME if package == 'kernels' else package))


def _as_dtype(a: Any, dtype: Any) -> Any:
    return np.asarray(a).astype(dtype)[()]


def _ones(type_: Type):
    if isinstance(type_, Array):
        return np.ones((2,) * type_.ndim, type_.dtype)
    one = type_.dtype.type(1)
    return one.item() if isinstance(type_, Scalar) and type_.weak else one
