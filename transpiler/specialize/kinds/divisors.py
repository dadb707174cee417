"""Numbers of Python's that divide in a derivative where the primal has not raised: they are to raise nothing either."""

from __future__ import annotations

import gast

from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.values.types import Array, Scalar


def numpys(ev, value: Binding) -> Binding:
    """What may be a number of Python at run time as NumPy's."""
    type_ = _type(ev, value)
    is_pythons = isinstance(type_, Scalar) and type_.dtype.kind in 'fc' and (type_.weak or value.name in ev.plain)
    return ev.call(Known(type_.dtype.type), [value], {}) if is_pythons else value


def divide(ev, number: Binding, divisor: Binding, quotient: Binding) -> Binding:
    """`number / divisor`, both perhaps of Python's, where the primal has divided something of NumPy's, which gave `quotient`."""
    whole = _type(ev, quotient)
    by_numpy = isinstance(whole, Array) or isinstance(whole, Scalar) and not whole.weak
    if not by_numpy or _is_numpys(ev, number) or _is_numpys(ev, divisor) or not _may_be_zero(ev, divisor):
        return ev.binary(gast.Div, number, divisor)
    if getattr(divisor, 'name', '') in ev.plain:
        return ev.binary(gast.Div, number, numpys(ev, divisor))
    make = Known(whole.dtype.type)
    given = Known(make.value(number.value)) if isinstance(number, Known) else ev.call(make, [number], {})
    return ev.binary(gast.Div, given, divisor)


def _type(ev, value: Binding):
    return ev.operand(value)[1] if ev.operands.is_scalar(value) else ev.resolve(getattr(value, 'type', None))


def _is_numpys(ev, value: Binding) -> bool:
    """Whether it is something of NumPy's for sure, whose divisions raise nothing."""
    type_ = _type(ev, value)
    return isinstance(type_, Array) or isinstance(type_, Scalar) and not type_.weak and getattr(value, 'name', '') not in ev.plain


def _may_be_zero(ev, value: Binding) -> bool:
    if isinstance(value, Known):
        return value.value == 0
    size, array = ev.numbers.size_of(value), _array_of_size(ev, value)
    dims = [size] if size is not None else getattr(array and ev.resolve(ev.builder.types[array]), 'dims', None)
    return not dims or any(dim is None or ev.sizes.is_any(dim) is not True for dim in dims)


def _array_of_size(ev, value: Var) -> str | None:
    """The array of which a number is the size."""
    for statement in reversed(ev.builder.block):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=made) if name == value.name:
                return made.value.id if isinstance(made, gast.Attribute) and made.attr == 'size' else None
    return None
