"""Core expressions and simple statements as Python text: primitives in their usual spelling, no needless parentheses."""
from __future__ import annotations

import ast
import builtins
import cmath
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import astor
import gast
import numpy as np
from astor.op_util import Precedence

from transpiler.core.indices import entries_of, may_repeat
from transpiler.core.links import links
from transpiler.core.naming import unique
from transpiler.core.query import RAISES, is_primitive, primitive
from transpiler.source.writing.idioms import as_method, called, field_of, named, range_arguments
from transpiler.source.writing.text_lengths import at_most
from transpiler.values.types import Array

SHORT = {'numpy': 'np'}
BUILTINS = 'builtins'
SPELLING = {'numpy.absolute': 'numpy.abs', 'numpy.amax': 'numpy.max', 'numpy.amin': 'numpy.min'}


class Printer(astor.SourceGenerator):
    """Writes one statement or expression on one line."""

    def _handle_string_constant(self, node, value, is_joined=False):
        self.write(repr(value))

    def visit_Constant(self, node):
        if isinstance(node.value, (bool, type(None))):
            self.write(repr(node.value))
        else:
            super().visit_Constant(node)

    def visit_JoinedStr(self, node):
        parts = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                conversion = f'!{chr(part.conversion)}' if part.conversion not in (-1, None) else ''
                layout = ':' + ''.join(str(p.value) for p in part.format_spec.values) if part.format_spec else ''
                parts.append('{' + _render(part.value, Precedence.Comma) + conversion + layout + '}')
            else:
                parts.append(str(part.value).replace('{', '{{').replace('}', '}}'))
        self.write('f' + repr(''.join(parts)))

    def visit_Dict(self, node):
        for key in node.keys:
            key._pp = Precedence.Comma
        super().visit_Dict(node)


def _render(node: ast.AST, precedence: int) -> str:
    node._pp = precedence
    printer = Printer(' ' * 4)
    printer.visit(node)
    return ''.join(printer.result).strip()


def is_written_exactly(value: complex) -> bool:
    """Whether the text of a complex number, a sum of its parts, gives it: zeros may lose signs, infinities more.

    >>> is_written_exactly(1 - 2j), is_written_exactly(complex(-1.0, -0.0)), is_written_exactly(complex('inf+nanj'))
    (True, False, False)
    """
    return cmath.isfinite(value) and repr(ast.literal_eval(_render(ast.Constant(value=value), Precedence.Comma))) == repr(value)


# What is a call of something else in Python.
CALLS = {'range': 'python.range', 'tape.of': 'python.list', 'tape.array': 'numpy.array', 'tape.zeros_like': 'kernels.zeros_of',
         'tape.add': 'kernels.add_items'}


