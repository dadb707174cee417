"""Integers of a program said in its own words: names and sizes that have their values at a place."""

from __future__ import annotations

import gast

from transpiler.analyses.dataflow.positions import Position
from transpiler.analyses.polyhedral.affine import Affine, constant
from transpiler.core import build
from transpiler.values.dims import Dim, Symbol


class Wording:
    """What symbols of affine forms are called.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.values.types import INT
    >>> core = parse('''
    ... for i in range(2, n):
    ...     k = k + m
    ...     x[k] = 0
    ... return x''', types={'k': INT, 'm': INT})
    >>> affine = Affine(core)
    >>> loop, turned, write, _ = affine.positions.all
    >>> place, wording = affine.form(write.statement.targets[0].slice, write), Wording(affine)
    >>> str(place), str(wording.restated(place, write)), str(wording.restated(affine.iteration(loop), write))
    ('k at the start of 0 + m as given', 'k from 1', 'i from 0 - 2')
    """

    def __init__(self, affine: Affine):
        self.affine = affine

    def restated(self, form: Dim, at: Position, tried: frozenset[Symbol] = frozenset()) -> Dim | None:
        """The same number by symbols that can be spelled at `at`; None if there are none.

        The variables of the loops around say which iteration it is, and the present value of a name tells an earlier one.
        """
        found = Dim.of(form.constant)
        for symbol, factor in form.terms:
            same: Dim | None = Dim(((symbol, 1),))
            if self.spelled(symbol, at) is None:
                same = None if symbol in tried else self._equal(symbol, at)
                same = same and self.restated(same, at, tried | {symbol})
            if same is None:
                return None
            found += same * factor
        return found

    def _equal(self, symbol: Symbol, at: Position) -> Dim | None:
        """A number equal to a symbol that cannot be spelled at `at`."""
        if symbol in self.affine.iterations:
            return self._by_variable(self.affine.iterations[symbol], at)
        name, axis = self.affine.named.get(symbol, (None, None))
        now = self.affine.form(build.name(name), at) if name is not None and axis is None else None
        rest = None if now is None else now - Dim(((symbol, 1),))
        return None if rest is None or symbol in dict(rest.terms) else self.affine.opaque(name, at) - rest

    def _by_variable(self, loop: Position, at: Position) -> Dim | None:
        """Which iteration of a loop around it is, from the loop's variable."""
        if not isinstance(loop.statement, gast.For) or loop not in at.loops:
            return None
        target, (start, _, step) = loop.statement.target.id, loop.statement.iter.args
        by, first = constant(step), self.affine.form(start, loop, integer=True)
        if by not in (1, -1) or first is None or self.affine.positions.giver(target, at) is not loop:
            return None
        return (self.affine.opaque(target, at) - first) * by

    def spelled(self, symbol: Symbol, at: Position) -> gast.expr | None:
        """An expression that has the symbol's value before the statement at `at`, in the same iterations of loops around."""
        affine = self.affine
        if symbol in affine.sizes:
            shapes = ((name, getattr(affine.core.types.get(name), 'dims', None) or ())
                      for name in affine.core.inputs if name not in affine.positions.definitions)
            found = ((name, axis) for name, dims in shapes for axis, size in enumerate(dims) if size == Dim(((symbol, 1),)))
            name, axis = next(found, (None, None))
        else:
            name, axis = affine.named.get(symbol, (None, None))
            name = name if name is not None and affine.text(name, axis, at) == symbol.name else None
        if name is None:
            return None
        return build.name(name) if axis is None else build.subscript(build.attribute(build.name(name), 'shape'), axis)
