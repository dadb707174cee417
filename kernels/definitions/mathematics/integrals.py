"""Functions of `scipy.integrate`."""
import numpy as np


def simpson(y, x=None, *, dx=1.0, axis=-1):
    y = np.moveaxis(y, axis, -1)
    points = y.shape[-1]
    if x is None:
        steps = np.full(points - 1, dx)
    else:
        if np.iscomplexobj(x):
            raise RuntimeError('only real points x are supported')
        steps = np.diff(x) if x.ndim == 1 else np.diff(np.moveaxis(x, axis, -1), axis=-1)
    if points == 2:
        return 0.5 * steps[..., 0] * (y[..., 0] + y[..., 1])
    total = pairs(y, steps, points if points % 2 == 1 else points - 1)
    if points % 2 == 1:
        return total
    return total + last_step(y, steps)


def pairs(y, steps, points):
    """The rule for an odd number of points at any distances."""
    first, second = steps[..., 0:points - 1:2], steps[..., 1:points - 1:2]
    both = first + second
    left = y[..., 0:points - 2:2] * (2 - second / first)
    middle = y[..., 1:points - 1:2] * (both * both / (first * second))
    right = y[..., 2:points:2] * (2 - first / second)
    return np.sum(both / 6 * (left + middle + right), axis=-1)


def last_step(y, steps):
    """Cartwright, "Simpson's rule cumulative integration with MS Excel and irregularly-spaced data" (2017)."""
    h, g = steps[..., -1], steps[..., -2]
    ahead = (2 * h * h + 3 * h * g) / (6 * (h + g)) * y[..., -1]
    return ahead + (h * h + 3 * h * g) / (6 * g) * y[..., -2] - h * h * h / (6 * g * (g + h)) * y[..., -3]
