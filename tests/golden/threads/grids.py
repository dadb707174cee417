# grids (test_threads.py:71), for x: float64[n], table: float64[m, n], for Numba
import numpy as np

from transpiler_kernels.threads import in_parts, parts_of
from transpiler_kernels.vector_math import exp


def grids_part(part, low, count, table, table_part_size1):
    low = np.maximum(low, 0)
    for offset in range(count):
        i = low + offset
        for j in range(table_part_size1):
            table_item = table[i + 1, j + 1]
            table[i + 1, j + 1] = 0.5 * table_item + 0.1 * exp(-np.abs(table_item))


def grids(x, table):
    for t in range(4):
        table_part = table[1:-1, 1:-1]
        parts = parts_of(table_part.shape[0], table_part.shape[0] * (35 * table_part.shape[1]))
        in_parts(grids_part, parts, table_part.shape[0], table, table_part.shape[1])
    return table
