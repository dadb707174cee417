"""Lowering statements: every assignment gives its name the dtype that the types table promises."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

import gast

from transpiler.analyses.memory.aliases import TAKEN
from transpiler.analyses.memory.bailout import Quiet, never
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.memory_order import in_c_order
from transpiler.analyses.numeric.ranges import ranges
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import callee, defined, merged_by, primitive, walk
from transpiler.lower.context.context import Context
from transpiler.lower.context.exceptions import compiled_exception
from transpiler.lower.context.scalar_code import outside_vectors
from transpiler.lower.context.texts import only_shown, printed
from transpiler.lower.context.values import Value
from transpiler.lower.expressions import Expressions
from transpiler.lower.primitives import indexing
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.values.types import BOOL, INT, Array, Scalar, Type


class Lowering(Context):
    """Walks a typed core and fills `builder.block` with its lowered statements."""

    def __init__(self, core: Core, functions: Mapping[str, Core] = MappingProxyType({}), target: Target = CPU,
                 quiet: Quiet = never):
        super().__init__(core, functions, target, quiet)
        self.expressions = Expressions(self)
        for name in core.inputs:
            self.type_of(name)

    @cached_property
    def _outside(self) -> frozenset[gast.stmt]:
        return outside_vectors(self.core, self.core.name in self.functions, self.target.fastmath)

    @property
    def is_outside_vectors(self) -> bool:
        return self.here in self._outside

    def value(self, node: gast.expr, type_: Type | None = None) -> Value:
        return self.expressions.value(node, type_)

    def block(self, body: Iterable[gast.stmt]) -> list[gast.stmt]:
        with self.builder.nested() as statements:
            for statement in body:
                with self.builder.at(statement.origin, statement.role):
                    self.here = statement
                    self.statement(statement)
        return statements

    def statement(self, node: gast.stmt) -> None:
        match node:
            case gast.Assign(targets=[gast.Name(id=target)]) if target in only_shown(self.core):
                given = self.value(build.name(only_shown(self.core)[target]))
                self.builder.types[target] = given.type
                self.builder.assign(target, given.node)
            case gast.Assign(targets=[gast.Name(id=target)], value=value):
                type_, self.bound, before = self.type_of(target), target, len(self.builder.block)
                given = self.settled(self.value(value, type_), type_)
                own = _is_made(given.node, self.builder.block[before:])
                if is_fresh(value) and _is_part(given.node) and not own and isinstance(given.type, Array):
                    given = Value(build.call('numpy.copy', given.node), given.type)  # `np.tile(x, 1)` is not `x`
                self.builder.assign(target, given.node)
            case gast.Assign(targets=[gast.Subscript() as target], value=value):
                indexing.write(self, target, self.views.apart(target, self.value(value), value))
            case gast.AugAssign(target=gast.Subscript() as target, op=operator, value=value):
                indexing.accumulate(self, target, type(operator), self.views.apart(target, self.value(value), value))
            case gast.If(test=test, body=body, orelse=orelse):
                condition = self.expressions.truth(self.value(test)).node
                self.emit(build.branch(condition, self.block(body), self.block(orelse)), node)
            case gast.For():
                self.counted(node)
            case gast.While(test=test, body=body):
                self.loop(test, body, node)
            case gast.Expr(value=gast.Call() as call):
                self.effect(call)
            case gast.Raise(exc=gast.Call() as exception):
                self.emit(build.fail(compiled_exception(self, exception)), node)
            case gast.Return(value=value):
                self.emit(build.give(self.result(value)), node)
            case _:
                self.emit(node, node)

    def emit(self, statement: gast.stmt, like: gast.stmt) -> None:
        self.builder.append(build.stamp(statement, like.origin, like.role))

    def settled(self, value: Value, type_: Type) -> Value:
        """`value` as a value of exactly that type."""
        match type_:
            case Scalar(dtype):
                return self.cast(self.number(value), dtype)
            case Array(dtype, ()) if value.is_scalar:
                return Value(build.call('numpy.array', self.cast(value, dtype).node), type_)
            case Array(dtype):
                return self.cast(value, dtype)
        return value

    def counted(self, node: gast.For) -> None:
        bounds = [self.guards.index(self.number(self.value(bound))).node for bound in node.iter.args]
        self.builder.types[node.target.id] = INT
        loop = build.counted(node.target.id, *bounds, self.block(node.body))
        keywords = [] if self._adds_up_too_much(node) else node.iter.keywords
        self.emit(build.like(loop, iter=build.like(loop.iter, keywords=keywords)), node)

    def _adds_up_too_much(self, loop: gast.For) -> bool:
        """Whether iterations that may run apart add up integers that may get too long: only in order it is seen if they do."""
        found = ranges(self.core)
        return any(map(found.is_pythons, merged_by(loop) or ())) and any(id(s) in found.open for s in walk(loop.body))

    def loop(self, test: gast.expr, body: Iterable[gast.stmt], node: gast.stmt) -> None:
        """A test that needs statements of its own is computed before the loop and at the end of each iteration."""
        with self.builder.nested() as first:
            condition = self.expressions.truth(self.value(test)).node
        inner = self.block(body)
        if not first:
            self.emit(build.loop(condition, inner), node)
            return
        again = self.builder.fresh('again', BOOL).name
        repeated = [*first, build.assign(again, condition, node.origin, node.role)]
        for statement in repeated:
            self.builder.append(statement)
        self.emit(build.loop(again, [*inner, *repeated]), node)

    def effect(self, call: gast.Call) -> None:
        name = primitive(call)
        if callee(call) is not None:
            self.builder.effect(self.expressions.function_call(call))
        elif name in ('tape.push', 'tape.put'):
            tape, *index, value = call.args
            self.builder.effect(build.call(name, tape, *map(self.guards.in_list, index), self.listed(tape, value)))
        elif name == 'tape.add':
            tape, array = call.args
            self.builder.effect(build.call(self.target.host.add_items, tape, self.value(array).node))
        elif name == 'python.print':
            self.builder.effect(printed(self, call))
        else:
            raise self.unsupported(name or 'this call', 'Numba cannot run it for its effect')

    def listed(self, tape: gast.Name, value: gast.expr) -> gast.expr:
        """A value as a list holds it: items of one list have one type, which for Numba includes their layout."""
        type_, item = self.type_of(tape.id), self.value(value)
        element = getattr(type_, 'element', None)
        held = self.settled(item, element) if isinstance(element, (Scalar, Array)) else item
        if held.is_scalar or held.ndim == 0 and held is item:    # without axes it lies in every order
            return held.node
        if not getattr(type_, 'lasting', False) or not self.views.is_shared:
            return build.call('numpy.ascontiguousarray', held.node)
        if held is not item:
            self.views.must_not_show(f'its list holds arrays of {held.dtype}, so that it gets a copy')
        if isinstance(value, gast.Name) and value.id in self.core.inputs:
            return build.call(self.target.memory.in_place, held.node)
        if not self._is_in_order(value):
            why = 'a list, or what keeps the results of a batch, holds arrays whose items lie side by side: its own may not'
            self.views.must_not_show(why, 'make it a copy where it is put there, or returned: `x.copy()`')
        return held.node

    def _is_in_order(self, value: gast.expr) -> bool:
        """Whether an array lies as lists hold it: what comes from one does."""
        made = {primitive(s.value) for s in self.core.statements if isinstance(s, gast.Assign) and defined(s) == value.id}
        return value.id in in_c_order(self.core) or made <= set(TAKEN)

    def result(self, node: gast.expr) -> gast.expr:
        match node:
            case gast.Tuple(elts=elts):
                return build.expression(tuple(self.result(e) for e in elts))
        value = self.value(node)
        return (self.guards.within(value, INT.dtype) if type(value.constant) is int else value).node


def _is_made(node: gast.expr, statements: Iterable[gast.stmt]) -> bool:
    """Whether these statements give the name that `node` is to a new array."""
    return isinstance(node, gast.Name) and any(defined(s) == node.id and is_fresh(s.value) for s in statements)


def _is_part(node: gast.expr) -> bool:
    """A name, or a part of what a name holds."""
    return _is_part(node.value) if isinstance(node, gast.Subscript) else isinstance(node, gast.Name)
