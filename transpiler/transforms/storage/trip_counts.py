"""Trip counts of the loops of a nest, as far as known before it, and the place where an iteration finds what it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import gast
import numpy as np

from transpiler.analyses.memory.effects import may_raise
from transpiler.core import build
from transpiler.core.query import all_defined, defined, names, walk, without_exit
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.storage.rematerialization import Recompute
from transpiler.values.types import INT, Scalar

Block = list[gast.stmt]
MODERATE = 10_000  # iterations


@dataclass(frozen=True)
class Nest:
    """The loops around a place, outermost first, and the values that a reversed iteration has at hand, under which names."""

    loops: tuple[gast.stmt, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def at_hand(self) -> frozenset[str]:
        return frozenset(self.renamed)

    @property
    def inside(self) -> set[str]:
        """The names whose values belong to one iteration of the outermost loop."""
        return all_defined(self.loops[:1])


@dataclass(frozen=True)
class Places:
    """The places for the iterations of a nest: how many along each axis, and which one is at hand in either sweep."""

    extent: Sequence[gast.expr]
    forwards: tuple[Block, gast.expr]
    backwards: tuple[Block, gast.expr]


class Trips:
    """Numbers the iterations of a nest.

    Where every loop has as many iterations in each iteration of those around it, an iteration has a number for each loop.
    Otherwise all iterations of the innermost loop are numbered one after the other: `first` is the number of those before its
    first iteration.
    """

    def __init__(self, sweep: Sweep, again: Recompute):
        self.sweep, self.builder, self.again = sweep, sweep.ev.builder, again
        self.preludes: dict[int, Block] = {}
        self.totals: dict[int, gast.expr | None] = {}
        self.running: dict[int, tuple[str, str, str]] = {}  # by loop: first number, trip count, start of the reversed one

    def places(self, nest: Nest) -> Places | None:
        """Where the iterations of a nest find their places; None if before the nest nobody knows how many there are."""
        with self.builder.nested() as block:
            trips = self._trips(nest)
        if trips is not None:
            self.preludes.setdefault(id(nest.loops[0]), []).extend(block)
            return Places(trips, self._numbers(nest), self._numbers(nest))
        total, inner = self._total(nest), nest.loops[-1]
        if total is None:
            return None
        first, _, start = self.running[id(inner)]
        return Places([total], self._running_number(inner, first), self._running_number(inner, first, Var(start, INT)))

    def around_loop(self, loop: gast.stmt, backwards: gast.stmt) -> tuple[Block, Block]:
        """What follows a loop, and what goes before the reversed one, for the numbers of its iterations."""
        if id(loop) not in self.running:
            return [], []
        first, iterations, start = self.running.pop(id(loop))
        origin = loop.origin
        ahead = build.assign(first, build.binary(first, gast.Add, iterations), origin, 'storage')
        _, stop, step = backwards.iter.args
        with self.builder.at(origin, 'storage'), self.builder.nested() as behind:
            count = self.builder.define('trips', build.call('python.len', backwards.iter), INT)
            self.builder.assign(first, build.binary(first, gast.Sub, count.name))
            self.builder.assign(start, build.binary(stop, gast.Sub, step))
        return [ahead], behind

    def _numbers(self, nest: Nest) -> tuple[Block, gast.expr]:
        """The number of the iteration of every loop."""
        with self.builder.nested() as block:
            numbers = (self._number(loop, self.sweep.binding(loop.iter.args[0])) for loop in nest.loops)
            iterations = [self.sweep.ev.operand(number)[0] for number in numbers]
        return block, iterations[0] if len(iterations) == 1 else build.expression(tuple(iterations))

    def _running_number(self, loop: gast.For, first: str, start: Var | None = None) -> tuple[Block, gast.expr]:
        ev = self.sweep.ev
        given = self.sweep.binding(loop.iter.args[0])
        with self.builder.nested() as block:
            number = self._number(loop, given if isinstance(given, Known) or start is None else start)
            total = build.binary(first, gast.Add, ev.operand(number)[0])
            place = self.builder.define('place', total, INT, temporary=False).name
        return block, build.name(place)

    def _number(self, loop: gast.For, start: Binding) -> Binding:
        """How many iterations of a loop there were before the one at hand."""
        ev, step = self.sweep.ev, self.sweep.binding(loop.iter.args[2])
        number = Var(loop.target.id, self.builder.types[loop.target.id])
        if start != Known(0):
            number = ev.binary(gast.Sub, number, start)
        if step == Known(-1):
            return ev.unary(gast.USub, number)
        return number if step == Known(1) else ev.binary(gast.FloorDiv, number, step)

    def _trips(self, nest: Nest) -> list[gast.expr] | None:
        """The trip count of every loop of the nest, computed before it; None if one is not known there."""
        counts = []
        for loop in nest.loops:
            if not isinstance(loop, gast.For):
                return None
            atoms = [self._again(a, nest, {}) for a in loop.iter.args]
            if any(a is None for a in atoms) or without_exit(loop.body)[1] is not None and not self._is_moderate(atoms):
                return None
            counts.append(self._count_of(atoms, nest))
        return counts

    def _is_moderate(self, atoms: list[gast.expr]) -> bool:
        """Whether so many places may be set aside for a loop that is perhaps left early."""
        if all(isinstance(a, gast.Constant) for a in atoms):
            return len(range(*(a.value for a in atoms))) <= MODERATE
        sizes = [getattr(self.builder.types.get(getattr(a, 'id', '')), 'size', None) for a in atoms[:2]]
        return any(size is not None and not size.is_found for size in sizes)

    def _count_of(self, atoms: list[gast.expr], nest: Nest) -> gast.expr:
        start, stop, step = atoms
        plain = all(isinstance(a, gast.Constant) for a in (start, step)) and (start.value, step.value) == (0, 1)
        if all(isinstance(a, gast.Constant) for a in atoms):
            return build.constant(len(range(start.value, stop.value, step.value)))
        size = getattr(self.builder.types.get(getattr(stop, 'id', '')), 'size', None)
        if plain and size is not None and size.is_at_least(0):
            return stop
        type_ = self.builder.types.get(getattr(stop, 'id', ''), Scalar(np.dtype(np.int64), True))
        length = self.builder.fresh('trips', type_, temporary=True)
        counted = build.assign(
            length.name, build.call('python.len', build.call('range', *atoms)), nest.loops[0].origin, 'storage'
        )
        self.builder.append(counted)
        return build.name(length.name)

    def _total(self, nest: Nest) -> gast.expr | None:
        """How many iterations the innermost loop has in all; None if that is not known before the nest."""
        inner = nest.loops[-1]
        if id(inner) not in self.totals:
            counted = all(isinstance(s, gast.For) and without_exit(s.body)[1] is None for s in nest.loops)
            with self.builder.nested() as block:
                self.totals[id(inner)] = self._sum(nest, 0, {}) if counted and len(nest.loops) > 1 else None
            if self.totals[id(inner)] is not None:
                self._number_iterations(nest, block)
        return self.totals[id(inner)]

    def _number_iterations(self, nest: Nest, counting: Block) -> None:
        inner, origin = nest.loops[-1], nest.loops[-1].origin
        first, iterations, start = (self.builder.fresh(base, INT, base != 'first').name for base in ('first', 'trips', 'start'))
        self.running[id(inner)] = first, iterations, start
        self.preludes.setdefault(id(nest.loops[0]), []).extend([*counting, build.assign(first, 0, origin, 'storage')])
        count = build.assign(iterations, build.call('python.len', inner.iter), origin, 'storage')
        self.preludes.setdefault(id(inner), []).append(count)

    def _sum(self, nest: Nest, depth: int, known: Mapping[str, str]) -> gast.expr | None:
        """The iterations of the innermost loop in one of each of the first `depth` loops, of which some variables are `known`."""
        loop, block = nest.loops[depth], self.builder.block
        bounds = [self._again(a, nest, known) for a in loop.iter.args]
        if None in bounds:
            return None
        if depth + 1 == len(nest.loops):
            return self._define(build.call('python.len', build.call('range', *bounds)))
        with self.builder.nested() as once:
            inner = self._sum(nest, depth + 1, known)
        if inner is not None:
            block.extend(once)
            own = self._define(build.call('python.len', build.call('range', *bounds)))
            return self._define(build.binary(own, gast.Mult, inner))
        total = self.builder.fresh('places', INT).name
        target = self.builder.fresh(self.sweep.core.base(loop.target.id), INT).name
        with self.builder.nested() as body:
            inner = self._sum(nest, depth + 1, {**known, loop.target.id: target})
            if inner is None:
                return None
            self.builder.assign(total, build.binary(total, gast.Add, inner))
        block.append(build.assign(total, 0, loop.origin, 'storage'))
        block.append(build.counted(target, *bounds, body, loop.origin, 'storage'))
        return build.name(total)

    def _define(self, value: gast.expr) -> gast.expr:
        return build.name(self.builder.define('trips', value, INT).name)

    def _again(self, atom: gast.expr, nest: Nest, known: Mapping[str, str]) -> gast.expr | None:
        """A bound, computed before the nest from what does not change in it and from the `known` variables of its loops."""
        if not isinstance(atom, gast.Name) or atom.id not in nest.inside:
            return atom
        if atom.id in known:
            return build.name(known[atom.id])
        found = [s for s in walk(nest.loops[:1]) if defined(s) == atom.id]
        if len(found) != 1 or not isinstance(found[0], gast.Assign) or not self._gives_the_same(found[0], nest, known):
            return None
        sources = {name: self._again(build.name(name), nest, known) for name in names(found[0].value)}
        if any(s is None for s in sources.values()):
            return None
        value = _replaced(found[0].value, sources)
        again = self.builder.fresh(self.sweep.core.base(atom.id), self.builder.types[atom.id], temporary=True)
        self.builder.append(build.assign(again.name, value, found[0].origin, 'storage'))
        return build.name(again.name)

    def _gives_the_same(self, statement: gast.Assign, nest: Nest, known: Mapping[str, str]) -> bool:
        """Whether a statement may be run before the nest as well; if it may raise, only for an iteration that will run it."""
        changed = self.again.read(statement) & self.again.mutation.roots_written(nest.loops[:1])
        if changed or not self.again.is_cheap(statement):
            return False
        turning = [loop for loop in nest.loops if isinstance(loop, gast.For) and loop.target.id in known]
        surely = any(s is statement for loop in turning for s in loop.body)
        return surely or not may_raise(statement.value, self.builder.types)


def _replaced(node, values: dict[str, gast.expr]):
    if isinstance(node, gast.Name):
        return values.get(node.id, node)
    if isinstance(node, list):
        return [_replaced(part, values) for part in node]
    if isinstance(node, gast.expr):
        return build.like(node, **{f: _replaced(v, values) for f, v in gast.iter_fields(node)})
    return node
