# value and grad of energy (test_merging.py:28), for x: float64[n], w: float64[n, n]
import numpy as np


def energy_value_and_grad(x, w):
    # pullback of line 30: for i in range(x.size)
    w_bar = np.zeros_like(w)
    x_bar = np.zeros_like(x)
    e = 0.0
    for i in range(x.size):
        for j in range(i + 1, x.size):
            d = x[i] - x[j]
            sqrt_d = np.sqrt(d * d + 0.1)
            ratio = w[i, j] / sqrt_d
            e += ratio
            # pullback of line 33: e += w[i, j] / np.sqrt(d * d + 0.1)
            d_bar = -d * ratio / sqrt_d / sqrt_d
            w_bar[i, j] += 1 / sqrt_d
            # pullback of line 32: d = x[i] - x[j]
            x_bar[j] -= d_bar
            x_bar[i] += d_bar
    return e, (x_bar, w_bar)
