"""Loops that compilers may turn into vectors, and the statements that stand in none: there, C's functions are faster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import gast

from transpiler.analyses.independence import is_sum
from transpiler.analyses.liveness import live_before
from transpiler.core.functions import calls_in
from transpiler.core.indices import entries_of, integer
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, names, parts, primitive, reads, walk
from transpiler.core.text import dump

UNROLLED = 16  # turns of a loop that compilers may write out
WIDTH = 8  # turns that may be done at once if none waits for one that is nearer


def outside_vectors(core: Core, called: bool = False) -> frozenset[gast.stmt]:
    """The statements that are certainly done for one number at a time: no loop around them has turns that may be done at once.

    called: whether other code calls the function, perhaps in a loop, into which the compiler may copy it

    >>> from transpiler.core.text import parse
    >>> core = parse('''
    ... for i in range(n): y[i] = np.sin(x[i])
    ... for i in range(n): t = np.sin(s); s = s + t
    ... v = np.sin(s)
    ... return v''')
    >>> found = outside_vectors(core)
    >>> [statement in found for statement in (core.body[0].body[0], core.body[1].body[0], core.body[2])]
    [False, True, True]
    """
    inlined = called and not calls_in(core)
    return frozenset(_outside(core.body, inlined))


def _outside(body: Iterable[gast.stmt], vectors: bool) -> Iterator[gast.stmt]:
    for statement in body:
        inner = vectors
        if isinstance(statement, (gast.For, gast.While)):
            inner = _may_be_vectors(statement) or vectors and _is_unrolled(statement)
        tested_inside = isinstance(statement, gast.While)
        if not (inner if tested_inside else vectors):
            yield statement
        for block in blocks(statement):
            yield from _outside(block, inner)


def _may_be_vectors(loop: gast.For | gast.While) -> bool:
    """Whether it is an innermost loop, left only at its end, in which no turn waits for what the one before it computes."""
    statements = list(walk(loop.body))
    if any(isinstance(s, (gast.While, gast.Break)) or isinstance(s, gast.For) and not _is_unrolled(s) for s in statements):
        return False
    if isinstance(loop, gast.For) and _reads_what_was_written(loop, statements):
        return False
    sources = dict(_sources(loop.body, frozenset()))
    before = live_before(loop.body) | (set(names(loop.test)) if isinstance(loop, gast.While) else set())
    return all(
        _is_counter(name, statements) or _is_combined(name, statements) or is_sum(name, statements, before)
        or not _depends_on_itself(name, sources)
        for name in before & set(sources)
    )


def _reads_what_was_written(loop: gast.For, statements: list[gast.stmt]) -> bool:
    """Whether a turn reads what one before it wrote, a number of places away: `y[i] = f(y[i - 1])`."""
    step = integer(loop.iter.args[2]) or 0
    away = {loop.target.id: 0} | {str(defined(s)): n for s in statements if (n := _distance(s, loop.target.id)) is not None}
    stores, reads_of = [], defaultdict(list)
    for place in (n for s in statements if not blocks(s) for n in parts(s)):
        if isinstance(place, gast.Subscript) and isinstance(place.value, gast.Name):
            index = [getattr(entry, 'id', None) or dump(entry) for entry in entries_of(place.slice)]
            (stores if isinstance(place.ctx, gast.Store) else reads_of[place.value.id]).append((place.value.id, index))
    return any(_comes_later(index, read, away, step) for array, index in stores for _, read in reads_of[array])


def _distance(statement: gast.stmt, counter: str) -> int | None:
    """How far from the counter's number the one is that a statement computes."""
    match getattr(statement, 'value', None):
        case gast.BinOp(left=gast.Name(id=name), op=op, right=gast.Constant(value=int(number))) if name == counter:
            return {gast.Add: number, gast.Sub: -number}.get(type(op))
    return None


def _comes_later(written: list[str], read: list[str], away: Mapping[str, int], step: int) -> bool:
    """Whether what is written at a place is read there, as far as constants tell, in one of the next turns."""
    apart = [pair for pair in zip(written, read) if pair[0] != pair[1]]
    return bool(apart) and all(a in away and b in away and 0 < (away[a] - away[b]) * step < WIDTH for a, b in apart)


def _is_unrolled(statement: gast.stmt) -> bool:
    match statement:
        case gast.For(iter=gast.Call(args=bounds)):
            start, stop, step = map(integer, bounds)
            return bool(step) and None not in (start, stop) and len(range(start, stop, step)) <= UNROLLED
    return False


def _sources(body: Iterable[gast.stmt], tested: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Each name that a block gives values to, and all names that these may depend on."""
    found: dict[str, frozenset[str]] = {}
    for statement in body:
        name = defined(statement)
        given = [(name, reads(statement) | tested)] if name is not None else []
        for block in blocks(statement):
            given += _sources(block, tested | reads(statement))
        for target, needed in given:
            found[target] = found.get(target, frozenset()) | needed
    yield from found.items()


def _depends_on_itself(name: str, sources: dict[str, frozenset[str]]) -> bool:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        new = sources.get(waiting.pop(), frozenset()) - reached
        reached |= new
        waiting += new
    return name in reached


def _is_counter(name: str, statements: list[gast.stmt]) -> bool:
    """Whether each turn adds the same number to it."""
    given = [s for s in statements if defined(s) == name]
    match given:
        case [gast.Assign(value=gast.BinOp(left=gast.Name(id=old), op=gast.Add() | gast.Sub(), right=gast.Constant()))]:
            return old == name
    return False


def _is_combined(name: str, statements: list[gast.stmt]) -> bool:
    """Whether turns do nothing with it but combine it with another number, as in `m = np.maximum(m, v)`."""
    for statement in statements:
        if name not in reads(statement):
            continue
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.BinOp(left=left, right=right)):
                operands = [left, right]
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(args=[_, _] as operands) as call):
                if primitive(call) not in ('numpy.maximum', 'numpy.minimum'):
                    return False
            case _:
                return False
        if target != name or sum(name in names(operand) for operand in operands) != 1:
            return False
    return True
