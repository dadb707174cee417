# corner_by_corner (test_fusion.py:39), for table: float64[n, m], x: float64[m], for Numba
import numpy as np

from kernels.updates import add_into


def corner_by_corner(table, x):
    for k in range(3):
        minus = np.empty((x[k:4].shape[0], x[k:].shape[0]), np.float64)
        for i in range(x[k:4].shape[0]):
            x_item = x[i + k]
            for j in range(x[k:].shape[0]):
                minus[i, j] = -(0.1 * (x_item * x[j + k]))
        add_into(table[k:, k:], minus)
    band = 0.0
    whole = 0.0
    for i in range(table.shape[0]):
        total = 0.0
        for start in range(0, table.shape[1], 1024):
            first = np.maximum(start, 0)
            block = 0.0
            for turn in range(np.minimum(1024, table.shape[1] - start)):
                j = first + turn
                block += table[i, j] * table[i, j]
            total += block
        band += total
        if i % 128 == 127:
            whole += band
            band = 0.0
    return whole + band