@dataclass(frozen=True)
class Spelling:
    """How primitives are written in one generated file: module aliases and imported kernels, none of them a variable."""

    types: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    modules: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    kernels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    functions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    hidden: frozenset[str] = frozenset()  # builtins that a variable, or the function, hides by its name

    @staticmethod
    def avoiding(variables: Iterable[str], types: Mapping[str, Any], primitives: Iterable[str]) -> 'Spelling':
        """Choose aliases that no variable of the functions has."""
        taken, modules, kernels, functions = set(variables), {}, {}, {}
        hidden = frozenset(taken & set(dir(builtins)))
        spelled = {CALLS.get(name, name) for name in primitives}
        for name in sorted(f'{BUILTINS}.' if name.startswith('python.') and name[7:] in hidden else name for name in spelled):
            package, _, function = name.partition('.')
            if package == 'kernels':
                kernels[function] = unique(function.rpartition('.')[2], taken)
                taken.add(kernels[function])
            elif package == 'raises':
                module = function.partition(':')[0]
                modules.setdefault(module, unique(module.rpartition('.')[2], {*taken, *modules.values()}))
            elif package in ('call', 'box'):
                functions[function] = unique(function, taken)
                taken.add(functions[function])
            elif package not in ('python', 'tape') and package not in modules:
                modules[package] = unique(SHORT.get(package, package), taken)
                taken.add(modules[package])
        return Spelling(types, modules, kernels, functions, hidden)

    def name(self, dotted: str) -> ast.expr:
        dotted = SPELLING.get(dotted, dotted)
        package, *rest = dotted.split('.')
        if dotted.startswith(RAISES):
            package, _, path = dotted.removeprefix(RAISES).partition(':')
            rest = path.split('.')
        if package == 'python' and rest[0] not in self.hidden:
            return _load(rest[0])
        if package in ('call', 'box'):
            return _load(self.functions.get(rest[0], rest[0]))
        if package == 'kernels':
            return _load(self.kernels.get('.'.join(rest), rest[-1]))
        package = BUILTINS if package == 'python' else package
        node = _load(self.modules.get(package, SHORT.get(package, package)))
        for part in rest:
            node = ast.Attribute(value=node, attr=part, ctx=ast.Load())
        return node

    def expression(self, node: gast.AST) -> str:
        """The text of a core expression.

        >>> from transpiler.core.text import expression
        >>> Spelling().expression(expression('x * (1.0 - np.exp(-(h @ w.T)) ** -2)'))
        'x * (1.0 - np.exp(-(h @ w.T)) ** -2)'
        """
        return _render(_Idioms(self).convert(node), Precedence.Comma)

    def result(self, node: gast.AST) -> str:
        """The text of an expression that stands alone on the right: a tuple needs no parentheses there."""
        return _render(_Idioms(self).convert(node), Precedence.Assign)

    def statement(self, node: gast.stmt) -> str:
        """The text of a simple statement, or the first line of a compound one."""
        match node:
            case gast.Assign(targets=[target], value=value):
                return f'{self._target(target)} = {self.result(value)}'
            case gast.AugAssign() if spelled_at(node, self.types):
                return self._added_at(node.target.value, node.op, node.target.slice, node.value)
            case gast.AugAssign(target=target, op=operator, value=value):
                symbol = astor.op_util.get_op_symbol(getattr(ast, type(operator).__name__)())
                return f'{self._target(target, whole=False)} {symbol}= {self.result(value)}'
            case gast.Return(value=value):
                return f'return {self.result(value)}'
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.put'), args=[items, index, value])):
                place = self.expression(gast.Subscript(value=items, slice=index, ctx=gast.Store()))
                added = self._added(items, index, value)
                return f'{place} = {self.result(value)}' if added is None else f'{place} += {self.result(added)}'
            case gast.Expr(value=value):
                return self.expression(value)
            case gast.Raise(exc=exception):
                return f'raise {self.expression(exception)}'
            case gast.Break():
                return 'break'
            case gast.If(test=test):
                return f'if {self.expression(test)}:'
            case gast.While(test=test):
                return f'while {self.expression(test)}:'
            case gast.For(target=target, iter=iterator):
                return f'for {self.expression(target)} in {self.expression(iterator)}:'
        raise TypeError(f'not a core statement: {node!r}')

    def is_longer(self, node: gast.stmt, length: int) -> bool:
        """Whether the text of a statement, or the first line of it, is longer than that."""
        return at_most(node) > length and len(self.statement(node)) > length

    def _added_at(self, base: gast.expr, operator: gast.operator, index: gast.expr, value: gast.expr) -> str:
        """`A[index] += v` where places may repeat: `+=` would add to each only once."""
        function = f'numpy.{"add" if isinstance(operator, gast.Add) else "subtract"}.at'
        if any(isinstance(entry, gast.Slice) for entry in entries_of(index)):
            index = gast.Subscript(value=named('numpy.s_'), slice=index, ctx=gast.Load())
        return self.expression(called(named(function), base, index, value))

    def _added(self, items: gast.expr, index: gast.expr, value: gast.expr) -> gast.expr | None:
        """What is added to the number that stands at `items[index]`, if that is what `value` is; an array would be changed."""
        match value:
            case gast.BinOp(left=gast.Call(func=gast.Name(id='tape.item')) as old, op=gast.Add(), right=right):
                same = [gast.dump(a) for a in old.args] == [gast.dump(items), gast.dump(index)]
                number = hasattr(getattr(self.types.get(getattr(items, 'id', '')), 'element', None), 'weak')
                return right if same and number else None
        return None

    def _target(self, target: gast.expr, whole: bool = True) -> str:
        """`A[...] = v` is written `A[:] = v`, and `A[...] += v` is `A += v`."""
        match target:
            case gast.Tuple(elts=parts):
                return ', '.join(map(self.expression, parts))
            case gast.Subscript(value=gast.Name(id=base), slice=gast.Constant(value=index)) if index is Ellipsis:
                if not whole:
                    return base
                return f'{base}[:]' if getattr(self.types.get(base), 'ndim', None) else f'{base}[...]'
        return self.expression(target)


