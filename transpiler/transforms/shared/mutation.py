"""In-place writes in the primal: which are safe to differentiate, and which values must be kept because of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.aliases import ON_TAPES, memory
from transpiler.analyses.memory.effects import memory_reads
from transpiler.analyses.memory.flow_sensitive_aliases import overlap
from transpiler.analyses.memory.views import Views, bases, views_of
from transpiler.analyses.polyhedral.dependence import dependence
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.builder import Builder
from transpiler.core.language import Core
from transpiler.core.query import all_defined, all_written, blocks, call_of, defined, names, place_written, walk, written
from transpiler.core.text import same_place
from transpiler.transforms.shared.overwritten_values import Rewind, Roots
from transpiler.transforms.shared.unfollowed_writes import cannot_follow
from transpiler.values.types import Array, Scalar, Tape, Type

Loops = tuple[int, ...]


class Mutation:
    """What is written when, and how the pullback comes by values whose memory has changed since.

    Either a copy is kept of what the pullback will read; or, where reads and writes take turns in a loop, each write keeps
    what it overwrites, and the pullback puts that back before it goes on: memory then runs backwards with it.
    """

    def __init__(self, core: Core):
        self.core = core
        self.memory = memory(core)
        views = views_of(core)
        own = self._taken_over(views)
        self.views = {name: view for name, view in views.items() if name not in own}
        self.dependence = dependence(core)
        self.rewind = Rewind(core, self.memory)
        self.later: dict[int, Roots] = {}
        self.around: dict[int, Loops] = {}
        self.before: dict[int, list[gast.stmt]] = {}
        self.after: dict[int, list[gast.stmt]] = {}
        self.copies: dict[tuple[int, str], str] = {}
        self.kept: dict[int, tuple[str, list[gast.stmt]]] = {}
        self.places: dict[int, tuple[list[gast.stmt], int]] = {}
        self.defined_at: dict[str, list[gast.stmt]] = {}
        self._order(list(core.body), frozenset(), ())

    def roots_written(self, statements: Iterable[gast.stmt]) -> Roots:
        return self.memory.of(*all_written(statements))

    def _order(self, body: list[gast.stmt], after: Roots, around: Loops) -> None:
        """For every statement, the memory written after it; in a loop, that is also what an iteration writes before it."""
        for position, statement in reversed(list(enumerate(body))):
            self.places[id(statement)] = body, position
            self.defined_at.setdefault(defined(statement) or '', []).append(statement)
            self.later[id(statement)], self.around[id(statement)] = after, around
            own = self.roots_written([statement])
            is_loop = isinstance(statement, (gast.For, gast.While))
            for inner in blocks(statement):
                self._order(inner, after | own if is_loop else after, (*around, id(statement)) if is_loop else around)
            after = after | own

    def place(self, statement: gast.stmt) -> str | None:
        """The view that a write goes through, if other names show the same memory; None for a write into memory of its own.

        Raises UnsafeMutation where a derivative could miss what the write means for other names.
        """
        name = written(statement)
        others = self.others(name, statement)
        if not others:
            return None
        unknown = sorted(others - set(bases(name, self.views)))
        if unknown:
            raise cannot_follow(self.core, name, unknown[0], statement)
        return name

    def others(self, name: str, statement: gast.stmt, given: Iterable[str] = ()) -> set[str]:
        """The names, read after a write into `name` or `given` to the call that writes, that may show the memory it changes."""
        seen = live_after(self.core)[statement].union(given)
        on_lists = {ON_TAPES} if any(isinstance(self.core.types.get(other), Tape) for other in seen) else set()
        others = overlap(self.core).partners(name, statement) & (seen | on_lists)
        return {other for other in others if not isinstance(self.core.types.get(other), Scalar)}

    def _taken_over(self, views: Views) -> set[str]:
        """Views that are written when nobody else needs the memory any more: it is theirs from then on, as is its cotangent."""
        writes = [s for s in self.core.statements if written(s) in views]
        seen = {written(s) for s in writes if self.others(written(s), s)}
        return {written(s) for s in writes} - seen

    def protect(self, builder: Builder, statement: gast.stmt, pullback: list[gast.stmt]) -> list[gast.stmt]:
        """Let `pullback`, which belongs to `statement`, read the arrays as they were, though they are written after it."""
        overwritten = self.later.get(id(statement), frozenset())
        if not overwritten:
            return pullback
        renamed = {}
        for name in sorted({n for s in walk(pullback) for e in _expressions(s) for n in memory_reads(e)}):
            touched = self.memory.of(name) & overwritten
            if not touched or not isinstance(self.core.types.get(name), Array):
                continue
            if self.dependence.intact_read(name, statement):
                continue
            if self.rewind.may_run_back(touched) and self._takes_turns(statement, touched):
                self.rewind.run_back(touched)
            else:
                renamed[name] = self._copy(builder, statement, name)
        return [rename(s, renamed) for s in pullback] if renamed else pullback

    def _takes_turns(self, statement: gast.stmt, roots: Roots) -> bool:
        """Whether a loop around `statement` also writes the memory that it reads."""
        loops = set(self.around[id(statement)])
        return any(loops & set(self.around[id(w)]) for w in self.rewind.writes_to(roots))

    def keep(self, builder: Builder, statement: gast.stmt, type_: Type) -> str | None:
        """The name of what a write overwrites, a value of `type_`, if the pullback may put it back."""
        name = written(statement)
        if not self.rewind.may_run_back(self.memory.of(name)):
            return None
        if id(statement) not in self.kept:
            self.kept[id(statement)] = self._loaded(statement) or self._kept_anew(builder, statement, type_)
        return self.kept[id(statement)][0]

    def _loaded(self, statement: gast.stmt) -> tuple[str, list[gast.stmt]] | None:
        """The number that the program itself has read from the place just before."""
        target = place_written(statement)
        block, position = self.places[id(statement)]
        for earlier in reversed(block[:position]):
            match earlier:
                case gast.Assign(targets=[gast.Name(id=loaded)], value=gast.Subscript() as value) if same_place(value, target):
                    return (loaded, []) if isinstance(self.core.types.get(loaded), Scalar) else None
            if all_defined([earlier]) & set(names(target)) or self.roots_written([earlier]) & self.memory.of(target.value.id):
                return None
        return None

    def _kept_anew(self, builder: Builder, statement: gast.stmt, type_: Type) -> tuple[str, list[gast.stmt]]:
        target = place_written(statement)
        base = self.core.base(target.value.id)
        old = builder.fresh(f'old_{base}', type_, temporary=True, lasting=True).name
        value: gast.expr = build.subscript(target.value, target.slice)
        made = []
        whole = isinstance(target.slice, gast.Constant) and target.slice.value is Ellipsis
        if not isinstance(type_, Scalar) and not whole:
            part = builder.fresh(f'{base}_part', type_, temporary=True, lasting=True).name
            made.append(build.assign(part, value, statement.origin, 'storage'))
            value = build.name(part)
        if not isinstance(type_, Scalar):
            value = build.call('numpy.copy', target.value if whole else value)
        return old, [*made, build.assign(old, value, statement.origin, 'storage')]

    def _copy(self, builder: Builder, statement: gast.stmt, name: str) -> str:
        """A copy of an array as it is at `statement`; statements between which nobody writes it share one."""
        key = id(statement), name
        if key not in self.copies:
            at_once = self._later_copy(statement, name)
            if at_once is not None:
                self.copies[key] = self.copies[at_once]
                return self.copies[key]
            kept = builder.fresh(self.core.base(name), self.core.types[name], self.core.is_temporary(name), lasting=True)
            self.copies[key] = kept.name
            own = defined(statement) == name or call_of(statement) is not None  # what a call reads may be what it wrote
            place = self.after if own else self.before
            place.setdefault(id(statement), []).append(
                build.assign(kept.name, build.call('numpy.copy', name), statement.origin, 'storage')
            )
        return self.copies[key]

    def copy_at(self, statement: gast.stmt, name: str) -> str | None:
        """A copy that is made of `name` further up or down in the block, with the array as it is at `statement`."""
        if (id(statement), name) in self.copies:
            return self.copies[id(statement), name]
        later = self._later_copy(statement, name)
        if later is not None:
            return self.copies[later]
        block, position = self.places[id(statement)]
        for earlier in reversed(block[:position]):
            if self._changes(earlier, name):
                return None
            if (id(earlier), name) in self.copies:
                return self.copies[id(earlier), name]
        return None

    def _later_copy(self, statement: gast.stmt, name: str) -> tuple[int, str] | None:
        """The place of a copy that is made of `name` further down in the block, if the array is the same there."""
        block, position = self.places[id(statement)]
        for later in block[position:]:
            made = later is not statement and (id(later), name) in self.copies
            if made and defined(later) != name and call_of(later) is None:
                return id(later), name
            if self.roots_written([later]) & self.memory.of(name) or name in all_defined([later]) and later is not statement:
                return None
        return None

    def _changes(self, statement: gast.stmt, name: str) -> bool:
        return bool(self.roots_written([statement]) & self.memory.of(name)) or name in all_defined([statement])


def _expressions(statement: gast.stmt) -> Iterator[gast.expr]:
    """The expressions that a statement itself evaluates."""
    for _, value in gast.iter_fields(statement):
        if isinstance(value, gast.expr):
            yield value
        elif isinstance(value, list):
            yield from (v for v in value if isinstance(v, gast.expr))
