"""A number spread over an array, `np.full(x.shape, c)`, is just `c` where broadcasting spreads it anyway."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from transpiler.core.build import constant, like
from transpiler.core.query import is_atom
from transpiler.optimize.algebra.rules import with_children
from transpiler.optimize.rewriting.available_expressions import Facts
from transpiler.optimize.rewriting.expression_types import alike, type_of
from transpiler.values.types import Scalar

# what these make of an array full of one number is full of that number
REARRANGING = ('numpy.expand_dims', 'numpy.broadcast_to', 'numpy.reshape', 'numpy.transpose', 'numpy.copy', 'numpy.squeeze')
FLOATS = ('numpy.float32', 'numpy.float64')
KINDS = 'biufc'


class Spread:
    """Replaces spread numbers in arithmetic whose result has the same type with or without them."""

    def __init__(self, types: Mapping[str, Any], facts: Facts):
        self.types, self.facts = types, facts

    def narrow(self, node: gast.expr) -> gast.expr:
        """The expression with spread numbers replaced by the numbers where neither sizes nor dtype can tell.

        >>> from transpiler.analyses.memory.aliases import Growing
        >>> from transpiler.core.text import expression, parse
        >>> from transpiler.source.writing.printing import Spelling
        >>> from transpiler.values.types import Array, FLOAT
        >>> import numpy as np
        >>> row = Array(np.dtype(float), ())
        >>> core = parse('ones = np.full(s, c); y = ones * x; return y', types=dict(ones=row, x=row, y=row, c=FLOAT))
        >>> facts = Facts(Growing(core))
        >>> facts.learn(core.body[0])
        >>> Spelling().expression(Spread(core.types, facts).narrow(core.body[1].value))
        'c * x'
        """
        match node:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div(), right=right):
                best = with_children(node, left=self.narrow(left), right=self.narrow(right))
                dtype = getattr(type_of(node, self.types), 'dtype', None)
                for change in ({'left': self.number(best.left, dtype)}, {'right': self.number(best.right, dtype)}):
                    if None not in change.values() and self.unseen(like(best, **change), node):
                        best = like(best, **change)
                return best
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                inner = self.narrow(operand)
                return node if inner is operand else like(node, operand=inner)
        return node

    def unseen(self, new: gast.expr, old: gast.expr) -> bool:
        return alike(type_of(new, self.types), type_of(old, self.types))

    def number(self, node: gast.expr, dtype: np.dtype | None = None) -> gast.expr | None:
        """The number that the array `node` is full of, if it is known and still is, and is no other in results of `dtype`."""
        if not isinstance(node, gast.Name):
            return None
        match self.facts.value(node.id):
            case gast.Call(func=gast.Name(id='numpy.full' | 'numpy.full_like'), args=[_, value]) | gast.Call(
                    func=gast.Name(id='numpy.broadcast_to'), args=[value, _]) if self.is_number(value):
                own = getattr(self.types[node.id], 'dtype', None)   # which nobody knows before the first call
                return value if own is not None and self.is_kept(value, own, dtype) else None
            case gast.Call(func=gast.Name(id='numpy.ones' | 'numpy.ones_like')):
                return constant(1.0)
            case gast.Call(func=gast.Name(id='numpy.zeros' | 'numpy.zeros_like')):
                return constant(0.0)
            case gast.Name() as other:
                return self.number(other, dtype)
            case gast.Call(func=gast.Name(id=name), args=[gast.Name() as other, *_]) if name in REARRANGING:
                return self.number(other, dtype)
            case gast.Call(func=gast.Name(id='numpy.astype'), args=[gast.Name() as other, gast.Name(id=to)]) if to in FLOATS:
                found = self.number(other, dtype)  # Python's own numbers take the dtype of what they meet
                own = np.dtype(to.removeprefix('numpy.'))
                return found if isinstance(found, gast.Constant) and self.is_kept(found, own, dtype) else None
        return None

    def is_kept(self, value: gast.expr, own: np.dtype, dtype: np.dtype | None) -> bool:
        """Whether an array of dtype `own` holds the number as it is, or rounds it as operations with results of `dtype` do."""
        type_ = type_of(value, self.types)
        if KINDS.find(type_.dtype.kind) > KINDS.find(own.kind):
            return False
        if not type_.weak:
            return np.can_cast(type_.dtype, own, 'safe')
        exact = isinstance(value, gast.Constant) and own.type(value.value) == value.value
        return exact or own in (type_.dtype, dtype)

    def is_number(self, value: gast.expr) -> bool:
        return is_atom(value) and isinstance(type_of(value, self.types), Scalar)
