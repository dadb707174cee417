"""Loops that compilers may turn into vectors, and the statements that stand in none: there, C's functions are faster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import zip_longest

import gast

from transpiler.analyses.dataflow.liveness import live_before
from transpiler.analyses.polyhedral.affine import Affine
from transpiler.analyses.polyhedral.ordered_sums import is_exact
from transpiler.analyses.polyhedral.parallel_loops import is_sum
from transpiler.core.functions import calls_in
from transpiler.core.indices import counted, entries_of
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, lanes_of, names, parts, primitive, reads, walk, written
from transpiler.core.text import dump
from transpiler.lower.fusion.reductions import PLUS

UNROLLED = 16  # iterations of a loop that compilers may write out
WIDTH = 8  # iterations that may be done at once if none waits for one that is nearer


def outside_vectors(core: Core, called: bool = False, fastmath: bool = False) -> frozenset[gast.stmt]:
    """The statements that are certainly done for one number at a time: no loop around them has iterations that may be done at
    once.

    called: whether other code calls the function, perhaps in a loop, into which the compiler may copy it
    fastmath: whether sums of floats may be in any order, not only those that are said to be (`lower/vectorize/sum_lanes.py`)

    >>> from transpiler.core.text import parse
    >>> core = parse('''
    ... for i in range(n): y[i] = np.sin(x[i])
    ... for i in range(n): t = np.sin(s); s = s + t
    ... for i in range(n): t = np.sin(x[i]); s = s + t
    ... for i in range(0, n, 1, lanes=(s,)): t = np.sin(x[i]); s = s + t
    ... v = np.sin(s)
    ... return v''')
    >>> found = outside_vectors(core)
    >>> [loop.body[0] in found for loop in core.body[:4]], core.body[4] in found
    ([False, True, True, False], True)
    >>> core = parse('''
    ... for i in range(1, n): y[i] = np.sin(y[i - k])
    ... for i in range(1, n): y[i] = np.sin(y[i])
    ... for i in range(1, n): y[i, 0] = np.sin(y[i - k, 1])
    ... return y''')
    >>> found = outside_vectors(core)
    >>> [loop.body[0] in found for loop in core.body[:3]]
    [True, False, False]
    """
    inlined = called and not calls_in(core)
    return frozenset(_Vectors(core, fastmath).outside(core.body, inlined))


class _Vectors:
    def __init__(self, core: Core, fastmath: bool):
        self.core, self.fastmath = core, fastmath

    @cached_property
    def affine(self) -> Affine:
        return Affine(self.core)

    def outside(self, body: Iterable[gast.stmt], vectors: bool) -> Iterator[gast.stmt]:
        for statement in body:
            inner = vectors
            if isinstance(statement, (gast.For, gast.While)):
                inner = self._may_be_vectors(statement) or vectors and _is_unrolled(statement)
            tested_inside = isinstance(statement, gast.While)
            if not (inner if tested_inside else vectors):
                yield statement
            for block in blocks(statement):
                yield from self.outside(block, inner)

    def _may_be_vectors(self, loop: gast.For | gast.While) -> bool:
        """Whether it is an innermost loop, left only at its end, in which no iteration waits for what another computes."""
        statements = list(walk(loop.body))
        if any(isinstance(s, (gast.While, gast.Break)) or isinstance(s, gast.For) and not _is_unrolled(s) for s in statements):
            return False
        if isinstance(loop, gast.For) and self._reads_what_was_written(loop, statements):
            return False
        sources = _sources(loop.body)
        before = live_before(loop.body) | (set(names(loop.test)) if isinstance(loop, gast.While) else set())
        return all(
            _is_counter(name, statements) or _is_combined(name, statements, self._in_any_order(name, loop))
            or self._in_any_order(name, loop) and is_sum(name, statements, before) or not _depends_on_itself(name, sources)
            for name in before & set(sources)
        )

    def _in_any_order(self, name: str, loop: gast.stmt) -> bool:
        """Whether arithmetic that iterations do with a name is exact, or may round in any order."""
        return self.fastmath or name in lanes_of(loop) or is_exact(self.core.types.get(name))

    def _reads_what_was_written(self, loop: gast.For, statements: list[gast.stmt]) -> bool:
        """Whether an iteration reads what one shortly before wrote: `y[i] = f(y[i - 1])`, or may: `y[i] = f(y[i - k])`."""
        written_to = {written(s) for s in statements} - {None}
        stores, loads = [], defaultdict(list)
        for statement in (s for s in statements if not blocks(s)):
            for place in parts(statement):
                if isinstance(place, gast.Subscript) and getattr(place.value, 'id', None) in written_to:
                    if isinstance(place.ctx, gast.Store):
                        stores.append((place, statement))
                    else:
                        loads[place.value.id].append((place, statement))
        pairs = ((store, load) for store in stores for load in loads[store[0].value.id])
        return any(0 < self._iterations_between(loop, *store, *load) < WIDTH for store, load in pairs)

    def _iterations_between(
        self, loop: gast.For, place: gast.Subscript, writer: gast.stmt, read: gast.Subscript, reader: gast.stmt
    ) -> int:
        """After how many iterations what is written at a place is read there: 1 if the run tells, 0 if never or unknown."""
        stands = [at for s in (loop, writer, reader) for at in self.affine.positions.of[id(s)]]
        indices = list(zip_longest(entries_of(place.slice), entries_of(read.slice)))
        if len(stands) != 3 or any(None in pair for pair in indices):
            return 0
        whole, writes, reads_it = stands
        iteration = self.affine.iteration(whole).symbol_alone
        found, unknown = set(), False
        for here, there in indices:
            first, second = self.affine.form(here, writes), self.affine.form(there, reads_it)
            if first is None or second is None or not (first - second).is_constant:
                unknown |= dump(here) != dump(there)
                continue
            if any(s != iteration and self.affine.depth.get(s, 0) > len(whole.loops) for s, _ in first.terms):
                return 0
            step, apart = dict(first.terms).get(iteration, 0), (first - second).constant
            if apart % step if step else apart:
                return 0
            found |= {apart // step} if step else set()
        return 1 if unknown else found.pop() if len(found) == 1 else 0


def _is_unrolled(statement: gast.stmt) -> bool:
    return (iterations := counted(statement)) is not None and len(iterations) <= UNROLLED


def _sources(body: Iterable[gast.stmt], tested: frozenset[str] = frozenset()) -> dict[str, frozenset[str]]:
    """Each name that a block gives values to, and all names that these may depend on."""
    found: dict[str, frozenset[str]] = {}
    for statement in body:
        needed = tested | reads(statement)
        given = [_sources(block, needed) for block in blocks(statement)]
        if (name := defined(statement)) is not None:
            given.append({name: needed})
        for name, needs in (pair for part in given for pair in part.items()):
            found[name] = found.get(name, frozenset()) | needs
    return found


def _depends_on_itself(name: str, sources: Mapping[str, frozenset[str]]) -> bool:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        new = sources.get(waiting.pop(), frozenset()) - reached
        reached |= new
        waiting += new
    return name in reached


def _is_counter(name: str, statements: list[gast.stmt]) -> bool:
    """Whether each iteration adds the same number to it."""
    given = [s for s in statements if defined(s) == name]
    match given:
        case [gast.Assign(value=gast.BinOp(left=gast.Name(id=old), op=gast.Add() | gast.Sub(), right=gast.Constant()))]:
            return old == name
    return False


def _is_combined(name: str, statements: list[gast.stmt], in_any_order: bool) -> bool:
    """Whether iterations do nothing with it but combine it with another number, in any order, as in `m = np.maximum(m, v)`."""
    for statement in statements:
        if name not in reads(statement):
            continue
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.BinOp(left=left, right=right)) if in_any_order:
                operands = [left, right]
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(args=[_, _] as operands) as call):
                if primitive(call) not in ('numpy.maximum', 'numpy.minimum', PLUS):
                    return False
            case _:
                return False
        if target != name or sum(name in names(operand) for operand in operands) != 1:
            return False
    return True
