# vmap of function (test_batch.py:91), for u: float64[n, m]
import numpy as np


def function_vmap(u):
    u = u.copy()
    for t in range(3):
        for i in range(1, u.shape[1] - 1):
            u[:, i] = 0.25 * u[:, i - 1] + 0.5 * u[:, i] + 0.25 * u[:, i + 1]
    return np.sum(u ** 2, axis=1)
