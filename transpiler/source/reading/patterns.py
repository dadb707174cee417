"""Names in patterns, as nodes: gast has those of parameters and assignments as nodes, and those in patterns as texts."""

from __future__ import annotations

import ast

import gast


def as_gast(tree: ast.AST) -> gast.AST:
    """A tree of Python's as one of gast's, in which every name that is given a value is a `Name`, those in patterns too.

    >>> case = as_gast(ast.parse('match n:\\n    case (k, *rest): pass')).body[0].cases[0]
    >>> [(part.name.id, part.name.col_offset) for part in case.pattern.patterns]
    [('k', 10), ('rest', 13)]
    """
    made = gast.ast_to_gast(tree)
    for node in gast.walk(made):
        if isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name is not None:
            target = gast.Name(id=node.name, ctx=gast.Store(), annotation=None, type_comment=None)
            node.name = gast.copy_location(target, node)
    return made
