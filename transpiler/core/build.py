"""Builders for core nodes: short to write, and the only place that knows gast's long constructors."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gast
import numpy as np

from transpiler.core.links import link

LOAD, STORE = gast.Load(), gast.Store()     # nothing is ever said of one place alone


def name(identifier: str, context: gast.expr_context = LOAD) -> gast.Name:
    return _node(gast.Name, id=identifier, ctx=context, annotation=None, type_comment=None)


def _node(kind: type[gast.AST], /, **fields: Any) -> Any:
    """A node with all its fields; what gast's own constructors do, in a third of the time."""
    made = kind.__new__(kind)
    made.__dict__.update(fields)
    return made


def placed(made: gast.stmt, place: gast.AST) -> gast.stmt:
    """A statement put into the user's text: what has no place of its own stands where `place` does."""
    for node in gast.walk(made):
        if not hasattr(node, 'lineno'):
            gast.copy_location(node, place)
    return made


def constant(value: Any) -> gast.expr:
    return _node(gast.Constant, value=plain(value), kind=None)


def dict_node(keys: Iterable[Any], values: Iterable[gast.expr]) -> gast.Dict:
    """The expression of a dict with these very keys."""
    return gast.Dict(keys=[gast.Constant(value=key, kind=None) for key in keys], values=list(values))


def plain(value: Any) -> Any:
    """The number or text that an instance of a class derived from Python's own ones is; any other value itself.

    >>> class Grams(float): pass
    >>> type(plain(Grams(2.0))), plain(True), plain(None)
    (<class 'float'>, True, None)
    """
    if type(value) in MADE_PLAIN or isinstance(value, bool):
        return value
    return next((make(value) for base, make in MADE_PLAIN.items() if isinstance(value, base)), value)


def is_literal(value: Any) -> bool:
    """Whether the representation of a value is an expression that gives it, wherever it stands.

    >>> is_literal(('a', -1.5)), is_literal(float('nan')), is_literal(int)
    (True, False, False)
    """
    if type(value) is tuple:
        return all(map(is_literal, value))
    if type(value) in (float, complex):
        return math.isfinite(abs(value))
    return value is None or value is Ellipsis or type(value) in (bool, int, str, bytes)


MADE_PLAIN: dict[type, Callable[[Any], Any]] = {
    int: int.__int__, float: float.__float__, complex: lambda value: complex(value.real, value.imag), str: str.__str__}


def expression(value: Any) -> gast.expr:
    """A node for `value`: nodes stay, strings are names, tuples and lists are containers, the rest are constants."""
    match value:
        case gast.AST():
            return value
        case str():
            return name(value)
        case tuple():
            return gast.Tuple(elts=[expression(v) for v in value], ctx=LOAD)
        case list():
            return gast.List(elts=[expression(v) for v in value], ctx=LOAD)
    return constant(value)


def call(function: str, *args: Any, **keywords: Any) -> gast.Call:
    """A primitive call: `call('numpy.sum', 'x', axis=0)`. A None keyword is left out."""
    return gast.Call(func=name(function), args=[expression(a) for a in args],
                     keywords=[gast.keyword(arg=k, value=expression(v)) for k, v in keywords.items() if v is not None])


def made_of_lists(definition: Callable, *args: Any) -> gast.Call:
    """What a definition in the language makes of lists of run-time length."""
    return call('tape.made', constant(definition), *args)


def object_node(kind: type, fields: list[gast.keyword], fixed: Mapping[str, Any]) -> gast.Call:
    """An object of class `kind` in a result; the node carries the class as `type`, and attributes that are no results."""
    node = gast.Call(func=name(f'object.{kind.__name__}'), args=[], keywords=fields)
    node.type, node.fixed = kind, dict(fixed)
    return node


def binary(left: Any, operator: type[gast.operator], right: Any) -> gast.BinOp:
    return _node(gast.BinOp, left=expression(left), op=operator(), right=expression(right))


def unary(operator: type[gast.unaryop], operand: Any) -> gast.UnaryOp:
    return gast.UnaryOp(op=operator(), operand=expression(operand))


def compare(left: Any, operator: type[gast.cmpop], right: Any) -> gast.Compare:
    return gast.Compare(left=expression(left), ops=[operator()], comparators=[expression(right)])


def subscript(base: Any, index: Any) -> gast.Subscript:
    return _node(gast.Subscript, value=expression(base), slice=expression(index), ctx=LOAD)


def attribute(base: Any, field: str) -> gast.Attribute:
    return _node(gast.Attribute, value=expression(base), attr=field, ctx=LOAD)


def stamp(statement, origin, role: str = 'primal'):
    """Give a fresh statement its origin and role."""
    statement.origin, statement.role = origin, role
    return statement


def assign(target: Any, value: Any, origin=None, role: str = 'primal') -> gast.Assign:
    """`target = value`; the target is a name or a subscript."""
    return _node(gast.Assign, targets=[_store(expression(target))], value=expression(value), type_comment=None,
                 origin=origin, role=role)


def accumulate(target: Any, value: Any, origin=None, role: str = 'primal') -> gast.AugAssign:
    """`target += value`, for a subscript."""
    return stamp(gast.AugAssign(target=_store(expression(target)), op=gast.Add(), value=expression(value)), origin, role)


