"""Generator functions: what their calls give is collected in a list, behind an iterator that is used up by its first reader."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.core import build
from transpiler.core.query import children
from transpiler.garbage import while_making

COLLECTED = 'for'  # a keyword: no user can have a variable of that name


def own_nodes(function: gast.FunctionDef) -> Iterator[gast.AST]:
    """The nodes of a function's body, without those of functions inside."""
    pending: list[gast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (gast.FunctionDef, gast.Lambda)):
            pending += children(node)


@while_making(2_000)
def is_generator(function: gast.FunctionDef) -> bool:
    return any(isinstance(node, (gast.Yield, gast.YieldFrom)) for node in own_nodes(function))


@while_making(2_000)
def collecting(function: gast.FunctionDef) -> gast.FunctionDef:
    """The function that gives a list of what a generator function yields; what is sent to it stays a `yield`, and is refused.

    >>> tree = gast.parse('def f(x):\\n    for v in x:\\n        yield v * v\\n    yield from x')
    >>> print(gast.unparse(collecting(tree.body[0])).replace('for.', 'items.'))
    def f(x):
        for = []
        for v in x:
            items.append(v * v)
        items.extend(x)
        return for
    """
    found = build.like(function, body=[_start(function), *map(_collected, function.body), _end(function)])
    return gast.copy_location(found, function)


def _collected(statement: gast.stmt) -> gast.stmt:
    match statement:
        case gast.FunctionDef():
            return statement
        case gast.Expr(value=gast.Yield(value=value)):
            given = value or gast.Constant(value=None, kind=None)
            return _done(statement, 'append', given)
        case gast.Expr(value=gast.YieldFrom(value=value)):
            return _done(statement, 'extend', value)
        case gast.Return():
            return _end(statement)
    changed = {}
    for field, value in gast.iter_fields(statement):
        if isinstance(value, list) and any(isinstance(part, gast.stmt) for part in value):
            changed[field] = [_collected(part) for part in value]
    return build.like(statement, **changed) if changed else statement


def _done(statement: gast.stmt, method: str, value: gast.expr) -> gast.stmt:
    function = gast.Attribute(value=build.name(COLLECTED), attr=method, ctx=gast.Load())
    return build.placed(gast.Expr(value=gast.Call(func=function, args=[value], keywords=[])), statement)


def _start(function: gast.FunctionDef) -> gast.stmt:
    empty = gast.List(elts=[], ctx=gast.Load())
    return build.placed(gast.Assign(targets=[build.name(COLLECTED, gast.Store)], value=empty, type_comment=None), function)


def _end(place: gast.stmt) -> gast.stmt:
    return build.placed(gast.Return(value=build.name(COLLECTED)), place)
