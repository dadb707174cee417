"""Numbers that are known: Python's and NumPy's, and the types they have."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpiler.values.types import BOOL, COMPLEX, FLOAT, INT, Scalar


def is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, np.number, np.bool_))


def number_type(value: Any) -> Scalar:
    """The abstract value of a Python or NumPy number.

    >>> str(number_type(1.5)), str(number_type(np.float32(1)))
    ('float', 'float32')
    """
    if isinstance(value, np.generic) and not isinstance(value, (float, complex)):
        return Scalar(value.dtype)
    if isinstance(value, np.generic):
        return Scalar(np.asarray(value).dtype)
    return next(type_ for kind, type_ in PYTHON_NUMBERS.items() if isinstance(value, kind))


PYTHON_NUMBERS = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