def spelled_at(node: gast.AST, types: Mapping[str, Any]) -> bool:
    """Whether `A[index] += v` is written `np.add.at(A, index, v)`."""
    match node:
        case gast.AugAssign(target=gast.Subscript(slice=index), op=gast.Add() | gast.Sub()):
            return may_repeat(index, types)
    return False


def asked_of_numpy(node: gast.AST, types: Mapping[str, Any]) -> str | None:
    """`numpy.ndim` for `x.ndim`, where x may be a Python number, which has no such attribute."""
    match node:
        case gast.Attribute(value=value, attr='ndim' | 'shape' | 'size' as attr):
            named = (types.get(part.id) for part in gast.walk(value) if isinstance(part, gast.Name))
            parts = (getattr(type_, 'element', type_) for type_ in named)     # an item of a list
            return f'numpy.{attr}' if any(hasattr(type_, 'ndim') and not hasattr(type_, 'dtype') for type_ in parts) else None
    return None


def _load(identifier: str) -> ast.Name:
    return ast.Name(id=identifier, ctx=ast.Load())


def _applied(function: ast.expr, *arguments: ast.expr) -> ast.Call:
    return ast.Call(func=function, args=list(arguments), keywords=[])


class _Idioms:
    """A gast expression as a fresh Python ast, with primitives in the spelling a person would use."""

    def __init__(self, spelling: Spelling):
        self.spelling = spelling

    def convert(self, node: Any) -> Any:
        """A node, a list of them, or what else stands in a field of a node."""
        match node:
            case list():
                return [self.convert(item) for item in node]
            case gast.Call():
                return self.call(node)
            case gast.Name(id=identifier):
                is_variable = not is_primitive(identifier) or identifier == 'range'
                return _load(identifier) if is_variable else self.spelling.name(identifier)
            case gast.Attribute() if (function := asked_of_numpy(node, self.spelling.types)) is not None:
                return _applied(self.spelling.name(function), self.convert(node.value))
            case gast.Constant(value=value):
                return self.constant(value)
            case gast.AST():
                return self.other(node)
        return node

    def other(self, node: gast.AST) -> ast.AST:
        """The node of the same kind: apart from names, gast has the fields that Python has."""
        kind = getattr(ast, type(node).__name__)
        return kind(**{field: self.convert(getattr(node, field, None)) for field in kind._fields})

    def call(self, node: gast.Call) -> ast.expr:
        name, types = primitive(node), self.spelling.types
        rewritten = as_method(name, node.args, types) if not node.keywords else None
        if name == 'numpy.copy' and [getattr(k.value, 'value', None) for k in node.keywords] == ['K']:
            return self.other(gast.Call(func=node.func, args=node.args, keywords=[]))    # NumPy's function keeps the order
        if name == 'numpy.astype' and links(node).of_numbers and len(node.args) == 2:
            rewritten = called(node.args[1], node.args[0])  # `np.float32(x)`: a Python float has no `astype`
        if name == 'numpy.copy' and not node.keywords and any(isinstance(t, Array) for t in (links(node).typed or ((), ()))[1]):
            rewritten = called(field_of(node.args[0], 'copy'))  # NumPy's function would keep the order
        if rewritten is not None:
            return self.convert(rewritten)
        if name == 'range':
            return _applied(self.spelling.name('python.range'), *self.convert(range_arguments(node.args)))
        return self.other(node)

    def constant(self, value: Any) -> ast.expr:
        if isinstance(value, np.dtype):
            return self.spelling.name(f'numpy.{value.name}' if value.kind != 'b' else 'numpy.bool_')
        if isinstance(value, np.generic):
            return _applied(self.spelling.name(f'numpy.{type(value).__name__}'), self.constant(value.item()))
        if isinstance(value, float) and not math.isfinite(value):
            special = self.spelling.name('numpy.nan' if math.isnan(value) else 'numpy.inf')
            return special if math.isnan(value) or value > 0 else ast.UnaryOp(op=ast.USub(), operand=special)
        if isinstance(value, complex) and not is_written_exactly(value):
            return _applied(self.spelling.name('python.complex'), self.constant(value.real), self.constant(value.imag))
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.copysign(1, value) < 0:
            return ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=-value))
        return ast.Constant(value=value)
