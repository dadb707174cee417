"""The functions of Python's `math` on real numbers, written with NumPy's: the result is a Python number."""
import numpy as np


def double(x):
    """What `math` computes with: a number of fewer bits is made one of Python's first."""
    return x if isinstance(x, float) else float(x)


def sin(x):
    return float(np.sin(double(x)))


def cos(x):
    return float(np.cos(double(x)))


def tan(x):
    return float(np.tan(double(x)))


def asin(x):
    return float(np.arcsin(double(x)))


def acos(x):
    return float(np.arccos(double(x)))


def atan(x):
    return float(np.arctan(double(x)))


def atan2(y, x):
    return float(np.arctan2(double(y), double(x)))


def sinh(x):
    return float(np.sinh(double(x)))


def cosh(x):
    return float(np.cosh(double(x)))


def tanh(x):
    return float(np.tanh(double(x)))


def asinh(x):
    return float(np.arcsinh(double(x)))


def acosh(x):
    return float(np.arccosh(double(x)))


def atanh(x):
    return float(np.arctanh(double(x)))


def exp(x):
    return float(np.exp(double(x)))


def expm1(x):
    return float(np.expm1(double(x)))


def log(x, base=None):
    return float(np.log(double(x))) if base is None else float(np.log(double(x)) / np.log(double(base)))


def log2(x):
    return float(np.log2(double(x)))


def log10(x):
    return float(np.log10(double(x)))


def log1p(x):
    return float(np.log1p(double(x)))


def sqrt(x):
    return float(np.sqrt(double(x)))


def cbrt(x):
    return float(np.cbrt(double(x)))


def exp2(x):
    return float(np.exp2(double(x)))


def pow(x, y):
    return float(np.power(float(x), float(y)))


def hypot(x, y):
    return float(np.hypot(double(x), double(y)))


def fabs(x):
    return float(np.fabs(double(x)))


def copysign(x, y):
    return float(np.copysign(double(x), double(y)))


def fmod(x, y):
    return float(np.fmod(double(x), double(y)))


def remainder(x, y):
    """As IEEE 754 has it: what is left beyond the nearest multiple of `y`, of two the even one."""
    x, y = double(x), double(y)
    size, step = abs(x), abs(y)
    rest = np.fmod(size, step)
    left = step - rest
    if rest > left:
        rest = -left
    elif rest == left:
        rest = rest - 2.0 * np.fmod(0.5 * (size - rest), step)
    return float(np.copysign(1.0, x) * rest)


def modf(x):
    x = double(x)
    whole = np.trunc(x)
    return float(np.copysign(0.0 if np.isinf(x) else x - whole, x)), float(whole)


def ldexp(x, i):
    return float(np.ldexp(double(x), i))


def frexp(x):
    x = double(x)
    if x == 0 or not np.isfinite(x):
        return x, 0
    exponent = int(np.floor(np.log2(abs(x)))) + 1     # or one beside it, where the logarithm is rounded
    found = np.ldexp(x, -exponent)
    if abs(found) >= 1:
        return float(found / 2), exponent + 1
    if abs(found) < 0.5:
        return float(found * 2), exponent - 1
    return float(found), exponent


def nextafter(x, y):
    return float(np.nextafter(double(x), double(y)))


def ulp(x):
    x = abs(double(x))
    return x if np.isinf(x) else float(np.spacing(x))


def degrees(x):
    return float(np.rad2deg(double(x)))


def radians(x):
    return float(np.deg2rad(double(x)))


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
