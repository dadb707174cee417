"""Which elements of an array a load or a write touches, as linear constraints on their positions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import gast

from transpiler.analyses.dataflow.positions import Position
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.polyhedral.affine import Affine
from transpiler.analyses.polyhedral.inequalities import impossible
from transpiler.core.indices import dots_spelled_out, entries_of, integer, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import defined, is_atom, primitive
from transpiler.rules.base.registry import RULES
from transpiler.values.dims import Dim
from transpiler.values.types import Scalar

RANK = 32  # axes given to an array of unknown rank
OPTIONS = 8  # ways to read the signs of an index; with more, nothing is said of its positions
PRIVATE = 10**6  # the depth of a symbol that no two executions share


@dataclass(frozen=True)
class Constraints:
    """Forms that are 0, and forms that are at least 0."""

    zero: tuple[Dim, ...] = ()
    positive: tuple[Dim, ...] = ()

    def __and__(self, other: 'Constraints') -> 'Constraints':
        return Constraints(self.zero + other.zero, self.positive + other.positive)


@dataclass(frozen=True)
class Axis:
    """An axis of an array or view: the coordinate along it, and its size if known."""

    coordinate: Dim
    size: Dim | None


@dataclass(frozen=True)
class Region:
    """Elements of one array object: what holds for their positions, in one of several ways.

    array: its name and version; `depth` loops around must be in the same iteration for that to be the same object; `fresh`: in
    another iteration it is other memory for certain. `born`: the loops around the place where it is made, if that is known;
    `older`: a loop at the start of whose iteration it was there already.
    """

    array: str
    root: str
    depth: int
    fresh: bool
    axes: tuple[Axis, ...] | None = ()  # None: unknown
    options: tuple[Constraints, ...] = (Constraints(),)
    born: tuple[Position, ...] = ()
    older: Position | None = None

    def is_newer_than(self, other: 'Region') -> bool:
        """This one is made in the same iteration, or a later one, of a loop before whose iteration the other was made."""
        return self.fresh and other.older is not None and other.older in self.born


class Regions:
    """What names and subscripts stand for; views with plain indices are followed to the array that they show."""

    def __init__(self, core: Core, affine: Affine):
        self.core, self.affine, self.memory = core, affine, memory(core)
        self.private = 0
        # arrays that may hold one element at two positions
        self.folded = [defined(s) for s in core.statements if isinstance(s, gast.Assign) and self._may_fold(s)]

    def _may_fold(self, statement: gast.Assign) -> bool:
        value = statement.value
        if defined(statement) is None or isinstance(self.core.types.get(defined(statement)), Scalar):
            return False
        if is_atom(value) or is_fresh(value) or isinstance(value, gast.Subscript):
            return False
        return primitive(value) not in (*RULES, 'tape.pop') or primitive(value) == 'numpy.broadcast_to'

    def of(self, name: str, index: gast.expr | None, at: Position) -> Region:
        """The elements `name[index]`, or all of `name`."""
        region = self._array(name, at)
        return region if index is None else self._part(region, index, at) or region

    def _array(self, name: str, at: Position) -> Region:
        giver = self.affine.positions.giver(name, at)
        match giver and giver.statement:
            case gast.Assign(value=gast.Name(id=source)):
                return self._array(source, giver)
            case gast.Assign(value=gast.Subscript(value=gast.Name(id=source), slice=index)):
                part = self._part(self._array(source, giver), index, giver)
                if part is not None:
                    return part
            case gast.Assign(value=gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name(id=source)], keywords=[])):
                whole = self._array(source, giver)
                if whole.axes is not None and len(whole.axes) < RANK:
                    return replace(whole, axes=whole.axes[::-1])
        fresh = giver is not None and isinstance(giver.statement, gast.Assign) and is_fresh(giver.statement.value)
        positions = self.affine.positions
        changing = positions.changing(name, at)
        older = changing[-1:] if positions.is_from_iteration_before(name, at) else at.loops[len(changing) : len(changing) + 1]
        region = Region(positions.version(name, at), name, len(changing), fresh, born=giver.loops if fresh else (),
                        older=next(iter(older), None))
        if any(self.memory.may_alias(name, other) for other in self.folded):
            return replace(region, axes=None)
        rank = getattr(self.core.types.get(name), 'ndim', None)
        return replace(region, axes=tuple(
            Axis(Dim.symbol(f'<axis {k}>'), self.affine.size(name, k, at)) for k in range(RANK if rank is None else rank)))

    def _part(self, region: Region, index: gast.expr, at: Position) -> Region | None:
        """The part of a region that a plain index selects; None for gathers."""
        parts = entries_of(index)
        forms = {id(p): self.affine.form(p, at) for p in parts if not isinstance(p, gast.Slice | gast.Constant)}
        if None in forms.values() or any(isinstance(p, gast.Constant) and isinstance(p.value, bool) for p in parts):
            return None
        if region.axes is None or len(region.axes) == RANK and any(map(is_dots, parts)):
            return replace(region, axes=None)
        if len(forms) > len(region.axes):
            return None
        axes, left, options = list(region.axes), [], region.options
        for part in dots_spelled_out(parts, len(axes)):
            if is_new(part):
                left.append(Axis(self._symbol(), Dim.of(1)))
                continue
            axis = axes.pop(0)
            if isinstance(part, gast.Slice):
                along, ways = self._slice(axis, part, at)
                left.append(along)
            else:
                ways = self._point(axis, self.affine.form(part, at), at)
            options = tuple(option & way for option in options for way in ways)
            if len(options) > OPTIONS:
                return replace(region, axes=None)
        return replace(region, axes=(*left, *axes), options=options)

    def _symbol(self) -> Dim:
        self.private += 1
        return self.affine.symbol(f'<coordinate {self.private}>', PRIVATE)

    def _inside(self, axis: Axis) -> Constraints:
        return Constraints((), (axis.coordinate, *([axis.size - axis.coordinate - 1] if axis.size is not None else [])))

    def _point(self, axis: Axis, form: Dim, at: Position) -> list[Constraints]:
        return [self._inside(axis) & sign & Constraints(() if place is None else (axis.coordinate - place,))
                for sign, place in self._counted(form, axis, at)]

    def _counted(self, form: Dim, axis: Axis, at: Position) -> list[tuple[Constraints, Dim | None]]:
        """The place that an index means, from the front or from the end, whatever its sign can be."""
        from_end = None if axis.size is None else form + axis.size
        ways = [(Constraints((), (form,)), form), (Constraints((), (-form - 1,)), from_end)]
        if form.is_constant:
            return [(Constraints((), (form,)), form) if form.constant >= 0 else ways[1]]
        domain = self.affine.domain(at)
        domain += self.affine.known([*domain, form])
        return [way for way in ways if not impossible([], [*domain, *way[0].positive])] or ways[:1]

    def _slice(self, axis: Axis, part: gast.Slice, at: Position) -> tuple[Axis, list[Constraints]]:
        """The axis that a slice leaves, and where its elements lie along the old one."""
        step = integer(part.step, 1)
        if step is None or step == 0:
            return Axis(self._symbol(), None), [self._inside(axis)]
        if _is_open(part.lower) and _is_open(part.upper) and step == 1:
            return axis, [self._inside(axis)]
        along = Axis(self._symbol(), None)
        ways = []
        for first_sign, first in self._bound(part.lower, axis, at):
            for last_sign, last in self._bound(part.upper, axis, at):
                way = self._inside(axis) & first_sign & last_sign & Constraints((), (along.coordinate,))
                sign = 1 if step > 0 else -1
                if first is not None:
                    way &= Constraints((), ((axis.coordinate - first) * sign,))
                if last is not None:
                    way &= Constraints((), ((last - axis.coordinate) * sign - 1,))
                start = self._start(part, step, axis, first, first_sign)
                if start is not None:
                    way &= Constraints((axis.coordinate - start - along.coordinate * step,))
                ways.append(way)
        return along, ways

    def _start(self, part: gast.Slice, step: int, axis: Axis, first: Dim | None, sign: Constraints) -> Dim | None:
        """The place of the first element, where that is certain."""
        if _is_open(part.lower):
            return Dim.of(0) if step > 0 else None if axis.size is None else axis.size - 1
        return first if step > 0 and first is not None and first in (*sign.positive, Dim.of(0)) else None

    def _bound(self, bound: gast.expr | None, axis: Axis, at: Position) -> list[tuple[Constraints, Dim | None]]:
        if _is_open(bound):
            return [(Constraints(), None)]
        form = self.affine.form(bound, at)
        return [(Constraints(), None)] if form is None else self._counted(form, axis, at)


def _is_open(bound: gast.expr | None) -> bool:
    return bound is None or is_new(bound)
