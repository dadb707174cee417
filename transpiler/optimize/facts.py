"""A walk over a program that knows, at every statement, which names still hold the value of which operation.

A fact `y: x * 2` says that evaluating `x * 2` here gives what `y` holds. It ends when `y` or `x` is bound again, or when
memory is written that `x` or `y` may share. What holds after an `if` holds after both arms; what a loop binds or writes
holds neither in it nor after it, unless the body says so itself.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import gast

from transpiler.analyses.aliases import NOTHING, Growing, Memory, tape_of
from transpiler.analyses.effects import LIST_READS, is_pure, memory_reads
from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, is_atom, names, primitive, walk, written
from transpiler.core.text import dump


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


@lru_cache(maxsize=50_000)
def _said(statement: gast.stmt) -> tuple[str, str, frozenset[str], tuple[str, ...]] | None:
    """If a statement says what a name holds: the name, the operation's key, the names it reads, those whose memory counts."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value) if is_pure(value) and name not in (used := {*names(value)}):
            # a copy says that two names are one object: a write changes both
            looked_at = () if is_atom(value) else (name, *memory_reads(value))
            return name, _key(value, statement.role), frozenset(used), looked_at
    return None


@lru_cache(maxsize=50_000)
def operation_key(value: gast.expr) -> str:
    """Equal for operations that give the same value: the order of the operands of + and * does not matter."""
    match value:
        case gast.BinOp(left=left, op=gast.Add() | gast.Mult() as operator, right=right):
            parts = sorted((operation_key(left), operation_key(right)))
            return f'{type(operator).__name__}({parts[0]}, {parts[1]})'
    return dump(value)


def _key(value: gast.expr, role: str) -> str:
    return f'again {operation_key(value)}' if role == 'again' else operation_key(value)


class Facts:
    """The facts that hold at one point of the program."""

    def __init__(self, memory_: Growing, known: dict[str, Fact] | None = None, loop: int = 0):
        self.memory, self.known, self.loop = memory_, dict(known or {}), loop
        self.names = {fact.key: name for name, fact in self.known.items()}
        # what facts depend on, or did: most names are bound for the first time, and then there is nothing to forget
        self.concerned = {name for fact in self.known.values() for name in fact.used}.union(self.known)
        self.rooted = NOTHING.union(*(fact.roots for fact in self.known.values()))

    def copy(self, loop: int | None = None) -> 'Facts':
        new = Facts.__new__(Facts)
        new.memory, new.known, new.loop = self.memory, self.known.copy(), self.loop if loop is None else loop
        new.names, new.concerned, new.rooted = self.names.copy(), self.concerned.copy(), self.rooted
        return new

    def value(self, name: str) -> gast.expr | None:
        fact = self.known.get(name)
        return fact.value if fact else None

    def holder(self, value: gast.expr, role: str = 'primal') -> str | None:
        """A name that holds the value of this operation already; what is to run again has no use for the first run's."""
        return self.names.get(_key(value, role))

    def forget(self, bound: Iterable[str] = (), roots: frozenset[str] = frozenset()) -> None:
        """Drop what depends on the names `bound` or on memory with these roots."""
        bound = self.concerned.intersection(bound)
        if not bound and not roots & self.rooted:
            return
        for name, fact in list(self.known.items()):
            if name in bound or fact.used & bound or fact.roots & roots:
                del self.known[name]
                if self.names.get(fact.key) == name:
                    del self.names[fact.key]

    def learn(self, statement: gast.stmt) -> None:
        """What is known after a simple statement."""
        target = defined(statement)
        if target is not None:
            self.memory.note(target, statement.value)
        self.forget({target} if target else (), effects_of(statement, self.memory))
        said = _said(statement)
        if said is not None:
            name, key, used, looked_at = said
            roots = self.memory.of(*looked_at)
            self.known[name] = Fact(statement.value, key, used, roots, self.loop)
            self.names.setdefault(key, name)
            self.concerned |= used
            self.concerned.add(name)
            if roots:
                self.rooted |= roots

    def meet(self, other: 'Facts') -> 'Facts':
        """What holds here and there."""
        both = {name: fact for name, fact in self.known.items()
                if name in other.known and other.known[name].key == fact.key}
        return Facts(self.memory, both, self.loop)


def effects_of(statement: gast.stmt, memory_: Memory) -> frozenset[str]:
    """The roots of the memory that a simple statement may write."""
    if not _may_write(statement):
        return NOTHING
    target = written(statement)
    if target:
        return memory_.of(target)
    tape = tape_of(statement)
    return memory_.everything if tape is None or isinstance(statement, gast.Assign) else memory_.list_itself(tape)


@lru_cache(maxsize=20_000)
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
    match statement:
        case gast.If(body=body, orelse=orelse):
            first, after_first = _block(body, facts.copy(), step, loops)
            second, after_second = _block(orelse, facts.copy(), step, loops)
            return with_blocks(statement, [first, second]), after_first.meet(after_second)
        case gast.For(body=body) | gast.While(body=body):
            loops[0] += 1
            new, _ = _block(body, facts.copy(loops[0]), step, loops)
            return with_blocks(statement, [new]), facts
    facts.learn(statement)
    return statement, facts
