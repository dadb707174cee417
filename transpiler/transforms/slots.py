"""Where the value of one turn is kept: a place in an array for counted nests, a tape for others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.query import all_defined, defined, names, walk, without_exit
from transpiler.specialize.bindings import Known, Var
from transpiler.transforms.recompute import Recompute
from transpiler.transforms.sweep import Sweep
from transpiler.values.types import Array, Scalar, Tape

Block = list[gast.stmt]
MODERATE = 10_000  # turns


@dataclass(frozen=True)
class Nest:
    """The loops around a place, outermost first, and the values of a turn that a reversed turn has at hand, under which names."""

    loops: tuple[gast.stmt, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def at_hand(self) -> frozenset[str]:
        return frozenset(self.renamed)

    @property
    def inside(self) -> set[str]:
        """The names whose values belong to one turn of the outermost loop."""
        return all_defined(self.loops[:1])


class Slots:
    """Allocates before the outermost loop; saves and loads by the numbers of the turns, or by push and pop."""

    def __init__(self, sweep: Sweep, again: Recompute):
        self.sweep, self.builder, self.again = sweep, sweep.run.builder, again
        self.preludes: dict[int, Block] = {}
        types = sweep.core.types.values()
        self.mixed = any(getattr(t, 'dtype', None) is not None and t.dtype.kind in 'fc' and t.dtype != np.float64 for t in types)

    def _slot(self, name: str, nest: Nest) -> tuple[Block, Block]:
        """Where one value per turn is kept: the statements that save and load it."""
        type_ = self.builder.types[name]
        trips = self._trips(nest) if isinstance(type_, Scalar) and not (type_.weak and self.mixed) else None
        prelude = self.preludes.setdefault(id(nest.loops[0]), [])
        origin = self._origin(name, nest)
        base = self.sweep.core.base(name)
        with self.builder.at(origin, 'storage'):
            if trips is None:
                tape = self.builder.fresh(f'{base}_tape', Tape(type_), temporary=False)
                prelude.append(build.assign(tape.name, build.call('tape.new'), origin, 'storage'))
                kept, copies = self._lasting(name)
                push = build.effect(build.call('tape.push', tape.name, kept), origin, 'storage')
                return [*copies, push], [build.assign(name, build.call('tape.pop', tape.name), origin, 'storage')]
            shape = build.expression(tuple(trips)) if len(trips) > 1 else trips[0]
            dtype = None if type_.dtype == np.float64 else build.name(f'numpy.{type_.dtype.name}')
            kept = self.builder.fresh(f'{base}_at', Array(type_.dtype, (None,) * len(trips)), temporary=False)
            prelude.append(build.assign(kept.name, build.call('numpy.empty', shape, dtype=dtype), origin, 'storage'))
            (save, first), (load, second) = self._index(nest), self._index(nest)
            return (
                [*save, build.assign(build.subscript(kept.name, first), name, origin, 'storage')],
                [*load, build.assign(name, build.subscript(kept.name, second), origin, 'storage')],
            )

    def _lasting(self, name: str) -> tuple[str, Block]:
        """The name of a value that stays as it is while it lies on a list: a copy, if later turns, or callers, write it."""
        mutation, type_ = self.sweep.mutation, self.builder.types[name]
        later = mutation.memory.written - mutation.rewind.made_in_loops
        changing = mutation.memory.of(name) & (later | mutation.rewind.of_caller)
        if not changing or mutation.rewind.runs_back(changing):
            return name, []
        copy = self.builder.fresh(self.sweep.core.base(name), type_, temporary=True).name
        return copy, [build.assign(copy, build.call('numpy.copy', name), self.builder.origin, 'storage')]

    def _origin(self, name: str, nest: Nest):
        found = [s.origin for s in walk(nest.loops[-1:]) if defined(s) == name and s.origin]
        return found[0] if found else nest.loops[-1].origin

    def _index(self, nest: Nest) -> tuple[Block, gast.expr]:
        """The number of the turn, from the loop variables, and the statements that compute it."""
        run = self.sweep.run
        with self.builder.nested() as block:
            turns = []
            for loop in nest.loops:
                start, _, step = (self.sweep.binding(a) for a in loop.iter.args)
                index = Var(loop.target.id, self.builder.types[loop.target.id])
                if start != Known(0):
                    index = run.binary(gast.Sub, index, start)
                if step == Known(-1):
                    index = run.unary(gast.USub, index)
                elif step != Known(1):
                    index = run.binary(gast.FloorDiv, index, step)
                turns.append(run.operand(index)[0])
        return block, turns[0] if len(turns) == 1 else build.expression(tuple(turns))

    def _trips(self, nest: Nest) -> list[gast.expr] | None:
        """The trip count of every loop of the nest, computed before it; None if one is not known there."""
        counts = []
        for loop in nest.loops:
            if not isinstance(loop, gast.For):
                return None
            atoms = [self._outside(a, nest) for a in loop.iter.args]
            if any(a is None for a in atoms) or without_exit(loop.body)[1] is not None and not self._is_moderate(atoms):
                return None
            counts.append(self._count_of(atoms, nest))
        return counts

    def _is_moderate(self, atoms: list[gast.expr]) -> bool:
        """Whether so many places may be set aside for a loop that is perhaps left early."""
        if all(isinstance(a, gast.Constant) for a in atoms):
            return len(range(*(a.value for a in atoms))) <= MODERATE
        return any(getattr(self.builder.types.get(getattr(a, 'id', '')), 'size', None) is not None for a in atoms[:2])

    def _count_of(self, atoms: list[gast.expr], nest: Nest) -> gast.expr:
        start, stop, step = atoms
        plain = all(isinstance(a, gast.Constant) for a in (start, step)) and (start.value, step.value) == (0, 1)
        if all(isinstance(a, gast.Constant) for a in atoms):
            return build.constant(len(range(start.value, stop.value, step.value)))
        size = getattr(self.builder.types.get(getattr(stop, 'id', '')), 'size', None)
        if plain and size is not None and len(size.terms) == 1 and size.constant >= 0 and size.terms[0][1] > 0:
            return stop
        length = self.builder.fresh(
            'trips', self.builder.types.get(getattr(stop, 'id', ''), Scalar(np.dtype(np.int64), True)), temporary=True
        )
        counted = build.assign(
            length.name, build.call('python.len', build.call('range', *atoms)), nest.loops[0].origin, 'storage'
        )
        self.preludes.setdefault(id(nest.loops[0]), []).append(counted)
        return build.name(length.name)

    def _outside(self, atom: gast.expr, nest: Nest) -> gast.expr | None:
        """A bound as it is before the outermost loop: itself, or computed there again from what does not change."""
        if not isinstance(atom, gast.Name) or atom.id not in nest.inside:
            return atom
        found = [s for s in walk(nest.loops[:1]) if defined(s) == atom.id]
        if len(found) != 1 or not isinstance(found[0], gast.Assign) or not self.again.is_cheap(found[0]):
            return None
        sources = {name: self._outside(build.name(name), nest) for name in names(found[0].value)}
        if any(s is None for s in sources.values()):
            return None
        again = self.builder.fresh(self.sweep.core.base(atom.id), self.builder.types[atom.id], temporary=True)
        value = _replaced(found[0].value, sources)
        self.preludes.setdefault(id(nest.loops[0]), []).append(build.assign(again.name, value, found[0].origin, 'storage'))
        return build.name(again.name)


def _replaced(node, values: dict[str, gast.expr]):
    if isinstance(node, gast.Name):
        return values.get(node.id, node)
    if isinstance(node, list):
        return [_replaced(part, values) for part in node]
    if isinstance(node, gast.expr):
        return build.like(node, **{f: _replaced(v, values) for f, v in gast.iter_fields(node)})
    return node
