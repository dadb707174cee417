"""Reversed loops whose turns do not depend on each other run forward: so compilers vectorise them."""

from __future__ import annotations

from collections import Counter

import gast

from transpiler.analyses.aliases import Memory, memory
from transpiler.analyses.effects import is_fresh, is_pure
from transpiler.analyses.liveness import live_after
from transpiler.core import build
from transpiler.core.indices import entries_of, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, names, parts, reads, walk, written
from transpiler.lower.loops import rebuilt
from transpiler.passes import rewrite
from transpiler.values.types import Array, Scalar


@rewrite('forward loops')
def turn_forward(core: Core) -> Core:
    """Run `range(n - 1, -1, -1)` forward where each turn only adds up numbers, and writes places that are its own.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> array = Array(np.dtype(float), (None,))
    >>> types = {'x': array, 'y': array, 'v': FLOAT, 'i': INT, 'n': INT}
    >>> show(turn_forward, 'y = np.zeros(n)\\nfor i in range(n, -1, -1): v = x[i]; y[i] += v\\nreturn y', types=types)
    y = np.zeros(n)
    n_next = n + 1
    for i in range(n_next):
        v = x[i]
        y[i] += v
    return y
    """
    turning = _Turning(core)
    return rebuilt(core, turning.loop, turning.types)


class _Turning:
    def __init__(self, core: Core):
        self.core, self.memory, self.live = core, memory(core), live_after(core)
        self.types = dict(core.types)
        self.found = Counter(name for s in walk(core.body) if (name := defined(s)))
        self.values = {defined(s): s.value for s in walk(core.body) if isinstance(s, gast.Assign) and self.found[defined(s)] == 1}
        self.counts = {s.target.id: s for s in walk(core.body) if isinstance(s, gast.For) and self.found[s.target.id] == 1}

    def loop(self, loop: gast.For) -> list[gast.stmt]:
        match loop.iter.args:
            case [first, last, gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=1)) | gast.Constant(value=-1)]:
                if self._is_counted_from(last) and is_independent(self.core, self.memory, loop, self.live[loop], self.found):
                    made: list[gast.stmt] = []
                    bounds = [self._next(last, loop, made), self._next(first, loop, made), build.constant(1)]
                    return [*made, build.like(loop, iter=build.call('range', *bounds))]
        return [loop]

    def _is_counted_from(self, last: gast.expr) -> bool:
        """Whether the turns' numbers are certainly not negative, so that different ones mean different places."""
        match last:
            case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=1)):
                return True
            case gast.Constant(value=int(value)):
                return value >= -1
            case gast.Name(id=name) if name in self.counts:
                args = self.counts[name].iter.args
                low = args[1] if isinstance(args[2], gast.UnaryOp) or getattr(args[2], 'value', 1) < 0 else args[0]
                return self._is_counted_from(low)
        return False

    def _next(self, bound: gast.expr, loop: gast.For, made: list[gast.stmt]) -> gast.expr:
        """`bound + 1`."""
        match bound:
            case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
                return build.constant(1 - value)
            case gast.Constant(value=int(value)):
                return build.constant(value + 1)
        match self.values.get(bound.id):
            case gast.BinOp(left=gast.Name(id=name) as left, op=gast.Sub(), right=gast.Constant(value=1)) if (
                self.found[name] <= 1
            ):
                return left
        number = f'{bound.id}_next'
        while number in self.types:
            number += '_'
        self.types[number] = self.core.types.get(bound.id)
        made.append(build.assign(number, build.binary(bound, gast.Add, 1), loop.origin, loop.role))
        return build.name(number)


def is_independent(core: Core, found: Memory, loop: gast.For, live: frozenset[str], definitions: Counter) -> bool:
    """Whether the turns of a loop give the same in any order, but for rounding."""
    statements = list(walk(loop.body))
    if not all(_is_plain(s) for s in statements) or definitions[loop.target.id] != 1:
        return False
    inside = all_defined(loop.body)
    own = Counter(name for s in statements if (name := defined(s)))
    handed = {name for name in inside if name in live or definitions[name] > own[name] or name in core.inputs}
    if loop.target.id in live or not all(_is_sum(name, loop, statements) for name in handed):
        return False
    changed = {name for s in statements if (name := written(s))}
    arrays = {name for s in statements for name in _mentioned(s) if not isinstance(core.types.get(name), Scalar)}
    if any(not isinstance(core.types.get(name), Array) for name in arrays):
        return False
    return all(_has_own_places(core, found, name, arrays, loop, statements) for name in changed)


def _mentioned(statement: gast.stmt) -> set[str]:
    return reads(statement) | ({written(statement)} - {None}) | ({defined(statement)} - {None})


def _is_plain(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(value=value) | gast.AugAssign(value=value):
            return is_pure(value)
        case gast.If() | gast.For():
            return True
    return False


def _is_sum(name: str, loop: gast.For, statements: list[gast.stmt]) -> bool:
    """Whether a turn does nothing with `name` but add to it: `name = t_2`, where `t_2 = t_1 + b`, `t_1 = name + a`."""
    given = {defined(s): s.value for s in loop.body if isinstance(s, gast.Assign) and defined(s)}
    uses = Counter(n for s in statements for n in _occurrences(s))
    if sum(1 for s in statements if defined(s) == name) != 1 or name not in given:
        return False
    value, steps = given[name], 0
    while True:
        match value:
            case gast.Name(id=source) if source != name:
                pass
            case gast.BinOp(left=gast.Name(id=source), op=gast.Add() | gast.Sub(), right=right) if source not in set(
                names(right)
            ):
                pass
            case _:
                return False
        if uses[source] != 1:
            return False
        if source == name:
            return True
        value, steps = given.get(source), steps + 1
        if value is None or steps > len(given):
            return False


def _occurrences(statement: gast.stmt) -> list[str]:
    if blocks(statement):
        return list(reads(statement))
    return [n.id for n in parts(statement) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Store)]


def _has_own_places(core: Core, found: Memory, array: str, arrays: set[str], loop: gast.For, statements: list[gast.stmt]) -> bool:
    """Whether turns only add into an array, or each uses places of its own: those with the turn's number in one axis."""
    sharing = {name for name in arrays if found.may_alias(name, array)}
    if sharing != {array} or any(defined(s) == array and not is_fresh(getattr(s, 'value', loop)) for s in statements):
        return False
    if any(defined(s) == array for s in statements):
        return True  # made in the turn
    used = [s for s in statements if array in _mentioned(s)]
    if all(isinstance(s, gast.AugAssign) and written(s) == array and _occurrences_of(s, array) == 1 for s in used):
        return True  # it is only added to
    axes = [_axes(place, loop.target.id) for s in used for place in _places(s, array)]
    plain = sum(len(list(_places(s, array))) for s in used) == sum(_occurrences_of(s, array) for s in used)
    return plain and bool(axes) and bool(frozenset.intersection(*axes))


def _places(statement: gast.stmt, array: str):
    for node in parts(statement) if not blocks(statement) else []:
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == array:
            yield node


def _occurrences_of(statement: gast.stmt, array: str) -> int:
    return sum(isinstance(node, gast.Name) and node.id == array for node in parts(statement)) if not blocks(statement) else 1


def _axes(place: gast.Subscript, target: str) -> frozenset[int]:
    """The axes of a plain index in which the turn's number alone stands."""
    entries = entries_of(place.slice)
    if any(is_new(entry) or is_dots(entry) for entry in entries):
        return frozenset()
    return frozenset(k for k, part in enumerate(entries) if isinstance(part, gast.Name) and part.id == target)
