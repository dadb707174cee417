"""A walk over a program that knows, at every statement, which names still hold the value of which operation.

A fact `y: x * 2` says that evaluating `x * 2` here gives what `y` holds. It ends when `y` or `x` is bound again, or when
memory is written that `x` or `y` may share. What holds after an `if` holds after both arms; what a loop binds or writes
holds neither in it nor after it, unless the body says so itself.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import gast

from transpiler.analyses.memory.aliases import NOTHING, Growing, Memory, tape_of
from transpiler.analyses.memory.effects import LIST_READS, is_pure, memory_reads
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, is_atom, names, primitive, walk, written
from transpiler.core.text import dump
from transpiler.garbage import while_making


class Fact(NamedTuple):
    """An operation whose value a name holds.

    key: equal for operations of equal value; used: the names it reads; roots: the memory it depends on; loop: the innermost
    loop it stands in
    """

    value: gast.expr
    key: str
    used: frozenset[str]
    roots: frozenset[str]
    loop: int


Said = tuple[str, str, frozenset[str], tuple[str, ...]]


@while_making(50_000)
def _told_by(statement: gast.stmt) -> tuple[str | None, bool, Said | None]:
    """Of a simple statement: the name that it gives a value, whether it may write memory, and what it says that a name holds."""
    return defined(statement), _may_write(statement), _said(statement)


def _said(statement: gast.stmt) -> Said | None:
    """If a statement says what a name holds: the name, the operation's key, the names it reads, those whose memory counts."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value) if is_pure(value) and name not in (used := {*names(value)}):
            # a copy says that two names are one object: a write changes both
            looked_at = () if is_atom(value) else (name, *memory_reads(value))
            return name, _key(value, statement.role), frozenset(used), looked_at
    return None


@while_making(50_000)
def operation_key(value: gast.expr) -> str:
    """Equal for operations that give the same value: the order of the operands of + and * does not matter."""
    match value:
        case gast.BinOp(left=left, op=gast.Add() | gast.Mult() as operator, right=right):
            parts = sorted((operation_key(left), operation_key(right)))
            return f'{type(operator).__name__}({parts[0]}, {parts[1]})'
    return dump(value)


def _key(value: gast.expr, role: str) -> str:
    return f'again {operation_key(value)}' if role == 'again' else operation_key(value)


def says_twice(core: Core) -> bool:
    """Whether two statements give names the value of one operation.

    >>> from transpiler.core.text import parse
    >>> says_twice(parse('y = x + 1; z = 1 + x; return z')), says_twice(parse('y = x + 1; z = 2 + x; return z'))
    (True, False)
    """
    keys = [_key(s.value, s.role) for s in core.statements if isinstance(s, gast.Assign) and not is_atom(s.value)]
    return len(set(keys)) < len(keys)


class Facts:
    """The facts that hold at one point of the program.

    known: by the name that holds the value; names: the one that is read for a key; holders: all those with a key, in the order
    in which they were learned, and in `several` the keys that had more than one; users, rooted: the names whose facts depend,
    or did, on a name or a root; changed: the names whose facts are others than at the start of the arm, the latest last
    """

    def __init__(self, memory_: Growing, loop: int = 0):
        self.memory, self.loop = memory_, loop
        self.known: dict[str, Fact] = {}
        self.names: dict[str, str] = {}
        self.holders: dict[str, tuple[str, ...]] = {}
        self.several: set[str] = set()
        self.users: dict[str, tuple[str, ...]] = {}
        self.rooted: dict[str, tuple[str, ...]] = {}
        self.changed: dict[str, None] = {}

    def copy(self, loop: int | None = None) -> 'Facts':
        new = Facts(self.memory, self.loop if loop is None else loop)
        new.known, new.names, new.holders = self.known.copy(), self.names.copy(), self.holders.copy()
        new.several, new.users, new.rooted = self.several.copy(), self.users.copy(), self.rooted.copy()
        return new

    def value(self, name: str) -> gast.expr | None:
        fact = self.known.get(name)
        return fact.value if fact else None

    def holder(self, value: gast.expr, role: str = 'primal') -> str | None:
        """A name that holds the value of this operation already; what is to run again has no use for the first run's."""
        return self.names.get(_key(value, role))

    def forget(self, bound: Iterable[str] = (), roots: frozenset[str] = frozenset()) -> None:
        """Drop what depends on the names `bound` or on memory with these roots."""
        for cause in bound:
            for name in (cause, *self.users.pop(cause, ())):
                fact = self.known.get(name)
                if fact is not None and (name == cause or cause in fact.used):
                    self._drop(name, fact)
        for root in roots and self.rooted.keys() & roots:
            for name in self.rooted.pop(root):
                fact = self.known.get(name)
                if fact is not None and root in fact.roots:
                    self._drop(name, fact)

    def _drop(self, name: str, fact: Fact) -> None:
        del self.known[name]
        self._note(name)
        rest = tuple([other for other in self.holders[fact.key] if other != name])
        if rest:
            self.holders[fact.key] = rest
        else:
            del self.holders[fact.key]
            self.several.discard(fact.key)
        if self.names.get(fact.key) == name:
            del self.names[fact.key]

    def _hold(self, name: str, fact: Fact) -> None:
        self.known[name] = fact
        self._note(name)
        self.names.setdefault(fact.key, name)
        others = self.holders.get(fact.key, ())
        self.holders[fact.key] = (*others, name)
        if others:
            self.several.add(fact.key)
        for used in fact.used:
            self.users[used] = (*self.users.get(used, ()), name)
        for root in fact.roots:
            self.rooted[root] = (*self.rooted.get(root, ()), name)

    def _note(self, name: str) -> None:
        self.changed.pop(name, None)
        self.changed[name] = None

    def learn(self, statement: gast.stmt) -> None:
        """What is known after a simple statement."""
        target, writes, said = _told_by(statement)
        if target is not None:
            self.memory.note(target, statement.value)
        self.forget((target,) if target else (), effects_of(statement, self.memory) if writes else NOTHING)
        if said is not None:
            name, key, used, looked_at = said
            self._hold(name, Fact(statement.value, key, used, self.memory.of(*looked_at), self.loop))

    def meet(self, one: 'Facts', other: 'Facts') -> 'Facts':
        """What holds at the end of both arms of a branch, which began here: only what either changed is compared."""
        for name in (other.changed.keys() - one.changed.keys()) & self.known.keys():
            if name not in other.known or other.known[name].key != self.known[name].key:
                self._drop(name, self.known[name])
        for name in one.changed:
            if name in self.known:
                self._drop(name, self.known[name])
            fact = one.known.get(name)
            if fact is not None and name in other.known and other.known[name].key == fact.key:
                self._hold(name, fact)
        self.names.update({key: self.holders[key][-1] for key in self.several})
        self.several = {key for key in self.several if len(self.holders[key]) > 1}
        return self


