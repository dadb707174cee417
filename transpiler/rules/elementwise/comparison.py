"""Comparisons, logic and bits: flags and integers, without derivative."""
import numpy as np

from transpiler.rules.base.examples import BINARY, UNARY, case, integers
from transpiler.rules.base.registry import element_by_element, inactive

BITS = (case(integers(3, high=8), integers(3, high=8)),)


@inactive(np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal,
          np.logical_and, np.logical_or, np.logical_xor, examples=BINARY)
def compare(x1, x2):
    return None


@inactive(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift, np.gcd, np.lcm, examples=BITS)
def combine_bits(x1, x2):
    return None


@inactive(np.invert, aliases=(np.bitwise_not,), examples=(case(integers(3, high=8)),))
def invert(x):
    return None


@inactive(np.logical_not, np.isnan, np.isinf, np.isfinite, np.signbit, np.spacing, examples=UNARY)
def classify(x):
    return None


@inactive(np.isneginf, np.isposinf, examples=UNARY)
def classify_infinity(x):
    return None


@inactive(np.isclose, examples=BINARY)
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return None


@inactive(np.allclose, examples=BINARY)
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return None


@inactive(np.array_equal, examples=(case((3,), (3,)),))
def array_equal(a1, a2, equal_nan=False):
    return None


element_by_element(np.isneginf, np.isposinf, np.isclose)

