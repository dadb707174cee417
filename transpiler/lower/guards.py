"""Indices out of range: ruled out once before a loop where that can be done, checked where they stand otherwise."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable
from itertools import count

import gast

from transpiler.analyses.bounds import Access, Bounds, Danger
from transpiler.analyses.positions import Position
from transpiler.core import build
from transpiler.core.functions import everywhere
from transpiler.core.language import Core
from transpiler.core.query import blocks, names, parts
from transpiler.lower.idle import without_idle_views
from transpiler.lower.quiet import UNPROVEN, latest
from transpiler.optimize.facts import with_blocks
from transpiler.values.dims import Dim


def guarded(core: Core) -> Core | None:
    """The program such that no index is out of range unless it says so first; None if that cannot be written.

    Before a loop in which an index might be out of range it raises `Unproven`: another version, which looks at every index,
    runs in its place. That can be done while nothing has happened that is seen outside; later on, every index that is not
    surely in range is looked at where it stands.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.printing import Spelling
    >>> from transpiler.values.types import INT, Array
    >>> import numpy as np
    >>> x = Array(np.dtype(float), (Dim.symbol('n'),))
    >>> core = parse('''
    ... y = 0.0
    ... for i in range(0, m, 1):
    ...     v = x[i]
    ...     y = y + v
    ... return y''', types={'m': INT, 'x': x})
    >>> guard, *rest = guarded(core).body
    >>> print(Spelling().statement(guard), Spelling().statement(guard.body[0]))
    if m > 0 and m > x.shape[0]: raise Unproven
    """
    own, elsewhere = latest(core)
    try:
        return everywhere(core, lambda one: Guards(one, own if one is core else elsewhere).result())
    except _Unwritable:
        return None


class _Unwritable(Exception):
    """An index that only it can tell to be out of range stands in the test of a loop, or goes into an array without a name."""


class Guards:
    """Rewrites one function; `latest`: the number of the last statement before which it may give up."""

    def __init__(self, core: Core, latest: float):
        self.core, self.latest, self.bounds = core, latest, Bounds(core)
        self.before: dict[int, list[gast.stmt]] = defaultdict(list)
        self.said: dict[str, list[Position]] = defaultdict(list)
        self.numbers = count()

    def result(self) -> Core:
        for at in self.bounds.affine.positions.all:
            for access in self.bounds.accesses(at):
                self._guard(access)
        core = self.core.with_body(self._block(self.core.body)) if self.before else self.core
        return without_idle_views(core, guarded=True)

    def _guard(self, access: Access) -> None:
        dangers = self.bounds.dangers(access, self.latest)
        for danger in dangers or ():
            self.say(self.possible(danger), build.name(UNPROVEN), danger.place, access.at.statement)
        if dangers is None:
            if access.loop or access.array is None:
                raise _Unwritable
            size = self._size(access)
            first = build.unary(gast.USub, size)
            inside = gast.Compare(left=first, ops=[gast.LtE(), gast.Lt()], comparators=[access.index, size])
            quiet = access.at.number <= self.latest
            error = build.name(UNPROVEN) if quiet else build.call('python.IndexError', build.constant('index out of range'))
            self.say(build.unary(gast.Not, inside), error, access.at, access.at.statement)

    def _size(self, access: Access) -> gast.expr:
        """The size along the axis of an access: arrays of one size share the words for it."""
        symbol = self.bounds.affine.size(access.array, access.axis, access.at).symbol_alone
        spelled = None if symbol is None else self.bounds.wording.spelled(symbol, access.at)
        return spelled or build.subscript(build.attribute(build.name(access.array), 'shape'), access.axis)

    def say(self, wrong: gast.expr, error: gast.expr, place: Position, about: gast.stmt) -> None:
        """Raise `error` at `place` if something is `wrong`, unless the same was found right by then."""
        positions = self.bounds.affine.positions
        text = ' '.join([gast.dump(wrong), *(positions.version(name, place) for name in sorted(set(names(wrong))))])
        if _reads_memory(wrong) or not any(place.surely_after(said) or place is said for said in self.said[text]):
            self.said[text].append(place)
            failure = build.fail(error, about.origin, about.role)
            self.before[place.number].append(build.branch(wrong, [failure], (), about.origin, about.role))

    def possible(self, danger: Danger) -> gast.expr:
        tests = [self._at_least_zero(form, danger.place) for form in danger.forms]
        return tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)

    def _at_least_zero(self, form: Dim, place: Position) -> gast.expr:
        """`a > b`, with every term on the side where it is positive."""
        sides: dict[bool, list[gast.expr]] = {True: [], False: []}
        for symbol, factor in form.terms:
            term = self.bounds.wording.spelled(symbol, place)
            sides[factor > 0].append(term if abs(factor) == 1 else build.binary(abs(factor), gast.Mult, term))
        constant = form.constant + 1    # a > b is a - b - 1 >= 0
        if constant:
            sides[constant > 0].append(build.constant(abs(constant)))
        return build.compare(_sum(sides[True]), gast.Gt, _sum(sides[False]))

    def _block(self, body: Iterable[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in body for new in self._statement(statement)]

    def _statement(self, statement: gast.stmt) -> list[gast.stmt]:
        before = self.before[next(self.numbers)]
        inner = with_blocks(statement, [self._block(block) for block in blocks(statement)]) if blocks(statement) else statement
        return [*before, inner]


def _sum(terms: list[gast.expr]) -> gast.expr:
    return functools.reduce(lambda a, b: build.binary(a, gast.Add, b), terms or [build.constant(0)])


def _reads_memory(test: gast.expr) -> bool:
    return any(isinstance(node, gast.Subscript) and not isinstance(node.value, gast.Attribute) for node in parts(test))
