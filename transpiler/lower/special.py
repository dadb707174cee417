"""SciPy's special functions, from `kernels/special.py`."""
from __future__ import annotations

import scipy.special

from transpiler.lower.context import Context, Value
from transpiler.lower.elementwise import with_kernel
from transpiler.lower.registry import Call, lowers
from transpiler.values.types import Type

PACKAGE = 'scipy.special.'


@lowers(*(PACKAGE + name for name in (
    'erf', 'erfc', 'expit', 'log_expit', 'logit', 'xlogy', 'xlog1py', 'entr', 'rel_entr', 'kl_div')))
def special(context: Context, call: Call, type_: Type) -> Value:
    name = call.name.removeprefix(PACKAGE)
    return with_kernel(context, f'special.{name}', getattr(scipy.special, name), call)
