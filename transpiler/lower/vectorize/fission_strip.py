"""A loop in strips of iterations: what is computed ahead for all of a strip, and the iterations themselves, in order."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.builder import Builder
from transpiler.core.indices import integer
from transpiler.core.language import Hint
from transpiler.core.query import defined
from transpiler.lower.vectorize.lanes import LANES
from transpiler.optimize.rewriting.substitute import replace_names
from transpiler.values.dims import Dim
from transpiler.values.types import INT, Array, Type


class Strip:
    """Writes one loop, of step 1 or -1."""

    def __init__(self, builder: Builder, loop: gast.For):
        self.builder, self.loop, self.counter = builder, loop, loop.target.id
        self.first, self.last, step = loop.iter.args
        self.forward = integer(step) == 1
        self.start, self.left, self.count, self.iteration = (self._fresh(base) for base in ('start', 'left', 'count', 'turn'))

    def write(
        self, ahead: list[gast.stmt], handed: list[gast.stmt], rest: list[gast.stmt]
    ) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """The statements in the place of the loop, and the loops among them.

        ahead: what is computed ahead; handed: those of these statements whose values are read from memory; rest: the iterations
        """
        iterations, before = self._iterations()
        again = {name: self._again(name) for name in (self.counter, *map(defined, ahead))}
        rooms = {defined(s): self._buffer(defined(s)) for s in handed}
        stores = [self._assign(self._place(room), build.name(again[name])) for name, room in rooms.items()]
        loads = [self._assign(name, self._place(room)) for name, room in rooms.items()]
        early = self._counted(
            self.iteration, 0, self.count, 1, [*self._number(again[self.counter]), *(_renamed(s, again) for s in ahead), *stores]
        )
        late = self._counted(self.iteration, 0, self.count, 1, [*self._number(self.counter), *loads, *rest])
        bounds = [
            self._assign(self.left, build.binary(iterations, gast.Sub, self.start)),
            self._assign(self.count, build.call('numpy.minimum', LANES, self.left)),
        ]
        strips = self._counted(self.start, 0, iterations, LANES, [*bounds, early, late])
        return [*before, *(self._assign(room, self._room(room)) for room in rooms.values()), strips], [strips, early, late]

    def _iterations(self) -> tuple[gast.expr, list[gast.stmt]]:
        """How many iterations there are, negative if there is none, and the statement that says so."""
        if self.forward and integer(self.first) == 0:
            return self.last, []
        iterations = self._fresh('turns')
        span = (self.last, self.first) if self.forward else (self.first, self.last)
        return build.name(iterations), [self._assign(iterations, _difference(*span))]

    def _number(self, counter: str) -> list[gast.stmt]:
        """Give `counter` its value in this iteration."""
        offset = build.binary(self.start, gast.Add, self.iteration)
        if self.forward and integer(self.first) == 0:
            return [self._assign(counter, offset)]
        place, way = self._fresh('offset', temporary=True), gast.Add if self.forward else gast.Sub
        return [self._assign(place, offset), self._assign(counter, build.binary(self.first, way, build.name(place)))]

    def _buffer(self, name: str) -> str:
        type_ = Array(self.builder.types[name].dtype, (Dim.of(LANES),))
        return self._fresh(f'{self._hint(name).base.rstrip("_")}_ahead', type_)

    def _again(self, name: str) -> str:
        """A name for the same value in the loop that comes first."""
        hint = self._hint(name)
        return self._fresh(hint.base, self.builder.types[name], hint.temporary)

    def _hint(self, name: str) -> Hint:
        return self.builder.hints.get(name, Hint(name))

    def _room(self, place: str) -> gast.expr:
        return new_array('numpy.empty', LANES, self.builder.types[place].dtype)

    def _place(self, room: str) -> gast.expr:
        return build.subscript(room, self.iteration)

    def _fresh(self, base: str, type_: Type = INT, temporary: bool = False) -> str:
        return self.builder.fresh(base, type_, temporary).name

    def _assign(self, target, value: gast.expr) -> gast.stmt:
        return build.stamp(build.assign(target, value), self.loop.origin, self.loop.role)

    def _counted(self, *parts) -> gast.stmt:
        return build.stamp(build.counted(*parts), self.loop.origin, self.loop.role)


def _renamed(statement: gast.Assign, table: Mapping[str, str]) -> gast.Assign:
    value = replace_names(statement.value, lambda name: build.name(table[name]) if name in table else None)
    return build.like(statement, targets=[build.assign(table[defined(statement)], value).targets[0]], value=value)


def _difference(one: gast.expr, other: gast.expr) -> gast.expr:
    number = integer(other)
    return build.binary(one, gast.Sub, other) if number is None or number > 0 else build.binary(one, gast.Add, -number)
