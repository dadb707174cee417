# grad of forced (test_ahead.py:18), for x: float64[n], y: float64[n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty, zeros
from transpiler_kernels.vector_math import exp


def forced_grad(x, y):
    # pullback of line 20: for i in range(x.size)
    x_bar = zeros(x.shape, np.float64)
    diff_x = x.size - 1
    s_bar = 1.0
    turns = diff_x + 1
    exp_ahead = empty((64,), np.float64)
    for start in range(0, turns, 64):
        count = np.minimum(64, turns - start)
        for turn in range(count):
            exp_ahead[turn] = exp(x[diff_x - (start + turn)])  # line 21: s = 0.5 * s + np.exp(x[i]) * y[i]
        for turn in range(count):
            i = diff_x - (start + turn)
            # pullback of line 21: s = 0.5 * s + np.exp(x[i]) * y[i]
            x_bar[i] += s_bar * y[i] * exp_ahead[turn]
            s_bar *= 0.5
    return x_bar
