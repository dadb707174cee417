"""Numbers of Python's that divide in a derivative where the primal has not raised: they are to raise nothing either."""

from __future__ import annotations

from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.values.types import Array, Scalar


def numpys(ev, value: Binding) -> Binding:
    """What may be a number of Python at run time as NumPy's."""
    type_ = ev.resolve(value.type) if isinstance(value, Var) else None
    is_pythons = isinstance(type_, Scalar) and type_.dtype.kind in 'fc' and (type_.weak or value.name in ev.plain)
    return ev.call(Known(type_.dtype.type), [value], {}) if is_pythons else value


def divisor(ev, value: Binding, dividend: Binding) -> Binding:
    """What may be a number of Python unnoticed as NumPy's, where it has divided something of NumPy's."""
    type_ = ev.resolve(dividend.type) if isinstance(dividend, Var) else None
    is_numpys = isinstance(type_, Array) or isinstance(type_, Scalar) and not type_.weak and dividend.name not in ev.plain
    return numpys(ev, value) if is_numpys and isinstance(value, Var) and value.name in ev.plain else value
