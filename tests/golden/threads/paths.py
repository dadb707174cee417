# paths (test_threads.py:61), for x: float64[n], table: float64[m, n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.reductions.lanes import plus
from transpiler_kernels.threads import in_parts, parts_of
from transpiler_kernels.vector_math import sin


def paths_part(part, low, count1, total_parts, table, x):
    low = np.maximum(low, 0)
    total = -0.0
    lanes = empty(64, np.float64)
    for offset in range(count1):
        start = 64 * (low + offset)
        left = x.size - start
        count = np.minimum(64, left)
        for lane in range(count):
            p = start + lane
            s = x[p]
            lanes[lane] = s
        for t in range(table.shape[0]):
            for lane in range(count):
                p = start + lane
                s = lanes[lane]
                s = s + 0.1 * sin(s) + 0.01 * table[t, p]
                lanes[lane] = s
        total_start = total
        for lane in range(count):
            s = lanes[lane]
            total = plus(total, s * s)
        if not np.isfinite(total):
            total = total_start
            for lane in range(count):
                s = lanes[lane]
                total += s * s
    total_parts[part] = total


def paths(x, table):
    total = 0.0
    turns = (x.size + 63) // 64
    parts = parts_of(turns, turns * (1538 * table.shape[0]))
    total_parts = empty(parts, np.float64)
    in_parts(paths_part, parts, turns, total_parts, table, x)
    for part in range(parts):
        total = total + total_parts[part]
    return total
