"""Reductions of a single number: the number itself, in the dtype that NumPy gives; Numba has no such calls."""

from __future__ import annotations

import gast

from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.values.types import Scalar, Type

OF_A_NUMBER = frozenset({'numpy.sum', 'numpy.mean', 'numpy.max', 'numpy.min', 'numpy.prod', 'numpy.copy'})
ADDED_UP = frozenset({'numpy.sum', 'numpy.mean'})    # begin with 0.0, and so give no -0.0


def of_a_number(ev, name: str, number: Binding, own: Scalar, type_: Type) -> Binding:
    """What a reduction that gives `type_` makes of a number of type `own`; floats of Python's stay what they are."""
    if type_.dtype != own.dtype or own.weak and own.dtype.kind in 'bi':
        return ev.call(Known(type_.dtype.type), [number], {})
    if name in ADDED_UP and own.dtype.kind in 'fc' and not ev.derives:
        return ev.binary(gast.Add, number, Known(0.0))
    return number
