# spread (test_fusion.py:25), for x: float64[n], table: float64[4, n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty


def spread(x, table):
    if table.shape[0] != x[:4, None].shape[0]:
        raise ValueError('operands could not be broadcast together')
    total = empty((table.shape[0], x.shape[0]), np.float64)
    for i in range(table.shape[0]):
        x_i = x[i]
        for j in range(x.shape[0]):
            total[i, j] = table[i, j] * x[j] + x_i
    return total
