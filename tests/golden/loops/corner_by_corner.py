# corner_by_corner (test_fusion.py:39), for table: float64[n, m], x: float64[m], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.memory.layout import flat
from transpiler_kernels.memory.updates import add_into
from transpiler_kernels.reductions.lanes import plus


def corner_by_corner(table, x):
    for k in range(3):
        size = x[k:4].shape[0]
        size1 = x[k:].shape[0]
        minus = empty((size, size1), np.float64)
        for i in range(size):
            x_item = x[i + k]
            for j in range(size1):
                minus[i, j] = -(0.1 * (x_item * x[j + k]))
        add_into(table[k:, k:], minus)
    product_table = table.shape[0] * table.shape[1]
    table_flat = flat(table)
    total = 0.0
    for start in range(0, product_table, 1024):
        first = np.maximum(start, 0)
        block = 0.0
        for turn in range(np.minimum(1024, product_table - start)):
            i = first + turn
            block = plus(block, table_flat[i] * table_flat[i])
        if not np.isfinite(block):
            block = 0.0
            for turn in range(np.minimum(1024, product_table - start)):
                i = first + turn
                block += table_flat[i] * table_flat[i]
        total += block
    return total
