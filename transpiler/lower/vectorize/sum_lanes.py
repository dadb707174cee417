"""Sums in lanes: so many terms at a time, where nobody minds the order, and one by one if that is not finite."""
from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.polyhedral.ordered_sums import may_reorder
from transpiler.analyses.polyhedral.parallel_loops import handed_on
from transpiler.core import build
from transpiler.core.fixpoint import closure
from transpiler.core.indices import counted
from transpiler.core.language import Core
from transpiler.core.naming import Supply
from transpiler.core.query import all_defined, all_written, blocks, defined, lanes_of, names, parts, reads, walk, written
from transpiler.lower.loops.invariants import rebuilt
from transpiler.lower.loops.reduction_fences import LOOPS, one_by_one
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

FEW = 32  # iterations of a loop are soon added up in order


@rewrite('lanes')
def find_lanes(core: Core) -> Core:
    """Say of innermost loops which of their sums may be taken in any order.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> types = {'x': Array(np.dtype(float), (None,)), 's': FLOAT, 'v': FLOAT, 'i': INT, 'n': INT}
    >>> core = parse('s = 0.0\\nfor i in range(n): v = x[i]; s = s + v\\nreturn s', types=types)
    >>> lanes_of(find_lanes(core).body[1])
    frozenset({'s'})
    """
    found, live = memory(core), live_after(core)

    def told(loop: gast.For) -> list[gast.stmt]:
        innermost = not any(isinstance(s, (gast.For, gast.While)) for s in walk(loop.body))
        if not innermost or _has_few_iterations(loop) or not may_reorder(core, found, loop, live[loop]):
            return [loop]
        sums = sorted(name for name in handed_on(loop, live[loop]) if _is_inexact(core, name))
        return [build.marked(loop, lanes=tuple(sums))] if sums else [loop]

    return rebuilt(core, told, core.types)


def _has_few_iterations(loop: gast.For) -> bool:
    return (iterations := counted(loop)) is not None and len(iterations) < FEW


def _is_inexact(core: Core, name: str) -> bool:
    type_ = core.types.get(name)
    return isinstance(type_, Scalar) and type_.dtype.kind in 'fc'


@rewrite('sums in lanes', surface=True)
def add_in_lanes(core: Core, target: Target = CPU) -> Core:
    """Add up in lanes in loops of which compilers make vectors then; in order, if the result is not finite.

    Each lane adds up a part of the terms, which may overflow where the terms in order do not.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> types = {'x': Array(np.dtype(float), (None,)), 's': FLOAT, 'i': INT, 'n': INT}
    >>> show(add_in_lanes, '''
    ... s = 0.0
    ... for i in range(0, n, 1, lanes=(s,)):
    ...     s += x[i] * x[i]
    ... return s''', params='xn', types=types)
    s = 0.0
    for i in range(n):
        s = plus(s, x[i] * x[i])
    if not np.isfinite(s):
        s = 0.0
        for i in range(n):
            s += x[i] * x[i]
    return s
    """
    plus = target.loops.plus
    if not any(lanes_of(s) or _in_any_order(s, plus) for s in core.statements):
        return core
    adding = _Adding(core, plus)
    changed = unchanged_or(core, adding.block(core.body))
    return changed.with_body(changed.body, types=adding.types)


