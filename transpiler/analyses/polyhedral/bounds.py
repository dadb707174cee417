"""Which elements of arrays a program surely finds, and what must hold before a loop so that it finds the others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import gast

from transpiler.analyses.dataflow.positions import Position
from transpiler.analyses.polyhedral.affine import Affine
from transpiler.analyses.polyhedral.inequalities import impossible, projected
from transpiler.analyses.polyhedral.symbol_names import Wording
from transpiler.core.indices import entries_of, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import parts, primitive
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Array


@dataclass(frozen=True)
class Access:
    """A number in an index: it counts along an axis of an array, from the end if it is negative.

    array: its name; None for one without a name, whose size cannot be asked for
    at: the statement; for one in the test of a `while`, the place at which an iteration begins
    loop, given: that `while`, and the parts of its test that are true by then
    whole, entry: where the index stands, and as which of its entries
    """

    array: str | None
    axis: int
    index: gast.expr
    at: Position
    loop: Position | None = None
    given: tuple[gast.expr, ...] = ()
    whole: gast.Subscript | None = None
    entry: int = 0


@dataclass(frozen=True)
class Danger:
    """An index may be out of range only if every one of the forms is at least 0 before the statement at `place` runs.

    Every symbol in them can be spelled there.
    """

    place: Position
    forms: tuple[Dim, ...]


class Bounds:
    """The accesses of a program against the sizes of its arrays.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT, INT
    >>> import numpy as np
    >>> x = Array(np.dtype(float), (Dim.symbol('n'),))
    >>> core = parse('''
    ... for i in range(1, m):
    ...     k = i - 1
    ...     x[k] = x[i]
    ... return x''', types={'k': INT, 'm': INT, 'x': x})
    >>> found = Bounds(core)
    >>> write, read = found.accesses(found.affine.positions.all[2])
    >>> [str(form) for danger in found.dangers(write) for form in danger.forms]
    ['m as given - 2', 'm as given - n - 1']
    """

    def __init__(self, core: Core):
        self.core, self.affine = core, Affine(core)
        self.wording = Wording(self.affine)
        self.top = [at for at in self.affine.positions.all if len(at.around) == 1]

    def accesses(self, at: Position) -> Iterator[Access]:
        """Those of the statement itself, inner ones first."""
        match at.statement:
            case gast.While(test=gast.BoolOp(op=gast.And(), values=tests)):
                for k, test in enumerate(tests):
                    yield from self._inside(test, self.affine.start(at), at, tuple(tests[:k]))
            case gast.While(test=test):
                yield from self._inside(test, self.affine.start(at), at)
            case gast.If(test=part) | gast.For(iter=part) | part:
                yield from self._inside(part, at)

    def _inside(
        self, part: gast.AST, at: Position, loop: Position | None = None, given: tuple[gast.expr, ...] = ()
    ) -> Iterator[Access]:
        for node in reversed(parts(part)):
            match node:
                case gast.Subscript(value=gast.Name(id=array), slice=index) if isinstance(self.core.types.get(array), Array):
                    for k, axis, entry in self._numbers(array, entries_of(index)):
                        yield Access(array, axis, entry, at, loop, given, node, k)
                case gast.Subscript(value=gast.Name() | gast.Attribute(attr='shape')):
                    pass
                case gast.Subscript(value=base, slice=index) if not self._is_all_there_is(base, entries_of(index)):
                    yield from (Access(None, 0, entry, at, loop, given) for entry in entries_of(index) if _is_number(entry))

    def _is_all_there_is(self, base: gast.expr, entries: list[gast.expr]) -> bool:
        """A helper gives one row for axes from the first on, and a single number if they go on to the last."""
        match base:
            case gast.Call(args=[gast.Name(id=array), gast.Constant(value=0), gast.Constant(value=last)]) \
                    if (primitive(base) or '').endswith('_axes') and isinstance(type_ := self.core.types.get(array), Array):
                return all(_is(entry, 0) for entry in entries) and (len(entries) == 1 or last == type_.ndim - 1)
        return False

    def _numbers(self, array: str, entries: list[gast.expr]) -> Iterator[tuple[int, int, gast.expr]]:
        axis, new = 0, sum(1 for entry in entries if is_new(entry) or is_dots(entry))
        for k, entry in enumerate(entries):
            if is_dots(entry):
                axis += self.core.types[array].ndim - (len(entries) - new)
            elif not is_new(entry):
                if _is_number(entry) and not self._is_inside(entry):
                    yield k, axis, entry
                axis += 1

    def _is_inside(self, entry: gast.expr) -> bool:
        return isinstance(entry, gast.Name) and entry.id in self.core.hints and self.core.hints[entry.id].inside

    def dangers(self, access: Access, latest: float = math.inf) -> list[Danger] | None:
        """What to rule out before loops around an access, in places numbered up to `latest`; None if only the index tells."""
        if access.array is None:
            return None
        index = self.affine.form(access.index, access.at)
        size = self.affine.size(access.array, access.axis, access.at)
        if index is None:
            return None
        domain = self.affine.domain_of_test(access.loop, access.given) if access.loop else self.affine.domain(access.at)
        found = []
        for outside in (index - size, -index - size - 1):
            system = self.with_known([*domain, outside])
            if impossible([], system):
                continue
            danger = self._earliest(system, self.with_known(domain), access.at, latest)
            if danger is None:
                return None
            found.append(danger)
        return found

    def with_known(self, forms: list[Dim]) -> list[Dim]:
        """These forms, which are at least 0, and what else is of what they are made of."""
        found = [*forms, *self.affine.known(forms)]
        sizes = {symbol for form in found for symbol, _ in form.terms if symbol in self.affine.sizes}
        return [*found, *(Dim(((symbol, 1),), -2 if symbol.large else 0) for symbol in sorted(sizes))]

    def _earliest(self, system: list[Dim], without: list[Dim], at: Position, latest: float) -> Danger | None:
        """The first place before a loop around `at` where something can be asked that rules the system out."""
        for depth, loop in enumerate(at.loops):
            def kept(symbol: Symbol, depth: int = depth) -> bool:
                return self.affine.depth.get(symbol, 0) <= depth

            always, found = projected(without, kept) or [], projected(system, kept) or []
            here = self.affine.domain(loop)
            found = [form for form in found if not impossible([], self.with_known([*here, -form - 1]))]
            if all(form in always for form in found):
                continue
            places = [*(top for top in self.top if top.number < loop.number), loop] if not depth else [loop]
            for place in places:
                # the fewer are asked, the more is ruled out
                asked = {form: said for form in found if (said := self.wording.restated(form, place)) is not None}
                if place.number <= latest and any(form not in always for form in asked):
                    return Danger(place, tuple(asked.values()))
        return None


def _is_number(entry: gast.expr) -> bool:
    return not isinstance(entry, gast.Slice) and not is_new(entry) and not is_dots(entry)


def _is(node: gast.expr, value) -> bool:
    return isinstance(node, gast.Constant) and node.value is value
