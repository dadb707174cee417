"""The functions of `kernels/special/formulas.py` as ufuncs, each made when it is asked for: that takes a quarter of a second.

>>> import numpy as np
>>> from kernels.special import elementary
>>> elementary.xlogy(np.array([0.0, 2.0]), np.array([0.0, 1.0]))
array([0., 0.])
"""

from kernels.special import formulas
from kernels.special.compiled import ONE, TWO, elementwise


def __getattr__(name: str):
    formula = None if name.startswith('_') else getattr(formulas, name, None)
    if getattr(formula, '__module__', None) != formulas.__name__:
        raise AttributeError(f'there is no formula for {name}')
    signatures = ONE if formula.__code__.co_argcount == 1 else TWO
    return globals().setdefault(name, elementwise(signatures)(formula))
