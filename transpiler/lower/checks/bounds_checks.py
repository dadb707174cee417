"""Indices out of range: ruled out once before a loop where that can be done, checked where they stand otherwise."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

import gast
import numpy as np

from transpiler.analyses.dataflow.positions import Position
from transpiler.analyses.memory.bailout import latest
from transpiler.analyses.polyhedral.bounds import Access, Bounds, Danger
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.functions import everywhere
from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.query import blocks, names, parts
from transpiler.lower.checks.dead_views import without_idle_views
from transpiler.lower.checks.index_array_checks import Lookups
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.values.dims import Dim
from transpiler.values.types import Scalar


def guarded(core: Core, target: Target = CPU) -> Core | None:
    """The program such that no index is out of range unless it says so first; None if that cannot be written.

    Before a loop in which an index might be out of range it raises `Unproven`: another version, which looks at every index,
    runs in its place. That can be done while nothing has happened that is seen outside; later on, every index that is not
    surely in range is looked at where it stands.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
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
        return everywhere(core, lambda one: Guards(
            one, target, own if one is core else elsewhere, called=one is not core).result())
    except _Unwritable:
        return None


class _Unwritable(Exception):
    """An index that only it can tell to be out of range stands in the test of a loop, or goes into an array without a name."""


class Guards:
    """Rewrites one function.

    latest: the number of the last statement before which it may give up
    called: whether others call it, any number of times
    """

    def __init__(self, core: Core, target: Target, latest: float, called: bool = False):
        self.core, self.checks, self.latest, self.called, self.bounds = core, target.checks, latest, called, Bounds(core)
        self.lookups, self.builder = Lookups(self.bounds, target), Builder.of(core)
        self.before: dict[int, list[gast.stmt]] = defaultdict(list)
        self.instead: dict[int, dict[tuple[int, int], str]] = defaultdict(dict)  # entries of indices, by statement
        self.said: dict[str, list[Position]] = defaultdict(list)
        self.places: dict[str, list[tuple[str, Position]]] = defaultdict(list)
        self.numbers = count()

    def result(self) -> Core:
        for at in self.bounds.affine.positions.all:
            for access in self.bounds.accesses(at):
                self._guard(access)
        core = self.core
        if self.before:
            core = core.with_body(self._block(core.body), types=self.builder.types, hints=self.builder.hints)
        return without_idle_views(core, guarded=True)

    def _guard(self, access: Access) -> None:
        dangers = self.bounds.dangers(access, self.latest)
        for danger in dangers or ():
            self.say(self.possible(danger), danger.place, access.at.statement)
        if dangers is None:
            if access.loop or access.array is None:
                raise _Unwritable
            asked = None if self.called else self.lookups.question(access, self.latest)
            if asked is None:
                self._look(access)
            else:
                self.say(*asked, access.at.statement)

    def _look(self, access: Access) -> None:
        """Ask where it stands whether an index is in range, and go by the place that was asked about."""
        asked = build.call(self.checks.position, access.index, self._size(access))
        text = self._text(asked, access.at)
        earlier = (name for name, place in self.places[text] if access.at.surely_after(place) or access.at is place)
        found = None if _reads_memory(asked) else next(earlier, None)
        if found is None:
            quiet, about = access.at.number <= self.latest, access.at.statement
            found = self._named(access.index, asked, access.at)
            out_of_range = build.call('python.IndexError', build.constant('index out of range'))
            error = build.name(self.checks.bail_out) if quiet else out_of_range
            beyond = build.call(self.checks.is_beyond, found, self._size(access))
            self.before[access.at.number].append(build.branch(beyond, [_failure(error, about)], (), about.origin, about.role))
            self.places[text].append((found, access.at))
        self.instead[access.at.number][id(access.whole), access.entry] = found

    def _named(self, index: gast.expr, asked: gast.expr, place: Position) -> str:
        """A name for the place that an index means, given just before it is used."""
        base = f'{self.builder.hints[index.id].base}_at' if getattr(index, 'id', None) in self.builder.hints else 'at'
        name = self.builder.fresh(base, Scalar(np.dtype(np.uint64))).name
        self.before[place.number].append(build.assign(name, asked, place.statement.origin, place.statement.role))
        return name

    def _size(self, access: Access) -> gast.expr:
        """The size along the axis of an access: arrays of one size share the words for it."""
        symbol = self.bounds.affine.size(access.array, access.axis, access.at).symbol_alone
        spelled = None if symbol is None else self.bounds.wording.spelled(symbol, access.at)
        return spelled or build.subscript(build.attribute(build.name(access.array), 'shape'), access.axis)

    def say(self, wrong: gast.expr, place: Position, about: gast.stmt) -> None:
        """Give up at `place` if something is `wrong`, unless the same was found right by then."""
        text = self._text(wrong, place)
        if _reads_memory(wrong) or not any(place.surely_after(said) or place is said for said in self.said[text]):
            self.said[text].append(place)
            failure = _failure(build.name(self.checks.bail_out), about)
            self.before[place.number].append(build.branch(wrong, [failure], (), about.origin, about.role))

    def _text(self, question: gast.expr, place: Position) -> str:
        """What is asked, of values that the names in it have at that place."""
        positions = self.bounds.affine.positions
        return ' '.join([gast.dump(question), *(positions.version(name, place) for name in sorted(set(names(question))))])

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
        number = next(self.numbers)
        inner = with_blocks(statement, [self._block(block) for block in blocks(statement)]) if blocks(statement) else statement
        if number in self.instead:
            inner = _with_places(inner, self.instead[number])
        return [*self.before[number], inner]


def _with_places(node: Any, instead: Mapping[tuple[int, int], str]) -> Any:
    """The statement, or expression, with names for those entries of indices."""
    if not isinstance(node, (gast.stmt, gast.expr, gast.keyword)):
        return node
    changes: dict[str, Any] = {}
    for field, value in gast.iter_fields(node):
        if field not in ('body', 'orelse'):
            many = isinstance(value, list)
            changes[field] = [_with_places(part, instead) for part in value] if many else _with_places(value, instead)
    if isinstance(node, gast.Subscript):
        old = entries_of(changes['slice'])
        new = [build.name(instead[id(node), k]) if (id(node), k) in instead else entry for k, entry in enumerate(old)]
        changes['slice'] = build.like(changes['slice'], elts=new) if isinstance(node.slice, gast.Tuple) else new[0]
    return build.like(node, **changes)


def _failure(error: gast.expr, about: gast.stmt) -> gast.stmt:
    return build.fail(error, about.origin, about.role)


def _sum(terms: list[gast.expr]) -> gast.expr:
    return functools.reduce(lambda a, b: build.binary(a, gast.Add, b), terms or [build.constant(0)])


def _reads_memory(test: gast.expr) -> bool:
    return any(isinstance(node, gast.Subscript) and not isinstance(node.value, gast.Attribute) for node in parts(test))
