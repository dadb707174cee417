"""Generator functions: what their calls give is collected in a list, behind an iterator that is used up by its first reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import gast

from transpiler.core import build
from transpiler.core.query import children
from transpiler.garbage import while_making

COLLECTED = 'for'  # a keyword: no user can have a variable of that name
YIELD = 'yield'
LEFT = 'left!'
ITEM = 'item!'


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
    found = build.like(function, body=[_start(function), *chain.from_iterable(map(_collected, function.body)), _end(function)])
    return gast.copy_location(found, function)


def _collected(statement: gast.stmt) -> list[gast.stmt]:
    match statement:
        case gast.FunctionDef():
            return [statement]
        case gast.Expr(value=gast.Yield(value=value)):
            given = value or gast.Constant(value=None, kind=None)
            return [_done(statement, 'append', given)]
        case gast.Expr(value=gast.YieldFrom(value=value)):
            return [_done(statement, 'extend', value)]
        case gast.Return():
            return [_end(statement)]
    return [_inside(statement, _collected)]


def _inside(statement: gast.stmt, changed: Callable[[gast.stmt], list[gast.stmt]]) -> gast.stmt:
    """A compound statement with other lines in it."""
    bodies = {}
    for field, value in gast.iter_fields(statement):
        if isinstance(value, list) and any(isinstance(part, (gast.stmt, gast.match_case)) for part in value):
            bodies[field] = [new for part in value for new in (
                changed(part) if isinstance(part, gast.stmt) else [_inside(part, changed)])]
    return build.like(statement, **bodies) if bodies else statement


@while_making(2_000)
def yielding(function: gast.FunctionDef, is_left: bool) -> gast.FunctionDef:
    """The function with a call in place of each `yield`, behind which it may be left.

    >>> tree = gast.parse('def f(x):\\n    for v in x:\\n        yield v * v\\n    return')
    >>> print(gast.unparse(yielding(tree.body[0], True)).replace('yield', 'give').replace('!', '_'))
    def f(x):
        for v in x:
            give(v * v)
            if left_:
                return None
        return None
    """
    nothing = gast.Constant(value=None, kind=None)
    leave = [gast.If(test=build.name(LEFT), body=[gast.Return(value=nothing)], orelse=[])] if is_left else []

    def given(value: gast.expr) -> list[gast.stmt]:
        return [gast.Expr(value=gast.Call(func=build.name(YIELD), args=[value], keywords=[])), *leave]

    def changed(statement: gast.stmt) -> list[gast.stmt]:
        match statement:
            case gast.Expr(value=gast.Yield(value=value)):
                lines = given(value or nothing)
            case gast.Expr(value=gast.YieldFrom(value=value)):
                lines = [gast.For(target=build.name(ITEM, build.STORE), iter=value, body=given(build.name(ITEM)), orelse=[],
                                  type_comment=None)]
            case gast.Return():
                lines = [gast.Return(value=nothing)]
            case _:
                lines = [_inside(statement, changed)]
        return [build.placed(line, statement) for line in lines]

    return build.like(function, body=[line for statement in function.body for line in changed(statement)])


def _done(statement: gast.stmt, method: str, value: gast.expr) -> gast.stmt:
    function = gast.Attribute(value=build.name(COLLECTED), attr=method, ctx=gast.Load())
    return build.placed(gast.Expr(value=gast.Call(func=function, args=[value], keywords=[])), statement)


def _start(function: gast.FunctionDef) -> gast.stmt:
    empty = gast.List(elts=[], ctx=gast.Load())
    return build.placed(gast.Assign(targets=[build.name(COLLECTED, build.STORE)], value=empty, type_comment=None), function)


def _end(place: gast.stmt) -> gast.stmt:
    return build.placed(gast.Return(value=build.name(COLLECTED)), place)
