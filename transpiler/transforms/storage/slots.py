"""Where the value of one iteration is kept: a place in an array for counted nests, a tape for others."""

from __future__ import annotations

import gast
import numpy as np

from transpiler.analyses.numeric.precision import perhaps_narrow, perhaps_wide
from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.query import defined, walk
from transpiler.transforms.storage.trip_counts import Block, Nest, Trips
from transpiler.transforms.sweeps.size_expressions import Measures
from transpiler.values.types import Array, Scalar, Tape, Type


class Slots:
    """Allocates before the outermost loop; saves and loads by the numbers of the iterations, or by push and pop."""

    def __init__(self, trips: Trips):
        self.trips, self.sweep, self.builder = trips, trips.sweep, trips.builder
        sweep = self.sweep
        types = sweep.core.types.values()
        self.measures = Measures(sweep)
        self.flags: dict[str, gast.stmt] = {}  # comparisons that the primal makes for the pullback
        self.mixed = any(getattr(t, 'dtype', None) is not None and t.dtype.kind in 'fc' and t.dtype != np.float64 for t in types)
        body, types = sweep.core.body, sweep.core.types
        self.inexact = perhaps_wide(body, types) | perhaps_narrow(body, types) if self.mixed else frozenset()

    def slot(self, name: str, nest: Nest) -> tuple[Block, Block]:
        """Where one value per iteration is kept: the statements that save and load it."""
        type_ = self.builder.types[name]
        origin = self.origin(name, nest)
        base = self.sweep.core.base(name).rstrip('_')
        with self.builder.at(origin, 'storage'):
            sizes = self._sizes(name, type_, nest)
            prelude = self.trips.preludes.setdefault(id(nest.loops[0]), [])
            places = None if sizes is None else self.trips.places(nest)
            if places is None:
                tape = self.builder.fresh(f'{base}_tape', Tape(type_), temporary=False)
                prelude.append(build.assign(tape.name, build.call('tape.new'), origin, 'storage'))
                kept, copies = self._lasting(name)
                push = build.effect(build.call('tape.push', tape.name, kept), origin, 'storage')
                return [*copies, push], [build.assign(name, build.call('tape.pop', tape.name), origin, 'storage')]
            extent = [*places.extent, *sizes]
            shape = build.expression(tuple(extent)) if len(extent) > 1 else extent[0]
            dims = (None,) * len(places.extent) + (type_.dims if isinstance(type_, Array) else ())
            kept = self.builder.fresh(f'{base}_at', Array(type_.dtype, dims), temporary=False)
            prelude.append(build.assign(kept.name, new_array('numpy.empty', shape, type_.dtype), origin, 'storage'))
            (save, first), (load, second) = places.forwards, places.backwards
            value = self._copied_from(name) or name
            return (
                [*save, build.assign(build.subscript(kept.name, first), value, origin, 'storage')],
                [*load, build.assign(name, build.subscript(kept.name, second), origin, 'storage')],
            )

    def _copied_from(self, name: str) -> str | None:
        """The array of which `name` is a copy made for the pullback: it can be copied into its place at once."""
        mutation = self.sweep.mutation
        for statement in (s for made in (*mutation.before.values(), *mutation.after.values()) for s in made):
            match statement:
                case gast.Assign(
                    targets=[gast.Name(id=copy)], value=gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=source)])
                ) if copy == name:
                    return source
        return None

    def _sizes(self, name: str, type_: Type, nest: Nest) -> list[gast.expr] | None:
        """The sizes of a value that is kept for each iteration, if they are known before the loops: then all go into one block.

        A block has one type. A value that may have another one in some iterations goes on a list, which gives it back as it was.
        """
        if name in self.inexact:
            return None
        if isinstance(type_, Scalar):
            return None if type_.weak and self.mixed else []
        if not isinstance(type_, Array) or type_.dims is None:
            return None
        if not self.measures.at_hand(type_):
            return None
        with self.builder.nested() as block:
            sizes = [self.sweep.ev.operand(size)[0] for size in self.measures.shape(type_)]
        self.trips.preludes.setdefault(id(nest.loops[0]), []).extend(block)
        return sizes

    def _lasting(self, name: str) -> tuple[str, Block]:
        """The name of a value that stays as it is while it lies on a list: a copy, if later iterations, or callers, write it."""
        mutation, type_ = self.sweep.mutation, self.builder.types[name]
        later = mutation.memory.written - mutation.rewind.made_in_loops
        changing = mutation.memory.of(name) & (later | mutation.rewind.of_caller)
        if not changing or mutation.rewind.runs_back(changing):
            return name, []
        copy = self.builder.fresh(self.sweep.core.base(name), type_, temporary=True).name
        return copy, [build.assign(copy, build.call('numpy.copy', name), self.builder.origin, 'storage')]

    def origin(self, name: str, nest: Nest):
        if name in self.flags:
            return self.flags[name].origin
        found = [s.origin for s in walk(nest.loops[-1:]) if defined(s) == name and s.origin]
        return found[0] if found else nest.loops[-1].origin
