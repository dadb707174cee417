"""Rewriting the loops of a program, inner ones first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.indices import integer
from transpiler.core.language import Core, Hint
from transpiler.core.query import blocks
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.values.types import BOOL


def rebuilt(
    core: Core, loop: Callable[[gast.For], list[gast.stmt]], types: Mapping[str, Any], hints: Mapping[str, Hint] | None = None
) -> Core:
    """The program with `loop(node)` in the place of every counted loop; `types` and `hints` have grown meanwhile, or not."""

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in body for new in one(statement)]

    def one(statement: gast.stmt) -> list[gast.stmt]:
        made = loop(statement) if isinstance(statement, gast.For) else [statement]
        inner = made[-1] if isinstance(statement, gast.For) else statement
        if not blocks(inner):
            return made
        new = with_blocks(inner, [block(list(b)) for b in blocks(inner)])
        return [*made[:-1], new] if isinstance(statement, gast.For) else [new]

    body = block(list(core.body))
    return core.with_body(body, types=dict(types), hints=dict(core.hints if hints is None else hints))


def any_iterations(loop: gast.For, builder: Builder) -> tuple[gast.stmt, str]:
    """A statement that asks whether a counted loop has any iteration, and the name of the answer.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> for counts in 'i in range(n, k, -1)', 'i in range(n)', 'i in range(n, k, s)':
    ...     asks, _ = any_iterations(parse(f'for {counts}: v = i').body[0], Builder())
    ...     Spelling().statement(asks)
    'turned = k < n'
    'turned = n > 0'
    'turned = len(range(n, k, s)) > 0'
    """
    start, stop, step = loop.iter.args
    direction = integer(step)
    if direction is None:
        some = build.compare(build.call('python.len', build.call('range', start, stop, step)), gast.Gt, 0)
    else:
        some = build.compare(stop, gast.Gt if direction > 0 else gast.Lt, start)
    turned = builder.fresh('turned', BOOL, temporary=True).name
    return build.assign(turned, some, loop.origin, loop.role), turned


def iterations(loop: gast.For) -> gast.expr:
    """How many iterations a loop has, or a number below one if it has none.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> for bounds in ('0, n, 1', '1, n, 3', 'n, -1, -2', '0, n, k'):
    ...     print(Spelling().expression(iterations(parse(f'for i in range({bounds}): v = x[i]\\nreturn x').body[0])))
    n
    (n - 1 + 2) // 3
    (n + 1 + 1) // 2
    len(range(0, n, k))
    """
    start, end, step = loop.iter.args
    if not isinstance(step, gast.Constant):
        return build.call('python.len', loop.iter)
    way, size = _difference(end, start) if step.value > 0 else _difference(start, end), abs(step.value)
    return way if size == 1 else build.binary(_plus(way, size - 1), gast.FloorDiv, size)


def _difference(end: gast.expr, start: gast.expr) -> gast.expr:
    if integer(start) == 0:
        return end
    return _plus(end, -start.value) if isinstance(start, gast.Constant) else build.binary(end, gast.Sub, start)


def _plus(node: gast.expr, number: int) -> gast.expr:
    return build.binary(node, gast.Add if number > 0 else gast.Sub, abs(number))
