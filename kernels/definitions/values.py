"""Functions of elements."""
import numpy as np


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if low is not None:
        a = np.maximum(a, low)
    if high is not None:
        a = np.minimum(a, high)
    return a


def select(condlist, choicelist, default=0):
    result = default
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        result = np.where(condition, choice, result)
    return result


def divmod(x1, x2):
    return x1 // x2, x1 % x2


def modf(x):
    whole = np.trunc(x)
    return x - whole, whole


def sinc(x):
    z = 3.141592653589793 * x
    near = np.abs(z) < 0.1
    w = np.where(near, z * z, 0)
    series = 1 - w / 6 * (1 - w / 20 * (1 - w / 42 * (1 - w / 72)))
    away = np.where(near, 1, z)
    return np.where(near, series, np.sin(away) / away)


def angle(z, deg=False):
    phase = np.arctan2(np.imag(z), np.real(z))
    return np.rad2deg(phase) if deg else phase
