"""How large integers may get: intervals, from sizes, constants, bounds of loops and the tests of branches."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from types import MappingProxyType

import gast

from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.memory.effects import sizes_made
from transpiler.analyses.numeric.integer_evaluation import Reader
from transpiler.analyses.numeric.integer_facts import ANYTHING, Facts, Integer, either, joined
from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import all_defined, blocks, gives, names, parts, reads, walk, without_exit
from transpiler.values.dims import Symbol
from transpiler.values.intervals import ANY, EXACT, WORD, Interval, hull, is_inside
from transpiler.values.types import Array, Scalar

LONG = 2**52    # more iterations than anybody waits for, if they have to be taken one by one
PATIENCE = 3    # so often bounds may move before they are given up
PLACES = (-(2**63 - 1), 2**63 - 2)      # of items of one axis: no size is beyond 64 bits


@memoised
def ranges(core: Core) -> Ranges:
    return Ranges(core)


class Ranges(Reader):
    """The integers of a program at each of its statements; Python's integers are taken to raise where 64 bits do not hold them.

    open: the statements for which integers of Python's may be too long, compiled, with the loops around them, outermost first

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT
    >>> core = parse('''
    ... s = 0
    ... for i in range(1, 100, 1):
    ...     j = i * i
    ...     s = s + j
    ... k = s % n
    ... return k''', types=dict.fromkeys('ijskn', INT))
    >>> found = Ranges(core, {'n': (1, 20)})
    >>> found.of(core.body[1].body[0].value, core.body[1].body[0]), found.of(core.body[2].value, core.body[2])
    ((1, 9801), (0, 19))
    >>> len(found.open), len(Ranges(parse('p = n * n; return p', types=dict.fromkeys('np', INT))).open)
    (0, 1)
    """

    def __init__(self, core: Core, limits: Mapping[str | Symbol, Interval] = MappingProxyType({})):
        super().__init__(core)
        self.open: dict[int, tuple[gast.stmt, tuple[gast.stmt, ...]]] = {}
        self._before: dict[int, dict[str | Symbol, Integer]] = {}
        self._heads: dict[int, dict[str, Interval]] = {}
        self._around: tuple[gast.stmt, ...] = ()
        self._block(core.body, Facts({name: Integer(limit) for name, limit in limits.items()}))

    def of(self, node: gast.expr, statement: gast.stmt | None) -> Interval | None:
        """The integers that an expression may give beside a statement; None if it gives others."""
        found = self.read(node, Facts(dict(self._before.get(id(statement), {}))))
        return None if found is None else found.within

    def is_sure(self, statement: gast.stmt) -> bool:
        """Whether it surely makes an integer of Python's that is not too long, or none."""
        return id(statement) in self._before and id(statement) not in self.open

    def _block(self, body: Iterable[gast.stmt], facts: Facts | None) -> Facts | None:
        """What is known after a block; None if its end is not reached."""
        for statement in body:
            if facts is None:
                break
            facts = self._statement(statement, facts)
        return facts

    def _statement(self, statement: gast.stmt, facts: Facts) -> Facts | None:
        self._note(statement, facts)
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                facts.give(name, self._given(name, value, statement, facts), value)
                self._taken(statement, facts)
            case gast.If(test=test, body=body, orelse=orelse):
                arms = [self._block(arm, self.assumed(test, holds, facts)) for arm, holds in ((body, True), (orelse, False))]
                return either(*arms)
            case gast.For() | gast.While():
                return self._loop(statement, facts)
            case gast.AugAssign(target=gast.Name(id=name)):
                facts.give(name, None)
            case gast.Raise():
                return None
            case gast.Assign() | gast.AugAssign():
                self._taken(statement, facts)
        return facts

    def _taken(self, statement: gast.Assign | gast.AugAssign, facts: Facts) -> None:
        """What indices are for certain where the items that they stand for have been taken: others have raised.

        >>> from transpiler.core.text import parse
        >>> from transpiler.values.types import FLOAT, INT
        >>> types = {'k': INT, 'j': INT, 'a': Array(FLOAT.dtype, (None,)), 'y': FLOAT}
        >>> [len(Ranges(parse(text, types=types)).open) for text in ('y = a[k]; j = k + 1; return j', 'j = k + 1; return j')]
        [0, 1]
        """
        for name in set(self._places(parts(statement))) - all_defined([statement]):
            if (found := self.value(name, facts)) is not None:
                facts.values[name] = found.clipped(PLACES)

    def _places(self, nodes: list[gast.AST]) -> Iterator[str]:
        """The names that stand alone in indices of arrays, where all of these are taken."""
        if any(isinstance(node, (gast.IfExp, gast.BoolOp)) for node in nodes):
            return
        for node in nodes:
            match node:
                case gast.Subscript(value=gast.Name(id=base), slice=index) if isinstance(self.core.types.get(base), Array):
                    yield from (entry.id for entry in entries_of(index) if isinstance(entry, gast.Name))

    def _note(self, statement: gast.stmt, facts: Facts) -> None:
        known = self._before.setdefault(id(statement), {})
        for name in (*reads(statement), *self.sizes):
            if (found := self.value(name, facts)) is not None:
                known[name] = joined(known.get(name, found), found)

    def _given(self, name: str, value: gast.expr, statement: gast.stmt, facts: Facts) -> Integer | None:
        """What a name gets."""
        if self._is_inexact(value, facts):
            self.open[id(statement)] = statement, self._around
        found = self.read(value, facts)
        own = self.of_type(self.core.types.get(name))
        if found is None or own is None:
            return own and Integer(own)
        if is_inside(found.within, own):
            return found
        if self.is_pythons(name) and isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Call)):
            known = WORD if is_proven(value) or self._is_place(statement) else self.size_of(name, facts)
            if known is None or not is_inside(known, WORD):
                self.open[id(statement)] = statement, self._around
            return found.clipped(known or WORD)
        return Integer(own)

    def _is_place(self, statement: gast.stmt) -> bool:
        """Whether it goes on among places in memory, one for each iteration that has run; how many there are was found before."""
        steps = isinstance(statement.value, gast.BinOp) and isinstance(statement.value.op, (gast.Add, gast.Sub))
        if statement.role != 'storage' or not steps or not self._around:
            return False
        nodes = (node for s in walk(self._around[:1]) if not blocks(s) for node in parts(s))
        found = (node.value for node in nodes if isinstance(node, gast.Subscript))
        return any(isinstance(base, gast.Name) and isinstance(self.core.types.get(base.id), Array) for base in found)

    def _is_inexact(self, value: gast.expr, facts: Facts) -> bool:
        """Whether integers of Python's are divided, or compared with floats, of which floats may not hold all."""
        match value:
            case gast.BinOp(left=left, op=gast.Div(), right=right):
                sides = [left, right]
                if any(not isinstance(self.read(side, facts), Integer) for side in sides):
                    return False
            case gast.Compare(left=left, comparators=[right]):
                sides = [side for side in (left, right) if self.read(side, facts) is not None]
                if len(sides) != 1:
                    return False
            case _:
                return False
        return all(map(self._is_weak, (left, right))) and any(not is_inside(self.within(side, facts), EXACT) for side in sides)

    def _is_weak(self, node: gast.expr) -> bool:
        """Whether it is a number of Python's."""
        return all(isinstance(type_ := self.core.types.get(name), Scalar) and type_.weak for name in names(node))

    def _loop(self, loop: gast.For | gast.While, facts: Facts) -> Facts:
        """What is known after a loop: what its iterations start with is widened until they end within that."""
        changed = sorted(all_defined([loop]))
        iterations, around = self._iterations(loop, facts), self._around
        entry = {name: found.within for name in changed if (found := self.value(name, facts)) is not None}
        head = self._heads.setdefault(id(loop), dict(entry))
        head |= {name: hull(within, head[name]) if name in head else within for name, within in entry.items()}
        self._around = (*around, loop)
        for attempt in count():
            end, left = self._iteration(loop, self._start(loop, facts, head, changed))
            new = self._next(loop, entry, end, iterations)
            wider = {name: _widened(head[name], new[name], attempt) for name in head}
            if wider == head:
                break
            head.update(wider)
        self._around = around
        return self._after(loop, facts, [e for e in (end, left) if e is not None], changed, iterations)

    def _start(self, loop: gast.stmt, facts: Facts, head: Mapping[str, Interval], changed: Iterable[str]) -> Facts:
        start = facts.without(changed)
        for name, within in head.items():
            start.values[name] = Integer(within, (id(loop), name))
        return start

    def _iteration(self, loop: gast.For | gast.While, start: Facts) -> tuple[Facts | None, Facts | None]:
        """What is known at the end of an iteration, if another one may follow, and where it is the last one."""
        body, leaves = without_exit(loop.body)
        facts: Facts | None = start
        if isinstance(loop, gast.For):
            start.give(loop.target.id, self._counter(loop, start))
        else:
            self._note(loop, start)
            facts = self.assumed(loop.test, True, start)
        end = self._block(body, facts)
        if leaves is None or end is None:
            return end, None
        self._note(loop.body[-1], end)
        return self.assumed(leaves, False, end), self.assumed(leaves, True, end)

    def _counter(self, loop: gast.For, facts: Facts) -> Integer:
        start, stop, step = (self.within(bound, facts) for bound in loop.iter.args)
        up, down = (start[0], max(stop[1] - 1, start[0])), (min(stop[0] + 1, start[1]), start[1])
        return Integer(up if step[0] > 0 else down if step[1] < 0 else hull(up, down))

    def _iterations(self, loop: gast.For | gast.While, facts: Facts) -> int | None:
        """How many iterations there are at most; None if there is no telling."""
        most = LONG if self._takes_time(loop) else None
        if isinstance(loop, gast.While):
            return most
        start, stop, step = (self.read(bound, facts) or ANYTHING for bound in loop.iter.args)
        by = max(abs(step.within[0]), 1) if step.within[0] == step.within[1] else 1
        ends = [stop.minus(start)] if step.within[0] > 0 else [start.minus(stop)]
        ends = ends if step.within[0] > 0 or step.within[1] < 0 else [stop.minus(start), start.minus(stop)]
        longest = max(0, *(-(-end[1] // by) for end in ends))
        return min(longest, most) if most is not None else longest

    def _takes_time(self, loop: gast.For | gast.While) -> bool:
        """Whether iterations have to be taken to see which one is the last: it depends on numbers with a point, or on memory."""
        _, leaves = without_exit(loop.body)
        tests = [test for test in (leaves, getattr(loop, 'test', None)) if test is not None]
        values: dict[str, list[gast.expr]] = {}
        for name, value in (pair for s in walk(loop.body) for pair in gives(s)):
            values.setdefault(name, []).append(value)
        pending, seen = [name for test in tests for name in names(test)], set()
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                pending += [n for value in values.get(name, ()) for n in names(value)]
        return any(self._is_no_integer(name) for name in seen)

    def _is_no_integer(self, name: str) -> bool:
        type_ = self.core.types.get(name)
        return isinstance(type_, Array) or isinstance(type_, Scalar) and type_.dtype.kind in 'fc'

    def _next(self, loop: gast.stmt, entry: Mapping[str, Interval], end: Facts | None, count: int | None) -> dict[str, Interval]:
        """What count may start with, if they end like that."""
        found = {}
        for name, within in entry.items():
            after = None if end is None else self.value(name, end)
            if after is None:
                found[name] = within
            elif after.root == (id(loop), name) and count is not None:
                total = _times(after.off, count)
                found[name] = hull(within, Integer((within[0] + total[0], within[1] + total[1])).clipped(WORD).within)
            else:
                found[name] = hull(within, after.within)
        return found

    def _after(self, loop: gast.stmt, facts: Facts, ends: list[Facts], changed: list[str], iterations: int | None) -> Facts:
        after = facts.without(changed)
        for name in changed:
            before, last = self.value(name, facts), [self.value(name, end) for end in ends]
            if before is None or None in last or isinstance(loop, gast.For) and name == loop.target.id:
                continue
            within, root, off = before.within, None, (0, 0)
            for value in last:
                within = hull(within, value.within)
            if iterations is not None and all(value.root == (id(loop), name) for value in last):
                root = before.root
                for value in last:
                    off = hull(off, _times(value.off, iterations))
                off = before.off[0] + off[0], before.off[1] + off[1]
            after.values[name] = Integer(within, root, off)
        ends_by_test = isinstance(loop, gast.While) and without_exit(loop.body)[1] is None
        return ends_by_test and self.assumed(loop.test, False, after) or after


def makes_sizes(core: Core, value: gast.expr, statement: gast.stmt) -> bool:
    """Whether no array that an expression beside a statement makes can have a size below zero, which raises."""
    found = [ranges(core).of(size, statement) for size in sizes_made(value)]
    return all(within is not None and within[0] >= 0 for within in found)


def is_proven(value: gast.AST | None) -> bool:
    """Whether it is told to be no integer that is too long."""
    return links(value).proven


def _times(step: Interval, iterations: int) -> Interval:
    return min(0, iterations * step[0]), max(0, iterations * step[1])


def _widened(old: Interval, new: Interval, attempt: int) -> Interval:
    whole = hull(old, new)
    if attempt < PATIENCE or whole == old:
        return whole
    low = old[0] if whole[0] == old[0] else 0 if whole[0] >= 0 else ANY[0]
    return low, old[1] if whole[1] == old[1] else WORD[1] if whole[1] <= WORD[1] else ANY[1]
