"""The loops of a program: what is read and computed at a place, what is kept of it, and sums."""

from __future__ import annotations

from dataclasses import replace

import gast

from transpiler.analyses.dataflow.liveness import Names
from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.builder import Builder
from transpiler.core.language import Core, Hint
from transpiler.core.query import is_atom, place_written
from transpiler.core.text import dump
from transpiler.lower.fusion.accesses import At, Known, Place
from transpiler.lower.fusion.axes import Axes, letter
from transpiler.lower.fusion.domains import Use
from transpiler.lower.fusion.groups import Group
from transpiler.lower.fusion.operations import MAKE, MEAN, STORE, SUM, Operation
from transpiler.lower.fusion.reductions import Totals
from transpiler.lower.fusion.row_reductions import RowSums
from transpiler.lower.fusion.sizes import Agreement, can_be_spelled, settled, spelled
from transpiler.lower.fusion.sizes import size as size_of
from transpiler.lower.target.target import Target
from transpiler.passes import remark
from transpiler.values.types import BOOL, INT, Array, Scalar

WRONG = 'operands could not be broadcast together'


class Nests:
    """Writes the loop nests of one program."""

    def __init__(self, core: Core, target: Target):
        self.builder, self.target = Builder.of(core), target
        self.written = False

    def write(self, group: Group, live: Names, known: Known) -> None:
        """The nest of a group, after which the names in `live` have their values."""
        self.written = True
        first = group.operations[0].statement
        with self.builder.at(first.origin, first.role):
            _Nest(self.builder, group, live, known).write()
        remark(_said_of(group))

    def show(self, store: Operation, known: Known) -> None:
        """A view of what is stored into, if it takes one to say how large that is."""
        if all(can_be_spelled(known, settled(known, size)) for size in store.domain):
            return
        type_ = replace(self.builder.types[store.target], dims=(None,) * len(store.domain))
        view = build.like(build.fresh(place_written(store.statement)), ctx=gast.Load())
        with self.builder.at(store.statement.origin, store.statement.role):
            shown = self.builder.define(f'{store.target}_part', view, type_).name
        known.learn(shown, view)
        for axis in range(len(store.domain)):
            size_of(known, shown, axis)

    def can_ask(self, agreement: Agreement, known: Known, quiet: bool) -> bool:
        """Whether a program can see to it that sizes are equal: if they must be, or if it may give up where they are not."""
        return (agreement.forced or quiet) and all(can_be_spelled(known, size) for size in (agreement.one, agreement.other))

    def ask(self, agreement: Agreement, known: Known, statement: gast.stmt) -> None:
        one, other = (spelled(known, settled(known, size)) for size in (agreement.one, agreement.other))
        if dump(one) == dump(other):
            return
        bail_out = build.name(self.target.checks.bail_out)
        error = build.call('python.ValueError', build.constant(WRONG)) if agreement.forced else bail_out
        with self.builder.at(statement.origin, statement.role):
            atoms = [size if is_atom(size) else build.name(self.builder.define('size', size, INT).name) for size in (one, other)]
            differs = self.builder.define('differs', build.compare(atoms[0], gast.NotEq, atoms[1]), BOOL).name
            failure = build.fail(error, statement.origin, statement.role)
            self.builder.append(build.branch(differs, [failure], (), statement.origin, statement.role))


