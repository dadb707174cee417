# stencil (test_fusion.py:33), for u: float64[n], steps: int, for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.reductions.lanes import plus


def stencil(u, steps):
    for _ in range(steps):
        u_part = u[1:-1]
        total = empty((u_part.shape[0],), np.float64)
        for i in range(u_part.shape[0]):
            u_item = u[i + 1]
            total[i] = u_item + 0.1 * (u[i + 2] - 2.0 * u_item + u[i])
        for i in range(u_part.shape[0]):
            u[i + 1] = total[i]
    total1 = 0.0
    for start in range(0, u.shape[0], 1024):
        first = np.maximum(start, 0)
        block = 0.0
        for turn in range(np.minimum(1024, u.shape[0] - start)):
            i = first + turn
            block = plus(block, u[i] * u[i])
        if not np.isfinite(block):
            block = 0.0
            for turn in range(np.minimum(1024, u.shape[0] - start)):
                i = first + turn
                block += u[i] * u[i]
        total1 += block
    return total1
