"""The run-time helpers that generated code calls, cut out of `kernels/arrays.py` for a module that stands alone."""
from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Iterable
from functools import cache

from transpiler_kernels import arrays


@cache
def _definitions() -> tuple[dict[str, ast.stmt], str]:
    """Every name that the helpers' module defines at its top level, imports included, and the module's text."""
    text = inspect.getsource(arrays)
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(text).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = statement
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found |= {alias.asname or alias.name.split('.')[0]: statement for alias in aliases}
    return found, text


def standalone(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The import lines and the verbatim definitions of helpers and of what they call, in the order of their module.

    >>> imports, definitions = standalone(['unbroadcast'])
    >>> imports, definitions[-1].splitlines()[0]
    (['import numpy as np'], 'def unbroadcast(ct, x):')
    """
    found, text = _definitions()
    needed: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        used = {node.id for node in ast.walk(found[name]) if isinstance(node, ast.Name)}
        waiting += sorted(used & found.keys() - needed - set(dir(builtins)))
    chosen = [(name, found[name]) for name in found if name in needed]
    imports = [_single_import(name, s) for name, s in chosen if isinstance(s, (ast.Import, ast.ImportFrom))]
    return imports, [_verbatim(s, text) for _, s in chosen if not isinstance(s, (ast.Import, ast.ImportFrom))]


def _single_import(name: str, statement: ast.Import | ast.ImportFrom) -> str:
    alias = next(a for a in statement.names if (a.asname or a.name.split('.')[0]) == name)
    if isinstance(statement, ast.Import):
        return ast.unparse(ast.Import([alias]))
    return ast.unparse(ast.ImportFrom(statement.module, [alias], statement.level))


def _verbatim(statement: ast.stmt, text: str) -> str:
    """The statement as it is written, with its decorators and the comment lines right above it."""
    lines = text.splitlines()
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, 'decorator_list', []))]) - 1
    while first and lines[first - 1].startswith('#'):
        first -= 1
    return '\n'.join(lines[first:statement.end_lineno])
