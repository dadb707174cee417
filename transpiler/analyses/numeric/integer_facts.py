"""What is known of integers at one place of a program."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import gast

from transpiler.core.query import names
from transpiler.values.dims import Dim, Symbol
from transpiler.values.intervals import ANY, FLAG, Interval, common, hull

Root = tuple[int, str]


@dataclass(frozen=True)
class Integer:
    """An integer `within` an interval.

    root: the loop, and the name, with whose value at the start of the iteration it differs by something in `off`
    dim: the size that it is, or product of sizes, if it is known to be one
    """

    within: Interval
    root: Root | None = None
    off: Interval = (0, 0)
    dim: Dim | None = None

    def clipped(self, to: Interval) -> Integer:
        low, high = self.within
        return replace(self, within=(min(max(low, to[0]), to[1]), max(min(high, to[1]), to[0])))

    def plus(self, other: Integer) -> Integer:
        """
        >>> Integer((0, 9), (1, 'k')).plus(Integer((1, 2)))
        Integer(within=(1, 11), root=(1, 'k'), off=(1, 2), dim=None)
        """
        within = self.within[0] + other.within[0], self.within[1] + other.within[1]
        if (self.root is None) == (other.root is None):
            return Integer(within)
        one, more = (self, other) if self.root is not None else (other, self)
        return Integer(within, one.root, (one.off[0] + more.within[0], one.off[1] + more.within[1]))

    def minus(self, other: Integer) -> Interval:
        """How far it is from another one.

        >>> Integer((0, 9), (1, 'k'), (2, 2)).minus(Integer((0, 9), (1, 'k')))
        (2, 2)
        """
        far = self.within[0] - other.within[1], self.within[1] - other.within[0]
        if self.root is None or self.root != other.root:
            return far
        return common((self.off[0] - other.off[1], self.off[1] - other.off[0]), far)


ANYTHING = Integer(ANY)


@dataclass
class Facts:
    """The integers of names, the sizes that symbols stand for, and the tests that flags are the outcomes of."""

    values: dict[str | Symbol, Integer] = field(default_factory=dict)
    tests: dict[str, gast.expr] = field(default_factory=dict)

    def copy(self) -> Facts:
        return Facts(dict(self.values), dict(self.tests))

    def without(self, gone: Iterable[str]) -> Facts:
        gone = set(gone)
        tests = {n: test for n, test in self.tests.items() if n not in gone and gone.isdisjoint(names(test))}
        return Facts({n: v for n, v in self.values.items() if n not in gone}, tests)

    def give(self, name: str, found: Integer | None, value: gast.expr | None = None) -> None:
        """Note that a name has another value from here on."""
        self.values.pop(name, None)
        if self.tests:
            self.tests = {n: test for n, test in self.tests.items() if n != name and name not in names(test)}
        if found is not None:
            self.values[name] = found
            if isinstance(value, (gast.Compare, gast.BoolOp, gast.UnaryOp)) and found.within == FLAG and name not in names(value):
                self.tests[name] = value


def joined(one: Integer, other: Integer) -> Integer:
    """Either of them."""
    root, off = (one.root, hull(one.off, other.off)) if one.root == other.root else (None, (0, 0))
    return Integer(hull(one.within, other.within), root, off, one.dim if one.dim == other.dim else None)


def either(a: Facts | None, b: Facts | None) -> Facts | None:
    """What is known where two paths meet."""
    if a is None or b is None:
        return b if a is None else a
    values = {name: joined(a.values[name], b.values[name]) for name in a.values.keys() & b.values.keys()}
    return Facts(values, {name: test for name, test in a.tests.items() if b.tests.get(name) is test})
