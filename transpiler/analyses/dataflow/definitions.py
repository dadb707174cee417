"""Where names are defined: how often, and in which branches and loops alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import gast

from transpiler.core.indices import has_iterations
from transpiler.core.language import Core
from transpiler.core.query import blocks, contents, defined, walk
from transpiler.garbage import while_making


@dataclass(frozen=True)
class Region:
    """One arm of a branch, or the body of a loop: what runs only if `key` came out as `arm`.

    A test and its negation have the same key and different arms.
    """

    key: str | int
    arm: int
    statement: gast.stmt = field(compare=False)


Path = tuple[Region, ...]


class Definitions:
    """Counts of the assignments to each name (an argument counts as one), and the regions that all of them stand in.

    >>> from transpiler.core.text import parse
    >>> core = parse('''
    ... if c:
    ...     y = x
    ... not_c = not c
    ... if not_c:
    ...     z = x
    ... return x''')
    >>> found, branch = Definitions(core), core.body[0]
    >>> found.only_with('y', branch, 0), found.outside('y', branch), found.outside('x', branch)
    (True, False, True)
    >>> found.only_with('z', branch, 1), len(found.regions('y', frozenset())), found.regions('y', found.regions('y', frozenset()))
    (True, 1, ())
    """

    def __init__(self, core: Core):
        self.core = core
        self.total = Counter(core.inputs) + counts(core.body)
        self.negations = {
            s.targets[0].id: s.value.operand.id
            for s in core.statements
            if isinstance(s, gast.Assign) and _is_negation(s.value) and self.total.get(defined(s) or '') == 1
        }
        self.paths: dict[str, Path] = {}
        self._collect(core.body, ())
        self.paths |= dict.fromkeys(core.inputs, ())

    def _collect(self, body: Iterable[gast.stmt], around: Path) -> None:
        inside = frozenset(around)
        for statement in body:
            name = defined(statement)
            if name is not None:
                before = self.paths.get(name)
                self.paths[name] = around if before is None else tuple(region for region in before if region in inside)
            for arm, inner in enumerate(blocks(statement)):
                region = self.region(statement, arm)
                self._collect(inner, (*around, region) if region else around)

    def region(self, statement: gast.stmt, arm: int = 0) -> Region | None:
        """The region of an arm or of a loop's body; None for a branch whose test is no name."""
        if not isinstance(statement, gast.If):
            return Region(id(statement), arm, statement)
        if not isinstance(statement.test, gast.Name):
            return None
        key = statement.test.id
        while key in self.negations:
            key, arm = self.negations[key], 1 - arm
        return Region(key, arm, statement)

    def regions(self, name: str, within: Iterable[Region]) -> Path:
        """The regions, outermost first, in which alone `name` has a value, but for those that we are `within`."""
        return tuple(region for region in self.paths.get(name, ()) if region not in frozenset(within))

    def outside(self, name: str, statement: gast.stmt) -> bool:
        """Whether `name` is (also) defined outside `statement`; a name that the program does not have is not."""
        total = self.total.get(name, 0)
        return total > 0 and total > times(name, [statement])

    def only_with(self, name: str, statement: gast.If, arm: int) -> bool:
        """Whether `name` is defined only where the test of `statement` came out as for that arm (0 or 1)."""
        return self.region(statement, arm) in self.paths.get(name, ())


def _is_negation(value: gast.expr) -> bool:
    return isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.Not) and isinstance(value.operand, gast.Name)


def counts(body: Iterable[gast.stmt]) -> Counter[str]:
    """How many statements in `body` define each name."""
    return Counter(name for statement in walk(body) if (name := defined(statement)) is not None)


def times(name: str, body: Iterable[gast.stmt]) -> int:
    """How many statements in `body` define a name; they are counted only where it is defined, and once for all names."""
    return sum(_counts_in(statement)[name] for statement in body if name in contents(statement).defined)


@while_making(5_000)
def _counts_in(statement: gast.stmt) -> Counter[str]:
    return counts([statement])


def surely_before(name: str, place: gast.stmt, body: Iterable[gast.stmt]) -> bool:
    """Whether a name is defined whenever `place`, a statement anywhere in `body`, is reached.

    >>> from transpiler.core.text import parse
    >>> body = parse('if c: y = x\\nz = x\\nif c: w = z\\nreturn x').body
    >>> place = body[2].body[0]
    >>> surely_before('z', place, body), surely_before('y', place, body)
    (True, False)
    """
    defined_so_far = False
    for statement in body:
        if statement is place:
            return defined_so_far
        for block in blocks(statement):
            if any(inner is place for inner in walk(block)):
                return defined_so_far or surely_before(name, place, block)
        defined_so_far = defined_so_far or surely(name, statement)
    return False


def surely(name: str, statement: gast.stmt) -> bool:
    """Whether a statement defines `name` whatever the path.

    >>> from transpiler.core.text import parse
    >>> some, none = parse('for k in range(0, 2, 1): y = x\\nfor k in range(0, n, 1): y = x\\nreturn y').body[:2]
    >>> surely('y', some), surely('y', none)
    (True, False)
    """
    if name not in contents(statement).defined:
        return False
    match statement:
        case gast.If(body=body, orelse=orelse):
            return all(any(surely(name, s) for s in arm) for arm in (body, orelse))
        case gast.For(body=body):
            return has_iterations(statement) and any(surely(name, s) for s in body)
    return isinstance(statement, gast.Assign) and defined(statement) == name
