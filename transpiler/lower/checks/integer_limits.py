"""Integers of Python's in loops: asked once, at the start, whether all that they become is surely held by 64 bits."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import gast

from transpiler.analyses.numeric.ranges import Ranges, ranges
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, reads
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.values.dims import Symbol
from transpiler.values.intervals import Interval
from transpiler.values.types import Array

BITS = 62, 48, 40, 31, 24, 20, 16, 12   # of an argument; with less, what is asked in the loop is asked less often
LARGE = 24                              # of a size: there are arrays of a few millions
Source = str | Symbol


def limited(core: Core, latest: float, target: Target = CPU) -> Core:
    """The program behind a question: whether arguments and sizes are so small that no integer in a loop gets too long.

    Where they are not, another version runs, which looks at every single one. `latest` is the last statement before which that
    is possible. What cannot be said so is left to be asked where it stands (`lower/context/integer_overflow.py`).

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.values.types import INT
    >>> core = parse('''
    ... s = 0
    ... for i in range(0, n, 1):
    ...     j = i * i
    ...     s = s + j
    ... return s''', types=dict.fromkeys('sijn', INT))
    >>> guard, *_ = limited(core, 0).body
    >>> print(Spelling().statement(guard))
    if n > 1048576 or n < -1048576:
    """
    found = _limits(core) if latest >= 0 else {}
    first = core.body[0]
    ordered = sorted(found.items(), key=lambda item: str(item[0]))
    bail_out = target.checks.bail_out
    guards = [build.branch(_exceeds(core, source, most), [build.fail(build.name(bail_out), first.origin, first.role)], (),
                           first.origin, first.role) for source, most in ordered]
    return core.with_body([*guards, *core.body]) if guards else core


def _limits(core: Core) -> dict[Source, int]:
    """How large arguments and sizes may be, so that as much as possible is sure."""
    opened = {key: (s, around) for key, (s, around) in ranges(core).open.items() if around}
    sources = _Sources(core) if opened else None
    limits: dict[Source, int] = {}
    for bits in BITS if sources else ():
        of = {key: sources.of(statement, around) for key, (statement, around) in opened.items()}
        suspects = {source for found in of.values() for source in found if isinstance(source, str) or bits >= LARGE}
        if not suspects:
            break
        trial = {**limits, **dict.fromkeys(suspects, 2**bits)}
        still = Ranges(core, {source: _interval(source, most) for source, most in trial.items()}).open
        limits |= {source: 2**bits for key, found in of.items() if key not in still for source in found & suspects}
        opened = {key: value for key, value in opened.items() if key in still}
    return {source: most for source, most in limits.items() if isinstance(source, str) or most < 2**48}


def _interval(source: Source, most: int) -> Interval:
    return (-most, most) if isinstance(source, str) else (2 if source.large else 0, min(most, 2**48))


def _exceeds(core: Core, source: Source, most: int) -> gast.expr:
    if isinstance(source, str):
        return gast.BoolOp(op=gast.Or(), values=[build.compare(source, gast.Gt, most), build.compare(source, gast.Lt, -most)])
    array, axis = _places(core)[source]
    return build.compare(build.subscript(build.attribute(array, 'shape'), axis), gast.Gt, most)


def _places(core: Core) -> Mapping[Symbol, tuple[str, int]]:
    """Where the arguments show a size."""
    found: dict[Symbol, tuple[str, int]] = {}
    for name in core.inputs:
        for axis, dim in enumerate(getattr(core.types.get(name), 'dims', None) or ()):
            if dim is not None and dim.symbol_alone is not None:
                found.setdefault(dim.symbol_alone, (name, axis))
    return found


class _Sources:
    """Which arguments and sizes an integer depends on."""

    def __init__(self, core: Core):
        self.core, self.places = core, _places(core)
        self.made_of: defaultdict[str, set[str]] = defaultdict(set)
        self._collect(core.body, frozenset())
        self.numbers = set(filter(ranges(core).is_pythons, core.inputs))

    def _collect(self, body, bounds: frozenset[str]) -> None:
        for statement in body:
            name = defined(statement)
            if name is not None:
                self.made_of[name] |= {*reads(statement), *bounds}
            inner = bounds if isinstance(statement, gast.If) else bounds | reads(statement)
            for block in blocks(statement):
                self._collect(block, inner)

    def of(self, statement: gast.stmt, around: tuple[gast.stmt, ...]) -> set[Source]:
        pending, seen, found = [*reads(statement), *(n for loop in around for n in reads(loop))], set(), set()
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            pending += self.made_of.get(name, ())
            found |= {name} & self.numbers | (self._sizes(name) & self.places.keys())
        return found

    def _sizes(self, name: str) -> set[Symbol]:
        type_ = self.core.types.get(name)
        dims = type_.dims or () if isinstance(type_, Array) else (getattr(type_, 'size', None),)
        return {symbol for dim in dims if dim is not None for symbol in dim.atoms}
