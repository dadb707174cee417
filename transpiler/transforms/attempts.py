"""Trying a loop or a branch until all the cotangents that it needs are set up before it."""

from __future__ import annotations

from dataclasses import dataclass, field

import gast

from transpiler.analyses.definitions import Region
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.specialize.bindings import Binding, Known, Var
from transpiler.transforms.calls import FunctionPullbacks
from transpiler.transforms.cotangents import Bar
from transpiler.transforms.functions import Split
from transpiler.values.types import INT, Array, Scalar, Tape


@dataclass
class Attempt:
    """What one more try at a loop or branch must set up first.

    wanted: zero cotangents; owned: cotangents that are written in place; changing: those that are other values after a turn;
    held: of these, the ones in memory of their own, which is handed from turn to turn
    """

    wanted: dict[str, None] = field(default_factory=dict)
    owned: dict[str, None] = field(default_factory=dict)
    changing: dict[str, None] = field(default_factory=dict)
    held: dict[str, None] = field(default_factory=dict)
    again: bool = False

    def want(self, group: str, name: str) -> None:
        self.again = self.again or name not in getattr(self, group)
        getattr(self, group)[name] = None


class Attempts(FunctionPullbacks):
    """What loops and branches share: starting an attempt, and writing the pullback of one block."""

    def __init__(self, core: Core, active: frozenset[str], split: Split):
        super().__init__(core, active, split)
        self.counters: dict[int, Var] = {}
        self.within: frozenset[Region] = frozenset()

    def pull_block(self, body: list[gast.stmt]) -> None:
        """Write the pullback of `body`, last statement first; `Sweep` knows all kinds of statements."""
        raise TypeError('only the whole sweep pulls blocks')

    def _arm(
        self, statement: gast.stmt, arm: int, body: list[gast.stmt], start: dict[str, Bar]
    ) -> tuple[list[gast.stmt], dict[str, Bar]]:
        self.live = dict(start)
        around, region = self.within, self.definitions_of.region(statement, arm)
        self.within = around | {region} if region else around
        with self.run.perhaps_run() as block:
            self.pull_block(body)
        self.within = around
        return block, self.live

    def zero(self, name: str) -> Bar:
        """Zeros in the shape of `name`; where it may have no value, none can reach its cotangent, and an empty array will do."""
        regions, type_ = self.definitions_of.regions(name, self.within), self.type_of(name)
        if not regions or isinstance(type_, (Scalar, Tape)):
            return super().zero(name)
        first_loop = next((k for k, r in enumerate(regions, 1) if not isinstance(r.statement, gast.If)), len(regions))
        cell = self.cell(name)
        with self.run.builder.nested() as body:
            self.run.builder.assign(cell.name, self.run.operand(super().zero(name).value)[0])
        for region in reversed(regions[:first_loop]):
            body = self._if_ran(region, body, cell)
        self.run.builder.block.extend(body)
        return Bar(cell, owned=True)

    def _if_ran(self, region: Region, body: list[gast.stmt], cell: Var) -> list[gast.stmt]:
        """Do `body` if the region was run; else the variable gets an array of its type without elements."""
        run, type_ = self.run, cell.type
        with run.builder.nested() as otherwise:
            dims = (0,) * (type_.ndim or 0) if isinstance(type_, Array) else ()
            empty = run.operate_by_name('numpy.zeros', [], shape=dims, dtype=type_.dtype) if dims else Known(0.0)
            run.builder.assign(cell.name, run.operand(empty)[0])
        with run.builder.nested() as made:
            test = self._ran(region)
            if not isinstance(test, Known):
                arms = (body, otherwise) if region.arm == 0 else (otherwise, body)
                run.builder.append(build.branch(run.operand(test)[0], *arms, run.builder.origin, 'pullback'))
                return made
        return body if bool(test.value) == (region.arm == 0) else otherwise

    def _ran(self, region: Region) -> Binding:
        """The test of a branch; whether a loop had any turns."""
        match region.statement:
            case gast.For(iter=iterator):
                start, stop, step = map(self.binding, iterator.args)
                if isinstance(step, Known):
                    return self.run.compare(gast.Lt if step.value > 0 else gast.Gt, start, stop)
                trips = self.run.builder.define('trips', build.call('python.len', iterator), INT)
                return self.run.compare(gast.Gt, trips, Known(0))
            case gast.While():
                return self.run.compare(gast.Gt, self.counter(region.statement), Known(0))
        return self.variable(str(region.key))

    def counter(self, statement: gast.For | gast.While) -> Var:
        """What the primal sweep records: how many turns a `while` took, or the last turn of a `for` that may be left early."""
        if id(statement) not in self.counters:
            base = 'turns' if isinstance(statement, gast.While) else f'last_{self.core.base(statement.target.id)}'
            self.counters[id(statement)] = self.run.builder.fresh(base, INT, lasting=True)
        return self.counters[id(statement)]

    def _cell_value(self, name: str, bar: Bar) -> gast.expr:
        """The atom of a cotangent on its way into a variable that other paths assign too."""
        return self.run.operand(self.whole(name, bar).value)[0]

    def _prepare(self, entry: dict[str, Bar], attempt: Attempt) -> None:
        """Start from the cotangents at entry, with those set up that earlier attempts found missing."""
        self.live, self.to_own = dict(entry), set()
        for name in attempt.wanted:
            if name not in self.live:
                self.live[name] = self.zero(name)
                self.call_after(name)
        for name in attempt.owned:
            self.own(name)
