"""Which lambda of a line a function was made of: by the places that its code knows, or by the code itself."""
from __future__ import annotations

import ast
import types
from collections.abc import Iterator


def which_lambdas(nodes: list[ast.Lambda], code: types.CodeType) -> list[ast.Lambda]:
    """Those of the lambdas that may be the one that was compiled to `code`."""
    return _by_place(nodes, code) or [node for node in nodes if _same_code(node, code)] or nodes


def _by_place(nodes: list[ast.Lambda], code: types.CodeType) -> list[ast.Lambda]:
    """The innermost lambda whose body holds all that the code computes; before Python 3.11 code does not know its columns."""
    known = [p for p in getattr(code, 'co_positions', tuple)() if None not in p and p[2:] != (0, 0)]
    places = [((line, start), (last, end)) for line, last, start, end in known]
    return [node for node in nodes if places and all(_holds(node.body, *place) for place in places)][-1:]


def _holds(node: ast.expr, start: tuple[int, int], end: tuple[int, int]) -> bool:
    return (node.lineno, node.col_offset) <= start and end <= (node.end_lineno, node.end_col_offset)


def _same_code(node: ast.Lambda, code: types.CodeType) -> bool:
    """Whether compiling this lambda gives the running bytecode; free variables compile as such inside a wrapper."""
    inner = ast.Expression(ast.Lambda(ast.arguments([], [ast.arg(n) for n in code.co_freevars], None, [], [], None, []), node))
    compiled = compile(ast.fix_missing_locations(inner), code.co_filename, 'eval')
    lambdas = [
        c
        for c in _codes(compiled)
        if c.co_name == '<lambda>' and c.co_varnames[: c.co_argcount] == code.co_varnames[: code.co_argcount]
    ]
    return any(c.co_code == code.co_code and _constants(c) == _constants(code) and c.co_names == code.co_names for c in lambdas)


def _constants(code: types.CodeType) -> tuple:
    return tuple(repr(c) for c in code.co_consts if not isinstance(c, types.CodeType))


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)
