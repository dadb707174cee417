"""SciPy's special functions, from `kernels/special/`, but for those that loops are vectorised with."""
from __future__ import annotations

import scipy.special

from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value
from transpiler.lower.primitives.elementwise import apply, with_kernel
from transpiler.lower.target.mathematics import ufunc_of
from transpiler.values.types import Type


@lowers('scipy.special.*')
def special(context: Context, call: Call, type_: Type) -> Value:
    ufunc = ufunc_of(call.name)
    if ufunc is None or call.keywords:
        raise context.unsupported(call.name)
    return apply(context, ufunc, [context.value(a) for a in call.args], type_)


@lowers('scipy.special.zeta')
def zeta(context: Context, call: Call, type_: Type) -> Value:
    """SciPy hides its ufunc, which is like that of the beta function."""
    return with_kernel(context, context.target.mathematics.zeta, scipy.special.beta, call)
