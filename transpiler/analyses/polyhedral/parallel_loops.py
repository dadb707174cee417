"""Loops whose iterations may be done in any order."""
from __future__ import annotations

from collections.abc import Collection, Iterator

import gast

from transpiler.analyses.dataflow.liveness import live_before
from transpiler.analyses.memory.aliases import Memory
from transpiler.analyses.memory.effects import is_pure
from transpiler.analyses.polyhedral.signs import never_negative
from transpiler.core.indices import entries_of, is_dots, is_new
from transpiler.core.language import Core
from transpiler.core.query import added_to, all_defined, blocks, defined, names, parts, reads, walk, without_exit, written
from transpiler.values.types import Array, Scalar


def is_independent(core: Core, found: Memory, loop: gast.For, live: Collection[str], adding: bool = True) -> bool:
    """Whether the iterations of a loop give the same in any order, but for rounding: they add up, and write places of their own.

    live: the names that are read after it; adding: whether they may add to the same places of an array

    >>> import numpy as np
    >>> from transpiler.analyses.memory.aliases import memory
    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT, INT
    >>> row = Array(np.dtype(float), (None,))
    >>> def asked(body, start=0, **options):
    ...     text = f's = 0.0; y = np.zeros(n)\\nfor i in range({start}, n): {body}\\nreturn y, s'
    ...     core = parse(text, types=dict(i=INT, n=INT, s=FLOAT, x=row, y=row))
    ...     return is_independent(core, memory(core), core.body[2], {'y', 's'}, **options)
    >>> asked('y[i] += x[i]'), asked('s = s + x[i]'), asked('s = s * x[i]'), asked('y[i] = y[i - 1]')
    (True, True, False, False)
    >>> asked('y[i] = x[i]'), asked('y[i] = x[i]', start=-2)  # y[-1] is the last one, whichever number that has
    (True, False)
    >>> asked('y[0] += x[i]'), asked('y[0] += x[i]', adding=False)
    (True, False)
    """
    statements = list(walk(loop.body))
    inside = all_defined(loop.body)
    if loop.target.id in inside or loop.target.id in live or not all(map(_is_plain, statements)):
        return False
    if without_exit(loop.body)[1] is not None:
        return False
    before = live_before(loop.body)
    handed = handed_on(loop, live)
    if not all(is_sum(name, statements, before) for name in handed):
        return False
    changed = {name for s in statements if (name := written(s))}
    arrays = {name for s in statements for name in _mentioned(s) if not isinstance(core.types.get(name), Scalar)}
    if any(not isinstance(core.types.get(name), Array) for name in arrays):
        return False
    shared = {name for name in changed if not found.of(name) or not found.of(name) <= inside - handed}  # not made here
    return all(_has_own_places(core, found, name, arrays, loop, statements, adding) for name in shared)


def handed_on(loop: gast.For, live: Collection[str]) -> set[str]:
    """The names that an iteration of a loop leaves to the next one, or to what comes after all."""
    before = live_before(loop.body)
    return {name for name in all_defined(loop.body) if name in live or name in before}


def _mentioned(statement: gast.stmt) -> set[str]:
    return reads(statement) | ({written(statement)} - {None}) | ({defined(statement)} - {None})


def _is_plain(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(value=value) | gast.AugAssign(value=value):
            return is_pure(value)
        case gast.If() | gast.For() | gast.While() | gast.Break():
            return True
    return False


def is_sum(name: str, statements: list[gast.stmt], before: Collection[str]) -> bool:
    """Whether iterations do nothing with `name` but add to it, if by way of other names: `t = name + a`, `name = t`."""
    ways = ways_of(name, statements)
    if ways is None:
        return False
    own = {defined(s) for s in statements}
    added = {n for s in statements if defined(s) in ways and (found := step(s)) is not None for n in found[1]}
    return ways <= own and not ways & added and not (ways - {name}) & set(before)


def ways_of(name: str, statements: list[gast.stmt]) -> set[str] | None:
    """The names that a sum goes by; None if something else is done with one of them."""
    ways, known = {name}, 0
    while known < len(ways):
        known = len(ways)
        for statement in statements:
            if defined(statement) in ways or ways & reads(statement):
                found = step(statement)
                if found is None:
                    return None
                ways |= {str(defined(statement)), found[0]}
    return ways


def step(statement: gast.stmt) -> tuple[str, set[str]] | None:
    """`target = source`, `target = source + added`: the source, and the names in what is added."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Name(id=source)):
            return source, set()
        case gast.Assign(targets=[gast.Name()], value=gast.BinOp(left=gast.Name(id=source), op=op, right=added)):
            return (source, set(names(added))) if isinstance(op, (gast.Add, gast.Sub)) else None
    return None


def _has_own_places(
    core: Core, found: Memory, array: str, arrays: set[str], loop: gast.For, statements: list[gast.stmt], adding: bool
) -> bool:
    """Whether iterations only add into an array, or each uses places of its own: those with its number in one axis."""
    sharing = {name for name in arrays if found.may_alias(name, array)}
    if sharing != {array} or any(defined(s) == array for s in statements):
        return False
    used = [s for s in statements if array in _mentioned(s)]
    if adding and all(added_to(s) == array for s in used):
        return True
    if loop.target.id not in never_negative(core):  # else one place may have two numbers
        return False
    axes = [_axes(place, loop.target.id) for s in used for place in _places(s, array)]
    plain = sum(len(list(_places(s, array))) for s in used) == sum(_occurrences_of(s, array) for s in used)
    return plain and bool(axes) and bool(frozenset.intersection(*axes))


def _places(statement: gast.stmt, array: str) -> Iterator[gast.Subscript]:
    for node in parts(statement) if not blocks(statement) else []:
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == array:
            yield node


def _occurrences_of(statement: gast.stmt, array: str) -> int:
    return sum(isinstance(node, gast.Name) and node.id == array for node in parts(statement)) if not blocks(statement) else 1


def _axes(place: gast.Subscript, target: str) -> frozenset[int]:
    """The axes of a plain index in which the iteration's number alone stands."""
    entries = entries_of(place.slice)
    if any(is_new(entry) or is_dots(entry) for entry in entries):
        return frozenset()
    return frozenset(k for k, part in enumerate(entries) if isinstance(part, gast.Name) and part.id == target)
