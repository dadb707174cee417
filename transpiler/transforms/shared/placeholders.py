"""Values for names that only some paths define, where they are kept for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import gast

from transpiler.analyses.dataflow.definitions import surely, surely_before
from transpiler.analyses.memory.aliases import NEW_LISTS
from transpiler.core import build
from transpiler.core.build import new_array
from transpiler.core.query import all_defined, defined, primitive, walk
from transpiler.specialize.domain.literals import blank_number
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar, Tape, Type

Block = list[gast.stmt]


def without_value(name: str, place: gast.stmt | None, block: Block) -> dict[str, gast.stmt]:
    """What may have no value yet after `place`, `name` and names that are copied to it: the first statement that may define each.

    >>> from transpiler.core.text import parse
    >>> block = list(parse('while c: y = x\\nwhile c: y[0] = x\\nz = y\\nreturn x').body)
    >>> without_value('y', block[1], block) == without_value('z', block[2], block) == {'y': block[0]}
    True
    >>> without_value('x', None, block)
    {}
    """
    if place is None:
        return {}
    found: dict[str, gast.stmt] = {}
    _collect(name, block[: 1 + next(k for k, s in enumerate(block) if s is place)], found)
    return found


def _collect(name: str, block: Block, found: dict[str, gast.stmt]) -> None:
    if not any(surely(name, s) for s in block):
        found[name] = next(s for s in block if name in all_defined([s]))
    for statement in walk(block):
        match statement:
            case gast.Assign(targets=[gast.Name(id=to)], value=gast.Name(id=copied)) if to == name and copied not in found:
                if copied in all_defined(block) and not surely_before(copied, statement, block):
                    _collect(copied, block, found)
                    found.setdefault(copied, next(s for s in block if copied in all_defined([s])))


def blank(name: str, type_: Type, place: gast.stmt, shape: Sequence[gast.expr] | None = None) -> gast.stmt:
    """What gives `name` some value, to be put before `place`; an array of this shape, or of one that fits any place."""
    match type_:
        case Scalar():
            value = blank_number(type_)
        case Array(dtype, dims) if dims:
            value = new_array('numpy.zeros', tuple(shape or (1,) * len(dims)), dtype)
        case Tape(lasting=lasting):
            value = build.call('tape.list' if lasting else 'tape.new')
        case _:
            value = build.constant(0.0)
    return build.assign(name, value, place.origin, 'storage')


def lists_first(block: Sequence[gast.stmt], wanted: Collection[str]) -> Block:
    """The block, with the `wanted` lists that its branches make empty made before these: there on all paths, one list for each.

    >>> from transpiler.core.text import parse
    >>> from transpiler.core.query import all_defined
    >>> block = parse('if c: t = tape.new(); tape.push(t, x)\\nreturn x').body
    >>> [sorted(all_defined([s])) for s in lists_first(block, {'t'})]
    [['t'], [], []]
    """
    made: Block = []
    counts = Counter(map(defined, walk(block)))

    def without(statement: gast.stmt) -> gast.stmt:
        if not isinstance(statement, gast.If) or all_defined([statement]).isdisjoint(wanted):
            return statement
        return build.like(statement, body=kept(statement.body), orelse=kept(statement.orelse))

    def kept(body: Sequence[gast.stmt]) -> Block:
        new = (s for s in body if primitive(getattr(s, 'value', None)) in NEW_LISTS)
        raised = [s for s in new if defined(s) in wanted and counts[defined(s)] == 1]
        made.extend(raised)
        return [without(s) for s in body if s not in raised]

    for statement in block:
        without_lists = without(statement)     # which puts them before it
        made.append(without_lists)
    return made


def is_blank(statement: gast.stmt, type_: Type) -> bool:
    """Whether a statement gives a name of this type a blank, whose sizes are other ones.

    >>> import numpy as np
    >>> from transpiler.values.dims import Dim
    >>> row = Array(np.dtype(float), (Dim.symbol('n'),))
    >>> given = gast.parse('x = a').body[0]; given.origin = None
    >>> is_blank(blank('x', row, given), row), is_blank(given, row)
    (True, False)
    """
    match statement:
        case gast.Assign(value=gast.Call(func=gast.Name(id='numpy.zeros'), args=[gast.Tuple(elts=[*sizes]), *_])):
            ones = all(isinstance(size, gast.Constant) and size.value == 1 for size in sizes)
            return ones and isinstance(type_, Array) and type_.dims != (Dim.of(1),) * len(sizes)
    return False
