"""SciPy's special functions, from `kernels/special/`: our own where there is one, SciPy's compiled one for all others."""
from __future__ import annotations

import numpy as np
import scipy.special

from kernels.special import elementary, exported
from transpiler.lower.context import Context, Value
from transpiler.lower.elementwise import with_kernel
from transpiler.lower.registry import Call, lowers
from transpiler.values.types import Type


@lowers('scipy.special.*')
def special(context: Context, call: Call, type_: Type) -> Value:
    name = call.name.rpartition('.')[2]
    function = getattr(scipy.special, name)
    types = function if isinstance(function, np.ufunc) else scipy.special.beta  # `zeta` hides its ufunc, which is like this one
    home = elementary if hasattr(elementary, name) else exported
    if types.nout > 1 or getattr(home, name).nin != types.nin:
        raise context.unsupported(call.name)
    return with_kernel(context, f'{home.__name__.removeprefix("kernels.")}.{name}', types, call)
