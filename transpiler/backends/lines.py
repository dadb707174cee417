"""At which line compiled code fails: the same text, compiled once more with a record of the line it is at."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from transpiler.backends import numba_cpu, python
from transpiler.backends.handlers import raised_by_a_handler
from transpiler.backends.machine_code import jitted

RECORD = 'line_'


def of_failure(source_text: str, name: str, arguments: Sequence[Any]) -> int | None:
    """The line of `source_text` at which `name(*arguments)` raises; None if it does not."""
    recorded = recording(source_text, name)
    function = jitted(getattr(python.load_module(recorded, f'{name}_lines'), name), keep=True, **numba_cpu.CHECKED)
    at = np.zeros(1, np.int64)
    try:
        function(at, *arguments)
    except Exception as error:
        if handlers := raised_by_a_handler(error):
            raise handlers from None
        return int(at[0]) or None
    return None


def recording(source_text: str, name: str) -> str:
    """The text with a first parameter that is told the line of every statement before it runs.

    >>> print(recording('def f(x):\\n    if x > 0:\\n        x = 1 / x\\n    return x', 'f'))
    def f(line_, x):
        line_[0] = 2
        if x > 0:
            line_[0] = 3
            x = 1 / x
        line_[0] = 4
        return x
    """
    tree = ast.parse(source_text)
    definition = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    definition.args.args.insert(0, ast.arg(RECORD))
    _record(definition)
    return ast.unparse(ast.fix_missing_locations(tree))


def _record(node: ast.AST) -> None:
    """Tell the line before every statement inside; a `while` asks its test again at the end of each iteration."""
    for part in ('body', 'orelse'):
        statements = getattr(node, part, [])
        found: list[ast.stmt] = []
        for statement in statements:
            _record(statement)
            found += [_told(statement), statement]
        if isinstance(node, ast.While) and part == 'body':
            found.append(_told(node))
        if statements:
            setattr(node, part, found)


def _told(statement: ast.stmt) -> ast.stmt:
    return ast.parse(f'{RECORD}[0] = {statement.lineno}').body[0]
