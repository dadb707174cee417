"""Elements that a loop reads in every iteration, and nobody writes meanwhile, are read before it."""

from __future__ import annotations

from functools import cached_property

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.bailout import Quiet, never
from transpiler.analyses.memory.effects import is_pure, may_raise
from transpiler.analyses.polyhedral.bounds import Access, Bounds
from transpiler.analyses.polyhedral.distinct_elements import are_apart, is_number
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.indices import entries_of, has_iterations
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, changed_by, defined, names, parts, place_written, reads, walk, written
from transpiler.core.text import same_place
from transpiler.lower.loops.invariants import any_iterations, rebuilt
from transpiler.passes import rewrite
from transpiler.values.types import Array, Scalar


@rewrite('reads before loops')
def read_before_loops(core: Core, quiet: Quiet = never) -> Core:
    """Read `y[i]` before a loop that writes other arrays, or other elements of `y` only, so that compilers may vectorise it.

    Compilers cannot tell which arrays share memory. LLVM's vectoriser even takes minutes over formulas of what may stay as it is.
    quiet: whether the program may still give up before a loop

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
    reading = _Reading(core, quiet)
    return rebuilt(core, reading.loop, reading.builder.types, reading.builder.hints)


class _Reading:
    def __init__(self, core: Core, quiet: Quiet):
        self.core, self.quiet, self.memory, self.times = core, quiet, memory(core), counts(core.body)
        self.builder = Builder.of(core)

    @cached_property
    def bounds(self) -> Bounds:
        return Bounds(self.core)

    def loop(self, loop: gast.For) -> list[gast.stmt]:
        inside = {loop.target.id} | all_defined(loop.body)
        numbers: dict[str, gast.stmt] = {}  # of the loop, the same in every iteration, that indices are made of
        before: list[gast.stmt] = []
        early = True
        for statement in loop.body:
            name = defined(statement)
            steady = name is not None and self.times[name] == 1 and inside.difference(numbers).isdisjoint(reads(statement))
            if steady and _is_sum(statement) and is_number(build.name(name), self.core.types):
                numbers[name] = statement
            elif steady and self._is_read(statement, inside) and self._stays(statement, loop):
                if made := self._read(statement, loop, early or self.quiet(loop)):
                    before += [*(s for s in numbers.values() if s not in before), *made]
            early = early and self._only_computes(statement)
        moved = {id(s) for first in before for s in walk([first])}
        return [*before, build.like(loop, body=[s for s in loop.body if id(s) not in moved])] if before else [loop]

    def _only_computes(self, statement: gast.stmt) -> bool:
        """Whether it has no effect, and raises nothing but what a read of an element does."""
        match statement:
            case gast.Assign(targets=[gast.Name()], value=gast.Subscript()):
                return True
            case gast.Assign(targets=[gast.Name()], value=value):
                return is_pure(value) and not may_raise(value, self.core.types)
        return False

    def _read(self, statement: gast.Assign, loop: gast.For, early: bool) -> list[gast.stmt]:
        """The statement as it may stand before the loop, nothing if it may not; `early`: nobody sees that it raises too soon."""
        if self._is_there(statement.value, loop) or early and has_iterations(loop):
            return [statement]
        if not early or self.core.types[statement.targets[0].id].dtype.kind != 'f':  # integers are indices
            return []
        nothing = build.assign(statement.targets[0].id, 0.0, statement.origin, statement.role)
        some, turned = any_iterations(loop, self.builder)
        return [nothing, some, build.branch(turned, [statement], (), statement.origin, statement.role)]

    def _is_read(self, statement: gast.stmt, inside: set[str]) -> bool:
        """Whether it gives a name to an element of an array that the loop does not make."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript(value=gast.Name(id=array), slice=index)):
                kinds = isinstance(self.core.types.get(name), Scalar) and isinstance(self.core.types.get(array), Array)
                return kinds and array not in inside and all(is_number(entry, self.core.types) for entry in entries_of(index))
        return False

    def _stays(self, read: gast.Assign, loop: gast.For) -> bool:
        """Whether the loop writes, but not what is read."""
        changed = [(s, name) for s in walk(loop.body) for name in changed_by(s)]
        writes = [(s, name) for s, name in changed if self.memory.may_alias(name, read.value.value.id)]
        own = all(written(s) == name == read.value.value.id for s, name in writes)
        return bool(changed) and own and all(self._are_apart(read, s) for s, _ in writes)

    def _are_apart(self, read: gast.Assign, write: gast.stmt) -> bool:
        return are_apart((read.value, read), (place_written(write), write), self.bounds.affine)

    def _is_there(self, element: gast.Subscript, loop: gast.For) -> bool:
        """Whether the element can be read before the loop, even if that has no iteration: it is in range, or was just used."""
        positions = self.bounds.affine.positions
        at = positions.only(loop)
        if at is None:
            return False
        entries = entries_of(element.slice)
        if all(self.bounds.dangers(Access(element.value.id, axis, entry, at)) == [] for axis, entry in enumerate(entries)):
            return True
        fixed = {element.value.id, *names(element.slice)}
        beside = [p.statement for p in positions.all if p.number < at.number and p.around == at.around]
        for statement in reversed(beside):
            if fixed & all_defined([statement]):
                return False
            if not blocks(statement) and any(isinstance(p, gast.Subscript) and same_place(p, element) for p in parts(statement)):
                return True
        return False


def _is_sum(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(value=gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult())):
            return True
    return False
