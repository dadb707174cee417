# vmap of both (test_batch.py:79), for x: float64[n, m], y: float64[m, n]
import numpy as np


def both_vmap(x, y):
    y = np.moveaxis(y, 1, 0)
    product = x[:, :, None] * y[:, None, :]
    max_y = np.max(y, axis=1)
    return np.sum(x * y, axis=1), product, {'mean': np.mean(x, axis=1), 'largest': max_y}
