"""Which loads read memory that is never written again: the pullback can read it there, and nothing need be saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import gast

from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.dataflow.positions import Position
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import is_pure
from transpiler.analyses.polyhedral.access_regions import Constraints, Region, Regions
from transpiler.analyses.polyhedral.affine import Affine
from transpiler.analyses.polyhedral.inequalities import impossible
from transpiler.core.language import Core
from transpiler.core.query import call_of, changed_by, defined, names, written
from transpiler.values.dims import Dim

_HARMLESS = ('tape.', 'python.print')  # effects that write no array


class Dependence:
    """Later writes against loads: by linear constraints on the iterations of loops and on positions, over the integers.

    Answers True only if it is proved; branches are taken to go either way. Names may have been given other arrays since:
    it is the memory that is as it was.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT
    >>> core = parse('''
    ... for i in range(1, n):
    ...     k = i - 1
    ...     before = x[k]
    ...     here = x[i]
    ...     x[i] = before
    ... return x''', types={'k': INT})
    >>> found, body = Dependence(core), core.body[0].body
    >>> found.intact(body[1]), found.intact(body[2]), found.intact_read('x', body[2])
    (True, False, False)
    """

    def __init__(self, core: Core):
        self.affine = Affine(core)
        self.memory = memory(core)
        self.regions = Regions(core, self.affine)
        self.writes = [(name, index, at) for at in self.affine.positions.all for name, index in _writes(at.statement)]

    def intact(self, load: gast.stmt) -> bool:
        """Whether what `load` (`v = base[index]` or `v = base`) reads is never overwritten once it has run."""
        match load:
            case gast.Assign(value=gast.Subscript(value=gast.Name(id=base), slice=index)):
                return self._is_intact(base, index, load)
            case gast.Assign(value=gast.Name(id=base)):
                return self._is_intact(base, None, load)
        return False

    def intact_read(self, name: str, statement: gast.stmt) -> bool:
        """Whether no element of the array `name`, as it is at `statement`, is overwritten by this statement or after it."""
        return self._is_intact(name, None, statement)

    def stays(self, store: gast.stmt) -> bool:
        """Whether what `store` (`base[index] = v`) has written is never overwritten."""
        match store:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)]):
                return self._is_intact(base, index, store, after=1)
        return False

    def _is_intact(self, base: str, index: gast.expr | None, statement: gast.stmt, after: int = 0) -> bool:
        writes = [write for write in self.writes if self.memory.may_alias(base, write[0])]
        places = self.affine.positions.of.get(id(statement), ())
        if not writes or not places:
            return not writes
        reads = [(self.regions.of(base, index, at), at) for at in places]
        if defined(statement) == base:      # what it makes itself is not what the iteration started with
            reads = [(replace(read, older=None), at) for read, at in reads]
        return not any(self._overwrites(*write, read, at, after) for read, at in reads for write in writes)

    def _overwrites(self, name: str, index: gast.expr | None, write: Position, read: Region, at: Position, after: int) -> bool:
        """Whether a write may come after a load at `at` (`after`: 1 if the one at that very place does not count)."""
        region = self.regions.of(name, index, write)
        common = sum(1 for a, b in zip(at.loops, write.loops, strict=False) if a is b)
        same_iteration = write.number >= at.number + after and not at.excludes(write)
        for equal in range(common + same_iteration):
            if region.array != read.array:
                if self.memory.may_alias(region.root, read.root) and not region.is_newer_than(read):
                    return True
            elif region.depth > equal:
                if not region.fresh:
                    return True
            elif self._may_meet(read, at, region, write, equal):
                return True
        return False

    def _may_meet(self, read: Region, at: Position, region: Region, write: Position, equal: int) -> bool:
        """Whether both can touch one element, the write in a later iteration of the loop after the first `equal` around both."""
        if read.axes is None or region.axes is None:
            return True
        before, after = self.affine.domain(at), self.affine.domain(write)
        order = []
        if equal < min(len(at.loops), len(write.loops)) and at.loops[equal] is write.loops[equal]:
            iteration = self.affine.iteration(at.loops[equal])
            order = [self._later(iteration, equal) - iteration - 1]
        for mine in read.options:
            for others in region.options:
                first = [*mine.positive, *before, *self._known(mine, before)]
                second = [self._later(form, equal) for form in (*others.positive, *after, *self._known(others, after))]
                zero = [*mine.zero, *(self._later(form, equal) for form in others.zero)]
                if not impossible(zero, [*first, *second, *order]):
                    return True
        return False

    def _known(self, constraints: Constraints, domain: list[Dim]) -> list[Dim]:
        return self.affine.known([*constraints.zero, *constraints.positive, *domain])

    def _later(self, form: Dim, equal: int) -> Dim:
        """The form in the later execution: what changes with the iterations of deeper loops has a value of its own."""
        own = {s: Dim(((replace(s, name=f'{s.name} later'), 1),)) for s, _ in form.terms if self.affine.depth.get(s, 0) > equal}
        return form.substitute(own) if own else form


def _writes(statement: gast.stmt) -> Iterator[tuple[str, gast.expr | None]]:
    """The arrays that a statement writes, each with the index, or None if it may be anything."""
    if call_of(statement) is not None:
        yield from ((name, None) for name in changed_by(statement))
        return
    match statement:
        case gast.Assign(targets=[gast.Subscript(slice=index)]) | gast.AugAssign(target=gast.Subscript(slice=index)):
            yield written(statement), index
        case gast.Expr(value=value) if not _is_harmless(value):
            target = written(statement)
            yield from ((name, None) for name in ([target] if target else dict.fromkeys(names(value))))
        case gast.Assign(value=value) if not is_pure(value) and not _is_harmless(value):
            yield from ((name, None) for name in dict.fromkeys(names(value)))


def _is_harmless(value: gast.expr) -> bool:
    return isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id.startswith(_HARMLESS)


@memoised
def dependence(core: Core) -> Dependence:
    """The dependences of a program, kept."""
    return Dependence(core)
