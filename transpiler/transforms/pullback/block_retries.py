"""Trying a loop or a branch until all the cotangents that it needs are set up before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import gast

from transpiler.analyses.dataflow.definitions import Region
from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import INT, Array, Scalar, Tape

if TYPE_CHECKING:
    from transpiler.transforms.pullback.sweep import Sweep


@dataclass
class Attempt:
    """What one more try at a loop or branch must set up first.

    wanted: zero cotangents; owned: cotangents that are written in place; changing: those that an iteration changes;
    held: of these, the ones in memory of their own, which is handed from iteration to iteration
    """

    wanted: dict[str, None] = field(default_factory=dict)
    owned: dict[str, None] = field(default_factory=dict)
    changing: dict[str, None] = field(default_factory=dict)
    held: dict[str, None] = field(default_factory=dict)
    again: bool = False

    def want(self, group: str, name: str) -> None:
        self.again = self.again or name not in getattr(self, group)
        getattr(self, group)[name] = None


class Attempts(Part):
    """What loops and branches share: starting an attempt, and writing the pullback of one block."""

    def __init__(self, sweep: Sweep):
        super().__init__(sweep)
        self.counters: dict[int, Var] = {}
        self.within: frozenset[Region] = frozenset()
        self.earlier: dict[int, Attempt] = {}

    def attempt(self, statement: gast.stmt) -> Attempt:
        """What is known to be needed from attempts at a statement around it: else the tries of nested ones would multiply."""
        return self.earlier.setdefault(id(statement), Attempt())

    def arm(
        self, statement: gast.stmt, arm: int, body: list[gast.stmt], start: dict[str, Bar]
    ) -> tuple[list[gast.stmt], dict[str, Bar]]:
        self.sweep.live = dict(start)
        with self.ev.sizes.perhaps_run() as block, self.in_arm(statement, arm):
            self.sweep.pull_block(body)
        return block, self.sweep.live

    @contextmanager
    def in_arm(self, statement: gast.stmt, arm: int) -> Iterator[None]:
        around, region = self.within, self.sweep.definitions_of.region(statement, arm)
        self.within = around | {region} if region else around
        yield
        self.within = around

    def zero(self, name: str) -> Bar:
        """Zeros in the shape of `name`."""
        if isinstance(self.type_of(name), Scalar):
            return self.sweep.lists.zero(name)
        return self._where_defined(name, lambda: self.sweep.lists.zero(name))

    def whole(self, name: str, bar: Bar) -> Bar:
        """The cotangent in the full shape of `name`."""
        if not self.sweep.cotangents.is_small(name, bar):
            return bar
        return self._where_defined(name, lambda: self.sweep.cotangents.whole(name, bar))

    def copied(self, name: str, bar: Bar) -> Bar:
        """The cotangent of an array in memory of its own."""
        return self._where_defined(name, lambda: self.sweep.cotangents.copied(name, bar))

    def ordered(self, name: str, bar: Bar) -> Bar:
        """The cotangent of an array in memory of its own, in the order of the array."""
        return self._where_defined(name, lambda: self.sweep.statements.ordered(name, bar))

    def _where_defined(self, name: str, make: Callable[[], Bar]) -> Bar:
        """A cotangent of `name`, made from what exists with it; where it has no value, none can be reached: nothing will do."""
        regions = self.sweep.definitions_of.regions(name, self.within)
        if not regions or isinstance(self.type_of(name), Tape):
            return make()
        if any(here.key == region.key for here in self.within for region in regions):
            return Bar(self.empty(name), owned=True)  # we are in the other arm
        first_loop = next((k for k, r in enumerate(regions, 1) if not isinstance(r.statement, gast.If)), len(regions))
        cell, around = self.sweep.derivatives.cell(name), self.within
        self.within = around | set(regions)
        with self.ev.builder.nested() as body:
            bar = make()
            self.ev.builder.assign(cell.name, self.ev.operand(bar.value)[0])
        self.within = around
        if isinstance(bar.value, Known):
            return bar
        for region in reversed(regions[:first_loop]):
            body = self._if_ran(region, body, name, cell)
        self.ev.builder.block.extend(body)
        return Bar(cell, owned=bar.owned, alone=bar.alone)

    def empty(self, name: str) -> Binding:
        """An array of the type of `name`, of no items along axes of unknown size, or the number zero."""
        type_ = self.type_of(name)
        sizes = (type_.dims or ()) if isinstance(type_, Array) else ()
        dims = tuple(dim.constant if dim is not None and dim.is_constant else 0 for dim in sizes)
        return self.ev.operate_by_name('numpy.zeros', [], shape=dims, dtype=type_.dtype) if dims else Known(0.0)

    def _if_ran(self, region: Region, body: list[gast.stmt], name: str, cell: Var) -> list[gast.stmt]:
        """Do `body` if the region was run; else the variable for the cotangent of `name` gets nothing."""
        ev = self.ev
        with ev.builder.nested() as otherwise:
            ev.builder.assign(cell.name, ev.operand(self.empty(name))[0])
        with ev.builder.nested() as made:
            test = self._ran(region)
            if not isinstance(test, Known):
                arms = (body, otherwise) if region.arm == 0 else (otherwise, body)
                ev.builder.append(build.branch(ev.operand(test)[0], *arms, ev.builder.origin, 'pullback'))
                return made
        return body if bool(test.value) == (region.arm == 0) else otherwise

    def _ran(self, region: Region) -> Binding:
        """The test of a branch; whether a loop had any iterations."""
        match region.statement:
            case gast.For(iter=iterator):
                start, stop, step = map(self.binding, iterator.args)
                if isinstance(step, Known):
                    return self.ev.compare(gast.Lt if step.value > 0 else gast.Gt, start, stop)
                trips = self.ev.builder.define('trips', build.call('python.len', iterator), INT)
                return self.ev.compare(gast.Gt, trips, Known(0))
            case gast.While():
                return self.ev.compare(gast.Gt, self.counter(region.statement), Known(0))
        return self.variable(str(region.key))

    def counter(self, statement: gast.For | gast.While) -> Var:
        """What the primal sweep records: how many iterations a `while` had, or the last one of a `for` that may be left early."""
        if id(statement) not in self.counters:
            base = 'turns' if isinstance(statement, gast.While) else f'last_{self.core.base(statement.target.id)}'
            self.counters[id(statement)] = self.ev.builder.fresh(base, INT, lasting=True)
        return self.counters[id(statement)]

    def anywhere(self, name: str, bar: Bar) -> Bar:
        """The whole cotangent of a name that may have no value here."""
        return self._where_defined(name, lambda: self.whole(name, bar))

    def prepare(self, entry: dict[str, Bar], attempt: Attempt) -> None:
        """Start from the cotangents at entry, with those set up that earlier attempts found missing."""
        self.sweep.live, self.sweep.cotangents.to_own = dict(entry), set()
        for name in (*attempt.wanted, *attempt.changing):
            if name not in self.sweep.live:
                self.sweep.live[name] = self.zero(name)
                self.sweep.cotangents.call_after(name)
        for name in attempt.owned:
            self.sweep.own(name)
