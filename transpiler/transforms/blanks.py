"""Values for names that only some paths define, where they are kept for all of them."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.query import defined
from transpiler.values.types import Array, Scalar, Tape, Type

Block = list[gast.stmt]


def blank_before(name: str, type_: Type, place: gast.stmt | None, block: Block) -> Block:
    """What to put before `place`, a statement of `block` after which `name` is kept: nothing, if it surely has a value then.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT
    >>> block = list(parse('if c: y = x\\nelse: z = x\\nreturn x').body)
    >>> len(blank_before('y', FLOAT, block[0], block)), len(blank_before('x', FLOAT, None, block))
    (1, 0)
    """
    if place is None or any(surely(name, s) for s in block[: 1 + next(k for k, s in enumerate(block) if s is place)]):
        return []
    match type_:
        case Scalar(dtype):
            value = build.constant(dtype.type(0).item())
        case Array(dtype, dims) if dims:
            value = build.call('numpy.zeros', (1,) * len(dims), build.constant(dtype))  # of sizes that fit any place
        case Tape():
            value = build.call('tape.new')
        case _:
            value = build.constant(0.0)
    return [build.assign(name, value, place.origin, 'storage')]


def surely(name: str, statement: gast.stmt) -> bool:
    """Whether a statement defines `name` whatever the path."""
    if isinstance(statement, gast.If):
        return all(any(surely(name, s) for s in arm) for arm in (statement.body, statement.orelse))
    return isinstance(statement, gast.Assign) and defined(statement) == name
