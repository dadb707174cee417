# chain (test_threads.py:16), for x: float64[n], table: float64[m, n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.reductions.along_axes import sum_all
from transpiler_kernels.reductions.lanes import plus
from transpiler_kernels.threads import in_parts, parts_of
from transpiler_kernels.vector_math import exp


def chain_part(part, low, count, total_parts, n, x, y):
    low = np.maximum(low, 0)
    total = -0.0
    for offset in range(count):
        start = 1024 * (low + offset)
        first = np.maximum(start, 0)
        block = 0.0
        for turn in range(np.minimum(1024, n - start)):
            i = first + turn
            x_i = x[i]
            exp_x_i = exp(-x_i * x_i)
            block = plus(block, exp_x_i * x_i)
            y[i] = exp_x_i
        total += block
    total_parts[part] = total


def chain(x, table):
    n = x.shape[0]
    y = empty((n,), np.float64)
    total = 0.0
    turns = (n + 1023) // 1024
    parts = parts_of(turns, turns * 23560)
    total_parts = empty(parts, np.float64)
    in_parts(chain_part, parts, turns, total_parts, n, x, y)
    for part in range(parts):
        total = total + total_parts[part]
    return y, total, sum_all(x) / np.float64(x.size)
