"""Functions that take long, in loops whose iterations wait for each other: computed ahead for many of these, in vectors."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.analyses.dataflow.liveness import live_after, live_before
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.bailout import Quiet, never
from transpiler.analyses.memory.effects import is_pure, may_raise
from transpiler.analyses.polyhedral.bounds import Access, Bounds
from transpiler.analyses.polyhedral.ordered_sums import Reorders, may_reorder
from transpiler.core.builder import Builder
from transpiler.core.indices import entries_of, integer
from transpiler.core.language import Core
from transpiler.core.query import all_defined, changed_by, defined, names, reads, walk
from transpiler.lower.fusion.pointwise import takes_long
from transpiler.lower.loops.invariants import rebuilt
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.lower.vectorize.fission_strip import Strip
from transpiler.lower.vectorize.lanes import DTYPES, LANES
from transpiler.passes import remark, rewrite
from transpiler.values.types import Array, Scalar


@rewrite('functions ahead')
def compute_ahead(core: Core, quiet: Quiet = never, may_reorder: Reorders = may_reorder, target: Target = CPU) -> Core:
    """In an innermost loop whose iterations wait for each other, compute what waits for none in a loop of its own, by strips.

    That is done where such functions as exp are called, which vectors of numbers make several times as fast.
    quiet: whether the program may still give up before a loop

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT
    >>> types = dict(s=FLOAT, a=FLOAT, e=FLOAT, p=FLOAT, i=INT, n=INT)
    >>> show(compute_ahead, '''
    ... s = 0.0
    ... for i in range(n):
    ...     a = 0.1 * i
    ...     e = np.exp(a)
    ...     p = s * e
    ...     s = p + 1.0
    ... return s''', params='n', types=types)
    s = 0.0
    e_ahead = np.empty(64)
    for start in range(0, n, 64):
        left = n - start
        count = np.minimum(64, left)
        for turn in range(count):
            i_1 = start + turn
            a_1 = 0.1 * i_1
            e_1 = np.exp(a_1)
            e_ahead[turn] = e_1
        for turn in range(count):
            i = start + turn
            e = e_ahead[turn]
            p = s * e
            s = p + 1.0
    return s
    """
    computing = _Computing(core, quiet, may_reorder, target)
    made = rebuilt(core, computing.loop, computing.builder.types)
    return made.with_body(made.body, hints=dict(computing.builder.hints)) if computing.made else core


class _Computing:
    def __init__(self, core: Core, quiet: Quiet, may_reorder: Reorders, target: Target):
        self.core, self.quiet, self.memory, self.live = core, quiet, memory(core), live_after(core)
        self.may_reorder, self.target = may_reorder, target
        self.builder = Builder.of(core)
        self.made: set[int] = set()  # loops

    @cached_property
    def bounds(self) -> Bounds:
        return Bounds(self.core)

    def loop(self, loop: gast.For) -> list[gast.stmt]:
        if id(loop) in self.made or not self._is_innermost(loop) or not any(map(self._takes_long, loop.body)):
            return [loop]
        early = self._early(loop)
        wanted = list(filter(self._takes_long, early))
        if not wanted or self.may_reorder(self.core, self.memory, loop, self.live[loop]):
            return [loop]
        later = _with_users(wanted, early)  # computed ahead only; what they need as well may be computed twice
        iterations = [s for s in loop.body if s not in early]
        needed = {name for s in walk(iterations) for name in reads(s)} | self.live[loop]
        handed = [s for s in later if defined(s) in needed]
        own = _with_sources([s for s in early if s not in later and defined(s) in needed], early)
        rest = [s for s in loop.body if s in iterations or s in own]
        remark(f'functions in `for {self.core.base(loop.target.id)} in ...` are computed ahead, {LANES} iterations at a time')
        made, loops = Strip(self.builder, loop).write(_with_sources(later, early), handed, rest)
        self.made |= set(map(id, loops))
        return made

    def _takes_long(self, statement: gast.stmt) -> bool:
        return takes_long(statement, self.core.types, self.target)

    def _is_innermost(self, loop: gast.For) -> bool:
        """Whether it has no loop in it, is left only at its end, and runs through a range that may be long and stays the same."""
        start, stop, step = map(integer, loop.iter.args)
        plain = not any(isinstance(s, (gast.For, gast.While, gast.Break)) for s in walk(loop.body))
        steady = all_defined(loop.body).isdisjoint([loop.target.id, *(name for bound in loop.iter.args for name in names(bound))])
        short = None not in (start, stop) and abs(stop - start) < LANES
        return plain and steady and step in (1, -1) and not short

    def _early(self, loop: gast.For) -> list[gast.stmt]:
        """The statements that depend on nothing that the loop changes, and that nobody sees done too soon."""
        inside, times = all_defined(loop.body), counts(loop.body)
        carried = live_before(loop.body)
        changed = {name for s in walk(loop.body) for name in changed_by(s)}
        found: list[gast.stmt] = []
        known = {loop.target.id}
        for statement in loop.body:
            name = defined(statement)
            if name is None or times[name] != 1 or name in carried or not self._is_number(name):
                continue
            if (reads(statement) & inside) <= known and self._is_harmless(statement, loop, changed):
                found.append(statement)
                known.add(name)
        return found

    def _is_number(self, name: str) -> bool:
        type_ = self.core.types.get(name)
        return isinstance(type_, Scalar) and type_.dtype.name in DTYPES

    def _is_harmless(self, statement: gast.stmt, loop: gast.For, changed: Iterable[str]) -> bool:
        match statement:
            case gast.Assign(targets=[gast.Name()], value=gast.Subscript(value=gast.Name(id=array), slice=index)):
                steady = isinstance(self.core.types.get(array), Array) and array not in all_defined(loop.body)
                steady = steady and not any(self.memory.may_alias(array, other) for other in changed)
                return steady and self._is_there(statement, array, entries_of(index), loop)
            case gast.Assign(targets=[gast.Name()], value=value):
                return is_pure(value) and not may_raise(value, self.core.types)
        return False

    def _is_there(self, statement: gast.stmt, array: str, entries: list[gast.expr], loop: gast.For) -> bool:
        """Whether the element is there in every iteration; if that must be asked, whether the program may still give up."""
        at = next(p for p in self.bounds.affine.positions.all if p.statement is statement)
        for axis, entry in enumerate(entries):
            dangers = self.bounds.dangers(Access(array, axis, entry, at))
            if dangers is None or dangers and not self.quiet(loop):
                return False
        return True


def _with_users(wanted: list[gast.stmt], early: list[gast.stmt]) -> list[gast.stmt]:
    """Those statements, and all that use what they give."""
    names, found = set(), []
    for statement in early:
        if statement in wanted or reads(statement) & names:
            found.append(statement)
            names.add(defined(statement))
    return found


def _with_sources(wanted: list[gast.stmt], early: list[gast.stmt]) -> list[gast.stmt]:
    """Those statements, and all that give what they use."""
    needed, found = set(), []
    for statement in reversed(early):
        if statement in wanted or defined(statement) in needed:
            found.append(statement)
            needed |= reads(statement)
    return found[::-1]
