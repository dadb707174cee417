"""NumPy's questions about dtypes: the types of the arguments answer them while code is generated."""
from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.structures.container import Container
from transpiler.values.types import Scalar, Unknown


def _answered(function: Callable) -> Callable:
    """A function of dtypes, or of values of which only the dtypes matter."""
    def answer(ev, *args: Binding, **keywords: Binding) -> Binding:
        given, named = [_dtype_of(ev, a) for a in args], {name: _dtype_of(ev, a) for name, a in keywords.items()}
        try:
            return Known(function(*given, **named))
        except (TypeError, ValueError) as error:
            why = f'{type(error).__name__}: {error}'
            raise TranspileError(f'`np.{function.__name__}` fails here', ev.origin, why=why) from None
    return answer


def _dtype_of(ev, value: Binding) -> Any:
    """What stands for a value: a Python number gives way to other types, a number or an array of NumPy's has its dtype."""
    match value:
        case Known(held):
            return held
        case Var(_, type_) if not isinstance(type_ := ev.resolve(type_), Unknown):
            return ev.joins.on_all_paths(
                value, type_, lambda kind: kind.dtype.type(0).item() if isinstance(kind, Scalar) and kind.weak else kind.dtype)
        case Var():
            raise UnknownType('the dtype of a value is needed, whose type is not known', ev.origin,
                              instead='annotate the parameters of the function, or call it: the arguments tell')
    return ev.known(value, 'a dtype')


def _isscalar(ev, element: Binding) -> Binding:
    match element:
        case Known(held):
            return Known(np.isscalar(held))
        case Var(_, type_) if not isinstance(type_ := ev.resolve(type_), Unknown):
            return Known(isinstance(type_, Scalar))
        case Container():
            return Known(False)
    raise UnknownType('`np.isscalar` of a value whose type is not known', ev.origin, instead='annotate it')


QUESTIONS = MappingProxyType({
    **{function: _answered(function) for function in (
        np.dtype, np.finfo, np.iinfo, np.result_type, np.promote_types, np.can_cast, np.issubdtype)},
    np.isscalar: _isscalar,
})