def effects_of(statement: gast.stmt, memory_: Memory) -> frozenset[str]:
    """The roots of the memory that a simple statement may write."""
    if not _may_write(statement):
        return NOTHING
    target = written(statement)
    if target:
        return memory_.of(target)
    tape = tape_of(statement)
    return memory_.everything if tape is None or isinstance(statement, gast.Assign) else memory_.list_itself(tape)


@while_making(20_000)
def _may_write(statement: gast.stmt) -> bool:
    match statement:
        case _ if written(statement) is not None:
            return True
        case gast.Assign(value=value) | gast.Expr(value=value):
            return primitive(value) not in (*LIST_READS, 'python.print') and not is_pure(value)
    return False


def all_effects(body: Iterable[gast.stmt], memory_: Memory) -> frozenset[str]:
    return NOTHING.union(*(effects_of(statement, memory_) for statement in walk(body)))


Step = Callable[[gast.stmt, Facts], Sequence[gast.stmt]]


def forward(core: Core, step: Step) -> Core:
    """Rewrite every statement by `step`, which gets the facts before it.

    `step` returns the statements to put in its place: the same one in a list if nothing changes; of a compound
    statement it may change the first line only.
    """
    body, _ = _block(core.body, Facts(Growing(core)), step, [0])
    return unchanged_or(core, body)


def unchanged_or(core: Core, body: Sequence[gast.stmt], **changes) -> Core:
    """The very same `core` if its body is still the same."""
    return core if same(core.body, body) else core.with_body(body, **changes)


def same(old: Sequence[gast.stmt], new: Sequence[gast.stmt]) -> bool:
    return len(old) == len(new) and all(a is b for a, b in zip(old, new))


def with_blocks(statement: gast.stmt, new: list[list[gast.stmt]]) -> gast.stmt:
    """The compound statement with other blocks, or itself if they are the same."""
    if all(same(a, b) for a, b in zip(blocks(statement), new)):
        return statement
    return like(statement, **dict(zip(('body', 'orelse'), new)))


def _block(body: Sequence[gast.stmt], facts: Facts, step: Step, loops: list[int]) -> tuple[list[gast.stmt], Facts]:
    done: list[gast.stmt] = []
    for statement in body:
        if isinstance(statement, (gast.For, gast.While)):
            bound = all_defined([statement])
            facts.forget(bound, all_effects(statement.body, facts.memory))
        for new in step(statement, facts):
            rewritten, facts = _inside(new, facts, step, loops)
            done.append(rewritten)
    return done, facts


def _inside(statement: gast.stmt, facts: Facts, step: Step, loops: list[int]) -> tuple[gast.stmt, Facts]:
    if isinstance(statement, gast.If):
        first, after_first = _block(statement.body, facts.copy(), step, loops)
        second, after_second = _block(statement.orelse, facts.copy(), step, loops)
        return with_blocks(statement, [first, second]), facts.meet(after_first, after_second)
    if isinstance(statement, (gast.For, gast.While)):
        loops[0] += 1
        new, _ = _block(statement.body, facts.copy(loops[0]), step, loops)
        return with_blocks(statement, [new]), facts
    facts.learn(statement)
    return statement, facts
