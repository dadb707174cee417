"""Comparisons by order, which complex numbers have none of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transpiler.errors import UnsupportedFunction
from transpiler.lower.context.context import Context
from transpiler.lower.context.values import Value

# comparisons, and what they are with the operands exchanged
MIRRORED = {np.less: np.greater, np.greater: np.less, np.less_equal: np.greater_equal, np.greater_equal: np.less_equal}


def check_order(context: Context, ufunc: np.ufunc, operands: Sequence[Value]) -> None:
    """Refuse to ask which of two complex numbers is the larger one."""
    if ufunc in MIRRORED and any(v.dtype.kind == 'c' for v in operands):
        raise UnsupportedFunction(
            'complex numbers are put in order here', context.origin,
            why='NumPy compares real parts first, Python raises TypeError, and compiled code, where a name is complex if it is '
                'on some path, has neither',
            instead='compare `z.real`, `abs(z)`, or the parts one by one')
