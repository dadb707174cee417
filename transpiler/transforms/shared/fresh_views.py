"""Views of memory that changes are taken anew wherever they are used, so that each shows what the memory holds then."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from types import MappingProxyType

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.flow_sensitive_aliases import overlap
from transpiler.analyses.memory.views import Views, views_of
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.language import Core, Hint
from transpiler.core.query import all_defined, all_written, blocks, changed_by, defined, names, reads, written
from transpiler.errors import UnsafeMutation
from transpiler.optimize.redundancy.copy_propagation import propagate_copies
from transpiler.optimize.rewriting.available_expressions import Facts, forward
from transpiler.passes import rewrite


@rewrite('views')
def take_views_anew(core: Core) -> Core:
    """Take each view that a write concerns anew where it is used; the write then is one into an expression.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('xyz', Array(np.dtype(float), (None,)))
    >>> show(take_views_anew, 'y = x[1:]; x[1] = 1.0; z = y * x; return z', types=types)
    y = x[1:]
    x[1] = 1.0
    y_1 = x[1:]
    z = y_1 * x
    return z
    """
    before = all_defined(core.body)
    while True:
        views = views_of(core)
        chosen = {name for name in concerned(core) if name in views and not _is_local(core, name, views)}
        again = _Taking(core, views, chosen).result() if chosen else None
        if again is None:
            return share_views(core, all_defined(core.body) - before)
        core = again


@rewrite('common views')
def share_views(core: Core, taken: AbstractSet[str]) -> Core:
    """Let the views `taken` be those that are there already, up to the next write; views that are written through stay apart.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('xyzuvw', Array(np.dtype(float), (None,)))
    >>> share = lambda core: share_views(core, {'z', 'w'})
    >>> show(share, 'y = x[1:]; u = y * y; z = x[1:]; v = z * z; x[0] = 1.0; w = x[1:]; return v, w', types=types)
    y = x[1:]
    u = y * y
    z = y
    v = y * y
    x[0] = 1.0
    w = x[1:]
    return v, w
    """
    views, apart = views_of(core), all_written(core.body)

    def step(statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        name = defined(statement)
        if name in taken and name in views and name not in apart and isinstance(statement.value, gast.Subscript):
            holder = facts.holder(statement.value)
            if holder is not None and holder not in apart and holder in views:
                return [build.like(statement, value=build.name(holder))]
        return [statement]

    shared = forward(core, step)
    return core if shared is core else propagate_copies(shared)


def concerned(core: Core) -> set[str]:
    """The names that are read after a write into memory which they may share, under another name; and those written so."""
    found: set[str] = set()
    apart, live = overlap(core), live_after(core)
    for statement in core.statements:
        for name in changed_by(statement):
            others = apart.partners(name, statement) & live[statement]
            found |= others | ({name} if others else set())
    return found


def _is_local(core: Core, name: str, views: Views) -> bool:
    """Whether a view is used just once, by the statement after it, or after it and other views."""
    users = [s for s in core.statements if name in reads(s) or written(s) == name]
    if len(users) != 1:
        return False
    for body in _all_blocks(core.body):
        for position, statement in enumerate(body):
            if defined(statement) == name:
                user = next((s for s in body[position + 1 :] if s is users[0] or defined(s) not in views), None)
                return user is users[0]
    return False


def _all_blocks(body):
    yield list(body)
    for statement in body:
        for inner in blocks(statement):
            yield from _all_blocks(inner)


class _Taking:
    """One round: uses of the chosen views read views of their own."""

    def __init__(self, core: Core, views: Views, chosen: set[str]):
        self.core, self.views, self.chosen = core, views, chosen
        self.types, self.hints = dict(core.types), dict(core.hints)
        self.changed = False

    def result(self) -> Core | None:
        body = self._block(core_body := list(self.core.body), frozenset())
        if not self.changed:
            return None
        return self.core.with_body(body or core_body, types=MappingProxyType(self.types), hints=MappingProxyType(self.hints))

    def _block(self, body: list[gast.stmt], at_hand: frozenset[str]) -> list[gast.stmt]:
        """`at_hand`: the chosen views whose definition would give the same view here."""
        made: list[gast.stmt] = []
        for statement in body:
            inside = all_defined([statement])
            chosen = [n for n in sorted(reads(statement) | {written(statement) or ''}) if n in self.chosen]
            used = [n for n in chosen if n in at_hand]
            if used != chosen:
                self._refuse(statement, next(n for n in chosen if n not in at_hand))
            if used and not isinstance(statement, gast.While):
                renamed = {name: self._take(name, at_hand, statement, made) for name in used}
                statement = _head_renamed(statement, renamed)
            if blocks(statement):
                kept = at_hand if isinstance(statement, gast.If) else self._without(at_hand, inside)
                statement = build.map_blocks(statement, lambda block, kept=kept: self._block(block, kept))
            made.append(statement)
            at_hand = self._without(at_hand, inside)
            if defined(statement) in self.chosen:
                at_hand |= {defined(statement)}
        return made

    def _refuse(self, statement: gast.stmt, name: str) -> None:
        raise UnsafeMutation(
            f'`{self.core.base(name)}` is a view of memory that is written, and cannot be taken anew where it is used',
            statement.origin,
            why='it was taken in a loop or branch that is over, or of what has changed since',
            instead='take the view where it is used, or work on a copy: `a.copy()`',
        )

    def _without(self, at_hand: frozenset[str], changed: set[str]) -> frozenset[str]:
        """The views that stay the same although some names get new values."""
        lost = set(changed)
        while more := {v for v in at_hand if set(names(self.views[v])) & lost} - lost:
            lost |= more
        return at_hand - lost

    def _take(self, name: str, at_hand: frozenset[str], statement: gast.stmt, made: list[gast.stmt]) -> str:
        value = self.views[name]
        inner = {base: self._take(base, at_hand, statement, made) for base in set(names(value)) if base in at_hand}
        number = 1
        while f'{name}_{number}' in self.types:
            number += 1
        view = f'{name}_{number}'
        self.types[view], self.hints[view] = self.types[name], Hint(self.core.base(name), temporary=True)
        made.append(build.assign(view, rename(value, inner), statement.origin, statement.role))
        self.changed = True
        return view


def _head_renamed(statement: gast.stmt, renamed: dict[str, str]) -> gast.stmt:
    """The statement with names replaced in what it itself reads and writes, not in the statements inside it."""
    inner = {f: getattr(statement, f) for f in ('body', 'orelse') if getattr(statement, f, None)}
    return build.like(rename(build.like(statement, **{f: [] for f in inner}), renamed), **inner)
