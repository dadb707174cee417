"""Rounding and signs: piecewise constant, so flat (as in JAX)."""
import numpy as np

from transpiler.rules.arrays.reductions import NO_OUT
from transpiler.rules.base.examples import UNARY, case
from transpiler.rules.base.registry import element_by_element, elementwise, inactive
from transpiler_kernels.definitions.mathematics import values


@inactive(np.floor, np.ceil, np.trunc, np.rint, examples=UNARY)
def rounded(x):
    return None


@inactive(np.sign, of_complex=values.sign, examples=UNARY)
def sign(x):
    return None


@inactive(np.fix, examples=UNARY)
def fix(x):
    return None


@inactive(np.round, aliases=(np.around,), allowed=NO_OUT, examples=(case((3, 4)), case((3,), decimals=1)))
def round(a, decimals=0, out=None):
    return None


@elementwise(np.nextafter, real_only=True, examples=(case((3,), (3,)),))
def nextafter(x1, x2):
    return 1, 0


element_by_element(np.fix, np.round)
