# extremes (test_threads.py:31), for x: float64[n], table: float64[m, n], for Numba
import numpy as np

from transpiler_kernels.arithmetic.extremes import larger, smaller
from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.memory.layout import flat
from transpiler_kernels.threads import in_parts, parts_of
from transpiler_kernels.vector_math import sin


def extremes_part(part, low, count, best_parts, best_1_parts, x):
    low = np.maximum(low, 0)
    best = -np.inf
    best1 = np.inf
    for offset in range(count):
        i = low + offset
        best = larger(best, x[i] * 2.0)
        best1 = smaller(best1, x[i] + 1.0)
    best_parts[part] = best
    best_1_parts[part] = best1


def extremes_part_1(part, low, count, best_2_parts, best_3_parts, table_flat):
    low = np.maximum(low, 0)
    best2 = -np.inf
    best3 = np.inf
    for offset in range(count):
        i = low + offset
        best2 = larger(best2, np.abs(table_flat[i]))
        best3 = smaller(best3, sin(table_flat[i]))
    best_2_parts[part] = best2
    best_3_parts[part] = best3


def extremes(x, table):
    best = -np.inf
    best1 = np.inf
    parts = parts_of(x.shape[0], x.shape[0] * 8)
    best_parts = empty(parts, np.float64)
    best_1_parts = empty(parts, np.float64)
    in_parts(extremes_part, parts, x.shape[0], best_parts, best_1_parts, x)
    for part in range(parts):
        best = np.maximum(best, best_parts[part])
        best1 = np.minimum(best1, best_1_parts[part])
    table_flat = flat(table)
    best2 = -np.inf
    best3 = np.inf
    turns1 = table.shape[0] * x.shape[0]
    parts1 = parts_of(turns1, turns1 * 30)
    best_2_parts = empty(parts1, np.float64)
    best_3_parts = empty(parts1, np.float64)
    in_parts(extremes_part_1, parts1, turns1, best_2_parts, best_3_parts, table_flat)
    for part1 in range(parts1):
        best2 = np.maximum(best2, best_2_parts[part1])
        best3 = np.minimum(best3, best_3_parts[part1])
    return best, best1, best2, best3
