"""Guards that stand side by side ask once: compiled code lets go of all arrays at every place that raises."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import groupby
from types import MappingProxyType

import gast

from transpiler.core import build
from transpiler.core.helpers import Fact, holds_of
from transpiler.core.language import Core
from transpiler.core.naming import Supply
from transpiler.core.query import all_defined, blocks
from transpiler.core.text import dump
from transpiler.optimize.rewriting.available_expressions import same, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import BOOL


@rewrite('alarms', surface=True)
def asked_together(core: Core) -> Core:
    """Neighbouring comparisons of sizes that raise if they hold become one question; which of them holds is asked only then.

    As many places that raise as there are guards, times as many arrays as there are to let go of, is more than all else in long
    programs. Every guard keeps its exception and its line.

    >>> import numpy as np
    >>> from transpiler.passes import show
    >>> from transpiler.values.types import INT, Array
    >>> show(asked_together, '''
    ... if x.shape[0] != n:
    ...     raise python.ValueError('rows')
    ... if x.shape[1] > n and n > 1:
    ...     raise python.ValueError('columns')
    ... return x''', params='xn', types={'x': Array(np.dtype(float), (None, None)), 'n': INT})
    wrong = x.shape[0] != n
    wrong_1 = (x.shape[1] > n) & (n > 1)
    if wrong | wrong_1:
        if wrong:
            raise ValueError('rows')
        raise ValueError('columns')
    return x
    """
    merging = _Merging(core)
    body = merging.block(core.body)
    return core if same(core.body, body) else core.with_body(body, types=MappingProxyType(merging.types))


class _Merging:
    def __init__(self, core: Core):
        self.types = dict(core.types)
        self.supply = Supply({*core.inputs, *core.types, *all_defined(core.body)})

    def block(self, body: Iterable[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for is_guard, group in groupby(body, _is_guard):
            run = list(group)
            if not is_guard:
                made += [with_blocks(s, [self.block(b) for b in blocks(s)]) if blocks(s) else s for s in run]
            else:
                made += self.together(run) if len(run) > 1 else run
        return made

    def together(self, guards: Sequence[gast.If]) -> list[gast.stmt]:
        first, last = guards[0], guards[-1]
        tests = [_eager(guard.test) for guard in guards]
        if len({(dump(guard.body), None if _gives_up(guard) else guard.origin) for guard in guards}) == 1:
            return [build.branch(_any(tests), first.body, (), first.origin, first.role)]
        flags = [self.supply.take('wrong') for _ in guards]     # so that no array is needed where it is asked which one
        self.types |= dict.fromkeys(flags, BOOL)
        made: list[gast.stmt] = [build.assign(f, t, g.origin, g.role) for f, t, g in zip(flags, tests, guards, strict=True)]
        which = [build.like(guard, test=build.name(flag)) for flag, guard in zip(flags, guards[:-1])]
        return [*made, build.branch(_any(map(build.name, flags)), [*which, *last.body], (), first.origin, first.role)]


def _gives_up(guard: gast.If) -> bool:
    """Whether it raises what no caller sees: then its line does not matter."""
    match guard.body[0].exc:
        case gast.Name(id=identifier):
            return holds_of(identifier, Fact.BAILS_OUT)
    return False


def _any(tests: Iterable[gast.expr]) -> gast.expr:
    return functools.reduce(lambda left, right: build.binary(left, gast.BitOr, right), tests)


def _is_guard(statement: gast.stmt) -> bool:
    match statement:
        case gast.If(test=test, body=[gast.Raise()], orelse=[] | ()):
            return _is_harmless(test)
    return False


def _is_harmless(test: gast.expr) -> bool:
    """Whether a test can be evaluated ahead of its iteration: it compares sums and products of numbers and sizes."""
    match test:
        case gast.BoolOp(values=values):
            return all(map(_is_harmless, values))
        case gast.Compare(left=left, comparators=[right]):
            return _is_plain(left) and _is_plain(right)
    return False


def _is_plain(side: gast.expr) -> bool:
    match side:
        case gast.Subscript(value=gast.Attribute(attr='shape', value=gast.Name()), slice=gast.Constant()):
            return True
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right):
            return _is_plain(left) and _is_plain(right)
    return isinstance(side, (gast.Name, gast.Constant))


def _eager(test: gast.expr) -> gast.expr:
    if not isinstance(test, gast.BoolOp):
        return test
    operator = gast.BitAnd if isinstance(test.op, gast.And) else gast.BitOr
    return functools.reduce(lambda left, right: build.binary(left, operator, right), map(_eager, test.values))
