"""The largest of Python's integers that a program meets: what 64 bits do not hold may raise where it is compiled."""

from __future__ import annotations

import ast
import copy
from typing import Any

import numpy as np

import transpiler as tp


def peak(text: str, args: tuple) -> int:
    """The largest magnitude of any integer of Python's while the last function of a module runs, until it ends or raises.

    >>> peak('def f(n):\\n    return 0 * (n * n)', (2**40,)) == 2**80
    True
    """
    seen = [0]

    def look(value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            seen[0] = max(seen[0], abs(value) - (value < 0))
        return value

    tree = Looking().visit(ast.parse(text))
    function = tp.from_source(ast.unparse(ast.fix_missing_locations(tree)) + '\n')
    function.__globals__['_look'] = look
    try:
        with np.errstate(all='ignore'):
            function(*copy.deepcopy(args))
    except Exception:  # what it raises is asked elsewhere
        pass
    return seen[0]


class Looking(ast.NodeTransformer):
    """Hands the value of each operation and each call to `_look`, and what augmented assignments leave."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._looked(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return self._looked(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self._looked(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        read = ast.parse(ast.unparse(node.target), mode='eval').body
        return [node, ast.Expr(ast.Call(ast.Name('_look', ast.Load()), [read], []))]

    def _looked(self, node: ast.expr) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name('_look', ast.Load()), [node], [])
