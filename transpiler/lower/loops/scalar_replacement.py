"""Sums into one place of an array, kept in a number while a loop runs: compilers cannot do that, as arrays might overlap."""

from __future__ import annotations

from functools import cached_property

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.polyhedral.affine import Affine
from transpiler.analyses.polyhedral.distinct_elements import are_apart
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.indices import entries_of, has_iterations, is_dots
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, call_of, is_atom, names, parts, reads, walk, written
from transpiler.core.text import dump
from transpiler.lower.loops.invariants import any_iterations
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Array, Scalar


@rewrite('accumulators')
def accumulate_in_numbers(core: Core) -> Core:
    """Add up in a number what every iteration of a loop adds to one and the same place, and at which nothing else in it looks.

    A loop without iterations must not touch the place, which may not exist.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> array = Array(np.dtype(float), (None,))
    >>> types = {'x': array, 'y': array, 'v': FLOAT, 'i': INT, 'k': INT, 'n': INT}
    >>> show(accumulate_in_numbers, 'y = np.zeros(3)\\nfor i in range(n): v = x[i]; y[k] += v\\nreturn y', types=types)
    y = np.zeros(3)
    y_sum = 0.0
    turned = n > 0
    if turned:
        y_sum = y[k]
    for i in range(n):
        v = x[i]
        y_sum = y_sum + v
    if turned:
        y[k] = y_sum
    return y
    """
    return _Accumulating(core).result()


class _Accumulating:
    def __init__(self, core: Core):
        self.core, self.memory = core, memory(core)
        self.builder = Builder.of(core)

    @cached_property
    def affine(self) -> Affine:
        return Affine(self.core)

    def result(self) -> Core:
        body = self._block(list(self.core.body))
        return self.core.with_body(body, types=dict(self.builder.types), hints=dict(self.builder.hints))

    def _block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for statement in body:
            if blocks(statement):
                statement = with_blocks(statement, [self._block(list(b)) for b in blocks(statement)])
            if isinstance(statement, gast.For):
                before, statement, after = self._loop(statement)
                made += [*before, statement, *after]
            else:
                made.append(statement)
        return made

    def _loop(self, loop: gast.For) -> tuple[list[gast.stmt], gast.For, list[gast.stmt]]:
        before, first, after, body = [], [], [], list(loop.body)
        changing = all_defined([loop])
        totals: dict[str, str] = {}  # of places
        for position, statement in enumerate(body):
            if not self._is_summed(statement, loop, changing):
                continue
            origin, role, place = statement.origin, statement.role, dump(statement.target)
            if place not in totals:
                base = written(statement)
                type_ = Scalar(self.core.types[base].dtype)
                totals[place] = total = self.builder.fresh(f'{self.core.base(base)}_sum', type_, temporary=True).name
                before.append(build.assign(total, 0.0, origin, role))
                first.append(build.assign(total, build.like(statement.target, ctx=gast.Load()), origin, role))
                after.append(build.assign(statement.target, build.name(total), origin, role))
            total = totals[place]
            body[position] = build.assign(total, build.binary(total, gast.Add, statement.value), origin, role)
        if not after:
            return [], loop, []
        if has_iterations(loop):
            return first, build.like(loop, body=body), after
        some, turned = any_iterations(loop, self.builder)
        begin, end = (build.branch(turned, made, [], loop.origin, loop.role) for made in (first, after))
        return [*before, some, begin], build.like(loop, body=body), [end]

    def _is_summed(self, statement: gast.stmt, loop: gast.For, changing: set[str]) -> bool:
        match statement:
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), op=gast.Add(), value=value):
                type_, indices = self.core.types.get(base), set(names(index))
            case _:
                return False
        entries = entries_of(index)
        plain = all(isinstance(entry, (gast.Name, gast.Constant)) and not is_dots(entry) for entry in entries)
        if not plain or not isinstance(type_, Array) or type_.dtype.kind != 'f' or type_.ndim != len(entries):
            return False
        if not self._is_number(value) or not all(map(self._is_scalar, indices)) or (indices | {base}) & changing:
            return False
        return all(self._leaves_alone(other, statement, base, loop) for other in walk(loop.body))

    def _leaves_alone(self, other: gast.stmt, statement: gast.stmt, base: str, loop: gast.For) -> bool:
        """Whether a statement of a loop has nothing to do with the place, or adds to it in every iteration."""
        if other is statement:
            return True
        if call_of(other) is not None or isinstance(other, (gast.Expr, gast.Raise)):
            return False
        match other:
            case gast.AugAssign(target=target, op=gast.Add(), value=value) if dump(target) == dump(statement.target):
                return self._is_number(value) and any(other is own for own in loop.body)
        target = written(other)
        mentioned = reads(other) | ({target} if target else set())
        return not self._shares(base, mentioned) or self._uses_other_elements(other, statement, base)

    def _uses_other_elements(self, other: gast.stmt, statement: gast.stmt, base: str) -> bool:
        if blocks(other) or self._shares(base, {*reads(other), written(other)} - {base, None}):
            return False
        found = parts(other)
        elements = [p for p in found if isinstance(p, gast.Subscript) and isinstance(p.value, gast.Name) and p.value.id == base]
        alone = sum(1 for p in found if isinstance(p, gast.Name) and p.id == base) == len(elements)
        return alone and all(are_apart((statement.target, statement), (element, other), self.affine) for element in elements)

    def _is_number(self, value: gast.expr) -> bool:
        return is_atom(value) and all(map(self._is_scalar, names(value)))

    def _is_scalar(self, name: str) -> bool:
        return isinstance(self.core.types.get(name), Scalar)

    def _shares(self, base: str, mentioned: set[str]) -> bool:
        arrays = (n for n in mentioned if not self._is_scalar(n))
        return any(n == base or self.memory.may_alias(n, base) for n in arrays)
