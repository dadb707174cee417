# vmap of newton_sqrt (test_batch.py:31), for a: float64[n]
import numpy as np


def newton_sqrt_vmap(a):
    x = np.empty(a.shape[0])
    for b in range(a.shape[0]):
        a_b = a[b]
        x_b = a_b
        while abs(x_b * x_b - a_b) > 1e-12 * a_b:
            x_b = 0.5 * (x_b + a_b / x_b)
        x[b] = x_b
    return x
