"""The state that an iteration starts with, so that it can be run again: names carried to it, and arrays that are written."""

from __future__ import annotations

import gast

from transpiler.analyses.dataflow.liveness import live_before
from transpiler.analyses.memory.aliases import tape_of
from transpiler.analyses.memory.effects import is_noticed, is_pure
from transpiler.analyses.memory.views import bases
from transpiler.core.query import all_defined, all_reads, all_written, call_of, callee, walk, written
from transpiler.errors import UnsafeMutation, UnsupportedSyntax
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.shared.printing import is_print
from transpiler.values.types import Array, Unknown


class Iterations:
    """The iterations of a loop with snapshots.

    inside: the names that an iteration gives values, the loop's own among them; carried: those that have one before the loop too
    arrays: from outside, written in the iterations; state: what is kept of an iteration
    constants: arrays that iterations read and that are written after the loop, with the names of their copies
    """

    def __init__(self, sweep: Sweep, loop: gast.For, partner: gast.For, later: frozenset[str]):
        self.core, self.builder, self.mutation, self.later = sweep.core, sweep.ev.builder, sweep.mutation, later
        self.body, self.origin, self.functions = loop.body, loop.origin, sweep.split.functions
        self.inside = all_defined([loop])
        self.carried = {name for name in all_defined(loop.body) if sweep.definitions_of.outside(name, loop)}
        self._check()
        self.arrays = sorted(self._arrays())
        read = live_before(loop.body) | all_reads(partner.body)
        self.state = [*sorted(self.carried & read), *self.arrays]
        self.constants = self._constants()

    def _check(self) -> None:
        """Refuse what cannot be run twice."""
        for statement in walk(self.body):
            tape = tape_of(statement)
            if tape is not None and tape not in self.inside:
                raise UnsupportedSyntax(
                    'a list grows or shrinks in a loop with snapshots',
                    statement.origin,
                    why='its iterations are run again for the derivative',
                    instead='write into an array: `ys[t] = y`',
                )
            value = getattr(statement, 'value', None)
            effect = isinstance(statement, gast.Expr) and written(statement) is None and not is_print(statement)
            unfit = effect or isinstance(statement, gast.Assign) and not is_pure(value)
            if tape is None and unfit and not self._is_by_rule(statement):
                raise UnsupportedSyntax(
                    'this call has an effect, and stands in a loop with snapshots',
                    statement.origin,
                    why='its iterations are run again for the derivative',
                    instead='move it out of the loop',
                )

    def _is_by_rule(self, statement: gast.stmt) -> bool:
        """Whether a statement calls a function with a rule, which writes nothing, and says nothing."""
        function = self.functions.get(callee(call_of(statement)) or '')
        return function is not None and function.rule is not None and not any(map(is_noticed, walk(function.body)))

    def _arrays(self) -> set[str]:
        """The arrays from outside that an iteration writes into."""
        found = set()
        for name in all_written(self.body):
            root = [name, *bases(name, self.mutation.views)][-1]
            memory = self.mutation.memory.of(root)
            if root not in self.inside:
                found.add(root)
            elif root in self.carried or not memory <= self.inside:
                raise self._refused(name)
        return found

    def _constants(self) -> dict[str, str]:
        """Copies of the arrays that the iterations only read, and that are written after the loop."""
        own = self.mutation.memory.of(*self.arrays)
        found = {}
        for name in sorted(all_reads(self.body) - self.inside):
            type_, memory = self.builder.types.get(name), self.mutation.memory.of(name)
            if not isinstance(type_, (Array, Unknown)) or not memory & self.later:
                continue
            if not memory & own:
                found[name] = self.builder.fresh(self.core.base(name), type_).name
            elif [name, *bases(name, self.mutation.views)][-1] not in self.arrays:
                raise self._refused(name)
        return found

    def _refused(self, name: str) -> UnsafeMutation:
        return UnsafeMutation(
            f'`{self.core.base(name)}` shares memory that a loop with snapshots writes, '
            'and may show other memory in every iteration',
            self.origin,
            why='the state of the loop would have to be kept with all the names for its memory',
            instead='write into one array through the whole loop, or give the name a new array in every iteration',
        )
