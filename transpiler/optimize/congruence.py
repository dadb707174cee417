"""Derivatives that come out alike: mixed ones that only differ in their order, in straight code and from turn to turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import gast

from transpiler.analyses.effects import is_pure
from transpiler.core import build
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import all_defined, all_written, defined, is_atom, primitive, walk
from transpiler.optimize.facts import same, with_blocks
from transpiler.optimize.fingerprints import Fingerprints, drawn
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

DERIVED = 'tangent', 'pullback'


@rewrite('congruence')
def merge_congruent(core: Core) -> Core:
    """Read one name instead of several that always have the same value, up to roundings. Only derivatives are merged.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> show(merge_congruent, '''
    ... # pullback
    ... a = y + z
    ... p = a * x
    ... b = x * y
    ... c = z * x
    ... q = c + b
    ... return q''', types=dict.fromkeys('abcpqxyz', FLOAT))
    a = y + z
    p = a * x
    b = x * y
    c = z * x
    q = p
    return q
    """
    statements = list(walk(core.body))
    once = len(set(map(id, statements))) == len(statements)     # a statement is known by its identity
    if not once or not any(statement.role in DERIVED for statement in statements):
        return core
    body = _Merger(core).block(core.body)
    return core if same(core.body, body) else core.with_body(body)


class _Merger(Fingerprints):
    """Walks a program with the fingerprints of all names; `holders` has the derivatives by fingerprint."""

    def __init__(self, core: Core):
        super().__init__(core)
        self.holders: dict[int, str] = {}

    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in body for new in self.statement(statement)]

    def statement(self, statement: gast.stmt) -> list[gast.stmt]:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if is_pure(value):
                return [self.assignment(statement, name, value)]
            case (gast.Assign(targets=[gast.Subscript(value=gast.Name(id=name)) as place], value=value)
                  | gast.AugAssign(target=gast.Subscript(value=gast.Name(id=name)) as place, value=value)) if name in self.own:
                kind = type(getattr(statement, 'op', None)).__name__
                self.values[name] = drawn(kind, self.values[name], self.part(place.slice), self.fingerprint(value))
                return [statement]
            case gast.If():
                return self.branch(statement)
            case gast.For() | gast.While():
                return self.loop(statement)
        if (name := defined(statement)) is not None:
            self.values[name] = drawn('made', id(statement))
        self.epoch = drawn('epoch', self.epoch, id(statement))
        return [statement]

    def assignment(self, statement: gast.Assign, name: str, value: gast.expr) -> gast.stmt:
        zeros = primitive(value) in ('numpy.zeros', 'numpy.zeros_like') and name in self.own
        mark = self.fingerprint(value) if self.is_number(name) or zeros else drawn('made', id(statement))
        self.values[name] = mark
        if statement.role not in DERIVED or not self.is_number(name) or is_atom(value):
            return statement
        holder = self.holders.get(mark)
        if holder is None or self.values.get(holder) != mark or self.core.types[holder] != self.core.types[name]:
            self.holders[mark] = name
            return statement
        return statement if holder == name else like(statement, value=build.name(holder))

    def is_number(self, name: str) -> bool:
        type_ = self.core.types.get(name)
        return isinstance(type_, Scalar) and type_.dtype.kind == 'f'

    def branch(self, statement: gast.If) -> list[gast.stmt]:
        before, holders, epoch = self.values, self.holders, self.epoch
        arms, ends = [], []
        for arm in (statement.body, statement.orelse):
            self.values, self.holders, self.epoch = dict(before), dict(holders), epoch
            arms.append(self.block(arm))
            ends.append((self.values, self.epoch))
        (first, epoch_1), (second, epoch_2) = ends
        self.values, self.holders = before, holders
        self.epoch = epoch if epoch_1 == epoch_2 == epoch else drawn('join', id(statement))
        for name in self.changed(statement):
            given = drawn('given', name)
            a, b = first.get(name, given), second.get(name, given)
            self.values[name] = a if a == b else drawn('either', id(statement), a, b)
        return [with_blocks(statement, arms), *self.copies(self.alike([statement]), statement)]

    def loop(self, statement: gast.For | gast.While) -> list[gast.stmt]:
        names = self.changed(statement)
        groups = {name: drawn('entry', self.values.get(name, drawn('given', name))) for name in names}
        while True:     # suppose that what starts alike stays alike, and part what does not
            end = self.turn(statement, groups)[1]
            finer = {name: drawn('group', groups[name], end.get(name)) for name in names}
            if len(set(finer.values())) == len(set(groups.values())):
                break
            groups = finer
        body, _ = self.turn(statement, groups)
        for name in names:
            self.values[name] = drawn('after', id(statement), groups[name])
        self.epoch = drawn('after', id(statement), self.epoch)
        alike = self.alike([statement])
        if isinstance(statement, gast.For):
            alike.pop(statement.target.id, None)
        kept = with_blocks(statement, [[*self.copies(alike, statement), *body]])
        return [kept, *self.copies(alike, statement)]

    def changed(self, statement: gast.stmt) -> list[str]:
        """The names that a branch or loop gives new values, and the arrays that it writes into."""
        return sorted(all_defined([statement]) | all_written([statement]) & self.own)

    def turn(self, statement: gast.For | gast.While, groups: dict[str, int]) -> tuple[list[gast.stmt], dict[str, int]]:
        """The body, and the fingerprints at its end, if the names have those of their groups at its start."""
        before, holders, epoch = self.values, self.holders, self.epoch
        start = {name: drawn('turn', id(statement), group) for name, group in groups.items()}
        self.values, self.holders, self.epoch = {**before, **start}, dict(holders), drawn('turn', id(statement))
        body = self.block(statement.body)
        end = self.values
        self.values, self.holders, self.epoch = before, holders, epoch
        return body, end

    def alike(self, body: Sequence[gast.stmt]) -> dict[str, str]:
        """Derivatives that a branch or loop gives, each with another one that has the same value after it."""
        found: dict[tuple, str] = {}
        names = dict.fromkeys(name for inner in walk(body) if (name := defined(inner)) is not None)
        first = {name: found.setdefault((self.values[name], self.core.types[name]), name)
                 for name in names if self.is_number(name) and name in self.derived}
        return {name: other for name, other in first.items() if name != other}

    @cached_property
    def derived(self) -> set[str]:
        """The names that are never given anything but derivatives, constants, and each other."""
        copied: dict[str, list[str]] = {}
        waiting = []
        for name, statements in self.definitions.items():
            for statement in statements:
                match statement:
                    case gast.Assign(value=gast.Name(id=source)) if source in self.definitions:
                        copied.setdefault(source, []).append(name)
                    case gast.Assign(value=gast.Constant()):
                        continue
                    case gast.Assign(value=gast.Name()):
                        waiting.append(name)
                    case _ if statement.role not in DERIVED:
                        waiting.append(name)
        others: set[str] = set()
        while waiting:
            if (name := waiting.pop()) not in others:
                others.add(name)
                waiting += copied.get(name, ())
        return self.definitions.keys() - others

    def copies(self, alike: dict[str, str], at: gast.stmt) -> list[gast.stmt]:
        role = at.role if at.role in DERIVED else 'tangent'
        return [build.assign(name, other, at.origin, role) for name, other in alike.items()]
