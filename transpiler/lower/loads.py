"""Elements that a loop reads in every turn, and nobody writes meanwhile, are read before it."""

from __future__ import annotations

from functools import cached_property

import gast

from transpiler.analyses.aliases import memory
from transpiler.analyses.bounds import Access, Bounds
from transpiler.analyses.definitions import counts
from transpiler.analyses.inequalities import impossible
from transpiler.analyses.positions import Position
from transpiler.core import build
from transpiler.core.indices import dots_spelled_out, entries_of, integer
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, changed_by, names, parts, walk, written
from transpiler.core.text import same_place
from transpiler.lower.loops import rebuilt
from transpiler.passes import rewrite
from transpiler.values.types import Array, Scalar


@rewrite('reads before loops')
def read_before_loops(core: Core) -> Core:
    """Read `y[i]` before a loop that writes other elements of `y` only, so that compilers may vectorise it.

    >>> from transpiler.passes import show
    >>> from transpiler.values.dims import Dim
    >>> from transpiler.values.types import FLOAT, INT
    >>> import numpy as np
    >>> array = Array(np.dtype(float), (Dim.symbol('n'),))
    >>> show(read_before_loops, '''
    ... y[i] = 2.0
    ... for j in range(i):
    ...     v = y[i]
    ...     y[j] += v
    ... return y''', params='yi', types={'y': array, 'v': FLOAT, 'i': INT, 'j': INT})
    y[i] = 2.0
    v = y[i]
    for j in range(i):
        y[j] += v
    return y
    """
    reading = _Reading(core)
    return rebuilt(core, reading.loop, core.types)


class _Reading:
    def __init__(self, core: Core):
        self.core, self.memory, self.times = core, memory(core), counts(core.body)

    @cached_property
    def bounds(self) -> Bounds:
        return Bounds(self.core)

    @cached_property
    def positions(self) -> dict[int, Position]:
        return {id(at.statement): at for at in self.bounds.affine.positions.all}

    def loop(self, loop: gast.For) -> list[gast.stmt]:
        inside = {loop.target.id} | all_defined(loop.body)
        before = [s for s in loop.body if self._is_read(s, inside) and self._may_be_before(s, loop)]
        if not before:
            return [loop]
        moved = {id(s) for s in before}
        return [*before, build.like(loop, body=[s for s in loop.body if id(s) not in moved])]

    def _is_read(self, statement: gast.stmt, inside: set[str]) -> bool:
        """Whether it gives a name of its own to the same element in every turn."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript(value=gast.Name(id=array), slice=index)):
                kinds = isinstance(self.core.types.get(name), Scalar) and isinstance(self.core.types.get(array), Array)
                kinds = kinds and all(map(self._is_number, entries_of(index)))
                return kinds and self.times[name] == 1 and array not in inside and not inside & set(names(index))
        return False

    def _may_be_before(self, read: gast.Assign, loop: gast.For) -> bool:
        array = read.value.value.id
        writes = [s for s in walk(loop.body) if any(self.memory.may_alias(name, array) for name in changed_by(s))]
        if not writes or not all(written(s) == array for s in writes):
            return False
        return all(self._are_apart(read, s) for s in writes) and self._is_there(read.value, loop)

    def _are_apart(self, read: gast.Assign, write: gast.stmt) -> bool:
        """Whether the element that is written is certainly another one."""
        place = write.target if isinstance(write, gast.AugAssign) else write.targets[0]
        here, there = self.positions[id(read)], self.positions[id(write)]
        affine, entries = self.bounds.affine, entries_of(read.value.slice)
        others = dots_spelled_out(entries_of(place.slice), len(entries))
        if not all(isinstance(other, gast.Slice) or self._is_number(other) for other in others):
            return False
        for entry, other in zip(entries, others, strict=True):
            forms = affine.form(entry, here), affine.form(other, there)
            if None in forms:
                continue
            domain = affine.domain(there)
            known = [*domain, *affine.known([*domain, *forms])]
            if all(impossible([], [*known, -form - 1]) for form in forms) and impossible([forms[0] - forms[1]], known):
                return True
        return False

    def _is_number(self, entry: gast.expr) -> bool:
        type_ = self.core.types.get(entry.id) if isinstance(entry, gast.Name) else None
        return integer(entry) is not None or isinstance(type_, Scalar) and type_.dtype.kind in 'iu'

    def _is_there(self, element: gast.Subscript, loop: gast.For) -> bool:
        """Whether the element can be read before the loop, even if that has no turn: it is in range, or was used just before."""
        at = self.positions[id(loop)]
        entries = entries_of(element.slice)
        if all(self.bounds.dangers(Access(element.value.id, axis, entry, at)) == [] for axis, entry in enumerate(entries)):
            return True
        fixed = {element.value.id, *names(element.slice)}
        beside = [p.statement for p in self.bounds.affine.positions.all if p.number < at.number and p.around == at.around]
        for statement in reversed(beside):
            if fixed & all_defined([statement]):
                return False
            if not blocks(statement) and any(isinstance(p, gast.Subscript) and same_place(p, element) for p in parts(statement)):
                return True
        return False
