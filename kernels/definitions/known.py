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
