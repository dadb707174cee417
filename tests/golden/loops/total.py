# total (test_fusion.py:29), for x: float64[n], y: float64[n], for Numba
import numpy as np

from transpiler_kernels.reductions.lanes import plus
from transpiler_kernels.vector_math import sin


def total(x, y):
    n = x.shape[0]
    total = 0.0
    total1 = 0.0
    for start in range(0, n, 1024):
        first = np.maximum(start, 0)
        block = 0.0
        block1 = 0.0
        for turn in range(np.minimum(1024, n - start)):
            i = first + turn
            x_i = x[i]
            block = plus(block, sin(x_i) * y[i])
            block1 = plus(block1, x_i if x_i > 0.0 else 0.5 * y[i])
        total += block
        total1 += block1
    return total + total1 / np.float64(n)
