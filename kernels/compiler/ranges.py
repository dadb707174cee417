"""Loops over ranges of integers: a number that is counted up, and one of what is left that is counted down."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

NUMBER = ir.IntType(64)


@dataclass(frozen=True)
class Counter:
    """An iterator over a range, in two words of memory: the number that comes next, and how many are left.

    ahead: no number that it gives is negative
    """

    following: ir.Value
    left: ir.Value
    stop: ir.Value
    step: int
    ahead: bool


def is_known(kind: types.Type) -> bool:
    return isinstance(kind, types.RangeType) and kind.dtype == types.int64


def counter(builder: ir.IRBuilder, start: ir.Value, stop: ir.Value, step: int) -> Counter:
    """The iterator over the numbers from `start` on to before `stop`, `step` (which is not 0) apart."""
    following, left = (cgutils.alloca_once(builder, NUMBER) for _ in range(2))
    builder.store(start, following)
    distance = builder.sub(stop, start) if step > 0 else builder.sub(start, stop)
    if abs(step) != 1:
        whole = builder.udiv(builder.sub(distance, NUMBER(1)), NUMBER(abs(step)))
        some = builder.icmp_signed('>', distance, NUMBER(0))
        distance = builder.select(some, builder.add(whole, NUMBER(1)), NUMBER(0))
    builder.store(distance, left)
    known = isinstance(start, ir.Constant) and isinstance(start.constant, int)
    return Counter(following, left, stop, step, step > 0 and known and start.constant >= 0)


def packed(builder: ir.IRBuilder, iterator: Counter, kind: ir.Type) -> ir.Value:
    """The iterator as Numba has it, for whoever knows no other."""
    value = ir.Constant(kind, ir.Undefined)
    for place, part in enumerate((iterator.following, iterator.stop, NUMBER(iterator.step), iterator.left)):
        value = builder.insert_value(value, part, place)
    return value


def advance(builder: ir.IRBuilder, iterator: Counter) -> tuple[ir.Value, ir.Value]:
    """The number that comes next, and whether there was one left.

    It is counted on only if there was: LLVM then knows that sums with it do not overflow, and that no place is negative.
    """
    left, number = builder.load(iterator.left), builder.load(iterator.following)
    valid = builder.icmp_signed('>', left, NUMBER(0))
    with builder.if_then(valid):
        builder.store(builder.sub(left, NUMBER(1), flags=['nsw']), iterator.left)
        builder.store(builder.add(number, NUMBER(iterator.step)), iterator.following)
    return number, valid


def constant_step(parts: list[Any]) -> int | None:
    """The step of `range(*parts)`, if it is a number known here other than 0."""
    if len(parts) < 3:
        return 1
    step = parts[2]
    known = isinstance(step, ir.Constant) and isinstance(step.constant, int) and step.constant != 0
    return step.constant if known else None
