# total (test_fusion.py:29), for x: float64[n], y: float64[n], for Numba
import numpy as np


def total(x, y):
    n = x.shape[0]
    sum_ = 0.0
    sum_1v = 0.0
    for start in range(0, n, 1024):
        larger = np.maximum(start, 0)
        sum_2v = 0.0
        sum_3v = 0.0
        for turn in range(np.minimum(1024, n - start)):
            i = larger + turn
            x_i = x[i]
            sum_2v += np.sin(x_i) * y[i]
            sum_3v += x_i if x_i > 0.0 else 0.5 * y[i]
        sum_ += sum_2v
        sum_1v += sum_3v
    return sum_ + sum_1v / np.float64(n)
