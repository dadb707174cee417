"""What a program prints, which is printed once: what runs again does not print."""

from __future__ import annotations

from collections.abc import Iterable

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.passes import rewrite


@rewrite('without printing')
def without_prints(core: Core) -> Core:
    """Drop what prints.

    >>> from transpiler.passes import show
    >>> show(without_prints, 'python.print(x); y = 2 * x; return y')
    y = 2 * x
    return y
    """
    return core.with_body(_silent(core.body)) if any(map(is_print, core.statements)) else core


def _silent(body: Iterable[gast.stmt]) -> list[gast.stmt]:
    return [build.map_blocks(s, _silent) for s in body if not is_print(s)]


def is_print(statement: gast.stmt) -> bool:
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Name(id='python.print'))):
            return True
    return False
