"""Parts of complex numbers (JAX's convention: a cotangent is the transpose applied, not the adjoint)."""
import numpy as np

from transpiler.rules.base.examples import UNARY
from transpiler.rules.base.registry import element_by_element, inactive, linear


@linear(np.conjugate, examples=UNARY)
def conjugate(ct, x):
    return np.conjugate(ct)


@linear(np.real, view=True, examples=UNARY)
def real(ct, val):
    return ct


@linear(np.imag, view=True, examples=UNARY)
def imag(ct, val):
    return -1j * ct if np.iscomplexobj(val) else np.zeros_like(ct)


def is_complex(x):
    return x.dtype.kind == 'c' if hasattr(x, 'dtype') else None


def is_real(x):
    return x.dtype.kind != 'c' if hasattr(x, 'dtype') else None


@inactive(np.iscomplexobj, fold=is_complex, examples=UNARY)
def iscomplexobj(x):
    return None


@inactive(np.isrealobj, fold=is_real, examples=UNARY)
def isrealobj(x):
    return None


element_by_element(np.real, np.imag)
