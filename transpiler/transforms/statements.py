"""The pullback of simple statements: assignments, writes into arrays, pushes on tapes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

import gast

from transpiler.analyses.aliases import tape_of
from transpiler.analyses.definitions import Definitions
from transpiler.analyses.order import by_order
from transpiler.analyses.views import bases, is_writable
from transpiler.core import build
from transpiler.core.indices import copies, may_repeat
from transpiler.core.language import Core
from transpiler.core.query import call_of, defined, names, parts, primitive, walk
from transpiler.rules.registry import RULES
from transpiler.specialize.bindings import Binding, Known, Var
from transpiler.specialize.context import Frame
from transpiler.transforms.cotangents import Bar
from transpiler.transforms.derivatives import ZERO
from transpiler.transforms.lists import ListPullbacks
from transpiler.transforms.mutation import Mutation
from transpiler.values.types import Array, Scalar


class StatementPullbacks(ListPullbacks):
    """One method per kind of simple statement; each writes its pullback into the builder's block."""

    def __init__(self, core: Core, active: frozenset[str]):
        super().__init__(core)
        self.active = active
        self.mutation = Mutation(core)
        self.definitions_of = Definitions(core)
        shown_reshaped = (name for name, view in self.mutation.views.items() if by_order(view))
        self.in_order = {root for name in shown_reshaped for root in bases(name, self.mutation.views)}

    def _pull_assignment(self, statement: gast.stmt, name: str, value: gast.expr) -> None:
        bar = self.live.pop(name, None)
        popped = tape_of(statement)
        if popped is not None and popped in self.active and bar is None:
            bar = self.zero(name)
            self.unread.add(name)
        if bar is None or bar.value == ZERO and popped is None or (name not in self.active and popped is None) or bar.shown:
            self._read_on(statement, name, value)
            return
        with self._needed(statement):
            self.operand_names = frozenset(names(value))
            self.pull_operation(name, value, bar)

    def _read_on(self, statement: gast.stmt, name: str, value: gast.expr) -> None:
        """What is read of a view is read of its base, whose cotangent has been added to through the view."""
        if name in self.mutation.views and (name in self.reading or name in self.vague):
            with self._needed(statement), self.reads(name, value):
                for base in self.active.intersection(names(value)):
                    self.contributed(base)

    def is_made_here(self, name: str) -> bool:
        made, places = self.mutation.defined_at.get(name, self.core.body[:1]), self.mutation.places
        here, written = places[id(self.here)][0], self.mutation.memory.of(name) & self.mutation.memory.written
        return len(made) == 1 and places[id(made[0])][0] is here and not written

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
        needed |= {flag.name for flag in self.reading.values() if isinstance(flag, Var)}
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

    def _pull_store(self, statement: gast.stmt, base: str, index: gast.expr, value: gast.expr) -> None:
        """`a[i] = e`: `e` takes the cotangent of the place, which becomes zero."""
        self._put_back(statement, base, index)
        if not self._reaches(statement, base):
            return
        with self._needed(statement):
            memory = self.memory_of(statement, base)
            cotangent = self._at(memory, index)
            if may_repeat(index, self.core.types) and isinstance(value, gast.Name) and value.id in self.active:
                cotangent = self._of_last_writes(memory, index, cotangent)
            self.run.builder.assign(build.subscript(memory.name, index), build.constant(0.0))
            self._hand_on(base, value)
            self.unread |= {base, *bases(base, self.mutation.views)}
            self._give(value, cotangent)

    def _put_back(self, statement: gast.stmt, base: str, index: gast.expr) -> None:
        """Undo the write, in case that the pullback reads this memory: what nobody asks for is dropped again."""
        type_ = self.run.item_type(self.type_of(base), self._index_binding(index))
        old = self.mutation.keep(self.run.builder, statement, type_)
        if old is not None:
            undo = build.assign(build.subscript(base, index), old, statement.origin, 'storage')
            undo.undoes, undo.array = statement, base
            self.run.builder.append(undo)

    def _reaches(self, statement: gast.stmt, base: str) -> bool:
        """Whether what is written into `base` has a cotangent."""
        root = [base, *bases(base, self.mutation.views)][-1] if self.mutation.place(statement) else base
        bar = self.live.get(root)
        return root in self.active and bar is not None and bar.value != ZERO

    def memory_of(self, statement: gast.stmt, base: str) -> Var:
        """The cotangent of an array that is written: memory of its own, or the same view of the cotangent of another."""
        return self._seen(base) if self.mutation.place(statement) else self.own(base)

    def own(self, name: str) -> Var:
        """The cotangent as memory that may be written; in the order of the array, where that is shown in another shape."""
        bar = self.live.get(name, Bar(ZERO))
        if name in self.in_order and not (bar.fixed or bar.shown):
            if bar.value != ZERO:
                self._wish(name, bar)
            self.live[name] = replace(self.ordered(name, bar), fixed=True)
        return super().own(name)

    def ordered(self, name: str, bar: Bar) -> Bar:
        """The cotangent of an array in memory of its own, in the order of the array."""
        made = self.zero(name)
        if bar.value != ZERO:
            value = self.run.operand(self.whole(name, bar).value)[0]
            self.run.builder.accumulate(build.subscript(made.value.name, ...), value)
        return made

    def add_at(self, name: str, index: gast.expr, value: Binding) -> None:
        if self.live.get(name, Bar(ZERO)).value == ZERO and self._is_shown_here(name):
            around = list(bases(name, self.mutation.views))
            self.told |= {*around}  # where these views are taken
            view, root = self._seen(name), around[-1]
            self.live[root] = replace(self.live[root], fixed=True)
            self.live[name] = Bar(view, owned=True, shown=True)
        super().add_at(name, index, value)

    def _is_shown_here(self, name: str) -> bool:
        """Whether `name` is a view, taken in the block that is being reversed, of an array that has a cotangent."""
        found = [name, *bases(name, self.mutation.views)]
        taken = [s for n in found[:-1] for s in self.mutation.defined_at[n]]
        places = self.mutation.places
        here = places[id(self.here)][0]
        if len(found) == 1 or found[-1] not in self.active or not is_writable(name, self.mutation.views):
            return False
        return all(places[id(s)][0] is here for s in taken)

    def _seen(self, name: str) -> Var:
        """The cotangent of a view: the same view of the cotangent of its base."""
        match self.mutation.views.get(name):
            case None:
                return self.own(name)
            case gast.Name(id=base):
                return self._seen(base)
            case gast.Subscript(value=gast.Name(id=base), slice=index):
                view = self.run.load(self._seen(base), self._index_binding(index))
            case gast.Call(args=[gast.Name(id=base), *_]) as call:
                rule = RULES[primitive(call)]
                _, statics = rule.bind(call.args, {k.arg: k.value for k in call.keywords})
                view = self.run.operate(rule, [self._seen(base)], {k: self.binding(node) for k, node in statics.items()})
        self.run.builder.rename_hint(view.name, *self.called(name))
        return view

    def _pull_accumulation(self, statement: gast.stmt, base: str, index: gast.expr, value: gast.expr) -> None:
        """`a[i] += e`: `e` takes the cotangent of the place, which keeps it."""
        self._put_back(statement, base, index)
        if self._reaches(statement, base) and isinstance(value, gast.Name) and value.id in self.active:
            with self._needed(statement):
                memory = self.memory_of(statement, base)
                self._hand_on(base, value)
                self._give(value, self._at(memory, index))

    def _hand_on(self, base: str, value: gast.expr) -> None:
        """What holds of the cotangents of an array, or of those that it shows, may hold of what is written into it."""
        for shown in (base, *bases(base, self.mutation.views)):
            self.handed_on(shown, *names(value))

    def _at(self, memory: Var, index: gast.expr) -> Binding:
        """The cotangent of `base[index]`: a number, or a copy, since the memory under it changes."""
        index_binding = self._index_binding(index)
        part = memory if index_binding == Known(...) else self.run.load(memory, index_binding)
        if isinstance(self.value_type(part), Scalar) or copies(index, self.core.types):
            return part
        return self.run.operate_by_name('numpy.copy', [part])

    def _of_last_writes(self, memory: Var, index: gast.expr, cotangent: Binding) -> Binding:
        """Where the index names a place several times, the last value written there is the one that stays."""
        run, place = self.run, self._index_binding(index)
        shape = run.shape(cotangent, self.value_type(cotangent))
        turns = run.operate_by_name('numpy.arange', [], start_or_stop=run.attribute(cotangent, 'size'))
        turns = run.operate_by_name('numpy.reshape', [turns], shape=shape)
        last = run.operate_by_name('numpy.empty_like', [memory], dtype=self.value_type(turns).dtype)
        for variable, name in ((turns, 'turn'), (last, 'last')):
            run.builder.rename_hint(variable.name, name)
        run.store(last, place, turns)
        stays = run.compare(gast.Eq, run.load(last, place), turns)
        return run.operate_by_name('numpy.where', [stays, cotangent, Known(0)])

    def _index_binding(self, index: gast.expr) -> Binding:
        return self.run.index(Frame(None, {name: self.variable(name) for name in names(index)}), index)

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
            total = self.run.operate_by_name('numpy.sum', [cotangent])
        else:
            total = self.run.operate_by_name('kernels.unbroadcast', [cotangent, self.variable(value.id)])
        self.add(value.id, total, owned=True)

    def _pull_push(self, tape: str, value: gast.expr) -> None:
        lasting = getattr(self.type_of(tape), 'lasting', False)
        if tape not in self.active or tape not in self.live and not isinstance(value, gast.Name) and not lasting:
            return
        memory = self.own(tape)
        popped = self.run.pop_tape(memory)
        self.handed_on(tape, *names(value))
        if isinstance(value, gast.Name) and value.id in self.active:
            type_ = self.type_of(value.id)
            if getattr(popped.type, 'dtype', None) == getattr(type_, 'dtype', None):  # items of one list may differ in shape
                popped = Var(popped.name, type_)
                self.run.builder.types[popped.name] = type_
            self.add(value.id, popped)
