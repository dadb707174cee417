"""Which values of the primal the pullback can have again: by computing them, or by reading memory that still holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import gast

from transpiler.analyses.memory.aliases import tape_of
from transpiler.analyses.memory.effects import is_ufunc, memory_reads
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.builder import Builder
from transpiler.core.fixpoint import spread
from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.links import link, links
from transpiler.core.query import all_defined, call_of, defined, is_atom, names, primitive
from transpiler.rules.base.registry import RULES
from transpiler.transforms.shared.mutation import Mutation
from transpiler.transforms.shared.overwritten_values import Roots
from transpiler.values.types import BOOL, Array, Scalar, Tape, Type, Unknown

CHEAP_CALLS = {'python.float', 'python.int', 'python.bool', 'python.abs', 'python.len'}
CHEAP_OF_ARRAYS = {
    f'numpy.{name}' for name in ('add', 'subtract', 'multiply', 'negative', 'minimum', 'maximum', 'absolute', 'outer')
}
NONE: Roots = frozenset()


class Recompute:
    """Numbers are computed again, arrays are kept; a view is taken again, and memory read again where it holds the same."""

    def __init__(self, core: Core, builder: Builder, mutation: Mutation):
        self.core, self.builder, self.types, self.mutation = core, builder, builder.types, mutation
        self.memory, self.rewind = mutation.memory, mutation.rewind
        self.found: dict[str, list[gast.stmt]] = {}
        self.intact: dict[int, bool] = {}
        self.sources: dict[str, gast.Assign | None] = {}
        self.read_for: dict[str, Roots] = {}
        self.stores: dict[str, gast.Assign] = {}
        for statement in core.statements:
            name = defined(statement)
            if name is not None:
                self.found.setdefault(name, []).append(statement)
            match statement:
                case gast.Assign(targets=[gast.Subscript(value=gast.Name())], value=gast.Name(id=stored)):
                    self.stores[stored] = statement
        self.choices = {name: made for s in core.statements if isinstance(s, gast.If) for name, made in self._choices(s)}

    def _choices(self, branch: gast.If) -> Iterator[tuple[str, gast.Assign]]:
        """`name = a if test else b` for the numbers that the arms do nothing with but choose them."""
        inside = all_defined([branch])
        given = lambda arm: {defined(s): s.value for s in arm if isinstance(s, gast.Assign) and defined(s) and is_atom(s.value)}
        chosen, other = given(branch.body), given(branch.orelse)
        for name in sorted(chosen.keys() & other.keys()):
            values = chosen[name], other[name]
            known = isinstance(self.types.get(name), Scalar) and not inside & {n for value in values for n in names(value)}
            if known and len(self.found[name]) == 2 and isinstance(branch.test, gast.Name):
                value = gast.IfExp(test=branch.test, body=values[0], orelse=values[1])
                made = build.assign(name, value, branch.origin, 'storage')
                link(made, branch=branch)
                yield name, made

    def given_by(self, name: str) -> gast.stmt | None:
        """The statement that gives a name its value: its one assignment, or the branch that chooses it."""
        return links(self.choices[name]).branch if name in self.choices else self.definition(name)

    def spare(self, base: str) -> str:
        """A name for a flag of the pullback."""
        return self.builder.fresh(base, BOOL, temporary=True).name

    def definition(self, name: str) -> gast.Assign | None:
        """The one assignment that gives `name` its value."""
        found = self.found.get(name, [])
        return found[0] if len(found) == 1 and isinstance(found[0], gast.Assign) and name not in self.core.inputs else None

    def source(self, name: str) -> gast.Assign | None:
        """The statement that gives the value of `name` again: a read of memory where it was stored, or its cheap definition."""
        if name not in self.sources:
            statement = self.choices.get(name) or self.definition(name)
            known = None if statement is None else self._stored(name, statement) or self._handed(name, statement)
            light = statement is not None and self._is_light(statement)
            self.sources[name] = known or (self._from_copies(statement) if light else None)
        return self.sources[name]

    def _from_copies(self, statement: gast.Assign) -> gast.Assign:
        """Arithmetic on arrays that change later, of which the pullback has copies anyway: it is done on these."""
        if isinstance(statement.value, gast.Subscript):
            return statement
        arrays = {n for n in memory_reads(statement.value) if self.memory.of(n) & self.memory.written}
        copies = {name: self.mutation.copy_at(statement, name) for name in sorted(arrays)}
        if not copies or None in copies.values():
            return statement
        return build.like(statement, value=rename(statement.value, copies))

    def _stored(self, name: str, statement: gast.Assign) -> gast.Assign | None:
        """`name = a[i]`, if the program does `a[i] = name` in the same block, and the place keeps that value."""
        store, type_ = self.stores.get(name), self.types[name]
        given = links(statement).branch or statement
        if (
            store is None
            or isinstance(statement.value, gast.Subscript)
            or self.mutation.places[id(store)][0] is not self.mutation.places[id(given)][0]
        ):
            return None
        target = store.targets[0]
        base = self.types.get(target.value.id)
        gathers = any(not isinstance(self.types.get(n), Scalar) for n in names(target.slice))
        if gathers or not isinstance(base, Array) or getattr(type_, 'dtype', None) != base.dtype:
            return None
        if not (self._is_element(target) if isinstance(type_, Scalar) else self._same_shape(target, type_)):
            return None
        if not self.mutation.dependence.stays(store):
            return None
        again = build.assign(name, build.subscript(target.value.id, target.slice), statement.origin, 'storage')
        link(again, stored=store)
        return again if isinstance(type_, Scalar) or not self.runs_back(again) else None

    def _handed(self, name: str, statement: gast.Assign) -> gast.Assign | None:
        """`name = argument`, if that is what a call gives."""
        value, result = statement.value, 0
        match value:
            case gast.Subscript(value=gast.Name(id=base), slice=item) if isinstance(self.types.get(base), tuple):
                whole, result = self.definition(base), item.value
                value = value if whole is None else whole.value
        gives = links(value).gives
        if not gives or self.memory.of(name) & self.memory.written:
            return None
        again = build.assign(name, value.args[gives[result]], statement.origin, 'storage')
        return link(again, handed=True)

    def _is_element(self, target: gast.Subscript) -> bool:
        """Whether a place is one element: a number written to more is spread there."""
        parts = entries_of(target.slice)
        plain = all(isinstance(p, gast.Name) or isinstance(p, gast.Constant) and type(p.value) is int for p in parts)
        return plain and len(parts) == self.types[target.value.id].ndim

    def _same_shape(self, target: gast.Subscript, type_: Type) -> bool:
        """Whether an array fills the place that it is written to: it is not broadcast on the way."""
        parts = entries_of(target.slice)
        base = self.types[target.value.id]
        if base.dims is None or any(isinstance(p, gast.Constant) and not isinstance(p.value, int) for p in parts):
            return False
        taken = zip(parts, base.dims, strict=False)
        dims = [d if p.lower is p.upper is p.step is None else None for p, d in taken if isinstance(p, gast.Slice)]
        dims += base.dims[len(parts) :]
        return isinstance(type_, Array) and None not in dims and tuple(dims) == type_.dims

    def is_cheap(self, statement: gast.Assign) -> bool:
        """Whether having the value again is better than keeping it; where it is read from memory, that must hold it still."""
        if not self._is_light(statement):
            return False
        return self.is_view(statement) or self.is_intact(statement) or self.runs_back(statement)

    def _is_light(self, statement: gast.Assign) -> bool:
        """Numbers are computed again; arrays are where that is no more work than keeping them: arithmetic, views."""
        value = statement.value
        numbers = all(isinstance(self.types.get(name), Scalar) for name in names(value))
        known = all(isinstance(self.types.get(name), (Scalar, Array)) for name in names(value))
        match value:
            case gast.Subscript(value=gast.Name(id=base)) if isinstance(self.types.get(base), tuple):
                return False  # one of several results of a call
            case gast.Subscript() | gast.Attribute() | gast.Constant():
                return True
            case gast.Name():
                return links(statement).handed
            case gast.Call(keywords=[]) if known and primitive(value) in CHEAP_OF_ARRAYS:
                return numbers or self._stays(statement)
            case gast.Call():
                name = primitive(value)
                return self.is_view(statement) or numbers and (name in CHEAP_CALLS or is_ufunc(name))
            case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult()) | gast.UnaryOp() | gast.Compare():
                return numbers or known and self._stays(statement)
            case gast.BinOp(op=gast.Div(), right=divisor) if not isinstance(self.types.get(getattr(divisor, 'id', '')), Array):
                return numbers or known and self._stays(statement)
            case gast.BinOp() | gast.IfExp():
                return numbers
        return False

    def _stays(self, statement: gast.Assign) -> bool:
        """Whether the array that a statement makes stays as it is made."""
        name = str(defined(statement))
        return not self.memory.of(name) & self.memory.written or self.mutation.dependence.intact_read(name, statement)

    def is_view(self, statement: gast.Assign) -> bool:
        """Whether an assignment shows memory under another name instead of reading it."""
        match statement.value:
            case gast.Subscript(value=gast.Name(id=base), slice=index) if isinstance(self.types.get(base), Array):
                gathers = any(isinstance(self.types.get(n), (Array, Unknown)) for n in names(index))
                return not gathers and isinstance(self.types.get(defined(statement) or ''), Array)
            case gast.Call(func=gast.Name(id='tape.item'), args=[gast.Name(id=items), *_]):
                return self._is_complete(items, statement)
            case gast.Call() as call:
                rule = RULES.get(primitive(call) or '')
                return rule is not None and rule.view
        return False

    def _is_complete(self, items: str, statement: gast.stmt) -> bool:
        """Whether the list is not changed, nor handed to a function, from the loops around a statement on."""
        own, order, around = self.memory.list_itself(items), self.order, self.mutation.around
        begins = min((order[loop] for loop in around[id(statement)]), default=order[id(statement)])
        return not any(order[id(s)] > begins and self.memory.list_itself(name) & own for s, name in self.changes_of_lists)

    @cached_property
    def order(self) -> dict[int, int]:
        """Where statements stand in the program."""
        return {id(s): place for place, s in enumerate(self.core.statements)}

    @cached_property
    def changes_of_lists(self) -> list[tuple[gast.stmt, str]]:
        """The statements that may change lists, and these."""
        given = [(s, name) for s in self.core.statements if call_of(s) is not None for name in names(call_of(s))]
        handed = [(s, name) for s, name in given if isinstance(self.types.get(name), Tape)]
        return handed + [(s, name) for s in self.core.statements if (name := tape_of(s)) is not None]

    def read(self, statement: gast.Assign) -> Roots:
        """The memory, written somewhere, whose contents an assignment reads."""
        if self.is_view(statement):
            return NONE
        return self.memory.of(*memory_reads(statement.value)) & self.memory.written

    def is_intact(self, statement: gast.Assign) -> bool:
        """Whether nobody overwrites what a statement reads."""
        if links(statement).stored is not None or not self.read(statement):
            return True
        if id(statement) not in self.intact:
            self.intact[id(statement)] = self._is_intact(statement)
        return self.intact[id(statement)]

    def _is_intact(self, statement: gast.Assign) -> bool:
        dependence = self.mutation.dependence
        if isinstance(statement.value, gast.Subscript):
            return dependence.intact(statement)
        arrays = [n for n in memory_reads(statement.value) if not isinstance(self.types.get(n), Scalar)]
        return all(dependence.intact_read(name, statement) for name in arrays)

    def runs_back(self, statement: gast.Assign) -> bool:
        return self.read(statement) <= self.rewind.running

    def closure(self, wanted: Iterable[str], seen: set[str] | None = None) -> Iterable[gast.Assign]:
        """The statements that would have to be run again for some names, as far down as that is cheap or a read of memory.

        seen: the names for which that has been asked before, and is not again
        """
        pending, seen = list(wanted), set() if seen is None else seen
        while pending:
            name = pending.pop()
            statement = None if name in seen else self.source(name)
            seen.add(name)
            if statement is not None:
                yield statement
                pending += names(statement.value)

    def looked_at(self, node: gast.AST) -> Roots:
        """The memory that is read when `node` is evaluated in the pullback, to have the names in it again included."""
        direct = self.memory.of(*memory_reads(node))
        return direct.union(*map(self._read_for, names(node))) if self.memory.written else direct

    def _read_for(self, name: str) -> Roots:
        """The memory, written somewhere, that is read to have a name again."""
        if name not in self.read_for:
            sources = {n: [] if s is None else [*names(s.value)] for n, s in self._below(name)}
            own = {n: NONE if (s := self.source(n)) is None else self.read(s) for n in sources}
            known = {n: self.read_for[n] for below in sources.values() for n in below if n in self.read_for}
            self.read_for |= spread({**known, **own}, reversed(sources.items()))
        return self.read_for[name]

    def _below(self, name: str) -> Iterator[tuple[str, gast.Assign | None]]:
        """The names that a name is made of, with the statements that give them again, but for those asked about before."""
        pending, seen = [name], set[str]()
        while pending:
            one = pending.pop()
            if one not in seen and one not in self.read_for:
                seen.add(one)
                yield one, (source := self.source(one))
                pending += [] if source is None else names(source.value)
