"""Unit matrices divided among values: each row stands for one element of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import gast
import numpy as np

from transpiler.core.language import Core
from transpiler.specialize.bindings import Binding, Container, Known, Var, leaf_type
from transpiler.specialize.specialize import Specializer
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar

ALL = Container('slice', (Known(None),) * 3)


def rows_in(core: Core, names: Sequence[str]) -> Dim | None:
    """How many rows the values of these variables have together; None if that is one number, which needs no axis for it."""
    types = [core.types[name] for name in names]
    if len(types) == 1 and isinstance(types[0], Scalar):
        return None
    sizes = [_elements(type_) for type_ in types]
    return Dim.symbol('rows') if None in sizes else sum(sizes, Dim.of(0))


def _elements(type_) -> Dim | None:
    """The number of elements, if that is affine in the sizes of arguments."""
    dims = () if isinstance(type_, Scalar) else type_.dims
    product = Dim.of(1)
    for dim in (None,) if dims is None else dims:
        if dim is None or not dim.is_constant and not product.is_constant:
            return None
        product = product * dim.constant if dim.is_constant else dim * product.constant
    return product


class Basis:
    """The rows of a unit matrix for some values; those that are no floats, and Known ones, have none."""

    def __init__(self, run: Specializer, values: Sequence[Binding]):
        self.run = run
        self.values = [value if isinstance(value, Var) and value.type.dtype.kind in 'fc' else None for value in values]
        self.floats = [value for value in self.values if value is not None]
        self.alone = len(self.floats) == 1
        ends = accumulate(map(self._size, self.values), lambda a, b: run.binary(gast.Add, a, b))
        self.starts = [Known(0), *ends]

    def _size(self, value: Var | None) -> Binding:
        if value is None or isinstance(value.type, Scalar):
            return Known(int(value is not None))
        return self.run.attribute(value, 'size')

    def rows(self) -> Iterator[Binding]:
        """What each value is given: the part of all rows that is its own, in its shape; 1 for a number that is alone."""
        if not self.floats:
            return
        if self.alone and isinstance(self.floats[0].type, Scalar):
            yield Known(1.0)
            return
        total, dtype = self.starts[-1], self.floats[0].type.dtype
        options = {} if dtype == np.float64 else {'dtype': Known(dtype)}
        unit = self.run.operate_by_name('numpy.eye', [], N=total, **options)
        self.run.builder.rename_hint(unit.name, 'basis')
        for value, place in zip(self.values, self._places(), strict=True):
            if value is not None:
                part = unit if self.alone else self.run.load(unit, Container('tuple', (ALL, place)))
                if isinstance(value.type, Array) and value.type.ndim != 1:
                    part = self._reshaped(part, (total, *self._shape(value)))
                yield part if value.type.dtype == dtype else self.run.cast(part, value.type.dtype)

    def blocks(self, before: bool) -> list[Callable[[Binding], Binding] | None]:
        """For each value, how its block of a result is taken, whose first axis is that of all rows.

        The axes of the value come first in the block if they stand `before` those of the rest, else last.
        """
        takers = []
        for value, place in zip(self.values, self._places(), strict=True):
            takers.append(None if value is None else lambda whole, v=value, p=place: self._block(whole, v, p, before))
        return takers

    def _places(self) -> Iterator[Binding]:
        for value, start, end in zip(self.values, self.starts, self.starts[1:], strict=False):
            number = value is None or isinstance(value.type, Scalar)
            yield start if number else Container('slice', (start, end, Known(None)))

    def _block(self, whole: Binding, value: Var, place: Binding, before: bool) -> Binding:
        if leaf_type(whole) is None or self.alone and isinstance(value.type, Scalar):
            return whole
        part = whole if self.alone else self.run.load(whole, place)
        if isinstance(value.type, Scalar):
            return part
        rest = self._shape(part)[1:]
        if not before and len(rest) == 1:
            part = self.run.operate_by_name('numpy.transpose', [part])
        elif not before and rest:
            part = self.run.operate_by_name('numpy.moveaxis', [part], source=Known(0), destination=Known(-1))
        if value.type.ndim == 1:
            return part
        shape = self._shape(value)
        return self._reshaped(part, (*shape, *rest) if before else (*rest, *shape))

    def _shape(self, value: Binding) -> tuple[Binding, ...]:
        return self.run.shape(value, self.run.resolve(value.type)).items

    def _reshaped(self, value: Binding, shape: tuple[Binding, ...]) -> Binding:
        return self.run.operate_by_name('numpy.reshape', [value], shape=Container('tuple', shape))
