"""Merging the versions of a name again, and giving every name its final form."""
from __future__ import annotations

from bisect import insort
from collections.abc import Iterable

import gast

from transpiler.analyses.dataflow.interference import interference
from transpiler.core.fixpoint import reached
from transpiler.core.language import Core, Leaf
from transpiler.core.naming import Supply
from transpiler.core.query import all_reads, defined, is_primitive, parts
from transpiler.optimize.rewriting.rename import rename_program
from transpiler.passes import rewrite
from transpiler.values.types import kind_of


@rewrite('final names', surface=True)
def coalesce(core: Core) -> Core:
    """Let versions of one name share it where their lifetimes allow, so that copies between them vanish.

    Legal because names are references: two names that are never needed at the same time may be one. Names of different
    types stay apart, as a compiler wants it. A temporary also joins the name that it is copied to.

    >>> from transpiler.passes import show
    >>> show(coalesce, '''
    ... y = 1.0
    ... for i in range(n):
    ...     y_1 = y * x
    ...     y = y_1
    ... return y''')
    y = 1.0
    for i in range(n):
        y = y * x
    return y
    """
    copies = [(a, b) for a, b in _copies(core) if core.base(a) == core.base(b) or core.is_temporary(a) or core.is_temporary(b)]
    classes = _Classes(core, copies)
    for a, b in copies:
        classes.merge(a, b)
    first: dict[str, list[str]] = {}
    for name in classes.order:
        others = first.setdefault(core.base(name), [])
        # two temporaries have nothing to do with each other, unless their name tells what both hold
        strange = core.is_temporary(name) and '_' not in core.base(name)
        own = classes.of[name]
        joined = next((other for other in others if other not in own.apart
                       and not (strange and core.is_temporary(other)) and classes.merge(other, name)), None)
        if joined is None or core.is_temporary(joined) != core.is_temporary(name):
            others.append(name)     # else it goes with one that is asked already
    return rename_program(core, _final_names(core, classes))


def _copies(core: Core) -> list[tuple[str, str]]:
    found = []
    for statement in core.statements:
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=source)):
                found.append((target, source))
    return found


class _Class:
    """Names that will be one, in order, and all that must stay apart from some of them."""

    def __init__(self, name: str, apart: set[str]):
        self.members, self.apart = [name], apart


class _Classes:
    """The class `of` every name."""

    def __init__(self, core: Core, copies: list[tuple[str, str]]):
        self.core = core
        self.order = list(dict.fromkeys([*core.inputs, *(n for s in core.statements for n in _in_order(s))]))
        self.places = {name: place for place, name in enumerate(self.order)}
        apart = interference(core, _together(core, self.order, copies))
        self.of = {name: _Class(name, apart[name]) for name in self.order}

    def merge(self, a: str, b: str) -> bool:
        small, large = sorted((self.of[a], self.of[b]), key=lambda one: len(one.members))
        if small is large:
            return True
        if self.kind(a) != self.kind(b) or not large.apart.isdisjoint(small.members):
            return False
        large.apart |= small.apart
        for name in small.members:
            insort(large.members, name, key=self.places.__getitem__)
            self.of[name] = large
        return True

    def kind(self, name: str) -> tuple:
        return kind_of(self.core.types.get(name))


def _together(core: Core, names: Iterable[str], copies: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """For every name, those that it may become one with, directly or by others: of one base, or copied to each other."""
    linked: dict[str, set[str]] = {}
    for a, b in copies:
        linked.setdefault(core.base(a), set()).add(core.base(b))
        linked.setdefault(core.base(b), set()).add(core.base(a))
    by_base: dict[str, list[str]] = {}
    for name in names:
        by_base.setdefault(core.base(name), []).append(name)
    found: dict[str, frozenset[str]] = {}
    for name in names:
        if name not in found:
            bases = reached([core.base(name)], lambda base: linked.get(base, ()))
            group = frozenset(member for base in bases for member in by_base.get(base, ()))
            found.update(dict.fromkeys(group, group))
    return found


def _in_order(statement: gast.stmt) -> list[str]:
    target = defined(statement)
    return [target] if target else []


def _final_names(core: Core, classes: _Classes) -> dict[str, str]:
    """Parameters keep their names; then come the user's own names, in order, then the temporaries."""
    fixed = {param.tree.name: param.name for param in core.params if isinstance(param.tree, Leaf)}
    supply = Supply(_builtins(core) | {param.name for param in core.params})
    read = all_reads(core.body)
    loops = [s for s in core.statements if isinstance(s, gast.For)]
    counters, users = {s.target.id for s in loops}, {s.target.id for s in loops if s.role == 'primal'}
    final: dict[str, str] = {}
    groups = [classes.of[name].members for name in classes.order if classes.of[name].members[0] == name]
    for members in groups:
        kept = next((fixed[m] for m in members if m in fixed), None)
        if kept:
            final.update(dict.fromkeys(members, kept))
    groups = [members for members in groups if members[0] not in final]
    for members in sorted(groups, key=lambda members: all(map(core.is_temporary, members))):
        speaking = next((m for m in members if not core.is_temporary(m)), members[0])
        base = core.base(speaking)
        if counters.issuperset(members) and not read.intersection(members) and (base == '_' or users.isdisjoint(members)):
            final.update(dict.fromkeys(members, '_'))
        else:
            final.update(dict.fromkeys(members, supply.take(next(filter(supply.is_free, 'ijk'), 'i') if base == '_' else base)))
    return final


def _builtins(core: Core) -> set[str]:
    """Names that the printed text uses for something else: functions that are called, and the words True, range and so on."""
    used = {node.id for s in core.body for node in parts(s) if isinstance(node, gast.Name) and is_primitive(node.id)}
    taken = {name.rpartition('.')[2] for name in used if name.startswith(('python.', 'call.'))}
    return {'range', '_', *taken}
