"""In-place writes in the primal: which are safe to differentiate, and which values must be kept because of them."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.analyses.aliases import ON_TAPES, memory
from transpiler.analyses.effects import memory_reads
from transpiler.analyses.liveness import live_after
from transpiler.analyses.overlap import overlap
from transpiler.analyses.views import bases, views_of
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, walk, written
from transpiler.errors import UnsafeMutation
from transpiler.specialize.builder import Builder
from transpiler.values.types import Array, Scalar

Roots = frozenset[str]


class Mutation:
    """What is written when, and the copies of values that the pullback reads after their memory has changed."""

    def __init__(self, core: Core):
        self.core = core
        self.memory = memory(core)
        self.views = views_of(core)
        self.later: dict[int, Roots] = {}
        self.before: dict[int, list[gast.stmt]] = {}
        self.after: dict[int, list[gast.stmt]] = {}
        self.copies: dict[tuple[int, str], str] = {}
        self._order(list(core.body), frozenset())

    def _roots_written(self, statements: list[gast.stmt]) -> Roots:
        return self.memory.of(*(name for s in walk(statements) if (name := written(s)) is not None))

    def _order(self, body: list[gast.stmt], after: Roots) -> None:
        """For every statement, the memory that is written after it; in a loop, that is also what a turn writes before it."""
        for statement in reversed(body):
            self.later[id(statement)] = after
            own = self._roots_written([statement])
            inside = after | own if isinstance(statement, (gast.For, gast.While)) else after
            for inner in blocks(statement):
                self._order(inner, inside)
            after = after | own

    def place(self, statement: gast.stmt) -> str | None:
        """The view that a write goes through, if other names show the same memory; None for a write into memory of its own.

        Raises UnsafeMutation where a derivative could miss what the write means for other names.
        """
        name = written(statement)
        others = overlap(self.core).partners(name, statement) & live_after(self.core)[statement]
        others = {other for other in others if not isinstance(self.core.types.get(other), Scalar)}
        if not others:
            return None
        unknown = sorted(others - set(bases(name, self.views)))
        if unknown:
            raise UnsafeMutation(
                f'`{self.core.base(name)}` is written in place, and may share its memory with {self._described(unknown[0])}',
                statement.origin,
                why='whether they do is decided at run time, so the derivative cannot follow the write',
                instead='work on a copy: `a.copy()`',
            )
        return name

    def _described(self, name: str) -> str:
        return 'a list' if name == ON_TAPES else f'`{self.core.base(name)}`, which is read later'

    def protect(self, builder: Builder, statement: gast.stmt, pullback: list[gast.stmt]) -> list[gast.stmt]:
        """Let `pullback`, which belongs to `statement`, read copies of the arrays that are written after it."""
        overwritten = self.later.get(id(statement), frozenset())
        if not overwritten:
            return pullback
        renamed = {}
        for name in sorted({n for s in walk(pullback) for e in _expressions(s) for n in memory_reads(e)}):
            if name in self.core.types and isinstance(self.core.types[name], Array) and self.memory.of(name) & overwritten:
                renamed[name] = self._copy(builder, statement, name)
        return [rename(s, renamed) for s in pullback] if renamed else pullback

    def _copy(self, builder: Builder, statement: gast.stmt, name: str) -> str:
        key = id(statement), name
        if key not in self.copies:
            kept = builder.fresh(self.core.base(name), self.core.types[name], self.core.is_temporary(name), lasting=True)
            self.copies[key] = kept.name
            place = self.after if defined(statement) == name else self.before
            place.setdefault(id(statement), []).append(
                build.assign(kept.name, build.call('numpy.copy', name), statement.origin, 'storage')
            )
        return self.copies[key]


def _expressions(statement: gast.stmt) -> Iterator[gast.expr]:
    """The expressions that a statement itself evaluates."""
    for _, value in gast.iter_fields(statement):
        if isinstance(value, gast.expr):
            yield value
        elif isinstance(value, list):
            yield from (v for v in value if isinstance(v, gast.expr))


def rename(node, names: dict[str, str]):
    """`node`, a statement or an expression, with some names replaced."""
    if isinstance(node, list):
        return [rename(part, names) for part in node]
    if isinstance(node, gast.Name):
        return build.like(node, id=names.get(node.id, node.id))
    if isinstance(node, gast.AST):
        return build.like(node, **{field: rename(value, names) for field, value in gast.iter_fields(node)})
    return node
