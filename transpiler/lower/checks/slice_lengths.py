"""Slices as long as their bounds say, `x[2 * i:2 * i + 2]`: nothing is cut off where the array is long enough."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.analyses.dataflow.positions import Position
from transpiler.analyses.polyhedral.bounds import Access
from transpiler.analyses.polyhedral.inequalities import impossible
from transpiler.core import build
from transpiler.core.indices import dots_spelled_out, entries_of, is_new
from transpiler.core.language import Core
from transpiler.lower.checks.bounds_checks import Guards
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.passes import rewrite
from transpiler.values.types import Array


@rewrite('windows')
def measured(core: Core, latest: float, target: Target = CPU) -> Core:
    """Views of a constant size say it, in `full`: the size of each of their axes for which that is sure, else None.

    Before a loop in which something might be cut off the program gives up, if it may: before the statement numbered `latest`.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.core.links import links
    >>> from transpiler.values.dims import Dim
    >>> from transpiler.values.types import INT
    >>> import numpy as np
    >>> x, part = (Array(np.dtype(float), (Dim.symbol(name),)) for name in 'nm')
    >>> guard, loop, _ = measured(parse('''
    ... for i in range(0, k, 1):
    ...     stop = i + 3
    ...     y = x[i:stop]
    ... return x''', types={'k': INT, 'stop': INT, 'x': x, 'y': part}), 9).body
    >>> print(Spelling().statement(guard), Spelling().statement(guard.body[0]), links(loop.body[1]).full)
    if k > 0 and k + 2 > x.shape[0]: raise Unproven (3,)
    """
    return _Windows(core, target, latest).result()


class _Windows(Guards):
    def result(self) -> Core:
        found = {id(at.statement): sizes for at in self.bounds.affine.positions.all if any(sizes := tuple(self._sizes(at)))}
        self.full = found
        return self.core.with_body(self._block(self.core.body)) if found else self.core

    def _sizes(self, at: Position) -> Iterator[int | None]:
        match at.statement:
            case gast.Assign(targets=[gast.Name()], value=gast.Subscript(value=gast.Name(id=base), slice=index)):
                type_ = self.core.types.get(base)
                if not isinstance(type_, Array) or type_.ndim is None:
                    return
                entries, axis = dots_spelled_out(entries_of(index), type_.ndim), 0
                if any(isinstance(self.core.types.get(getattr(entry, 'id', '')), Array) for entry in entries):
                    return
                for entry in entries:
                    if isinstance(entry, gast.Slice):
                        yield self._length(base, axis, entry, at)
                    elif is_new(entry):
                        yield None
                    axis += not is_new(entry)

    def _length(self, base: str, axis: int, entry: gast.Slice, at: Position) -> int | None:
        """How long a slice is, if its bounds tell and it is not cut off; what must hold for that is asked before."""
        step = entry.step
        if entry.upper is None or step is not None and not (isinstance(step, gast.Constant) and step.value == 1):
            return None
        affine = self.bounds.affine
        first = affine.form(entry.lower or build.constant(0), at)
        stop = affine.form(entry.upper, at)
        if first is None or stop is None or not (stop - first).is_constant or (stop - first).constant < 1:
            return None
        if not impossible([], self.bounds.with_known([*affine.domain(at), -first - 1])):
            return None
        dangers = self.bounds.dangers(Access(base, axis, build.binary(entry.upper, gast.Sub, 1), at), self.latest)
        if dangers is None:
            return None
        for danger in dangers:
            self.say(self.possible(danger), danger.place, at.statement)
        return (stop - first).constant

    def _statement(self, statement: gast.stmt) -> list[gast.stmt]:
        *before, new = super()._statement(statement)
        if id(statement) in self.full:
            new = build.linked(new, full=self.full[id(statement)])
        return [*before, new]
