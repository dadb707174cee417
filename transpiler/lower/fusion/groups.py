"""Which operations share one loop nest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import gast

from transpiler.analyses.memory.aliases import Memory, tape_of
from transpiler.analyses.memory.effects import is_pure, memory_reads
from transpiler.core.query import blocks, defined, names, primitive, reads
from transpiler.lower.fusion.accesses import At, Known, mentioned
from transpiler.lower.fusion.axes import is_one
from transpiler.lower.fusion.domains import Domain, Use
from transpiler.lower.fusion.operations import MAKE, MAX, MEAN, MIN, SUM, TOTALS, Operation
from transpiler.lower.fusion.pointwise import is_one_by_one, takes_long
from transpiler.lower.fusion.sizes import can_be_spelled, settled, size, spelled
from transpiler.values.types import Scalar, Type


@dataclass
class Group:
    """Operations over one domain that may be done place by place, all of them at one place before the next.

    ends: the sizes of the domain, as a program says them
    made: the arrays and numbers that it gives; read: all other names that it takes to compute them
    after: what is computed of its sums, and lists that get what it makes
    """

    domain: Domain
    ends: tuple[gast.expr, ...]
    memory: Memory
    operations: list[Operation] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    after: list[gast.stmt] = field(default_factory=list)

    @property
    def uses(self) -> list[Use]:
        """The arrays that come from elsewhere, those too that are stored into."""
        return [use for operation in self.operations for use in operation.arrays if use.name not in self.made]

    @property
    def stores(self) -> list[Use]:
        return [operation.into for operation in self.operations if operation.into is not None]

    @property
    def summed(self) -> set[int]:
        """The axes that have loops for what is added up along one of them: sums of rows are made of whole rows."""
        last = len(self.domain) - 1
        along = {operation.axis for operation in self.operations}
        adds = -1 in along or self.is_one_place and any(operation.kind in TOTALS for operation in self.operations)
        return ({0, last} if 0 in along else set()) | ({last} if adds else set())

    @property
    def is_one_place(self) -> bool:
        return all(map(is_one, self.ends))

    @property
    def _lists(self) -> set[str]:
        """The lists that get something after the loops."""
        return {name for statement in self.after if (name := tape_of(statement)) is not None}

    def is_over(self, domain: Domain, known: Known) -> bool:
        return [settled(known, size) for size in self.domain] == [settled(known, size) for size in domain]

    def makes_some_of(self, uses: Iterable[Use]) -> bool:
        return any(use.name in self.made for use in uses)

    def goes_down(self) -> bool:
        """Whether its innermost loop reads a column of an array."""
        innermost = len(self.domain) - 1
        return any(at.axis == innermost for use in self.uses for at in use.place[1][:-1])

    def is_straight(self, known: Known) -> bool:
        """Whether it goes through whole arrays in C order, so that their items may as well be numbered one by one.

        Fewer rows of an array are as good as all, shorter ones are not.
        """
        whole = tuple(map(At, range(len(self.domain))))
        if len(whole) < 2 or any(o.axis is not None for o in self.operations):
            return False
        places = [use.place for use in (*self.uses, *self.stores) if not known.is_filled(use.place[0])]
        plain = known.ordered - {array for array, _ in places if known.pattern(array) is not None}
        return all(array in plain and ats == whole and self._are_rows(array, known) or all(at.axis is None for at in ats)
                   for array, ats in places)

    def _are_rows(self, array: str, known: Known) -> bool:
        """Whether the rows of an array are as long as those of the domain, along every axis but the first."""
        own = [settled(known, size(known, array, axis)) for axis in range(1, len(self.domain))]
        return own == [settled(known, one) for one in self.domain[1:]]

    def takes(self, operation: Operation, known: Known) -> bool:
        """Whether it may be the next one."""
        if not self.is_over(operation.domain, known) or not self._has_operands(operation) or self._would_slow(operation, known):
            return False
        if operation.into is None and operation.target in self.made.union(self.read, *(use.names for use in operation.uses)):
            return False
        new = [use for use in operation.arrays if use.name not in self.made]
        stores = [*self.stores, *([operation.into] if operation.into is not None else [])]
        if any(use.names & self.made for use in (*new, *stores)) or self._is_kept(operation.into):
            return False
        return all(self._in_step(use, store) for use in (*self.uses, *new) for store in stores)

    def _would_slow(self, operation: Operation, known: Known) -> bool:
        """Whether functions that are vectorised would stand beside one that is not: then none of them is."""
        new, own = operation.statement, (o.statement for o in self.operations)
        types, target = known.core.types, known.target
        if is_one_by_one(new, target):
            return any(takes_long(statement, types, target) for statement in own)
        return takes_long(new, types, target) and any(is_one_by_one(statement, target) for statement in own)

    def _has_operands(self, operation: Operation) -> bool:
        """Whether its operands have their values while the loops run: a sum has not, and what is made only where it is made."""
        totals = {o.target for o in self.operations if o.kind in TOTALS} | set(map(defined, self.after))
        if operation.kind in (SUM, MEAN) and not self.makes_some_of(operation.uses):  # helpers add up what is there already
            return False
        whole = tuple(range(len(self.domain)))
        return all(not use.names & totals and (use.name not in self.made or use.axes == whole) for use in operation.uses)

    def _in_step(self, use: Use, store: Use) -> bool:
        """Whether what is read at a place is not what is stored at another one."""
        assert use.place is not None and store.place is not None
        return use.place == store.place or not self.memory.may_alias(use.place[0], store.place[0])

    def _is_kept(self, store: Use | None) -> bool:
        """Whether a list gets, after the loops, what is stored into before that."""
        kept = [name for statement in self.after if _of_list(statement) for name in reads(statement)]
        return store is not None and any(self.memory.may_alias(store.place[0], name) for name in kept)

    def add(self, operation: Operation) -> None:
        self.operations.append(operation)
        if operation.into is None:
            self.made.add(operation.target)
        self.read |= {name for use in (*operation.uses, *self.stores) for name in use.names} - self.made

    def with_all_of(self, other: Group, known: Known) -> Group | None:
        """This group and then another one that has nothing to do with it, if that is one group."""
        own = list(self.operations), set(self.made), set(self.read), list(self.after)
        joint = Group(self.domain, self.ends, self.memory, *own)
        for operation in other.operations:
            if not joint.takes(operation, known):
                return None
            joint.add(operation)
        for statement in other.after:
            joint.follow(statement)
        return joint

    def may_follow(self, statement: gast.stmt, types: Mapping[str, Type]) -> bool:
        """Whether a statement computes a number of its sums, and of other numbers, or puts what it makes on a list."""
        target = defined(statement)
        if primitive(getattr(statement, 'value', None)) == 'tape.push':
            return True
        numbers = all(isinstance(types.get(name), Scalar) for name in (*reads(statement), target))
        return numbers and _only_gives(statement) and target not in self.made | self.read

    def follow(self, statement: gast.stmt) -> None:
        self.after.append(statement)
        self.made |= {defined(statement)} - {None}
        self.read |= reads(statement) - self.made

    def waits_for(self, statement: gast.stmt, writes: str | None = None) -> bool:
        """Whether a statement has to come after it; `writes`: the array that it stores into."""
        target = defined(statement)
        if blocks(statement) or not (_only_gives(statement) or _of_list(statement)) and writes is None:
            return True
        if writes is not None and any(self.memory.may_alias(writes, name) for name in self.read | self.made):
            return True
        if reads(statement) & (self.made | self._lists) or target in self.made | self.read or tape_of(statement) in self.read:
            return True
        stored = [store.place[0] for store in self.stores if store.place is not None]
        return any(self.memory.may_alias(name, other) for name in memory_reads(statement.value) for other in stored)


def _only_gives(statement: gast.stmt) -> bool:
    """Whether a statement does nothing but give a name its value."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value):
            return is_pure(value)
    return False


def _of_list(statement: gast.stmt) -> bool:
    """Whether a statement puts a value on a list, or takes the last one off; lists come after each other in their own order."""
    return primitive(getattr(statement, 'value', None)) in ('tape.push', 'tape.pop')


def begun(operation: Operation, memory: Memory, known: Known) -> Group | None:
    """A group that begins with an operation, if it is worth loops: what only copies or fills has helpers of its own."""
    kept = operation.kind in (MAX, MIN) or operation.kind == MAKE and not operation.copies
    kept = kept or operation.into is not None and not operation.fills
    sizes = tuple(settled(known, size) for size in operation.domain)
    if not kept or not all(can_be_spelled(known, size) for size in sizes):
        return None
    new = Group(sizes, tuple(spelled(known, size) for size in sizes), memory)
    new.read |= {*mentioned(sizes), *(name for end in new.ends for name in names(end))}
    if not new.takes(operation, known):
        return None
    new.add(operation)
    return new
