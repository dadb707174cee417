"""Replacing names where they are read, without touching the nodes of the original."""
from __future__ import annotations

from collections.abc import Callable

import gast

from transpiler.core.build import like
from transpiler.core.query import is_primitive, names

Choice = Callable[[str], gast.expr | None]


def replace_names(node: gast.AST, choose: Choice) -> gast.AST:
    """The expression with every variable for which `choose` gives a node replaced by that node."""
    if isinstance(node, gast.Name):
        return (not is_primitive(node.id) and choose(node.id)) or node
    if all(choose(name) is None for name in names(node)):
        return node
    changes = {}
    for field, value in gast.iter_fields(node):
        if isinstance(value, gast.AST) and not isinstance(value, (gast.expr_context, gast.operator)):
            new = replace_names(value, choose)
            if new is not value:
                changes[field] = new
        elif isinstance(value, list):
            parts = [replace_names(part, choose) if isinstance(part, gast.AST) else part for part in value]
            if any(a is not b for a, b in zip(parts, value)):
                changes[field] = parts
    return like(node, **changes) if changes else node


def replace_name(node: gast.AST, name: str, new: gast.expr) -> gast.AST:
    """The expression with one variable replaced."""
    return replace_names(node, lambda read: new if read == name else None)


def substitute(statement: gast.stmt, choose: Choice) -> gast.stmt:
    """The statement with names replaced in what it reads itself: blocks inside stay, and so does the name that it binds.

    The array that a statement writes into, or pushes on, is replaced by another name only.
    """
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value) | gast.Return(value=value):
            return _with(statement, value=replace_names(value, choose))
        case gast.Expr(value=value) if value.args:
            return _with(statement, value=_call(value, choose))
        case gast.Assign(targets=[target], value=value):
            return _with_target(statement, _place(target, choose), replace_names(value, choose))
        case gast.AugAssign(target=gast.Subscript() as target, value=value):
            return _with(statement, target=_place(target, choose), value=replace_names(value, choose))
        case gast.AugAssign(value=value):
            return _with(statement, value=replace_names(value, choose))
        case gast.If(test=test):
            return _with(statement, test=replace_names(test, choose))
        case gast.While(test=test):
            return _with(statement, test=replace_names(test, choose))
        case gast.For(iter=iterator):
            return _with(statement, iter=replace_names(iterator, choose))
        case gast.Raise(exc=exception):
            return _with(statement, exc=replace_names(exception, choose))
    return statement


def _call(call: gast.Call, choose: Choice) -> gast.expr:
    return replace_names(call, choose)


def _place(target: gast.Subscript, choose: Choice) -> gast.expr:
    base = replace_names(target.value, choose)
    if not isinstance(base, gast.Name):
        base = target.value
    return _with(target, value=base, slice=replace_names(target.slice, choose))


def _with_target(statement: gast.stmt, target: gast.expr, value: gast.expr) -> gast.stmt:
    if target is statement.targets[0] and value is statement.value:
        return statement
    return like(statement, targets=[target], value=value)


def _with(node, **fields):
    changes = {field: new for field, new in fields.items() if getattr(node, field) is not new}
    return like(node, **changes) if changes else node
