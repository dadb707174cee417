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


def divides_as_python(left: Any, right: Any) -> bool:
    """Whether `/` of operands of these types raises for zero, as Python's own does; it does of a complex number by a float64.

    That is a float to Python's complex numbers, while it divides by all others itself.

    >>> double = number_type(np.float64(1.0))
    >>> divides_as_python(COMPLEX, FLOAT), divides_as_python(COMPLEX, double), divides_as_python(FLOAT, double)
    (True, True, False)
    """
    if not (isinstance(left, Scalar) and isinstance(right, Scalar) and left.weak):
        return False
    return right.weak or left.dtype.kind == 'c' and right.dtype == np.float64


PYTHON_NUMBERS = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
