"""Which writes the pullback undoes: those after which it reads the memory as it was."""

from __future__ import annotations

from collections.abc import Collection

import gast

from transpiler.core import build
from transpiler.core.fixpoint import reached
from transpiler.core.links import link, links
from transpiler.core.query import blocks, defined, names, walk
from transpiler.transforms.shared.mutation import Mutation
from transpiler.transforms.shared.overwritten_values import Roots
from transpiler.transforms.storage.rematerialization import Recompute

Block = list[gast.stmt]
DEEPER = 1000  # a statement in a loop runs so much more often than one around it


def needed_undos(pullback: Block, again: Recompute, mutation: Mutation) -> Block:
    """The pullback without the undos that nothing needs; what the others put back is saved before the write."""
    _choose(pullback, again, mutation)
    kept, _ = _needed(pullback, frozenset(), again)
    for statement in walk(kept):
        if (undone := links(statement).undoes) is not None:
            _, saving = mutation.kept[id(undone)]
            mutation.before.setdefault(id(undone), []).extend(saving)
    return kept


def _choose(pullback: Block, again: Recompute, mutation: Mutation) -> None:
    """Let memory run backwards where that keeps less than keeping what was read, or what was computed from it."""
    wanted = sorted({n for s in walk(pullback) if links(s).undoes is None for e in _own(s) for n in names(e)})
    seen: set[str] = set()
    found = {id(s): s for name in wanted for s in again.closure([name], seen)}.values()
    loads = [s for s in found if not again.is_intact(s) and mutation.around[id(s)]]
    rewind = mutation.rewind
    for load in loads:
        roots = rewind.together(again.read(load))
        if rewind.runs_back(roots) or not rewind.may_run_back(roots):
            continue
        loaded = [s for s in loads if again.read(s) & roots]
        made = _made_of(loaded, found)
        computed = [again.given_by(name) for name in wanted if name in made]
        kept = min(sum(_weight(mutation, s) for s in group) for group in (computed, loaded))
        if sum(_weight(mutation, s) for s in rewind.writes_to(roots)) < kept:
            rewind.run_back(roots)


def _made_of(loaded: Block, statements: Collection[gast.stmt]) -> set[str]:
    """The names that have a part of what is loaded in them."""
    readers: dict[str, list[str]] = {}
    for statement in statements:
        for name in names(statement.value):
            readers.setdefault(name, []).append(str(defined(statement)))
    return reached({str(defined(s)) for s in loaded}, lambda name: readers.get(name, ()))


def _weight(mutation: Mutation, statement: gast.stmt) -> int:
    return DEEPER ** len(mutation.around[id(statement)])


def _own(statement: gast.stmt) -> list[gast.expr]:
    """The expressions that a statement itself evaluates."""
    match statement:
        case gast.If(test=value) | gast.For(iter=value) | gast.Expr(value=value):
            return [value]
        case gast.Assign(targets=[target], value=value) | gast.AugAssign(target=target, value=value):
            return [value] if isinstance(target, gast.Name) else [target, value]
    return []


def _needed(block: Block, later: Roots, again: Recompute) -> tuple[Block, Roots]:
    """The block without undos of memory that is not read afterwards, and what is read in it or later."""
    kept: Block = []
    for statement in reversed(block):
        if links(statement).undoes is not None:
            roots = again.memory.of(links(statement).array)
            if again.rewind.runs_back(roots) and roots & later:
                kept.append(statement)
                later |= again.looked_at(statement.targets[0].slice)
            continue
        around = frozenset().union(*(again.looked_at(e) for e in _own(statement)))
        if blocks(statement):
            if isinstance(statement, (gast.For, gast.While)):
                later |= _read(statement, again)
            inner = {f: _needed(getattr(statement, f), later, again) for f in ('body', 'orelse') if getattr(statement, f, None)}
            if not any(body for body, _ in inner.values()):
                continue
            later = later.union(*(read for _, read in inner.values()))
            body, orelse = (inner.get(f, ([], later))[0] for f in ('body', 'orelse'))
            if not body:  # the other arm alone is left
                negated = build.assign(again.spare('not_'), build.unary(gast.Not, statement.test), statement.origin, 'pullback')
                other = build.like(statement, test=negated.targets[0], body=orelse, orelse=[])
                kept.append(link(other, turned=not links(statement).turned))
                statement = negated
            else:
                statement = build.like(statement, **{f: b for f, b in (('body', body), ('orelse', orelse)) if f in inner})
        later |= around
        kept.append(statement)
    return kept[::-1], later


def _read(loop: gast.stmt, again: Recompute) -> Roots:
    found = [again.looked_at(e) for s in walk([loop]) if links(s).undoes is None for e in _own(s)]
    return frozenset().union(*found)
