"""Quotients that stay the same while a loop runs: divided once, before it, whatever the compiler thinks of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, is_atom, names, parts, reads
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar


@rewrite('quotients before loops', surface=True)
def divide_before_loops(core: Core, target: Target = CPU) -> Core:
    """Compute `q = a / b` before a loop that changes neither, and keep `q * x` in it from being made `a * x / b`.

    LLVM, which may order products as it likes, takes the one division before a loop for as many as it has iterations.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT
    >>> types = dict(s=FLOAT, a=FLOAT, q=FLOAT, t=FLOAT, i=INT)
    >>> show(divide_before_loops, '''
    ... for i in range(9):
    ...     q = a / 6.0
    ...     t = q * s
    ...     s = s + t
    ... return s''', params='sa', types=types)
    q = once(a / 6.0)
    for i in range(9):
        t = q * s
        s = s + t
    return s
    """
    return _Dividing(core, target).result()


class _Dividing:
    def __init__(self, core: Core, target: Target):
        self.core, self.target, self.times = core, target, counts(core.body)

    def result(self) -> Core:
        if not any(self._is_quotient(statement) for statement in self.core.statements):
            return self.core
        moved = self._moved(self.core.body)
        body = self._fenced(moved, 0, _factors(moved, 0))
        return self.core.with_body(body)

    def _moved(self, body: Iterable[gast.stmt]) -> list[gast.stmt]:
        """A block with what its loops need not compute again in front of them."""
        made: list[gast.stmt] = []
        for statement in body:
            if blocks(statement):
                statement = with_blocks(statement, [self._moved(block) for block in blocks(statement)])
            if isinstance(statement, (gast.For, gast.While)):
                steady = self._steady(statement)
                made += steady
                statement = with_blocks(statement, [[s for s in statement.body if s not in steady]]) if steady else statement
            made.append(statement)
        return made

    def _steady(self, loop: gast.For | gast.While) -> list[gast.stmt]:
        """The quotients of a loop that are the same in every iteration, and what they are made of."""
        changing = set(all_defined([loop]))
        found: list[gast.stmt] = []
        for statement in loop.body:
            if self._is_arithmetic(statement) and changing.isdisjoint(reads(statement)):
                found.append(statement)
                changing.discard(str(defined(statement)))
        needed: set[str] = set()
        kept = []
        for statement in reversed(found):
            if self._is_quotient(statement) or defined(statement) in needed:
                kept.append(statement)
                needed |= reads(statement)
        return kept[::-1]

    def _is_quotient(self, statement: gast.stmt) -> bool:
        return self._is_arithmetic(statement) and isinstance(statement.value.op, gast.Div)

    def _is_arithmetic(self, statement: gast.stmt) -> bool:
        """Whether it computes a float from numbers, which raises nothing."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp(left=left, op=op, right=right)):
                plain = isinstance(op, (gast.Add, gast.Sub, gast.Mult, gast.Div)) and is_atom(left) and is_atom(right)
                real = all(self._is_number(n, 'if') for n in (*names(left), *names(right)))
                return plain and real and self._is_number(name, 'f') and self.times[name] == 1
        return False

    def _is_number(self, name: str, kinds: str) -> bool:
        type_ = self.core.types.get(name)
        return isinstance(type_, Scalar) and type_.dtype.kind in kinds

    def _fenced(self, body: Iterable[gast.stmt], depth: int, factors: dict[str, int]) -> list[gast.stmt]:
        made = []
        for statement in body:
            if self._is_quotient(statement) and factors.get(str(defined(statement)), 0) > depth:
                statement = build.like(statement, value=build.call(self.target.loops.once, statement.value))
            if blocks(statement):
                inner = depth + isinstance(statement, (gast.For, gast.While))
                statement = with_blocks(statement, [self._fenced(block, inner, factors) for block in blocks(statement)])
            made.append(statement)
        return made


def _factors(body: Iterable[gast.stmt], depth: int) -> dict[str, int]:
    """The names that products are made of, each with the number of loops around the innermost one of these products."""
    found: dict[str, int] = {}
    for statement in body:
        inner = depth + isinstance(statement, (gast.For, gast.While))
        given = [dict.fromkeys(_multiplied(statement), depth), *(_factors(block, inner) for block in blocks(statement))]
        for name, at in (pair for part in given for pair in part.items()):
            found[name] = max(at, found.get(name, 0))
    return found


def _multiplied(statement: gast.stmt) -> Iterator[str]:
    for node in parts(statement) if not blocks(statement) else ():
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
            yield from (side.id for side in (node.left, node.right) if isinstance(side, gast.Name))
