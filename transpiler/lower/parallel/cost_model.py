"""What a loop costs, as a number of simple operations that a program computes before it runs the loop."""
from __future__ import annotations

import functools
from collections.abc import Iterable

import gast

from transpiler.core import build
from transpiler.core.helpers import Fact, holds_of
from transpiler.core.query import all_defined, blocks, names, parts, primitive
from transpiler.lower.loops.invariants import iterations
from transpiler.lower.parallel.safety import is_cast

GUESS = 16  # iterations of a loop of which nobody knows how many there are
CHEAP = frozenset({'range', 'numpy.minimum', 'numpy.maximum'})
CALL, DIVISION = 12, 4  # what an elementary function costs, and a quotient or a root


def of_iteration(loop: gast.For) -> gast.expr:
    """About as many operations as one iteration has, said with names that have their values before the loop.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> loop, _ = parse('for i in range(n):\\n    for j in range(m): v = np.sin(x[i, j])\\nreturn x').body
    >>> Spelling().expression(of_iteration(loop))
    '14 * m'
    """
    own, inner = _of(loop.body, all_defined([loop]), _strip(loop) or GUESS)
    return functools.reduce(lambda a, b: build.binary(a, gast.Add, b), inner) if inner else build.constant(own)


def _of(body: Iterable[gast.stmt], changing: set[str], guess: int) -> tuple[int, list[gast.expr]]:
    """The operations done once, and those in loops; `guess`: the iterations of loops of which it takes a value to know."""
    own, inner = 0, []
    for statement in body:
        own += 1 + sum(map(_cost, _simple(statement)))
        times = _times(statement, changing, guess)
        for block in blocks(statement):
            count, loops = _of(block, changing, 1 if _strip(statement) else guess)
            if isinstance(times, int):
                own += times * count
                inner += [build.binary(times, gast.Mult, part) for part in loops] if times > 1 else loops
            else:
                inner += [build.binary(part, gast.Mult, times) for part in loops or [build.constant(count)]]
    return own, inner


def _simple(statement: gast.stmt) -> list[gast.AST]:
    if blocks(statement):
        return parts(statement.iter if isinstance(statement, gast.For) else statement.test)
    return parts(statement)


def _cost(node: gast.AST) -> int:
    match node:
        case gast.Call():
            name = primitive(node) or ''
            return 1 if is_cast(name) or name in CHEAP or holds_of(name, Fact.IS_CHEAP) else CALL
        case gast.Div() | gast.FloorDiv() | gast.Mod() | gast.Pow():
            return DIVISION
        case gast.BinOp() | gast.Compare() | gast.Subscript() | gast.IfExp():
            return 1
    return 0


def _times(statement: gast.stmt, changing: set[str], guess: int) -> gast.expr | int:
    """How often the block of a statement runs; of a loop over strips, so often as there are places in all."""
    match statement:
        case gast.For(iter=gast.Call(args=bounds)):
            if changing & {name for bound in bounds for name in names(bound)}:
                return guess
            start, end, _ = bounds
            in_strip = end if _is(start, 0) else build.binary(end, gast.Sub, start)
            count = in_strip if _strip(statement) else iterations(statement)
            return count.value if isinstance(count, gast.Constant) else count
        case gast.While():
            return guess
    return 1


def _strip(statement: gast.stmt) -> int:
    """The step of a loop, if it is known and not 1: its iterations have as many places, but for the last one."""
    match statement:
        case gast.For(iter=gast.Call(args=[_, _, gast.Constant(value=int(step))])) if step > 1:
            return step
    return 0


def _is(node: gast.expr, value: int) -> bool:
    return isinstance(node, gast.Constant) and node.value == value
