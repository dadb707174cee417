"""Returns in branches become one return at the end."""

from __future__ import annotations

import gast

from transpiler.core.build import like, name
from transpiler.normalize.flags import RESULT


def single_return(body: list[gast.stmt]) -> list[gast.stmt]:
    """What follows an `if` that may return moves into the arms that do not.

    >>> import textwrap
    >>> tree = gast.parse(textwrap.dedent('''
    ...     if x < 0:
    ...         return -x
    ...     y = x * x
    ...     return y'''))
    >>> tree.body = single_return(tree.body)
    >>> print(gast.unparse(tree))
    if x < 0:
        return = -x
    else:
        y = x * x
        return = y
    return return
    """
    position = next((s for s in reversed(body) if hasattr(s, 'lineno')), None)
    final = gast.Return(value=_result(gast.Load()))
    return [*_close(list(body)), gast.copy_location(final, position) if position is not None else final]


def _result(context: gast.expr_context) -> gast.Name:
    return like(name(RESULT), ctx=context)


def _close(body: list[gast.stmt]) -> list[gast.stmt]:
    """Replace returns by assignments to the result; every path through `body` ends with one, or raises."""
    for place, statement in enumerate(body):
        if isinstance(statement, gast.Return):
            value = statement.value or gast.Constant(value=None, kind=None)
            stored = gast.Assign(targets=[_result(gast.Store())], value=value, type_comment=None)
            return [*body[:place], gast.copy_location(stored, statement)]
        if isinstance(statement, gast.Raise):
            return body[: place + 1]
        if isinstance(statement, gast.If) and _returns(statement):
            rest = body[place + 1 :]
            arms = [_close(arm + ([] if ends(arm) else rest)) for arm in (statement.body, statement.orelse)]
            return [*body[:place], like(statement, body=arms[0], orelse=arms[1])]
    stored = gast.Assign(targets=[_result(gast.Store())], value=gast.Constant(value=None, kind=None), type_comment=None)
    return [*body, gast.copy_location(stored, body[-1]) if body else stored]


def _returns(statement: gast.If) -> bool:
    return any(isinstance(s, gast.Return) or (isinstance(s, gast.If) and _returns(s)) for s in statement.body + statement.orelse)


def ends(body: list[gast.stmt]) -> bool:
    """Whether no path runs off the end of `body`."""
    return any(
        isinstance(s, (gast.Return, gast.Raise)) or (isinstance(s, gast.If) and ends(s.body) and ends(s.orelse)) for s in body
    )
