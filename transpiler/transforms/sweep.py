"""The pullback sweep: statements last to first, branches taken again, loops run backwards."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field

import gast

from transpiler.analyses.aliases import tape_of
from transpiler.analyses.effects import memory_reads
from transpiler.core import build
from transpiler.core.query import all_defined, blocks, defined, names, walk
from transpiler.errors import NotDifferentiable
from transpiler.specialize.bindings import Binding, Known, Var
from transpiler.specialize.context import Frame
from transpiler.specialize.joins import in_sequence
from transpiler.transforms.cotangents import ZERO, Bar
from transpiler.transforms.mutation import Mutation
from transpiler.transforms.pullbacks import Pullbacks
from transpiler.values.types import INT, Array, Scalar, Unknown


@dataclass
class Attempt:
    """What one more try at a loop or branch must set up first: zero cotangents, owned ones, and those that change."""

    wanted: dict[str, None] = field(default_factory=dict)
    owned: dict[str, None] = field(default_factory=dict)
    changing: dict[str, None] = field(default_factory=dict)
    again: bool = False

    def want(self, group: str, name: str) -> None:
        self.again = self.again or name not in getattr(self, group)
        getattr(self, group)[name] = None


class Sweep(Pullbacks):
    """`pull_block` writes the pullback of a list of statements into the builder's block."""

    def __init__(self, core, active: frozenset[str]):
        super().__init__(core)
        self.active = active
        self.mutation = Mutation(core)
        self.counters: dict[int, Var] = {}
        self.total: dict[str, int] = {}
        for statement in walk(core.body):
            if (name := defined(statement)) is not None:
                self.total[name] = self.total.get(name, 0) + 1
        self.conditions: dict[str, frozenset[tuple[str, int]]] = {}
        self._collect_conditions(core.body, frozenset())
        for name in core.inputs:
            self.conditions[name] = frozenset()
            self.total[name] = self.total.get(name, 0) + 1

    def _collect_conditions(self, body, around: frozenset[tuple[str, int]]) -> None:
        """For every name, the tests (and their outcomes) under which alone it is defined."""
        for statement in body:
            name = defined(statement)
            if name is not None:
                self.conditions[name] = self.conditions.get(name, around) & around
            for arm, inner in enumerate(blocks(statement)):
                test = getattr(statement, 'test', None)
                taken = {(test.id, arm)} if isinstance(statement, gast.If) and isinstance(test, gast.Name) else set()
                self._collect_conditions(inner, around | taken)

    def pull_block(self, body: list[gast.stmt]) -> None:
        for statement in reversed(body):
            with self.run.builder.at(statement.origin, 'pullback'):
                self._pull(statement)

    def _pull(self, statement: gast.stmt) -> None:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                self._pull_assignment(statement, name, value)
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value):
                self._pull_store(statement, base, index, value)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value):
                self._pull_accumulation(statement, base, index, value)
            case gast.Expr() if (tape := tape_of(statement)) is not None:
                self._pull_push(tape, statement.value.args[1])
            case gast.If():
                self._pull_branch(statement)
            case gast.For() | gast.While():
                self._pull_loop(statement)

    def _pull_assignment(self, statement: gast.stmt, name: str, value: gast.expr) -> None:
        bar = self.live.pop(name, None)
        popped = tape_of(statement)
        if popped is not None and popped in self.active and bar is None:
            bar = self.zero(name)
        if bar is None or bar.value == ZERO and popped is None or (name not in self.active and popped is None):
            return
        with self._needed(statement):
            self.operand_names = frozenset(names(value))
            self.pull_operation(name, value, bar)

    @contextmanager
    def _needed(self, statement: gast.stmt):
        """Keep of the block written inside only what the cotangents and effects need, and save what will be overwritten."""
        with self.run.builder.nested() as block:
            yield
        kept = self._pruned(block)
        self.definitions |= {name: s.value for s in kept if isinstance(s, gast.Assign) and (name := defined(s)) is not None}
        self.run.builder.block.extend(self.mutation.protect(self.run.builder, statement, kept))

    def _pruned(self, block: list[gast.stmt]) -> list[gast.stmt]:
        needed = {name for bar in self.live.values() if isinstance(bar.value, Var) for name in [bar.value.name]}
        kept: list[gast.stmt] = []
        for statement in reversed(block):
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if name not in needed and not tape_of(statement):
                    continue
                case gast.Assign(targets=[gast.Name()], value=value):
                    needed |= set(names(value))
                case _:
                    for inner in walk([statement]):
                        needed |= {n for child in gast.walk(inner) if isinstance(child, gast.Name) for n in [child.id]}
            kept.append(statement)
        return kept[::-1]

    def _pull_store(self, statement: gast.stmt, base: str, index: gast.expr, value: gast.expr) -> None:
        """`a[i] = e`: `e` takes the cotangent of the place, which becomes zero."""
        self.mutation.check(statement)
        bar = self.live.get(base)
        if base not in self.active or bar is None or bar.value == ZERO:
            return
        with self._needed(statement):
            cotangent = self._at(base, index)
            self.run.builder.assign(build.subscript(self.live[base].value.name, index), build.constant(0.0))
            self._give(value, cotangent)

    def _pull_accumulation(self, statement: gast.stmt, base: str, index: gast.expr, value: gast.expr) -> None:
        """`a[i] += e`: `e` takes the cotangent of the place, which keeps it."""
        self.mutation.check(statement)
        bar = self.live.get(base)
        if base not in self.active or bar is None or bar.value == ZERO:
            return
        if isinstance(value, gast.Name) and value.id in self.active:
            with self._needed(statement):
                self._give(value, self._at(base, index))

    def _at(self, base: str, index: gast.expr) -> Binding:
        """The cotangent of `base[index]`: a number, or a copy, since the memory under it changes."""
        if self._is_gather(index):
            raise NotDifferentiable('the derivative of writing with an index array or a mask is not supported yet', self.run.origin,
                                    instead='write with slices, or element by element in a loop')
        memory = self.own(base)
        index_binding = self._index_binding(index)
        part = memory if index_binding == Known(...) else self.run.load(memory, index_binding)
        if isinstance(self.value_type(part), Scalar):
            return part
        return self.run.operate_by_name('numpy.copy', [part])

    def _is_gather(self, index: gast.expr) -> bool:
        return any(isinstance(self.core.types.get(name), (Array, Unknown)) for name in names(index))

    def _index_binding(self, index: gast.expr) -> Binding:
        return self.run.index(Frame(None, {name: self.variable(name) for name in names(index)}), index)

    def _give(self, value: gast.expr, cotangent: Binding) -> None:
        """Add the cotangent of a place written to that of the value written there, which may have been broadcast."""
        if not isinstance(value, gast.Name) or value.id not in self.active:
            return
        type_, own = self.type_of(value.id), self.value_type(cotangent)
        if isinstance(own, Scalar) and isinstance(type_, Scalar):
            total = cotangent
        elif isinstance(own, Array) and isinstance(type_, Array) and own.dims is not None and own.dims == type_.dims and None not in own.dims:
            total = cotangent
        elif isinstance(type_, Scalar) and isinstance(own, Array):
            total = self.run.operate_by_name('numpy.sum', [cotangent])
        else:
            total = self.run.operate_by_name('kernels.unbroadcast', [cotangent, self.variable(value.id)])
        self.add(value.id, total, owned=True)

    def _pull_push(self, tape: str, value: gast.expr) -> None:
        if tape not in self.active or tape not in self.live and not isinstance(value, gast.Name):
            return
        memory = self.own(tape)
        popped = self.run.pop_tape(memory)
        if isinstance(value, gast.Name) and value.id in self.active:
            self.run.builder.types[popped.name] = self.type_of(value.id)
            self.add(value.id, Var(popped.name, self.type_of(value.id)))

    def _pull_branch(self, statement: gast.If) -> None:
        entry = dict(self.live)
        inside = all_defined(statement.body) | all_defined(statement.orelse)
        attempt = Attempt()
        while True:
            state = self.run.builder.snapshot()
            self._prepare(entry, attempt)
            start = dict(self.live)
            arms = [self._arm(arm, start) for arm in (statement.body, statement.orelse)]
            ends = [{n: b for n, b in live.items() if n not in inside or self._defined_outside(n, statement)} for _, live in arms]
            attempt.again = False
            for name in [*ends[0], *ends[1]]:
                if (name in ends[0]) != (name in ends[1]) and not self._exists_only_with(name, statement, 0 if name in ends[0] else 1):
                    attempt.want('wanted', name)
            for name in self.to_own & start.keys():
                attempt.want('owned', name)
            if not attempt.again:
                break
            self.run.builder.restore(state)
        self.live = {}
        for name in {**ends[0], **ends[1]}:
            both = name in ends[0] and name in ends[1]
            self.live[name] = self._merged(name, ends, [block for block, _ in arms]) if both else ends[name not in ends[0]][name]
        self._append_branch(statement, arms)

    def _exists_only_with(self, name: str, statement: gast.If, arm: int) -> bool:
        """Whether `name` is defined only where the same test came out the same way: then it has a cotangent only there, too."""
        return isinstance(statement.test, gast.Name) and (statement.test.id, arm) in self.conditions.get(name, ())

    def _append_branch(self, statement: gast.If, arms: list) -> None:
        (body, _), (orelse, _) = arms
        if body or orelse:
            test = statement.test
            if not body:
                negated = self.run.builder.define('not_', build.unary(gast.Not, test), self.core.types.get(getattr(test, 'id', ''), INT))
                test, body, orelse = build.name(negated.name), orelse, []
            node = build.branch(test, body, orelse, statement.origin, 'pullback')
            node.mirror = statement
            node.turned = bool(orelse == [] and not arms[0][0])
            self.run.builder.append(node)

    def _arm(self, body: list[gast.stmt], start: dict[str, Bar]) -> tuple[list[gast.stmt], dict[str, Bar]]:
        self.live = dict(start)
        with self.run.builder.nested() as block:
            self.pull_block(body)
        return block, self.live

    def _merged(self, name: str, ends: list[dict[str, Bar]], blocks: list[list[gast.stmt]]) -> Bar:
        left, right = ends[0][name], ends[1][name]
        if left == right:
            return left
        if isinstance(left.value, Var) and left.value == right.value:
            return Bar(left.value, left.owned and right.owned, left.small or right.small)
        cell, alone = self.cell(name), True
        for bar, block in ((left, blocks[0]), (right, blocks[1])):
            outer, self.run.builder.block = self.run.builder.block, block
            whole = self.whole(name, bar)
            self.run.builder.assign(cell.name, self.run.operand(whole.value)[0])
            self.run.builder.block, alone = outer, alone and whole.may_leave
        return Bar(cell, alone=alone)

    def _cell_value(self, name: str, bar: Bar) -> gast.expr:
        """The atom of a cotangent on its way into a variable that other paths assign too."""
        return self.run.operand(self.whole(name, bar).value)[0]

    def _defined_outside(self, name: str, statement: gast.stmt) -> bool:
        inside = sum(1 for s in walk([statement]) if defined(s) == name)
        return self.total.get(name, 0) > inside

    def _prepare(self, entry: dict[str, Bar], attempt: Attempt) -> None:
        """Start from the cotangents at entry, with those set up that earlier attempts found missing."""
        self.live, self.to_own = dict(entry), set()
        for name in attempt.wanted:
            if name not in self.live:
                self.live[name] = self.zero(name)
                self.call_after(name)
        for name in attempt.owned:
            self.own(name)
        self.to_own = set()

    def _pull_loop(self, statement: gast.For | gast.While) -> None:
        entry, attempt = dict(self.live), Attempt()
        inside = all_defined([statement])
        while True:
            state = self.run.builder.snapshot()
            self._prepare(entry, attempt)
            bounds = self._backwards(statement)
            cells = self._cells(attempt)
            start = dict(self.live)
            outside, self.from_before = self.from_before, frozenset(start)
            block, end = self._arm(statement.body, start)
            self.from_before = outside
            self._compare(statement, inside, start, end, attempt)
            if not attempt.again:
                break
            self.run.builder.restore(state)
        self.live = {n: b for n, b in start.items() if n not in inside or self._defined_outside(n, statement)}
        if not block and not cells:
            self.live = entry
            self.run.builder.restore(state)
            return
        for name in cells.keys() & self.live.keys():
            self.live[name] = Bar(cells[name], alone=name in end and end[name].may_leave and entry_alone(entry, name))
        self._close(statement, block, end, cells, bounds)

    def _cells(self, attempt: Attempt) -> dict[str, Var]:
        """Variables for the cotangents that change from turn to turn, with their values at the start."""
        cells = {}
        for name in attempt.changing:
            bar = self.live[name]
            cells[name] = cell = self.cell(name)
            self.run.builder.assign(cell.name, self._cell_value(name, bar))
            self.live[name] = Bar(cell)
        return cells

    def _compare(self, statement: gast.stmt, inside: set[str], start: dict, end: dict, attempt: Attempt) -> None:
        """Find what the next attempt must set up; nothing means that this one is right."""
        attempt.again = False
        for name in end:
            if name not in start and (name not in inside or self._defined_outside(name, statement)):
                attempt.want('wanted', name)
        for name, bar in start.items():
            if name not in end and bar.value == ZERO and name not in attempt.changing:
                continue
            may_stay = name in self.to_own and name not in attempt.owned       # it may, once it is owned from the start
            if end.get(name, Bar(ZERO)).value != bar.value and name not in attempt.changing and not may_stay:
                attempt.want('changing', name)
        for name in self.to_own & start.keys():
            if name not in attempt.changing:
                attempt.want('owned', name)

    def _close(self, statement: gast.stmt, block: list[gast.stmt], end: dict, cells: dict[str, Var], bounds: Callable) -> None:
        """The loop itself, with the changing cotangents copied at the end of its body."""
        builder = self.run.builder
        outer, builder.block = builder.block, block
        copies = [(cell.name, self._cell_value(name, end.get(name) or self.zero(name))) for name, cell in cells.items()]
        builder.block = outer
        spare = (lambda name: builder.fresh(builder.hints[name].base, builder.types[name], True).name)
        block.extend(build.assign(t, s, statement.origin, 'pullback') for t, s in in_sequence(copies, spare))
        target, (first, last, step) = bounds
        node = build.counted(target, first, last, step, block, statement.origin, 'pullback')
        node.mirror = statement
        builder.append(node)

    def _backwards(self, statement: gast.For | gast.While) -> tuple[str, tuple]:
        """The variable and the range of the reversed loop."""
        run = self.run
        if isinstance(statement, gast.While):
            if id(statement) not in self.counters:
                self.counters[id(statement)] = run.builder.fresh('turns', INT, lasting=True)
            counter = self.counters[id(statement)]
            turn = run.builder.fresh('turn', INT, temporary=True)
            return turn.name, (build.constant(0), build.name(counter.name), build.constant(1))
        start, stop, step = (self.binding(node) for node in statement.iter.args)
        if step == Known(1):
            bounds = run.binary(gast.Sub, stop, Known(1)), run.binary(gast.Sub, start, Known(1)), Known(-1)
        elif step == Known(-1):
            bounds = run.binary(gast.Add, stop, Known(1)), run.binary(gast.Add, start, Known(1)), Known(1)
        elif all(isinstance(b, Known) for b in (start, stop, step)):
            backwards = range(start.value, stop.value, step.value)[::-1]
            bounds = Known(backwards.start), Known(backwards.stop), Known(backwards.step)
        else:
            trips = run.builder.define('trips', build.call('python.len', statement.iter), INT)
            last = run.binary(gast.Add, start, run.binary(gast.Mult, run.binary(gast.Sub, trips, Known(1)), step))
            bounds = last, run.binary(gast.Sub, start, step), run.unary(gast.USub, step)
        return statement.target.id, tuple(run.operand(b)[0] for b in bounds)


def entry_alone(entry: dict[str, Bar], name: str) -> bool:
    """Whether the cotangent with which a loop starts is nobody else's; one that the loop sets up itself is not."""
    return name not in entry or entry[name].may_leave
