"""Conditional expressions, `and` and `or`: what the user wrote as an expression becomes one again."""
from __future__ import annotations

import gast

from transpiler.core.build import stamp
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import blocks
from transpiler.core.text import dump
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite


@rewrite('conditional expressions', surface=True)
def restore_expressions(core: Core) -> Core:
    """Turn an `if` that was an expression, and whose arms are still single values, into that expression.

    `c and b` is `b if c else c`, and `c or b` is `c if c else b`.

    >>> from transpiler.passes import show
    >>> from transpiler.core.text import parse
    >>> from transpiler.core.links import link
    >>> def marked(core):
    ...     link(core.body[0], expression=True)
    ...     return restore_expressions(core)
    >>> show(marked, '''
    ... if c:
    ...     y = a
    ... else:
    ...     y = c
    ... return y''')
    y = c and a
    return y
    """
    return unchanged_or(core, [_restore(statement) for statement in core.body])


def _restore(statement: gast.stmt) -> gast.stmt:
    if blocks(statement):
        statement = with_blocks(statement, [[_restore(s) for s in block] for block in blocks(statement)])
    if not links(statement).expression:
        return statement
    match statement:
        case gast.If(test=test, body=[gast.Assign(targets=[gast.Name(id=a)] as targets, value=then)],
                     orelse=[gast.Assign(targets=[gast.Name(id=b)], value=other)]) if a == b:
            value = _expression(test, then, other)
            return stamp(gast.Assign(targets=targets, value=value, type_comment=None), statement.origin, statement.role)
    return statement


def _expression(test: gast.expr, then: gast.expr, other: gast.expr) -> gast.expr:
    if isinstance(test, gast.Name) and dump(test) == dump(other):
        return gast.BoolOp(op=gast.And(), values=[test, then])
    if isinstance(test, gast.Name) and dump(test) == dump(then):
        return gast.BoolOp(op=gast.Or(), values=[test, other])
    return gast.IfExp(test=test, body=then, orelse=other)
