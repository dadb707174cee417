"""What definitions and rules may ask of a value while code is generated."""
from typing import Any

import numpy as np


def known(value: Any) -> bool:
    """Inside a template or a definition: is `value` known while code is generated? (In plain Python: is it a Python number?)

    The specialiser answers this itself, from the binding of the argument.

    >>> known(2), known(np.float64(2.0)), known(np.ones(3))
    (True, False, False)
    """
    return isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic)


def presumably_less(size: int, bound: int) -> bool:
    """Inside a definition: is a size less than that? What shows only in the call at hand is what the program is made for.

    The specialiser answers this itself: no, of a size that no call tells, so that the definition has to look at run time.

    >>> presumably_less(2, 3)
    True
    """
    return size < bound


def numpys(value: Any) -> Any:
    """Inside a template: `value` as NumPy's number, if it is one of Python's, which raises where it divides by zero.

    The specialiser answers this itself: an array stays what it is, and so does a number whose type is not known.

    >>> 1 / numpys(2.0), numpys(np.ones(1))
    (np.float64(0.5), array([1.]))
    """
    return np.asarray(value)[()] if known(value) else value


def divide(number: Any, divisor: Any, quotient: Any) -> Any:
    """Inside a template: `number / divisor`, dividing as the primal did, whose `quotient` tells: NumPy's numbers raise nothing.

    The specialiser answers this itself: only what is typed as NumPy's number may be one of Python's unnoticed.

    >>> divide(1, 2.0, np.ones(1)), divide(1, 2.0, 0.5)
    (np.float64(0.5), 0.5)
    """
    return number / divisor if known(quotient) else np.true_divide(number, divisor)
