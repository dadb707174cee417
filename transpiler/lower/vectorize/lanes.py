"""One loop in strips: its statements, and where the numbers are that each example holds from step to step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import gast
import numpy as np

from transpiler.analyses.dataflow.definitions import counts
from transpiler.analyses.dataflow.liveness import Names, live_before
from transpiler.analyses.polyhedral.parallel_loops import handed_on
from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.builder import Builder
from transpiler.core.indices import entries_of
from transpiler.core.query import all_defined, blocks, defined, names, parts, walk
from transpiler.lower.vectorize.predication import until_all_have_left
from transpiler.lower.vectorize.speculation_safety import Unfit
from transpiler.values.dims import Dim
from transpiler.values.types import INT, Array, Scalar, Type

LANES = 64  # examples in a strip
RAGGED = 256  # bytes of a number of each, if they take as many steps as each needs: all wait for the last one
DTYPES = ('float64', 'float32', 'int64', 'bool')


class Strip:
    """One loop: `own` are the names that each iteration has for itself."""

    def __init__(self, builder: Builder, loop: gast.For, live: Mapping[gast.stmt, Names]):
        self.builder, self.types, self.live, self.loop = builder, builder.types, live, loop
        inside = all_defined(loop.body)
        handed = handed_on(loop, live[loop])  # sums
        times, loops = counts(loop.body), Counter(s.target.id for s in walk(loop.body) if isinstance(s, gast.For))
        if any(times[name] != loops[name] for name in loops) or inside & {n for bound in loop.iter.args for n in names(bound)}:
            raise Unfit
        self.sizes = [s for s in walk(loop.body) if _is_size(s) and times[defined(s)] == 1 and not inside & set(names(s.value))]
        self.own = inside - set(loops) - handed - set(map(defined, self.sizes))
        self.varying = self.own | handed | {loop.target.id}
        self.width = LANES
        if any(isinstance(s, gast.While) for s in walk(loop.body)):
            self.width = RAGGED // max((self.type(name).dtype.itemsize for name in self.own), default=8)
        self.buffers: dict[np.dtype, str] = {}
        self.slots: dict[str, int] = {}

    def write(self) -> list[gast.stmt]:
        self.start, left, self.count, self.lane = (self.fresh(name) for name in ('start', 'left', 'count', 'lane'))
        low, end, _ = self.loop.iter.args
        body = self._block(self.loop.body)
        bounds = [
            self.assign(left, build.binary(end, gast.Sub, self.start)),
            self.assign(self.count, build.call('numpy.minimum', self.width, left)),
        ]
        strips = build.counted(self.start, low, end, self.width, [*bounds, *self._memory(), *body])
        return [*self.sizes, self.stamped(strips)]

    def _memory(self) -> list[gast.stmt]:
        found = []
        for dtype, buffer in self.buffers.items():
            size = self.width * sum(self.type(name).dtype == dtype for name in self.slots)
            self.types[buffer] = Array(dtype, (Dim.of(size),))
            found.append(self.assign(buffer, new_array('numpy.empty', size, dtype)))
        return found

    def _block(self, body: Sequence[gast.stmt], steps: bool = False) -> list[gast.stmt]:
        """The statements of an iteration; `steps`: of one of its loops."""
        made: list[gast.stmt] = []
        segment: list[gast.stmt] = []
        for statement in body:
            if not blocks(statement) or _is_choice(statement):
                segment += [statement] if statement not in self.sizes else []
                continue
            made += self._together(segment, steps)
            segment = []
            match statement:
                case gast.For(iter=gast.Call(args=bounds), body=inner) if not any(set(names(b)) & self.varying for b in bounds):
                    made.append(build.like(statement, body=self._block(inner, steps=True)))
                case gast.While():
                    made += until_all_have_left(self, statement)
                case _:
                    raise Unfit
        return made + self._together(segment, steps)

    def _together(self, segment: Sequence[gast.stmt], steps: bool) -> list[gast.stmt]:
        """Statements for one example after the other."""
        if not segment:
            return []
        if steps and not all(map(self._lies_beside_others, _places(segment))):
            raise Unfit
        for statement in walk(segment):
            name = defined(statement)
            if name is not None and not isinstance(self.types.get(name), Scalar):
                raise Unfit
        needed = live_before(segment)
        kept = all_defined(segment) & self.live[segment[-1]]
        number = self.loop.target.id
        iteration = [self.assign(number, build.binary(self.start, gast.Add, self.lane))] if number in needed else []
        loads = [s for name in sorted(needed & self.own) for s in self.load(name, name)]
        stores = [s for name in sorted(kept & self.own) for s in self.store(name, name)]
        return [self.each([*iteration, *loads, *segment, *stores])]

    def type(self, name: str) -> Scalar:
        type_ = self.types.get(name)
        if not isinstance(type_, Scalar) or type_.dtype.name not in DTYPES:
            raise Unfit
        return type_

    def _lies_beside_others(self, place: gast.Subscript) -> bool:
        """Whether what an example reads or writes there is next to that of the next one, or the same."""
        *outer, last = entries_of(place.slice)
        own = isinstance(last, gast.Name) and last.id == self.loop.target.id
        return not self.varying & {n for entry in outer for n in names(entry)} and (own or not self.varying & set(names(last)))

    def load(self, name: str, into: str) -> list[gast.stmt]:
        place, before = self._place(name)
        return [*before, self.assign(into, place)]

    def store(self, name: str, value: str) -> list[gast.stmt]:
        place, before = self._place(name)
        return [*before, self.assign(place, build.name(value))]

    def _place(self, name: str) -> tuple[gast.Subscript, list[gast.stmt]]:
        """Where the name has its value; all of one dtype share one array, so that compilers tell places apart."""
        dtype = self.type(name).dtype
        if dtype not in self.buffers:
            self.buffers[dtype] = self.fresh('lanes', Array(dtype, (None,)))
        if name not in self.slots:
            self.slots[name] = sum(self.type(other).dtype == dtype for other in self.slots)
        if not self.slots[name]:
            return build.subscript(self.buffers[dtype], self.lane), []
        place = self.fresh('place', temporary=True)
        offset = build.binary(self.lane, gast.Add, build.constant(self.slots[name] * self.width))
        return build.subscript(self.buffers[dtype], place), [self.assign(place, offset)]

    def each(self, body: list[gast.stmt]) -> gast.stmt:
        return self.stamped(build.counted(self.lane, 0, self.count, 1, body))

    def fresh(self, base: str, type_: Type = INT, temporary: bool = False) -> str:
        return self.builder.fresh(base, type_, temporary).name

    def assign(self, target, value: gast.expr) -> gast.stmt:
        return self.stamped(build.assign(target, value))

    def stamped(self, statement: gast.stmt) -> gast.stmt:
        return build.stamp(statement, self.loop.origin, self.loop.role)


def _places(body: Sequence[gast.stmt]) -> Iterator[gast.Subscript]:
    for statement in walk(body):
        if not blocks(statement):
            yield from (p for p in parts(statement) if isinstance(p, gast.Subscript) and isinstance(p.value, gast.Name))


def _is_choice(statement: gast.stmt) -> bool:
    """An `if` with nothing but assignments in it."""
    plain = (gast.If, gast.Assign, gast.AugAssign)
    return isinstance(statement, gast.If) and all(isinstance(s, plain) for s in walk([statement]))


def _is_size(statement: gast.stmt) -> bool:
    """`n = x.size`, `n = x.shape[0]`."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Attribute(attr='size')):
            return True
        case gast.Assign(targets=[gast.Name()], value=gast.Subscript(value=gast.Attribute(attr='shape'))):
            return True
    return False
