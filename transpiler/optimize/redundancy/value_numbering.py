"""Derivatives that come out alike: mixed ones that only differ in their order, in straight code and between iterations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import gast

from transpiler.analyses.dataflow.block_local_names import Places
from transpiler.analyses.memory.effects import is_pure
from transpiler.core import build
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import contents, defined, is_atom, primitive
from transpiler.optimize.rewriting.available_expressions import same, with_blocks
from transpiler.optimize.rewriting.value_numbers import Fingerprints, drawn
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
    statements = core.statements
    once = len(set(map(id, statements))) == len(statements)     # a statement is known by its identity
    if not once or not any(statement.role in DERIVED for statement in statements):
        return core
    body = _Merger(core).block(core.body)
    return core if same(core.body, body) else core.with_body(body)


class _Merger(Fingerprints):
    """Walks a program with the fingerprints of all names.

    holders: the derivatives by fingerprint; parted: of every loop, by its identity, the groups that its names fell into last:
    a later walk, for a loop around it, only parts them further; apart: the names that have come out of a branch which alone
    gives them a value: no other name has theirs, whatever branches are around that one
    """

    def __init__(self, core: Core):
        super().__init__(core)
        self.holders: dict[int, str] = {}
        self.parted: dict[int, dict[str, int]] = {}
        self.apart: set[str] = set()
        self.places = Places(core)

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
        for name in sorted(self.changed(statement) - self.places.passing):
            if name in self.apart:
                self.values[name] = first[name] if name in first else second[name]
                continue
            given = drawn('given', name)
            a, b = first.get(name, given), second.get(name, given)
            self.values[name] = a if a == b else drawn('either', id(statement), a, b)
            if (name not in first or name not in second) and self.places.only_in(statement, name):
                self.apart.add(name)
        alike = self.alike(statement, contents(statement).defined - self.places.passing)
        return [with_blocks(statement, arms), *self.copies(alike, statement)]

    def loop(self, statement: gast.For | gast.While) -> list[gast.stmt]:
        names = sorted(self.changed(statement))
        last = self.parted.get(id(statement), {})
        groups = {name: drawn('entry', self.values.get(name, drawn('given', name)), last.get(name)) for name in names}
        while True:     # suppose that what starts alike stays alike, and part what does not
            body, end = self.iteration(statement, groups)
            finer = {name: drawn('group', groups[name], end.get(name)) for name in names}
            if len(set(finer.values())) == len(set(groups.values())):
                break
            groups = finer
        self.parted[id(statement)] = groups
        for name in names:
            self.values[name] = drawn('after', id(statement), groups[name])
        self.epoch = drawn('after', id(statement), self.epoch)
        alike = self.alike(statement, contents(statement).defined)
        if isinstance(statement, gast.For):
            alike.pop(statement.target.id, None)
        kept = with_blocks(statement, [[*self.copies(alike, statement), *body]])
        return [kept, *self.copies(alike, statement)]

    def changed(self, statement: gast.stmt) -> frozenset[str]:
        """The names that a branch or loop gives new values, and the arrays that it writes into."""
        return contents(statement).defined | contents(statement).written & self.own

    def iteration(self, statement: gast.For | gast.While, groups: dict[str, int]) -> tuple[list[gast.stmt], dict[str, int]]:
        """The body, and the fingerprints at its end, if the names have those of their groups at its start."""
        before, holders, epoch = self.values, self.holders, self.epoch
        start = {name: drawn('turn', id(statement), group) for name, group in groups.items()}
        self.values, self.holders, self.epoch = {**before, **start}, dict(holders), drawn('turn', id(statement))
        body = self.block(statement.body)
        end = self.values
        self.values, self.holders, self.epoch = before, holders, epoch
        return body, end

    def alike(self, statement: gast.stmt, given: Iterable[str]) -> dict[str, str]:
        """Of the names that a branch or loop gives values, those of derivatives that have the value of another one after it."""
        found: dict[tuple, str] = {}
        numbers = sorted(self.derived.intersection(given), key=lambda name: self.places.given_in(statement, name))
        first = {name: found.setdefault((self.values[name], self.core.types[name]), name) for name in numbers}
        return {name: other for name, other in first.items() if name != other}

    @cached_property
    def derived(self) -> set[str]:
        """The numbers that are never given anything but derivatives, constants, and each other."""
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
        return {name for name in self.definitions.keys() - others if self.is_number(name)}

    def copies(self, alike: dict[str, str], at: gast.stmt) -> list[gast.stmt]:
        role = at.role if at.role in DERIVED else 'tangent'
        return [build.assign(name, other, at.origin, role) for name, other in alike.items()]
