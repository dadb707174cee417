# grad of total (test_fusion.py:29), for x: float64[n], y: float64[n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.vector_math import cos, sin


def total_grad(x, y):
    # pullback of line 30: return np.sum(np.sin(x) * y) + np.mean(np.where(x > 0.0, ...
    inverse = 1.0 / x.shape[0]
    half_inverse = 0.5 * inverse
    n = x.shape[0]
    y_bar = empty((n,), np.float64)
    x_bar = empty((n,), np.float64)
    for i in range(n):
        x_i = x[i]
        condition = x_i > 0.0
        y_bar[i] = (0.0 if condition else half_inverse) + sin(x_i)
        x_bar[i] = (inverse if condition else 0.0) + y[i] * cos(x_i)
    return x_bar, y_bar
