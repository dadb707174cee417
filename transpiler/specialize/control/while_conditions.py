"""The test of a `while` as one expression, out of the statements that compute it."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.query import callee
from transpiler.core.query import names as names_in


def as_expression(block: list[gast.stmt], result: str) -> gast.expr | None:
    """The statements that compute a loop's test as one expression, or None if they are more than that."""
    values: dict[str, gast.expr] = {}
    for statement in block:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if callee(value) is None:
                values[name] = value
            case gast.If() if (logic := _as_logic(statement)) is not None:
                values[logic[0]] = logic[1]
            case _:
                return None
    read = [name for value in values.values() for name in names_in(value)]
    if any(read.count(name) > 1 for name in values):
        return None
    return _substituted(build.name(result), values)


def _as_logic(statement: gast.If) -> tuple[str, gast.expr] | None:
    """`a and b` or `a or b`, from the branch that stands for it: the name of the result and the expression."""
    target = next((s.targets[0].id for s in statement.body[-1:] if isinstance(s, gast.Assign)), '')
    arms = [_arm_value(arm, target) for arm in (statement.body, statement.orelse)]
    test = statement.test
    if arms[0] is None or arms[1] is None or not isinstance(test, gast.Name):
        return None
    for operator, kept, other in ((gast.And, arms[1], arms[0]), (gast.Or, arms[0], arms[1])):
        if isinstance(kept, gast.Name) and kept.id == test.id:
            return target, gast.BoolOp(op=operator(), values=[test, other])
    return None


def _arm_value(arm: list[gast.stmt], target: str) -> gast.expr | None:
    """The expression that one arm gives `target`."""
    if (
        not arm
        or not isinstance(arm[-1], gast.Assign)
        or not isinstance(arm[-1].targets[0], gast.Name)
        or arm[-1].targets[0].id != target
    ):
        return None
    return as_expression(arm, target)


def _substituted(node, values: dict[str, gast.expr]):
    """`node` with names replaced by the expressions that define them, all the way down."""
    if isinstance(node, list):
        return [_substituted(part, values) for part in node]
    if isinstance(node, gast.Name):
        return _substituted(values[node.id], values) if node.id in values else node
    if isinstance(node, gast.expr):
        return build.like(node, **{field: _substituted(value, values) for field, value in gast.iter_fields(node)})
    return node