class _Adding:
    def __init__(self, core: Core, plus: str):
        self.core, self.plus, self.types, self.memory = core, plus, dict(core.types), memory(core)
        self.supply = Supply({*core.inputs, *core.types, *all_defined(core.body), core.name, *core.functions})

    def block(self, body: Iterable[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for statement in body:
            made += self.statement(statement, made)
        return made

    def statement(self, statement: gast.stmt, before: list[gast.stmt]) -> list[gast.stmt]:
        """A statement, with what keeps its sums finite; `before`: those that come before it in a block."""
        if not blocks(statement):
            return [statement]
        found = {str(defined(s)) for s in walk(statement.body) if _in_any_order(s, self.plus)}
        if not _is_innermost(statement) or not found and not lanes_of(statement):
            return [with_blocks(statement, [self.block(b) for b in blocks(statement)])]
        sums, plain = sorted(lanes_of(statement) | found), with_blocks(statement, [_in_order(statement.body, self.plus)])
        apart = one_by_one(plain, self.core)
        if any(apart(s) for s in walk(plain.body) if defined(s) in sums):
            return [plain]
        again = self.only_sums(plain, sums)
        if again is None or found and any(isinstance(part, gast.Call) for s in walk(again.body) for part in parts(s)):
            return [statement]  # NumPy's own sums of functions overflow as they like
        starts = {name: self.start(name, before, statement) for name in sums}
        first = [build.assign(name, start, statement.origin, statement.role) for name, (start, _) in starts.items()]
        loop = with_blocks(statement, [_in_lanes(plain.body, sums, self.plus)])
        redo = build.branch(_not_finite(sums), [*first, again], (), statement.origin, statement.role)
        return [*(s for _, kept in starts.values() for s in kept), loop, redo]

    def start(self, name: str, before: Iterable[gast.stmt], loop: gast.stmt) -> tuple[gast.expr, list[gast.stmt]]:
        """What a sum starts from, and what keeps that."""
        just_before = itertools.takewhile(lambda s: isinstance(s, gast.Assign), reversed(before))
        match next((s.value for s in just_before if defined(s) == name), None):
            case gast.Constant() as value:
                return value, []
        kept = self.supply.take(f'{name}_start')
        self.types[kept] = self.types[name]
        return build.name(kept), [build.assign(kept, build.name(name), loop.origin, loop.role)]

    def only_sums(self, loop: gast.For, sums: Collection[str]) -> gast.For | None:
        """The loop with nothing but its sums, or None if that is not what it did the first time."""
        inside = list(walk(loop.body))
        steps = [s for s in inside if defined(s) in sums]
        others = {name for s in inside for name in (reads(s) if s not in steps else names(s.value))}
        if others & set(sums) or not all(map(_is_step, steps)):
            return None
        inner = all_defined(loop.body)
        more = lambda needed: {name for s in walk(_needed(loop.body, needed)) for name in reads(s)} & inner
        body = _needed(loop.body, closure(sums, more))
        if any(written(s) or isinstance(s, (gast.Raise, gast.Expr)) for s in walk(body)):
            return None
        if not self.is_still_there(body, loop):
            return None
        return build.like(loop, iter=build.call('range', *loop.iter.args), body=body)

    def is_still_there(self, body: Iterable[gast.stmt], loop: gast.For) -> bool:
        """Whether the loop leaves alone the memory that these of its statements read."""
        arrays = {n for s in walk(body) for n in reads(s) if not isinstance(self.types.get(n), Scalar)}
        changed = all_written([loop])
        return not any(one == other or self.memory.may_alias(one, other) for one in arrays for other in changed)


def _is_innermost(statement: gast.stmt) -> bool:
    return isinstance(statement, LOOPS) and not any(isinstance(s, LOOPS) for s in walk(statement.body))


def _needed(body: Iterable[gast.stmt], names_: Collection[str]) -> list[gast.stmt]:
    """Of some statements those that give values to these names."""
    made = []
    for statement in body:
        if blocks(statement):
            inner = [_needed(block, names_) for block in blocks(statement)]
            if any(inner):
                made.append(with_blocks(statement, inner))
        elif defined(statement) in names_:
            made.append(statement)
    return made


def _is_step(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.AugAssign) and isinstance(statement.op, (gast.Add, gast.Sub))


def _in_any_order(statement: gast.stmt, plus: str) -> gast.stmt | None:
    """`s += a` for `s = plus(s, a)`."""
    match statement:
        case gast.Assign(targets=[target], value=gast.Call(func=gast.Name(id=name), args=[_, item])) if name == plus:
            return build.stamp(gast.AugAssign(target=target, op=gast.Add(), value=item), statement.origin, statement.role)
    return None


def _in_order(body: Iterable[gast.stmt], plus: str) -> list[gast.stmt]:
    made = [_in_any_order(s, plus) or s for s in body]
    return [with_blocks(s, [_in_order(block, plus) for block in blocks(s)]) if blocks(s) else s for s in made]


def _in_lanes(body: Iterable[gast.stmt], sums: Collection[str], plus: str) -> list[gast.stmt]:
    made = []
    for statement in body:
        if defined(statement) in sums and isinstance(statement, gast.AugAssign):
            value = statement.value if isinstance(statement.op, gast.Add) else build.unary(gast.USub, statement.value)
            target = statement.target.id
            statement = build.assign(target, build.call(plus, target, value), statement.origin, statement.role)
        elif blocks(statement):
            statement = with_blocks(statement, [_in_lanes(block, sums, plus) for block in blocks(statement)])
        made.append(statement)
    return made


def _not_finite(sums: Iterable[str]) -> gast.expr:
    tests = [build.call('numpy.isfinite', name) for name in sums]
    return build.unary(gast.Not, tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests))
