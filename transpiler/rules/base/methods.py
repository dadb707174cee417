"""Array methods and attributes, and the functions they stand for."""
from __future__ import annotations

from transpiler.rules.base.lookup import nearest

__all__ = ['ATTRIBUTES', 'METHODS', 'VARARGS', 'nearest']

SAME = ('sum', 'mean', 'prod', 'max', 'min', 'std', 'var', 'all', 'any', 'argmax', 'argmin', 'argsort', 'nonzero', 'cumsum',
        'cumprod', 'ravel', 'squeeze', 'swapaxes', 'trace', 'diagonal', 'repeat', 'take', 'round', 'dot',
        'copy', 'astype', 'searchsorted', 'clip', 'reshape', 'transpose')

# `x.m(...)` is the function (x, ...).
METHODS: dict[str, str] = {
    **{method: f'numpy.{method}' for method in SAME},
    'T': 'numpy.transpose', 'mT': 'numpy.matrix_transpose', 'real': 'numpy.real', 'imag': 'numpy.imag',
    'flatten': 'numpy.ndarray.flatten', 'conj': 'numpy.conjugate', 'conjugate': 'numpy.conjugate',
}

# Methods that take a tuple's items one by one too: `x.reshape(2, 3)`.
VARARGS = ('reshape', 'transpose')

ATTRIBUTES: dict[str, str] = {
    'T': 'numpy.transpose', 'mT': 'numpy.matrix_transpose', 'real': 'numpy.real', 'imag': 'numpy.imag',
}
