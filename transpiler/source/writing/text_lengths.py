"""Upper bounds of lengths: that a line is short is mostly told by counting its parts, without writing it."""

from __future__ import annotations

import math

import gast

from transpiler.core.query import children

# more than what stands around the text of a part: parentheses, spaces, a comma behind it
MARGINS: dict[type[gast.AST], int] = {
    gast.Assign: 4, gast.Return: 8, gast.If: 6, gast.While: 8, gast.For: 12, gast.Raise: 8, gast.Break: 6, gast.AugAssign: 40,
    gast.Expr: 40, gast.BinOp: 4, gast.UnaryOp: 4, gast.Compare: 4, gast.IfExp: 14, gast.Subscript: 5, gast.Slice: 5,
    gast.Tuple: 6, gast.List: 6, gast.Call: 8, gast.keyword: 4, gast.Attribute: 13, gast.Name: 2, gast.Constant: 9}
MODULE, LIST = 6, 40     # what a module's alias may add; what a list's idiom may
PLAIN = frozenset({int, float, bool, str, type(None), type(...)})


def at_most(node: gast.AST) -> float:
    """What the text of an expression, or of a statement's first line, is not longer than; infinity if nothing is known.

    >>> from transpiler.core.text import expression
    >>> at_most(expression('np.exp(x)')) >= len('np.exp(x)'), at_most(expression('lambda x: x'))
    (True, inf)
    """
    total, waiting = 0, [node]
    for part in waiting:
        margin = MARGINS.get(type(part))
        if margin is not None:
            total += margin + _own(part)
            waiting += _inside(part)
        elif isinstance(part, (gast.operator, gast.unaryop)):
            total += 4
        elif isinstance(part, gast.cmpop):
            total += 8
        else:
            return math.inf
    return total


def _own(part: gast.AST) -> float:
    """The length of what a part says itself."""
    if isinstance(part, gast.Name):
        margin = 0 if '.' not in part.id else LIST if part.id.startswith('tape.') else MODULE
        return len(part.id) + margin
    if isinstance(part, gast.Constant):
        return len(repr(part.value)) if type(part.value) in PLAIN else math.inf
    return len(part.attr) if isinstance(part, gast.Attribute) else len(part.arg or '') if isinstance(part, gast.keyword) else 0


def _inside(part: gast.AST) -> list[gast.AST]:
    if isinstance(part, (gast.If, gast.While)):
        return [part.test]
    return [part.target, part.iter] if isinstance(part, gast.For) else children(part)
