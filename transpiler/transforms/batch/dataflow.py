"""Which names differ from example to example, and which statements run for one example after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import gast

from transpiler.analyses.memory.aliases import memory, tape_of
from transpiler.analyses.memory.effects import is_noticed, is_pure, may_raise, memory_reads
from transpiler.core.fixpoint import settled
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, changed_by, defined, names, primitive, reads, walk
from transpiler.errors import UnsafeMutation
from transpiler.values.types import Array, Tape

SHAPES = frozenset({'numpy.zeros_like', 'numpy.ones_like', 'numpy.empty_like', 'numpy.iscomplexobj', 'python.len'})
Block = Iterable[gast.stmt]


def data_reads(value: gast.AST | None) -> set[str]:
    """The names whose values decide that of an expression; shapes are the same for all examples.

    >>> from transpiler.core.text import expression
    >>> sorted(data_reads(expression('a[i] + b.shape[0] + np.sum(np.zeros_like(c))')))
    ['a', 'i']
    """
    match value:
        case None | gast.Attribute():
            return set()
        case gast.Name():
            return set(names(value))
        case gast.Call(func=gast.Name(id=name), args=[_, *others], keywords=keywords) if name in SHAPES:
            return {n for part in (*others, *keywords) for n in data_reads(part)}
    return {name for child in gast.iter_child_nodes(value) for name in data_reads(child)}


class Flow:
    """A fixpoint over names, memory and control.

    names:  differ from example to example; an array into which something batched is written does from its creation on
    roots:  the memory that does
    looped: the statements that run for one example after the other, by identity: their control, or what they do, asks for it

    `lifts` says whether a statement without control can run on all examples at once, as far as is known then.
    Raises UnsafeMutation where memory that all examples share would be written.
    """

    def __init__(self, core: Core, inputs: Iterable[str]):
        self.core = core
        self.inputs = frozenset(inputs)
        apart = core.with_body(core.body, params=tuple(replace(p, kind='own') for p in core.params))
        self.memory = memory(apart)
        self.names, self.looped = set(self.inputs), set[int]()
        self.roots = set(self.memory.of(*self.inputs))
        self.one_by_one: set[str] = set()   # primitives that know no batches
        self.own: set[str] = set()      # names that have a value for one example after the other
        self.definitions = [defined(s) for s in core.statements]

    def settle(self, lifts: Callable[[gast.stmt], bool]) -> None:
        def once(before: tuple[int, ...]) -> tuple[int, ...]:
            self._block(self.core.body[:-1], (), lifts)
            self._keep_tapes_together()
            self._keep_loops_together()
            return len(self.names), len(self.roots), len(self.looped)

        settled((), once)

    def loop(self, body: Block) -> None:
        """Run these statements for one example after the other, but for what is the same for all."""
        ahead: list[gast.stmt] = []
        for statement in body:
            if not self.may_move(statement, ahead):
                ahead.append(statement)
        self.looped |= set(map(id, ahead))

    def may_move(self, statement: gast.stmt, ahead: Iterable[gast.stmt]) -> bool:
        """Whether a statement is done once, before others that are done for one example after the other.

        What may raise stays behind what raises by itself, or prints: that comes first.
        """
        if not self.is_shared(statement):
            return False
        ends = any(isinstance(s, gast.Raise) or is_noticed(s) for s in walk(ahead))
        return not (ends and may_raise(statement.value, self.core.types))

    def is_batched(self, statement: gast.stmt) -> bool:
        """Whether anything in a statement differs from example to example."""
        inside = list(walk([statement]))
        changed = {name for s in inside for name in changed_by(s)} | {t for s in inside if (t := tape_of(s))}
        return bool(self.names & (all_defined(inside) | changed)) or any(data_reads(_test(s)) & self.names for s in inside)

    def is_shared(self, statement: gast.stmt) -> bool:
        """Whether a statement only computes what is the same for all examples, and may do so before anything else happens."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                still = not any(self.memory.of(n) & self.memory.written for n in memory_reads(value))
                once = self.definitions.count(name) == 1 and all(
                    self.definitions.count(n) == (n not in self.core.inputs) for n in names(value)
                )
                outside = name not in self.names and not self.own & set(names(value))
                return outside and is_pure(value) and tape_of(statement) is None and still and once
        return False

    def _block(self, body: Block, around: tuple[gast.stmt, ...], lifts: Callable) -> None:
        for statement in body:
            self._statement(statement, around, lifts)
            for block in blocks(statement):
                self._block(block, (*around, statement), lifts)

    def _statement(self, statement: gast.stmt, around: tuple[gast.stmt, ...], lifts: Callable) -> None:
        inside = any(id(outer) in self.looped for outer in (*around, statement))
        if not inside and data_reads(_test(statement)) & self.names:
            self._mark(statement, around)
            inside = True
        if inside and (own := defined(statement)) is not None:
            self.own.add(own)
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                if inside or data_reads(value) & self.names or self._is_batched_memory(name):
                    self.names.add(name)
            case gast.For(target=gast.Name(id=name)) if inside:
                self.names.add(name)
            case gast.Expr(value=gast.Call(args=[_, *values])) if tape := tape_of(statement):
                if inside or any(data_reads(v) & self.names for v in values):
                    self.names.add(tape)
        for base in changed_by(statement):
            if not isinstance(self.core.types.get(base), Tape):
                self._write(statement, base, inside)
        simple = not blocks(statement) and not isinstance(statement, gast.Break)
        if not inside and simple and not lifts(statement):
            self._mark(statement, around)
            self.one_by_one |= _without_rule(statement)

    def _mark(self, statement: gast.stmt, around: tuple[gast.stmt, ...]) -> None:
        """Loop over examples around a statement, and around the loops that it stands in."""
        self.looped.add(id(statement))
        self.looped |= {id(outer) for outer in around if isinstance(outer, (gast.For, gast.While))}

    def _is_batched_memory(self, name: str) -> bool:
        return isinstance(self.core.types.get(name), Array) and bool(self.memory.of(name) & self.roots)

    def _write(self, statement: gast.stmt, base: str, inside: bool) -> None:
        found = self.memory.of(base)
        shared = sorted((found & set(self.core.inputs)) - self.inputs)
        if shared:
            raise UnsafeMutation(
                f'`{self.core.base(shared[0])}` is written into, but it is the same for all examples',
                statement.origin,
                why='each example would see what the others have written',
                instead='write into a copy: `a.copy()`, or map over the array as well',
            )
        if inside or base in self.names or reads(statement) & self.names:
            self.roots |= found
            self.names.add(base)

    def _keep_tapes_together(self) -> None:
        """A list that grows for one example after the other is made and read there."""
        body = self.core.body[:-1]
        for tape in [n for n, type_ in self.core.types.items() if isinstance(type_, Tape)]:
            touched = [k for k, s in enumerate(body) if any(tape in names(part) for part in expressions([s]))]
            if touched and any(self._loops_inside(body[k], tape) for k in touched):
                self.loop(body[touched[0] : touched[-1] + 1])

    def _keep_loops_together(self) -> None:
        """There is one loop over examples, not several that hand each other what they have found."""
        body = self.core.body[:-1]
        looped = [k for k, s in enumerate(body) if any(id(inner) in self.looped for inner in walk([s]))]
        if len(looped) > 1:
            self.loop(body[looped[0] : looped[-1] + 1])

    def _loops_inside(self, statement: gast.stmt, tape: str, inside: bool = False) -> bool:
        """Whether a list is touched where examples come one after the other."""
        inside = inside or id(statement) in self.looped
        own = inside and tape in names(_own(statement))
        return own or any(self._loops_inside(s, tape, inside) for block in blocks(statement) for s in block)


def _test(statement: gast.stmt) -> gast.expr | None:
    """What decides which way a statement takes."""
    match statement:
        case gast.If(test=test) | gast.While(test=test) | gast.For(iter=test):
            return test
    return None


def _without_rule(statement: gast.stmt) -> set[str]:
    """The primitive that a statement calls, if it takes one example at a time."""
    name = primitive(getattr(statement, 'value', None)) or 'python.'
    return set() if name.startswith(('python.', 'tape.')) else {name}


def _own(statement: gast.stmt) -> gast.AST:
    """What a statement names itself, without those inside it."""
    match statement:
        case gast.For(target=target, iter=iterator):
            return gast.Tuple(elts=[target, iterator], ctx=gast.Load())
        case gast.If(test=test) | gast.While(test=test):
            return test
    return statement


def expressions(body: Block, inner: bool = True) -> list[gast.AST]:
    """What statements name, and those inside them."""
    return [_own(s) for s in (walk(body) if inner else body)]
