"""Indices that loops read from the same array again and again: all of that array is looked at once, before the loops."""

from __future__ import annotations

import functools

import gast

from transpiler.analyses.dataflow.positions import Position
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import is_pure
from transpiler.analyses.polyhedral.bounds import Access, Bounds
from transpiler.analyses.polyhedral.distinct_elements import is_number
from transpiler.core import build
from transpiler.core.indices import entries_of
from transpiler.core.query import all_defined, all_written, names
from transpiler.lower.loops.invariants import iterations
from transpiler.lower.target.target import Target
from transpiler.values.types import Array


class Lookups:
    """`x[columns[k]]` in a loop that another one repeats: `k` goes through the same numbers each time, `columns` stays as it is.

    Whether an element is there is then known from the array of indices, before the outermost loop. The search takes a part of the
    time of as many iterations, and is left if these are known to be fewer.
    """

    def __init__(self, bounds: Bounds, target: Target):
        self.target, self.core, self.bounds, self.positions = target, bounds.core, bounds, bounds.affine.positions

    def question(self, access: Access, latest: float) -> tuple[gast.expr, Position] | None:
        """What to ask about the index of an access, and before which statement, numbered up to `latest`."""
        found = self._load(access)
        if found is None or len(found[2].loops) < 2:
            return None
        indices, load, at = found
        outermost = at.loops[0]  # before another one it would be asked again and again
        size = self.bounds.affine.size(access.array, access.axis, access.at).symbol_alone
        asked = size and self.bounds.wording.spelled(size, outermost)
        if asked is None or outermost.number > latest or not self._repeats(load, at, outermost):
            return None
        return build.call(self.target.checks.any_beyond, indices, asked, self._iterations(at.loops, indices)), outermost

    def _load(self, access: Access) -> tuple[str, gast.Subscript, Position] | None:
        """The array that an index is an element of, that element, and where it is read."""
        index, at = access.index, access.at
        while isinstance(index, gast.Name):
            giver = self.positions.giver(index.id, at)
            if giver is None or not isinstance(giver.statement, gast.Assign):
                return None
            index, at = giver.statement.value, giver
        match index:
            case gast.Subscript(value=gast.Name(id=array), slice=entries) if access.loop is None:
                type_ = self.core.types.get(array)
                signed = isinstance(type_, Array) and type_.dtype.kind == 'i'
                if signed and all(is_number(entry, self.core.types) for entry in entries_of(entries)):
                    return array, index, at
        return None

    def _repeats(self, node: gast.expr, at: Position, loop: Position) -> bool:
        """Whether what is read at `at`, in the loop, goes through the same values in each of its iterations."""
        changed = all_defined([loop.statement])

        def stays(array: str) -> bool:
            alias = memory(self.core).may_alias
            return array not in changed and not any(alias(array, other) for other in all_written([loop.statement]))

        def repeats(node: gast.expr, at: Position) -> bool:
            match node:
                case gast.Constant():
                    return True
                case gast.Attribute(value=gast.Name(id=array), attr='shape' | 'size'):
                    return array not in changed
                case gast.Name(id=array) if isinstance(self.core.types.get(array), Array):
                    return stays(array)
                case gast.Name(id=name):
                    return name not in changed or given(self.positions.giver(name, at))
                case gast.BinOp(left=left, right=right):
                    return repeats(left, at) and repeats(right, at)
                case gast.UnaryOp(operand=operand):
                    return repeats(operand, at)
                case gast.Subscript(value=value, slice=index):
                    return repeats(value, at) and all(repeats(entry, at) for entry in entries_of(index))
                case gast.Call(args=args, keywords=[]):
                    return is_pure(node) and all(repeats(arg, at) for arg in args)
            return False

        def given(giver: Position | None) -> bool:
            if giver is None or giver is loop:
                return False
            match giver.statement:
                case gast.For(iter=gast.Call(args=bounds)):
                    return all(repeats(bound, giver) for bound in bounds)
                case gast.Assign(value=value):
                    return repeats(value, giver)
            return False

        return repeats(node, at)

    def _iterations(self, loops: tuple[Position, ...], indices: str) -> gast.expr:
        """How many iterations the loops have together; as many as there are indices where that is not known before."""
        counts = [iterations(loop.statement) for loop in loops if isinstance(loop.statement, gast.For)]
        changed = all_defined([loops[0].statement])
        if not counts or any(name in changed for count in counts for name in names(count)):
            return build.attribute(build.name(indices), 'size')
        return functools.reduce(lambda a, b: build.binary(a, gast.Mult, b), counts)
