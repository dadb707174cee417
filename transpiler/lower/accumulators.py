"""Sums into one place of an array, kept in a number while a loop runs: compilers cannot do that, as arrays might overlap."""

from __future__ import annotations

import gast

from transpiler.analyses.aliases import memory
from transpiler.core import build
from transpiler.core.indices import entries_of, is_dots
from transpiler.core.language import Core, Hint
from transpiler.core.query import all_defined, blocks, call_of, names, reads, walk, written
from transpiler.core.text import dump
from transpiler.optimize.facts import with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import INT, Array, Scalar


@rewrite('accumulators')
def accumulate_in_numbers(core: Core) -> Core:
    """Add up in a number what every turn of a loop adds to one and the same place, and to which nothing else in it looks.

    A loop without turns must not touch the place, which may not exist.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, Array
    >>> import numpy as np
    >>> array = Array(np.dtype(float), (None,))
    >>> types = {'x': array, 'y': array, 'v': FLOAT, 'i': INT, 'k': INT, 'n': INT}
    >>> show(accumulate_in_numbers, 'y = np.zeros(3)\\nfor i in range(n): v = x[i]; y[k] += v\\nreturn y', types=types)
    y = np.zeros(3)
    y_sum = 0.0
    for i in range(n):
        v = x[i]
        y_sum = y_sum + v
    turned = len(range(n))
    if turned:
        y[k] += y_sum
    return y
    """
    return _Accumulating(core).result()


class _Accumulating:
    def __init__(self, core: Core):
        self.core, self.memory = core, memory(core)
        self.types, self.hints = dict(core.types), dict(core.hints)

    def result(self) -> Core:
        body = self._block(list(self.core.body))
        return self.core.with_body(body, types=self.types, hints=self.hints)

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
        before, after, body = [], [], list(loop.body)
        changing = all_defined([loop])
        for position, statement in enumerate(body):
            if not self._is_summed(statement, loop, changing):
                continue
            base = written(statement)
            total = self._fresh(f'{self.core.base(base)}_sum', Scalar(self.core.types[base].dtype))
            before.append(build.assign(total, 0.0, statement.origin, statement.role))
            body[position] = build.assign(total, build.binary(total, gast.Add, statement.value), statement.origin, statement.role)
            after.append(build.like(statement, value=build.name(total)))
        if not after:
            return [], loop, []
        turned = self._fresh('turned', INT)
        count = build.assign(turned, build.call('python.len', build.call('range', *loop.iter.args)), loop.origin, loop.role)
        return before, build.like(loop, body=body), [count, build.branch(turned, after, [], loop.origin, loop.role)]

    def _is_summed(self, statement: gast.stmt, loop: gast.For, changing: set[str]) -> bool:
        match statement:
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=base), slice=index), op=gast.Add(), value=gast.Name(id=value)
            ):
                type_, indices = self.core.types.get(base), set(names(index))
            case _:
                return False
        entries = entries_of(index)
        plain = all(isinstance(entry, (gast.Name, gast.Constant)) and not is_dots(entry) for entry in entries)
        if not plain or not isinstance(type_, Array) or type_.dtype.kind != 'f' or type_.ndim != len(entries):
            return False
        if not all(isinstance(self.core.types.get(n), Scalar) for n in (*indices, value)) or (indices | {base}) & changing:
            return False
        return all(self._leaves_alone(other, statement, base) for other in walk(loop.body))

    def _leaves_alone(self, other: gast.stmt, statement: gast.stmt, base: str) -> bool:
        """Whether a statement has nothing to do with the array, or adds to the same place."""
        if other is statement:
            return True
        if call_of(other) is not None or isinstance(other, (gast.Expr, gast.Raise)):
            return False
        if isinstance(other, gast.AugAssign) and dump(other.target) == dump(statement.target):
            return not self._shares(base, set(names(other.value)))
        target = written(other)
        return not self._shares(base, (reads(other) | ({target} if target else set())))

    def _shares(self, base: str, mentioned: set[str]) -> bool:
        arrays = (n for n in mentioned if not isinstance(self.core.types.get(n), Scalar))
        return any(n == base or self.memory.may_alias(n, base) for n in arrays)

    def _fresh(self, base: str, type_: Scalar) -> str:
        name, number = base, 0
        while name in self.types:
            number += 1
            name = f'{base}_{number}'
        self.types[name], self.hints[name] = type_, Hint(base, temporary=True)
        return name
