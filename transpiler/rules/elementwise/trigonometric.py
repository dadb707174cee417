"""Circular and hyperbolic functions, their inverses, and angles."""
import numpy as np

from transpiler.rules.base.examples import BINARY, UNARY
from transpiler.rules.base.registry import elementwise, known, numpys


@elementwise(np.sin, examples=UNARY)
def sin(x):
    return np.cos(x)


@elementwise(np.cos, examples=UNARY)
def cos(x):
    return -np.sin(x)


@elementwise(np.tan, domain=(-1.0, 1.0), examples=UNARY)
def tan(ans, x):
    return 1 + ans * ans


@elementwise(np.arcsin, aliases=(np.asin,), domain=(-0.8, 0.8), steep=lambda x: True, examples=UNARY)
def arcsin(x):
    return 1 / np.sqrt(1 - x * x)


@elementwise(np.arccos, aliases=(np.acos,), domain=(-0.8, 0.8), steep=lambda x: True, examples=UNARY)
def arccos(x):
    return -1 / np.sqrt(1 - x * x)


@elementwise(np.arctan, aliases=(np.atan,), examples=UNARY)
def arctan(x):
    return 1 / (1 + x * x)


@elementwise(np.sinh, examples=UNARY)
def sinh(x):
    return np.cosh(x)


@elementwise(np.cosh, examples=UNARY)
def cosh(x):
    return np.sinh(x)


@elementwise(np.tanh, examples=UNARY)
def tanh(ans, x):
    return 1 - ans * ans


@elementwise(np.arcsinh, aliases=(np.asinh,), examples=UNARY)
def arcsinh(x):
    """`x * x` overflows long before the slope is 0."""
    return 1 / (np.sqrt(x * x + 1) if np.iscomplexobj(x) else np.hypot(x, 1))


@elementwise(np.arccosh, aliases=(np.acosh,), domain=(1.5, 3.0), steep=lambda x: True, examples=UNARY)
def arccosh(x):
    return 1 / (np.sqrt(x - 1) * np.sqrt(x + 1))


@elementwise(np.arctanh, aliases=(np.atanh,), domain=(-0.8, 0.8), poles=lambda x: True, examples=UNARY)
def arctanh(x):
    x = numpys(x)
    return 1 / (1 - x * x)


@elementwise(np.deg2rad, aliases=(np.radians,), jointly_linear=True, real_only=True, examples=UNARY)
def deg2rad(x):
    return 0.017453292519943295


@elementwise(np.rad2deg, aliases=(np.degrees,), jointly_linear=True, real_only=True, examples=UNARY)
def rad2deg(x):
    return 57.29577951308232


@elementwise(np.arctan2, aliases=(np.atan2,), domain=(0.5, 2.0), real_only=True, steep=lambda x1, x2: True, examples=BINARY)
def arctan2(x1, x2):
    """Squares of what is small, or large, are 0, or infinite."""
    r = np.hypot(x1, x2)
    return x2 / r / r, -(x1 / r) / r


@elementwise(np.hypot, domain=(0.5, 2.0), real_only=True, examples=BINARY)
def hypot(ans, x1, x2):
    if known(x1) and x1 != 0 or known(x2) and x2 != 0:
        return x1 / ans, x2 / ans
    return np.where(ans == 0, 0.5, x1 / ans), np.where(ans == 0, 0.5, x2 / ans)
