"""Unit matrices divided among values: each row stands for one element of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import Any

import gast
import numpy as np

from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.errors import UnknownType
from transpiler.specialize.domain.bindings import Binding, Known, leaf_type
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.structures.ranges import Slice
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar, Type, Unknown

ALL = Slice((Known(None),) * 3)


def rows_in(core: Core, names: Sequence[str], parted: bool = False) -> Dim | None:
    """How many rows the values of these variables have together; None if that is one number, which needs no axis for it.

    parted: complex numbers have a row for each of their parts
    """
    types = [core.types[name] for name in names]
    for name, type_ in zip(names, types, strict=True):
        if isinstance(type_, Unknown):
            raise UnknownType(f'a Jacobian needs the type of `{core.base(name)}`, which is not known', core.origin,
                              instead='annotate the parameters of the function, or give example arguments')
    types += [type_ for type_ in types if parted and is_complex(type_)]
    if len(types) == 1 and isinstance(types[0], Scalar):
        return None
    sizes = [_elements(type_) for type_ in types]
    return Dim.symbol('rows') if None in sizes else sum(sizes, Dim.of(0))


def one_of(type_: Scalar) -> Any:
    """1, as a number of this type."""
    return 1.0 if type_.weak else type_.dtype.type(1.0)


def is_complex(type_: Type) -> bool:
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind == 'c'


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
    """The rows of a unit matrix for some values; those that are no floats, and Known ones, have none.

    parted: complex numbers have two rows, for their real and their imaginary part; a row is a cotangent, `u - iv` for weights
        `u` and `v` of these
    """

    def __init__(self, ev: Evaluator, values: Sequence[Binding], parted: bool = False):
        self.ev = ev
        self.values = [value if isinstance(value, Var) and value.type.dtype.kind in 'fc' else None for value in values]
        self.parts = [1 + (parted and value is not None and is_complex(value.type)) for value in self.values]
        self.floats = [value for value in self.values if value is not None]
        self.alone = len(self.floats) == 1 and max(self.parts) == 1
        sizes = [self._size(value) for value, parts in zip(self.values, self.parts, strict=True) for _ in range(parts)]
        self.starts = [Known(0), *accumulate(sizes, lambda a, b: ev.binary(gast.Add, a, b))]

    def _size(self, value: Var | None) -> Binding:
        if value is None or isinstance(value.type, Scalar):
            return Known(int(value is not None))
        return self.ev.attribute(value, 'size')

    def rows(self) -> list[Binding]:
        """What each value is given: the part of all rows that is its own, in its shape; 1 for a number that is alone."""
        if not self.floats:
            return []
        if self.alone and isinstance(self.floats[0].type, Scalar):
            return [Known(one_of(self.floats[0].type))]
        with self.ev.builder.at(self.ev.builder.origin, 'tangent'):
            return list(self._rows())

    def _rows(self) -> Iterator[Binding]:
        total, dtype = self.starts[-1], self._dtype()
        options = {} if dtype == np.float64 else {'dtype': Known(dtype)}
        unit = self.ev.operate_by_name('numpy.eye', [], N=total, **options)
        self.ev.builder.rename_hint(unit.name, 'basis')
        for value, places in zip(self.values, self._places(), strict=True):
            if value is not None:
                columns = [unit if self.alone else self.ev.load(unit, Tuple((ALL, place))) for place in places]
                part = self._joined(gast.Sub, columns)
                if isinstance(value.type, Array) and value.type.ndim != 1:
                    part = self._reshaped(part, (total, *self._shape(value)))
                yield part if value.type.dtype == leaf_type(part).dtype else self.ev.cast(part, value.type.dtype)

    def _dtype(self) -> np.dtype:
        """That of the unit matrix."""
        first = self.floats[0].type
        return np.empty(0, first.dtype).real.dtype if self.parts[self.values.index(self.floats[0])] == 2 else first.dtype

    def _joined(self, operator: type[gast.operator], parts: Sequence[Binding]) -> Binding:
        """A real and an imaginary part together, or a value that has no parts."""
        first, *second = parts
        return self.ev.binary(operator, first, self.ev.binary(gast.Mult, Known(1j), second[0])) if second else first

    def blocks(self, before: bool) -> list[Callable[[Binding], Binding] | None]:
        """For each value, how its block of a result is taken, whose first axis is that of all rows.

        The axes of the value come first in the block if they stand `before` those of the rest, else last.
        """
        takers = []
        for value, places in zip(self.values, self._places(), strict=True):
            takers.append(None if value is None else lambda whole, v=value, p=places: self._block(whole, v, p, before))
        return takers

    def _places(self) -> Iterator[list[Binding]]:
        """Of each value the rows of its elements, twice for complex numbers in two parts."""
        bounds = iter(zip(self.starts, self.starts[1:], strict=False))
        for value, parts in zip(self.values, self.parts, strict=True):
            number = value is None or isinstance(value.type, Scalar)
            yield [start if number else Slice((start, end, Known(None))) for start, end in islice(bounds, parts)]

    def _block(self, whole: Binding, value: Var, places: Sequence[Binding], before: bool) -> Binding:
        if leaf_type(whole) is None:
            return whole
        if isinstance(leaf_type(whole), Unknown):
            raise UnknownType('a Jacobian needs the type of all that the result depends on', self.ev.origin,
                              why='a number on one path is an array on another, be it one without axes, such as `x[..., 0]`',
                              instead='make it a number on both: `x[0]`; or take `jacrev`')
        return self._joined(gast.Add, [self._part(whole, value, place, before) for place in places])

    def _part(self, whole: Binding, value: Var, place: Binding, before: bool) -> Binding:
        if self.alone and isinstance(value.type, Scalar):
            return whole
        part = whole if self.alone else self.ev.load(whole, place)
        if isinstance(value.type, Scalar):
            return part
        rest = self._shape(part)[1:]
        if not before and len(rest) == 1:
            part = self.ev.operate_by_name('numpy.transpose', [part])
        elif not before and rest:
            part = self.ev.operate_by_name('numpy.moveaxis', [part], source=Known(0), destination=Known(-1))
        if value.type.ndim == 1:
            return part
        shape = self._shape(value)
        return self._reshaped(part, (*shape, *rest) if before else (*rest, *shape))

    def _shape(self, value: Binding) -> tuple[Binding, ...]:
        return self.ev.expressions.shape(value, self.ev.resolve(value.type)).items

    def _reshaped(self, value: Binding, shape: tuple[Binding, ...]) -> Binding:
        return self.ev.operate_by_name('numpy.reshape', [value], shape=Tuple(shape))
