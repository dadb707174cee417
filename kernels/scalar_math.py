"""The functions of Python's `math` on real numbers, written with NumPy's: the result is a Python number."""
import numpy as np


def sin(x):
    return float(np.sin(x))


def cos(x):
    return float(np.cos(x))


def tan(x):
    return float(np.tan(x))


def asin(x):
    return float(np.arcsin(x))


def acos(x):
    return float(np.arccos(x))


def atan(x):
    return float(np.arctan(x))


def atan2(y, x):
    return float(np.arctan2(y, x))


def sinh(x):
    return float(np.sinh(x))


def cosh(x):
    return float(np.cosh(x))


def tanh(x):
    return float(np.tanh(x))


def asinh(x):
    return float(np.arcsinh(x))


def acosh(x):
    return float(np.arccosh(x))


def atanh(x):
    return float(np.arctanh(x))


def exp(x):
    return float(np.exp(x))


def expm1(x):
    return float(np.expm1(x))


def log(x, base=None):
    return float(np.log(x)) if base is None else float(np.log(x) / np.log(base))


def log2(x):
    return float(np.log2(x))


def log10(x):
    return float(np.log10(x))


def log1p(x):
    return float(np.log1p(x))


def sqrt(x):
    return float(np.sqrt(x))


def cbrt(x):
    return float(np.cbrt(x))


def exp2(x):
    return float(np.exp2(x))


def pow(x, y):
    return float(np.power(float(x), float(y)))


def hypot(x, y):
    return float(np.hypot(x, y))


def fabs(x):
    return float(np.fabs(x))


def copysign(x, y):
    return float(np.copysign(x, y))


def fmod(x, y):
    return float(np.fmod(x, y))


def degrees(x):
    return float(np.rad2deg(x))


def radians(x):
    return float(np.deg2rad(x))


def floor(x):
    return int(np.floor(x))


def ceil(x):
    return int(np.ceil(x))


def trunc(x):
    return int(np.trunc(x))


def isnan(x):
    return bool(np.isnan(x))


def isinf(x):
    return bool(np.isinf(x))


def isfinite(x):
    return bool(np.isfinite(x))
