"""The pullback of simple statements: assignments, writes into arrays, pushes on tapes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import gast

from transpiler.analyses.memory.aliases import tape_of
from transpiler.analyses.memory.memory_order import by_order
from transpiler.analyses.memory.views import bases, is_writable
from transpiler.core import build
from transpiler.core.indices import copies, may_repeat
from transpiler.core.links import link
from transpiler.core.query import call_of, defined, names, parts, primitive, walk
from transpiler.core.variables import Var
from transpiler.rules.base.registry import RULES
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.frames import Frame
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import Array, Scalar

if TYPE_CHECKING:
    from transpiler.transforms.pullback.sweep import Sweep


class StatementPullbacks(Part):
    """One method per kind of simple statement; each writes its pullback into the builder's block."""

    def __init__(self, sweep: Sweep):
        super().__init__(sweep)
        views = sweep.mutation.views
        shown_reshaped = (name for name, view in views.items() if by_order(view))
        self.in_order = {root for name in shown_reshaped for root in bases(name, views)}

    def pull_assignment(self, statement: gast.stmt, name: str, value: gast.expr) -> None:
        bar = self.sweep.live.pop(name, None)
        popped = tape_of(statement)
        if popped is not None and popped in self.active and bar is None:
            bar = self.sweep.zero(name)
            self.sweep.reading.unread.add(name)
        if bar is None or bar.value == ZERO and popped is None or (name not in self.active and popped is None) or bar.shown:
            self._read_on(statement, name, value)
            return
        with self.needed(statement):
            self.sweep.operations.operand_names = frozenset(names(value))
            self.sweep.operations.pull_operation(name, value, bar)

    def _read_on(self, statement: gast.stmt, name: str, value: gast.expr) -> None:
        """What is read of a view is read of its base, whose cotangent has been added to through the view."""
        if name in self.sweep.mutation.views and (name in self.sweep.reading.flags or name in self.sweep.reading.vague):
            with self.needed(statement), self.sweep.reading.reads(name, value):
                for base in self.active.intersection(names(value)):
                    self.sweep.reading.contributed(base)

    def is_made_here(self, name: str) -> bool:
        made, places = self.sweep.mutation.defined_at.get(name, self.core.body[:1]), self.sweep.mutation.places
        here, written = places[id(self.sweep.here)][0], self.sweep.mutation.memory.of(name) & self.sweep.mutation.memory.written
        return len(made) == 1 and places[id(made[0])][0] is here and not written

    @contextmanager
    def needed(self, statement: gast.stmt):
        """Keep of the block written inside only what the cotangents and effects need, and save what will be overwritten."""
        with self.ev.builder.nested() as block:
            yield
        kept = self._pruned(block)
        made = {name: s.value for s in kept if isinstance(s, gast.Assign) and (name := defined(s)) is not None}
        self.sweep.derivatives.define(made)
        self.ev.builder.block.extend(self.sweep.mutation.protect(self.ev.builder, statement, kept))

    def _pruned(self, block: list[gast.stmt]) -> list[gast.stmt]:
        needed = {name for bar in self.sweep.live.values() if isinstance(bar.value, Var) for name in [bar.value.name]}
        needed |= {flag.name for flag in self.sweep.reading.flags.values() if isinstance(flag, Var)}
        kept: list[gast.stmt] = []
        for statement in reversed(block):
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if name not in needed and not (
                    tape_of(statement) or call_of(statement)
                ):
                    continue
                case gast.Assign(targets=[gast.Name()], value=value):
                    needed |= set(names(value))
                case _:
                    for inner in walk([statement]):
                        needed |= {n for child in parts(inner) if isinstance(child, gast.Name) for n in [child.id]}
            kept.append(statement)
        return kept[::-1]

    def pull_store(self, statement: gast.stmt, base: str, index: gast.expr, value: gast.expr) -> None:
        """`a[i] = e`: `e` takes the cotangent of the place, which becomes zero."""
        self._put_back(statement, base, index)
        if not self._reaches(statement, base):
            return
        with self.needed(statement):
            memory = self.memory_of(statement, base)
            cotangent = self._at(memory, index)
            if may_repeat(index, self.core.types) and isinstance(value, gast.Name) and value.id in self.active:
                cotangent = self._of_last_writes(memory, index, cotangent)
            self.ev.builder.assign(build.subscript(memory.name, index), build.constant(0.0))
            self._hand_on(base, value)
            self.sweep.reading.unread |= {base, *bases(base, self.sweep.mutation.views)}
            self._give(value, cotangent)

    def _put_back(self, statement: gast.stmt, base: str, index: gast.expr) -> None:
        """Undo the write, in case that the pullback reads this memory: what nobody asks for is dropped again."""
        type_ = self.ev.indices.item_type(self.type_of(base), self._index_binding(index))
        old = self.sweep.mutation.keep(self.ev.builder, statement, type_)
        if old is not None:
            undo = build.assign(build.subscript(base, index), old, statement.origin, 'storage')
            self.ev.builder.append(link(undo, undoes=statement, array=base))

    def _reaches(self, statement: gast.stmt, base: str) -> bool:
        """Whether what is written into `base` has a cotangent."""
        root = [base, *bases(base, self.sweep.mutation.views)][-1] if self.sweep.mutation.place(statement) else base
        bar = self.sweep.live.get(root)
        return root in self.active and bar is not None and bar.value != ZERO

    def memory_of(self, statement: gast.stmt, base: str) -> Var:
        """The cotangent of an array that is written: memory of its own, or the same view of the cotangent of another."""
        return self.seen(base) if self.sweep.mutation.place(statement) else self.own(base)

    def own(self, name: str) -> Var:
        """The cotangent as memory that may be written; in the order of the array, where that is shown in another shape."""
        bar = self.sweep.live.get(name, Bar(ZERO))
        if name in self.in_order and not (bar.fixed or bar.shown):
            if bar.value != ZERO:
                self.sweep.cotangents.wish(name, bar)
            self.sweep.live[name] = replace(self.sweep.attempts.ordered(name, bar), fixed=True)
        return self.sweep.cotangents.own(name)

    def ordered(self, name: str, bar: Bar) -> Bar:
        """The cotangent of an array in memory of its own, in the order of the array."""
        made = self.sweep.zero(name)
        if bar.value != ZERO:
            value = self.ev.operand(self.sweep.whole(name, bar).value)[0]
            self.ev.builder.accumulate(build.subscript(made.value.name, ...), value)
        return made

    def add_at(self, name: str, index: gast.expr, value: Binding) -> None:
        if self.sweep.live.get(name, Bar(ZERO)).value == ZERO and self._is_shown_here(name):
            around = list(bases(name, self.sweep.mutation.views))
            self.sweep.reading.told |= {*around}  # where these views are taken
            view, root = self.seen(name), around[-1]
            self.sweep.live[root] = replace(self.sweep.live[root], fixed=True)
            self.sweep.live[name] = Bar(view, owned=True, shown=True)
        self.sweep.cotangents.add_at(name, index, value)

    def _is_shown_here(self, name: str) -> bool:
        """Whether `name` is a view, taken in the block that is being reversed, of an array that has a cotangent."""
        found = [name, *bases(name, self.sweep.mutation.views)]
        taken = [s for n in found[:-1] for s in self.sweep.mutation.defined_at[n]]
        places = self.sweep.mutation.places
        here = places[id(self.sweep.here)][0]
        if len(found) == 1 or found[-1] not in self.active or not is_writable(name, self.sweep.mutation.views):
            return False
        return all(places[id(s)][0] is here for s in taken)

    def seen(self, name: str) -> Var:
        """The cotangent of a view: the same view of the cotangent of its base."""
        match self.sweep.mutation.views.get(name):
            case None:
                return self.own(name)
            case gast.Name(id=base):
                return self.seen(base)
            case gast.Subscript(value=gast.Name(id=base), slice=index):
                view = self.ev.load(self.seen(base), self._index_binding(index))
            case gast.Call(args=[gast.Name(id=base), *_]) as call:
                rule = RULES[primitive(call)]
                _, statics = rule.bind(call.args, {k.arg: k.value for k in call.keywords})
                view = self.ev.operations.operate(rule, [self.seen(base)],
                                                  {k: self.binding(node) for k, node in statics.items()})
        self.ev.builder.rename_hint(view.name, *self.sweep.called(name))
        return view

    def pull_accumulation(self, statement: gast.stmt, base: str, index: gast.expr, value: gast.expr) -> None:
        """`a[i] += e`: `e` takes the cotangent of the place, which keeps it."""
        self._put_back(statement, base, index)
        if self._reaches(statement, base) and isinstance(value, gast.Name) and value.id in self.active:
            with self.needed(statement):
                memory = self.memory_of(statement, base)
                self._hand_on(base, value)
                self._give(value, self._at(memory, index))

    def _hand_on(self, base: str, value: gast.expr) -> None:
        """What holds of the cotangents of an array, or of those that it shows, may hold of what is written into it."""
        for shown in (base, *bases(base, self.sweep.mutation.views)):
            self.sweep.reading.handed_on(shown, *names(value))

    def _at(self, memory: Var, index: gast.expr) -> Binding:
        """The cotangent of `base[index]`: a number, or a copy, since the memory under it changes."""
        index_binding = self._index_binding(index)
        part = memory if index_binding == Known(...) else self.ev.load(memory, index_binding)
        if isinstance(self.value_type(part), Scalar) or copies(index, self.core.types):
            return part
        return self.ev.operate_by_name('numpy.copy', [part])

    def _of_last_writes(self, memory: Var, index: gast.expr, cotangent: Binding) -> Binding:
        """Where the index names a place several times, the last value written there is the one that stays."""
        ev, place = self.ev, self._index_binding(index)
        shape = ev.expressions.shape(cotangent, self.value_type(cotangent))
        iterations = ev.operate_by_name('numpy.arange', [], start_or_stop=ev.attribute(cotangent, 'size'))
        iterations = ev.operate_by_name('numpy.reshape', [iterations], shape=shape)
        last = ev.operate_by_name('numpy.empty_like', [memory], dtype=self.value_type(iterations).dtype)
        for variable, name in ((iterations, 'turn'), (last, 'last')):
            ev.builder.rename_hint(variable.name, name)
        ev.distribution.store(last, place, iterations)
        stays = ev.compare(gast.Eq, ev.load(last, place), iterations)
        return ev.operate_by_name('numpy.where', [stays, cotangent, Known(0)])

    def _index_binding(self, index: gast.expr) -> Binding:
        return self.ev.indexing.index(Frame(None, {name: self.variable(name) for name in names(index)}), index)

    def _give(self, value: gast.expr, cotangent: Binding) -> None:
        """Add the cotangent of a place written to that of the value written there, which may have been broadcast."""
        if not isinstance(value, gast.Name) or value.id not in self.active:
            return
        type_, own = self.type_of(value.id), self.value_type(cotangent)
        if (
            isinstance(own, Scalar)
            and isinstance(type_, Scalar)
            or isinstance(own, Array)
            and isinstance(type_, Array)
            and own.dims is not None
            and own.dims == type_.dims
            and None not in own.dims
        ):
            total = cotangent
        elif isinstance(type_, Scalar) and isinstance(own, Array):
            total = self.ev.operate_by_name('numpy.sum', [cotangent])
        else:
            total = self.ev.operate_by_name('kernels.unbroadcast', [cotangent, self.variable(value.id)])
        self.sweep.add(value.id, total, owned=True)

    def pull_push(self, tape: str, value: gast.expr) -> None:
        lasting = getattr(self.type_of(tape), 'lasting', False)
        if tape not in self.active or tape not in self.sweep.live and not isinstance(value, gast.Name) and not lasting:
            return
        memory = self.own(tape)
        popped = self.ev.tapes.pop_tape(memory)
        self.sweep.reading.handed_on(tape, *names(value))
        if isinstance(value, gast.Name) and value.id in self.active:
            type_ = self.type_of(value.id)
            if getattr(popped.type, 'dtype', None) == getattr(type_, 'dtype', None):  # items of one list may differ in shape
                popped = Var(popped.name, type_)
                self.ev.builder.types[popped.name] = type_
            self.sweep.add(value.id, popped)