def branch(test: Any, body, orelse=(), origin=None, role: str = 'primal') -> gast.If:
    return stamp(gast.If(test=expression(test), body=list(body), orelse=list(orelse)), origin, role)


def counted(target: str, start: Any, stop: Any, step: Any, body, origin=None, role: str = 'primal', **options: Any) -> gast.For:
    """`for target in range(start, stop, step)`; the option `snapshots` is described in `core/language.py`."""
    return stamp(gast.For(target=_store(name(target)), iter=call('range', start, stop, step, **options), body=list(body),
                          orelse=[], type_comment=None), origin, role)


def apart(loop: gast.For, add: Iterable[str] = (), **merged: Iterable[str]) -> gast.For:
    """The loop, told to have iterations that may run apart; see `merged_by`."""
    given = {how: tuple(joined) for how, joined in {'add': add, **merged}.items() if joined or how == 'add'}
    return marked(loop, **given)


def marked(loop: gast.For, **marks: Any) -> gast.For:
    """The loop with more said of it than its bounds."""
    said = {keyword.arg: keyword.value for keyword in loop.iter.keywords} | marks
    return like(loop, iter=call('range', *loop.iter.args, **said))


def loop(test: Any, body, origin=None, role: str = 'primal') -> gast.While:
    return stamp(gast.While(test=expression(test), body=list(body), orelse=[]), origin, role)


def leave(test: Any, origin=None, role: str = 'primal') -> gast.If:
    """`if test: break`, the last statement of a loop's body."""
    return branch(test, [stamp(gast.Break(), origin, role)], [], origin, role)


def effect(value: Any, origin=None, role: str = 'primal') -> gast.Expr:
    return stamp(gast.Expr(value=expression(value)), origin, role)


def fail(value: Any, origin=None, role: str = 'primal') -> gast.Raise:
    return stamp(gast.Raise(exc=expression(value), cause=None), origin, role)


def give(value: Any, origin=None, role: str = 'primal') -> gast.Return:
    return stamp(gast.Return(value=expression(value)), origin, role)


def like(old, **changes):
    """A shallow copy of the node `old` with some fields changed; origin and role go along."""
    new = old.__class__.__new__(old.__class__)      # `copy.copy` does the same, four times as slowly
    new.__dict__.update(old.__dict__, **changes)
    return new


def linked(node: Any, **known: Any) -> Any:
    """A copy of a node of which more is known."""
    return link(like(node), **known)


def map_blocks(statement: Any, change: Callable[[Any], Any], **changes: Any) -> Any:
    """A statement with `change` of every block inside it that is not empty, and other fields changed.

    >>> loop = counted('i', constant(0), constant(3), constant(1), [assign('y', 'x')])
    >>> len(map_blocks(loop, lambda body: body * 2).body)
    2
    """
    inner = {field: change(block) for field in ('body', 'orelse') if (block := getattr(statement, field, None))}
    return like(statement, **inner, **changes) if inner or changes else statement


def proven(value: gast.expr) -> Any:
    """An integer that 64 bits hold for certain, as the number of items of an array."""
    return linked(value, proven=True)


def fresh(node: gast.AST) -> Any:
    """A deep copy of a node, whose own nodes and lists may be changed."""
    new = node.__class__.__new__(node.__class__)
    for field, value in node.__dict__.items():
        new.__dict__[field] = (fresh(value) if isinstance(value, gast.AST) else
                               [fresh(v) if isinstance(v, gast.AST) else v for v in value] if isinstance(value, list) else value)
    return new


def _store(node):
    return like(node, ctx=STORE)


def static_expression(value: Any) -> gast.expr:
    """A Python object known while specialising, as an expression: `np.float32`, `'ij'`, `(0, 1)`."""
    if isinstance(value, np.dtype):
        return name(f'numpy.{value.name}')
    if isinstance(value, type) and issubclass(value, np.generic):
        return name(f'numpy.{value.__name__}')
    if isinstance(value, type):
        return name(f'python.{value.__name__}')
    if isinstance(value, (tuple, list)):
        return expression(type(value)(map(static_expression, value)))
    return constant(value.item() if isinstance(value, np.generic) else value)


def new_array(function: str, shape: Any, dtype: np.dtype) -> gast.Call:
    """A call that makes an array of a shape; NumPy makes doubles if it is told nothing.

    >>> from transpiler.core.text import dump
    >>> print(dump(new_array('numpy.empty', 4, np.dtype('float32'))))
    Call(Name('numpy.empty'), [Constant(4)], [keyword('dtype', Name('numpy.float32'))])
    """
    return call(function, shape, dtype=None if dtype == np.float64 else static_expression(dtype))


def rename(node, names: dict[str, str]):
    """`node`, a statement or an expression, with some names replaced."""
    if isinstance(node, list):
        return [rename(part, names) for part in node]
    if isinstance(node, gast.Name):
        return like(node, id=names.get(node.id, node.id))
    if isinstance(node, gast.AST):
        return like(node, **{field: rename(value, names) for field, value in gast.iter_fields(node)})
    return node
