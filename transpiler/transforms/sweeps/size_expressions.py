"""Sizes that follow from those of the arguments: they can be asked for wherever a derivative needs an array of that shape."""

from __future__ import annotations

import functools

import gast

from transpiler.core.links import links
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.transforms.sweeps.base import AnySweep
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Array, Scalar


class Measures:
    """For each symbol that stands for a size, where it can be read off.

    Integers, and axes of arguments, or rather of the copies that the program works on.
    """

    def __init__(self, sweep: AnySweep):
        self.sweep, core = sweep, sweep.core
        copied = [s.targets[0].id for s in core.body if links(s).protects]
        self.places: dict[Symbol, tuple[str, int | None]] = {}
        for name in (*reversed(core.inputs), *reversed(copied)):
            type_ = sweep.ev.resolve(core.types[name])
            sizes = [(None, type_.size)] if isinstance(type_, Scalar) else enumerate(getattr(type_, 'dims', None) or ())
            self.places |= {dim.symbol_alone: (name, axis) for axis, dim in sizes if dim and dim.symbol_alone}

    def at_hand(self, type_: Array) -> bool:
        """Whether the sizes of such an array follow from those of the arguments."""
        dims = self.sweep.ev.resolve(type_).dims
        return dims is not None and all(dim is not None and all(s in self.places for s in dim.atoms) for dim in dims)

    def shape(self, type_: Array) -> list[Binding]:
        """The sizes of such an array, if they are at hand."""
        return [self._size(dim) for dim in self.sweep.ev.resolve(type_).dims]

    def _size(self, dim: Dim) -> Binding:
        ev, total = self.sweep.ev, Known(0)
        for symbol, factor in dim.terms:
            size = self._of_symbol(symbol)
            term = size if factor == 1 else ev.binary(gast.Mult, Known(factor), size)
            total = term if total == Known(0) else ev.binary(gast.Add, total, term)
        if dim.constant or not dim.terms:
            total = ev.binary(gast.Add if dim.constant > 0 else gast.Sub, total, Known(abs(dim.constant)))
        return total

    def _of_symbol(self, symbol: Symbol) -> Binding:
        """A size, or an integer among the arguments, or what is made of these."""
        ev = self.sweep.ev
        if symbol.factors:
            return functools.reduce(functools.partial(ev.binary, gast.Mult), map(self._of_symbol, symbol.factors))
        if symbol.quotient is not None:
            return ev.binary(gast.FloorDiv, self._size(symbol.quotient[0]), Known(symbol.quotient[1]))
        name, axis = self.places[symbol]
        return self.sweep.variable(name) if axis is None else ev.expressions.size(self.sweep.variable(name), axis, Dim.of(symbol))
