"""Rewriting the loops of a program, inner ones first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import gast

from transpiler.core.language import Core
from transpiler.core.query import blocks
from transpiler.optimize.facts import with_blocks


def rebuilt(core: Core, loop: Callable[[gast.For], list[gast.stmt]], types: Mapping[str, Any]) -> Core:
    """The program with `loop(node)` in the place of every counted loop; `types` has grown meanwhile, or not."""

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in body for new in one(statement)]

    def one(statement: gast.stmt) -> list[gast.stmt]:
        made = loop(statement) if isinstance(statement, gast.For) else [statement]
        inner = made[-1] if isinstance(statement, gast.For) else statement
        if not blocks(inner):
            return made
        new = with_blocks(inner, [block(list(b)) for b in blocks(inner)])
        return [*made[:-1], new] if isinstance(statement, gast.For) else [new]

    return core.with_body(block(list(core.body)), types=MappingProxyType(dict(types)))
