"""Flags beside the items of arrays, where zeros may meet infinite slopes: what tangents and cotangents have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast
import numpy as np

from transpiler.core.variables import Var
from transpiler.rules.base.registry import Rule
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.structures.container import Container
from transpiler.transforms.sweeps.derivative_writer import ZERO, same_sizes
from transpiler.transforms.sweeps.part import Part
from transpiler.transforms.sweeps.singularities import singular, sparse
from transpiler.values.types import Array, Scalar

if TYPE_CHECKING:
    from transpiler.transforms.sweeps.base import AnySweep

# Each item of the result is an item of an operand, or a constant, ...
ARRANGING = frozenset(f'numpy.{name}' for name in '''
    array asarray ascontiguousarray atleast_1d atleast_2d atleast_3d broadcast_to concatenate copy diagflat diagonal expand_dims
    flip fliplr flipud hstack matrix_transpose moveaxis pad ravel repeat reshape roll rot90 squeeze stack swapaxes take tile
    transpose tril triu vstack'''.split())
# ... where the values of the items say, ...
SORTING = frozenset({'numpy.sort'})
# ... or a sum of some, ...
ADDING = ARRANGING | {'numpy.sum', 'numpy.mean', 'numpy.cumsum'}
# ... or of products with items of other operands.
MULTIPLYING = frozenset(f'numpy.{name}' for name in 'dot einsum inner matmul outer tensordot vdot'.split())


class Flags(Part):
    """A flag is true or false for all items, or an array with one for each."""

    def __init__(self, sweep: AnySweep):
        super().__init__(sweep)
        self.singular, self.sparse = singular(sweep.core), sparse(sweep.core)

    def where_it_counts(self, counts: Binding, product: Binding, factor: Binding) -> Binding:
        """A product with what may be a zero of no influence: 0 where nothing `counts` and the factor is infinite, or no number.

        Where the factor is finite, a zero that happens to be one has derivatives like any other.
        """
        finite = self.ev.operate_by_name('numpy.isfinite', [factor])
        counts = finite if counts == Known(False) else self.ev.binary(gast.BitOr, counts, finite)
        if all(isinstance(self.value_type(part), Scalar) for part in (counts, product)):
            return self.ev.selections.select(counts, product, ZERO)
        return self.ev.operate_by_name('numpy.where', [counts, product, ZERO])

    def shields(self, statement: gast.stmt, rule: Rule, operands: list[Binding]) -> dict[str, Binding]:
        """For the operands that have no influence where another one is zero, which is a derivative itself, that other one."""
        if statement.role == 'primal' or rule.name not in ('numpy.multiply', 'numpy.true_divide'):
            return {}
        pairs = [(operands[1], operands[0])] + ([(operands[0], operands[1])] if rule.name == 'numpy.multiply' else [])
        named = [(o, shield) for o, shield in pairs if isinstance(o, Var) and isinstance(shield, Var) and o != shield]
        found = [(o.name, s) for o, s in named if o.name in self.singular.slopes and s.name in self.sparse]
        return dict(found[:1])

    def has_items(self, flag: Binding, name: str) -> bool:
        """Whether there is a flag for each item of an array."""
        own, type_ = self.value_type(flag), self.type_of(name)
        alike = isinstance(flag, Var) and isinstance(own, Array) and isinstance(type_, Array) and own.dims is not None
        return alike and same_sizes(own, type_)

    def for_each(self, array: Var, flag: Binding) -> Binding:
        """A flag for each item of an array, where there is one for all."""
        kind = np.dtype(bool)
        if flag == Known(True):
            return self.ev.operate_by_name('numpy.ones_like', [array], dtype=kind)
        unset = self.ev.operate_by_name('numpy.zeros_like', [array], dtype=kind)
        return unset if flag == Known(False) else self.ev.binary(gast.BitOr, unset, flag)

    def any_of(self, flag: Binding) -> Binding:
        """Whether it is set for any item."""
        if isinstance(flag, Known) or isinstance(self.value_type(flag), Scalar):
            return flag
        made = self.ev.operate_by_name('numpy.any', [flag])
        self.ev.builder.rename_hint(made.name, self.sweep.flagged, temporary=True)
        return made

    def either(self, one: Binding, other: Binding) -> Binding:
        """The flags that are set in one of them."""
        known = [flag for flag in (one, other) if isinstance(flag, Known)]
        if known or one == other:
            return next((flag for flag in known if flag.value), other if one == Known(False) else one)
        return self.ev.binary(gast.BitOr, one, other)

    def set_where(self, sums: Binding) -> Binding:
        """The flags that are set where a sum of flags is none of nothing."""
        kind = getattr(getattr(self.value_type(sums), 'dtype', None), 'kind', '')
        return sums if kind == 'b' else self.ev.compare(gast.NotEq, sums, ZERO)

    def ones_for(self, operand: Binding) -> Binding:
        """Ones in the place of an operand: whatever it holds, flags go the same way."""
        if isinstance(operand, Container):
            return operand.anew(tuple(map(self.ones_for, operand.items)))
        whole = isinstance(operand, Var) and not isinstance(self.value_type(operand), Scalar)
        return self.ev.operate_by_name('numpy.ones_like', [operand]) if whole else Known(1.0)
