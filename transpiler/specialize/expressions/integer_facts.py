"""What is known of a number when the code is generated: its sign, whether it is an integer, the size that it is."""

from __future__ import annotations

import numpy as np

from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.values.dims import Dim
from transpiler.values.types import Scalar


class Numbers(Component):
    """Facts about bindings that are numbers."""

    def size_of(self, number: Binding) -> Dim | None:
        """A number as an affine expression of array sizes, if it is known to be one."""
        match number:
            case Known(int() as value) if not isinstance(value, bool):
                return Dim.of(value)
            case Var(name, Scalar()):
                return self.ev.resolve(self.builder.types[name]).size
        return None

    def is_natural(self, number: Binding) -> bool:
        """Whether an integer is known not to be negative."""
        if isinstance(number, Known):
            return isinstance(number.value, (int, np.integer)) and number.value >= 0
        size = self.size_of(number)
        return number.name in self.builder.natural or size is not None and size.is_at_least(0)

    def is_int(self, number: Binding) -> bool:
        """Whether a number is an integer of Python's."""
        type_ = leaf_type(number)
        return isinstance(type_, Scalar) and type_.weak and type_.dtype.kind == 'i'

    def is_whole(self, number: Binding) -> bool:
        """Whether a number is an integer of Python's, or a flag, which is one too."""
        type_ = leaf_type(number)
        return isinstance(type_, Scalar) and type_.weak and type_.dtype.kind in 'ib'

    def is_negative(self, number: Binding) -> bool:
        """Whether an integer is known to be negative, or zero at most: such powers of integers are no integers."""
        if isinstance(number, Known):
            return isinstance(number.value, int) and number.value < 0
        return number.name in self.builder.negated