class _Nest:
    def __init__(self, builder: Builder, group: Group, live: Names, known: Known):
        self.builder, self.group, self.live, self.known = builder, group, live, known
        self.straight = group.is_straight(known) and not group.is_one_place
        self.sizes = list(map(self._atomic, group.ends))
        self.axes = Axes(builder, [self._count()] if self.straight else self.sizes, group.summed)
        # statements inside so many loops: before the next inner one, and after it
        self.heads: list[list[gast.stmt]] = [[] for _ in range(len(self.axes.looped) + 1)]
        self.tails: list[list[gast.stmt]] = [[] for _ in self.heads]
        self.flat: dict[str, str] = {}  # the items of arrays as vectors
        self.here: dict[Place, gast.expr] = {}  # what was read at this place, or stored
        self.made: dict[str, gast.expr] = {}  # what arrays that the nest makes have there
        self.entries: dict[At, gast.expr] = {}
        self.results: list[gast.stmt] = []
        self.stored: dict[Place, gast.expr] = {}
        self.totals = Totals(self.builder, self.heads, self.tails)
        self.rows = RowSums(self.builder, self.heads, self.tails)

    def write(self) -> None:
        for operation in self.group.operations:
            with self.builder.at(operation.statement.origin, operation.statement.role):
                self._at_a_place(operation)
        for (array, ats), item in self.stored.items():
            self.results.append(self._stamped(build.assign(build.subscript(array, self._index(ats)), item)))
        self.heads[-1] += self.results
        loop = self._loop() if self.axes.looped else []
        for statement in (*self.heads[0], *loop, *self.tails[0], *self.group.after):
            self.builder.append(statement)

    def _loop(self) -> list[gast.stmt]:
        counters, ends = self.axes.loops
        loop = self.totals.innermost(counters[-1], ends[-1], self.heads[-1])
        for depth in reversed(range(len(counters) - 1)):
            counted = self._counted if depth or self.rows.bands is None else self.rows.in_bands
            loop = [counted(counters[depth], ends[depth], [*self.heads[depth + 1], *loop, *self.tails[depth + 1]])]
        if len(loop) == 1 and all(self.axes.changes(ats) for _, ats in self.stored):
            loop = [build.apart(loop[0], **self.totals.merged)]
        return loop

    def _counted(self, counter: str, size: gast.expr, body: list[gast.stmt]) -> gast.stmt:
        return self._stamped(build.counted(counter, 0, size, 1, body))

    def _stamped(self, statement: gast.stmt) -> gast.stmt:
        return build.stamp(statement, self.builder.origin, self.builder.role)

    def _atomic(self, number: gast.expr) -> gast.expr:
        return number if is_atom(number) else build.name(self.builder.define('size', number, INT).name)

    def _count(self) -> gast.expr:
        """How many places there are: as many as an array has items."""
        count, *others = self.sizes
        for size in others:
            if isinstance(count, gast.Constant) and isinstance(size, gast.Constant):
                count = build.constant(count.value * size.value)
            else:
                count = self._atomic(build.proven(build.binary(count, gast.Mult, size)))
        return count

    def _at_a_place(self, operation: Operation) -> None:
        atoms = [self._atom(use) for use in operation.uses]
        if operation.kind == MAKE:
            self._make(operation, operation.value(atoms))
        elif operation.kind == STORE:
            self._store(operation, atoms[0])
        else:
            type_, item = self.builder.types[operation.uses[0].name], operation.value(atoms)
            if not is_atom(item):
                item = self._named('product', item, Scalar(type_.dtype), self.heads[-1])
            if operation.kind in (SUM, MEAN):
                if operation.axis == -1:
                    self._keep_name(operation.target)
                sums = {None: self.totals.add, 0: self.rows.add, -1: self.totals.along}[operation.axis]
                along = self.axes.loops if operation.is_total else (self.axes.counters, self.axes.sizes)
                sums(operation.target, item, type_.dtype, *along, operation.kind == MEAN)
            else:
                self.totals.extreme(operation.target, item, type_, self.sizes, operation.kind)

    def _make(self, operation: Operation, value: gast.expr) -> None:
        target, type_ = operation.target, self.builder.types[operation.target]
        item = value if isinstance(value, gast.Name) else self._named(target, value, Scalar(type_.dtype), self.heads[-1])
        self.made[target] = item
        if target in self.live:
            self._keep_name(target)
            shape = self.sizes[0] if len(self.sizes) == 1 else build.expression(tuple(self.sizes))
            self.heads[0].append(self._stamped(build.assign(target, new_array('numpy.empty', shape, type_.dtype))))
            array, ats = self._straightened((target, tuple(map(At, range(len(self.sizes))))))
            place = build.subscript(array, self._index(ats))
            self.results.append(self._stamped(build.assign(place, item)))

    def _keep_name(self, target: str) -> None:
        """An array that loops fill is called what it is, not what makes it."""
        self.builder.rename_hint(target, self.builder.hints[target].base if target in self.builder.hints else target)

    def _store(self, operation: Operation, item: gast.expr) -> None:
        """What is stored last at a place goes into memory once, after all that is computed there."""
        array, place = operation.into.place[0], self._straightened(operation.into.place)
        if isinstance(operation.statement, gast.AugAssign):
            item = _sum(self._read(operation.into.place), item)
        type_ = Scalar(self.builder.types[array].dtype)
        if not isinstance(item, gast.Constant) or type_.dtype != type(item.value):
            item = self._named(array, item, type_, self.heads[-1])
        self.here[place] = self.stored[place] = item

    def _atom(self, use: Use) -> gast.expr:
        """The operand at this place; what does not change with the inner loops is read before them."""
        if use.place is None:
            return use.node
        if use.name in self.group.made:
            return self.made[use.name]
        return self._read(use.place)

    def _straightened(self, place: Place) -> Place:
        """The same place among the items of an array, one after the other, if those are gone through."""
        array, ats = place
        if not self.straight or not _follows(ats):
            return array, self.axes.followed(ats)
        if self.known.is_filled(array):
            return array, ()
        if array not in self.flat:
            base, type_ = self.builder.hints[array].base if array in self.builder.hints else array, self.builder.types[array]
            self.flat[array] = self.builder.fresh(f'{base}_flat', Array(type_.dtype, (None,))).name
            written = any(store.place[0] == array for store in self.group.stores)
            items = build.call('kernels.flat_in_place' if written else 'kernels.flat', array)
            self.heads[0].append(self._stamped(build.assign(self.flat[array], items)))
        return self.flat[array], (At(0),)

    def _read(self, place: Place) -> gast.expr:
        stored = any(place == store.place for store in self.group.stores)
        place = self._straightened(place)
        if place not in self.here:
            array, ats = place
            depth = len(self.axes.looped) if stored else self.axes.depth(ats)
            type_ = Scalar(self.builder.types[array].dtype)
            self.here[place] = self._named(array, self._element(array, ats, self.heads[depth]), type_, self.heads[depth])
        return self.here[place]

    def _element(self, array: str, ats: tuple[At, ...], block: list[gast.stmt]) -> gast.expr:
        """What lies there: read, or said if the array follows a pattern."""
        match self.known.pattern(array):
            case gast.Call(func=gast.Name(id='numpy.eye')) if all(map(self._counts_from_the_start, ats)):
                row, column = map(self._entry, ats)
                on_diagonal = self._named('on_diagonal', build.compare(row, gast.Eq, column), BOOL, block)
                return gast.IfExp(test=on_diagonal, body=build.constant(1), orelse=build.constant(0))
            case gast.Call(func=gast.Name(id='numpy.full'), args=[_, value, *_]):
                return value
            case gast.Call(func=gast.Name(id='numpy.broadcast_to'), args=[value, _]):
                return value
        return build.subscript(array, self._index(ats))

    def _counts_from_the_start(self, at: At) -> bool:
        """Whether an index is certainly not negative."""
        return at.offset >= 0 and set(at.names) <= self.known.counting

    def _index(self, ats: tuple[At, ...]) -> gast.expr:
        entries = [self._entry(at) for at in ats]
        return entries[0] if len(entries) == 1 else build.expression(tuple(entries))

    def _entry(self, at: At) -> gast.expr:
        """An index; that of a slice lies inside of what was sliced."""
        if at.axis is None and (not at.names or len(at.names) == 1 and not at.offset):
            return build.name(at.names[0]) if at.names else build.constant(at.offset)
        if at not in self.entries:
            depth = self.axes.depth([at])
            self.entries[at] = build.constant(0) if at.axis is None else build.name(self.axes.counters[at.axis])
            if at.step != 1:
                self._next(at, gast.Mult, build.constant(at.step), depth)
            for name in at.names:
                self._next(at, gast.Add, build.name(name), depth)
            if at.offset:
                self._next(at, gast.Add, build.constant(at.offset), depth)
        return self.entries[at]

    def _next(self, at: At, operator: type[gast.operator], operand: gast.expr, depth: int) -> None:
        like = letter(max(depth - 1, 0))
        name = self.builder.fresh(like, INT, temporary=True).name
        self.builder.hints[name] = Hint(like, True, inside=True)
        self.heads[depth].append(self._stamped(build.assign(name, build.binary(self.entries[at], operator, operand))))
        self.entries[at] = build.name(name)

    def _named(self, like: str, value: gast.expr, type_: Scalar, block: list[gast.stmt]) -> gast.Name:
        base = self.builder.hints[like].base if like in self.builder.hints else like
        name = self.builder.fresh(base, type_, temporary=True).name
        block.append(self._stamped(build.assign(name, value)))
        return build.name(name)


def _said_of(group: Group) -> str:
    """One line about a nest, for `explain`."""
    lines = sorted({o.statement.origin.line for o in group.operations if o.statement.origin is not None})
    where = f' of line{"s" if len(lines) > 1 else ""} {", ".join(map(str, lines))}' if lines else ''
    count = len(group.operations)
    axes = 'one axis' if len(group.domain) == 1 else f'{len(group.domain)} axes'
    return f'{count} operation{"s" if count > 1 else ""}{where} in one loop over {axes}'


def _sum(old: gast.expr, item: gast.expr) -> gast.expr:
    return item if isinstance(old, gast.Constant) and old.value == 0 else build.binary(old, gast.Add, item)


def _follows(ats: tuple[At, ...]) -> bool:
    """Whether an index changes from place to place."""
    return any(at.axis is not None for at in ats)
