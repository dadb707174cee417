"""Evaluating expressions: names, operators, displays, subscripts, attributes, conditional expressions."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.links import links
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType, UnsupportedSyntax
from transpiler.rules import python
from transpiler.rules.arrays import inplace
from transpiler.rules.base.methods import ATTRIBUTES, METHODS
from transpiler.rules.base.registry import RULES
from transpiler.source.reading.capture import MISSING
from transpiler.specialize.domain.bindings import Binding, Blank, Conflict, Known, Maybe, Method, Ref, Unbound, known_range
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import EXPRESSIONS, evaluates
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NeedStatic, NoValue
from transpiler.specialize.expressions.strings import shown
from transpiler.specialize.iterables.iterators import flat
from transpiler.specialize.iterables.spaces import parts_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict, DictView
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.ranges import Range, Slice
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.specialize.structures.texts import Text
from transpiler.values.dims import Dim, product
from transpiler.values.types import BOOL, INT, Array, Scalar, Unknown

RANGE = ('start', 'stop', 'step')


class Expressions(Component):
    """One method per kind of expression; `evaluate` finds it."""

    def evaluate(self, frame: Frame, node: gast.expr) -> Binding:
        """What an expression stands for; there must be a value."""
        found = self.value_or_none(frame, node)
        if not is_optional(found):
            return found
        with self.builder.at(self.blame(frame, node)):
            value = self.ev.indexing.surely(found)
        if isinstance(node, gast.Name) and node.id in frame.env:
            frame.env[node.id] = self.ev.held(value)
        return value

    def value_or_none(self, frame: Frame, node: gast.expr) -> Binding:
        if type(node) not in EXPRESSIONS:
            raise UnsupportedSyntax(f'`{type(node).__name__}` is not supported here', self.position(frame, node))
        part, method = EXPRESSIONS[type(node)]
        value = getattr(self.ev.components[part], method)(frame, node)
        if isinstance(value, Conflict):
            raise value.error(self.position(frame, node))
        if not isinstance(value, (Container, Ref)):
            return value
        generated = frame.function is None or frame.function.library
        return self.ev.current(value if generated else self.ev.held(value))

    def position(self, frame: Frame, node: gast.AST):
        """The origin of an expression; generated code has only that of its statement."""
        own = frame.function is not None and not frame.function.library and hasattr(node, 'lineno')
        return frame.function.origin(node) if own else self.origin

    @evaluates(gast.Constant)
    def _constant(self, frame: Frame, node: gast.Constant) -> Binding:
        blank = links(node).blank
        return Known(node.value) if blank is None else Blank(blank)

    def name(self, frame: Frame, node: gast.Name) -> Binding:
        if (box := links(node).box) is not None:
            return Known(box.function)
        binding = self.ev.scopes.look_up(frame, node.id)
        if binding is None:
            raise TranspileError(
                f'the name `{node.id}` is not defined',
                self.position(frame, node),
                why='it is not bound on every path to this line, nor found where the function stands',
                instead='give it a value first',
            )
        if isinstance(binding, Unbound):
            binding.miss()
            raise NoValue(self.ev.scopes.no_value(node.id))
        while isinstance(binding, Maybe):
            binding = frame.env[node.id] = self.ev.scopes.demanded(node.id, binding)
        return binding

    @evaluates(gast.Tuple)
    def _tuple(self, frame: Frame, node: gast.Tuple) -> Binding:
        return Tuple(self.each(frame, node.elts))

    def each(self, frame: Frame, nodes: list[gast.expr]) -> tuple[Binding, ...]:
        """The items of a tuple, or the positional arguments of a call; a starred one stands for several."""
        found: list[Binding] = []
        for node in nodes:
            if isinstance(node, gast.Starred):
                found += parts_of(self.ev, self.evaluate(frame, node.value), '*')
            else:
                found.append(self.value_or_none(frame, node))
        return tuple(found)

    def known(self, binding: Binding, what: str) -> Any:
        """The Python value of a binding that must be known now."""
        match binding:
            case Known(value):
                return value
            case Tuple(items) | List(items):
                return binding.written(self.known(item, what) for item in items)
            case Dict(items, keys):
                return dict(zip(keys, (self.known(item, what) for item in items), strict=True))
            case DictView(items, 'keys'):
                return dict.fromkeys(self.known(item, what) for item in items).keys()
            case DictView(items, 'items'):
                return dict(self.known(item, what) for item in items).items()
            case Range() if (known := known_range(binding)) is not None:
                return known
            case Text(items, forms):
                return ''.join(shown(self.known(item, what), form) for item, form in zip(items, forms, strict=True))
        error = UnknownType(
            f'{what} must be known when the code is generated',
            self.origin,
            why=f'it is {self.ev.describe(binding)}',
            instead='use a constant, or an argument that can be one',
        )
        if isinstance(binding, Var):
            raise NeedStatic(binding.name, error)
        raise error

    @evaluates(gast.BinOp)
    def _binop(self, frame: Frame, node: gast.BinOp) -> Binding:
        left, right = self.evaluate(frame, node.left), self.evaluate(frame, node.right)
        with self.builder.at(self.blame(frame, node)):
            if frame.function is not None:  # programs of ours have been checked when they were written
                self.ev.operations.check_power(type(node.op), left, right)
            return self.ev.binary(type(node.op), left, right)

    @evaluates(gast.UnaryOp)
    def _unaryop(self, frame: Frame, node: gast.UnaryOp) -> Binding:
        if isinstance(node.op, gast.Not):
            return self.negate(self.ev.distribution.test(frame, node.operand))
        operand = self.evaluate(frame, node.operand)
        with self.builder.at(self.blame(frame, node)):
            return self.ev.unary(type(node.op), operand)

    def negate(self, operand: Binding) -> Binding:
        match operand := self.ev.tested(operand):
            case Known(value):
                return Known(not value)
            case Container(items=items):
                return Known(not items)
            case Var(name):
                opposite = self.builder.define('not_', build.unary(gast.Not, name), BOOL)
                self.builder.opposites[opposite.name] = name
                return opposite
        return Known(False)

    @evaluates(gast.Lambda)
    def _lambda(self, frame: Frame, node: gast.Lambda) -> Binding:
        return self.ev.scopes.close_over(frame, node)

    def _namedexpr(self, frame: Frame, node: gast.NamedExpr) -> Binding:
        binding = self.value_or_none(frame, node.value)
        self.ev.distribution.bind_target(frame, node.target, binding)
        return binding

    @evaluates(gast.Subscript)
    def _subscript(self, frame: Frame, node: gast.Subscript) -> Binding:
        base = self.evaluate(frame, node.value)
        index = self.ev.indexing.index(frame, node.slice)
        with self.builder.at(self.blame(frame, node)):
            return self.ev.get_item(base, index)

    @evaluates(gast.Slice)
    def _slice(self, frame: Frame, node: gast.Slice) -> Binding:
        return self.ev.indexing.index(frame, node)

    @evaluates(gast.Attribute)
    def _attribute(self, frame: Frame, node: gast.Attribute) -> Binding:
        base = self.evaluate(frame, node.value)
        with self.builder.at(self.blame(frame, node)):
            return self.ev.attribute(base, node.attr)

    def attribute(self, base: Binding, name: str) -> Binding:
        match base:
            case Var(_, type_):
                return self._array_attribute(base, type_, name)
            case Object(_, keys, mutable=False) if name in keys:
                return base.item(name)
            case Range(bounds) | Slice(bounds) if name in RANGE:
                return bounds[RANGE.index(name)]
            case Text():
                raise TranspileError(f'`.{name}` of a text is not supported here', self.origin,
                                     why='some of the text shows at run time only', instead='build the text in the caller')
            case Container() if self.ev.changes.has_method(base, name):
                return Method(base, name)
            case Container():
                raise TranspileError(
                    f'`.{name}` of {self.ev.describe(base)} is not supported', self.origin, instead='use indices, keys or a loop'
                )
            case Known(np.ndarray() as value) if name not in METHODS and name not in ATTRIBUTES:
                return Known(getattr(value, name))
            case Known(value) if isinstance(value, (int, float, complex, np.generic, np.ndarray)):
                return self._array_attribute(base, self.ev.operand(base)[1], name)
            case Known(value):
                found = getattr(value, name, MISSING)
                if value is None and found is MISSING:
                    raise self.ev.inference.failing(AttributeError(f"'NoneType' object has no attribute '{name}'"))
                if found is MISSING:
                    raise TranspileError(f'`{getattr(value, "__name__", value)}` has no attribute `{name}`', self.origin)
                return self.ev.captures.object_value(value, name, found)
        raise TranspileError(f'{self.ev.describe(base)} has no attribute `{name}`', self.origin)

    def _array_attribute(self, base: Binding, type_, name: str) -> Binding:
        type_ = self.ev.resolve(type_)
        if name == 'ndim' and type_.ndim is not None:
            return Known(type_.ndim)
        if name == 'shape':
            return self.shape(base, type_)
        if name == 'size' and isinstance(type_, Scalar):
            return Known(1)
        if name == 'size' or (name == 'ndim' and isinstance(base, Var)):
            dims = (type_.dims if isinstance(type_, Array) else None) or (None,)
            known = product(dims)
            if known is not None and known.is_constant:
                return Known(known.constant)
            return self.builder.define(f'{name}_', build.attribute(base.name, name), Scalar(INT.dtype, True, known))
        if name == 'dtype' and isinstance(type_, (Array, Scalar)) and type_.dtype is not None:
            return Known(self.ev.joins.on_all_paths(base, type_, lambda kind: kind.dtype))
        if name == 'flat' and isinstance(type_, Array):
            return flat(self.ev, base)
        if name in ATTRIBUTES:
            if isinstance(type_, Scalar) and name == 'T':
                return base
            return self.ev.operations.operate(RULES[ATTRIBUTES[name]], [base], {})
        if name in METHODS or name in inplace.METHODS or name in python.METHODS:
            return Method(base, name)
        if isinstance(type_, Unknown) and name in ('dtype', 'itemsize', 'nbytes'):
            raise UnknownType(f'the {name} of a value is needed, whose type is not known', self.origin,
                              instead='annotate the parameters of the function, or call it: the arguments tell')
        what = 'numbers' if isinstance(type_, Scalar) else 'arrays'
        raise TranspileError(f'{what} have no supported attribute `{name}`', self.origin)

    def shape(self, base: Binding, type_) -> Binding:
        """`x.shape`, taken apart if the rank is known; sizes that are constants are constants."""
        if isinstance(type_, Scalar):
            return Tuple(())
        if type_.ndim is None:
            return self.builder.define('shape', build.attribute(base.name, 'shape'), type_)
        return Tuple(tuple(self.size(base, axis, dim) for axis, dim in enumerate(type_.dims)))

    def size(self, base: Var, axis: int, dim: Dim | None) -> Binding:
        if dim is not None and dim.is_constant:
            return Known(dim.constant)
        node = build.subscript(build.attribute(base.name, 'shape'), axis)
        return self.builder.define('size', node, Scalar(INT.dtype, True, dim))

    def blame(self, frame: Frame, node: gast.AST):
        """The statement's origin with the column of this expression, for error messages."""
        return self.position(frame, node) if frame.function is not None and self.builder.role == 'primal' else self.origin
