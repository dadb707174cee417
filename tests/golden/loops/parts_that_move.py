# parts_that_move (test_fusion.py:45), for x: float64[n], n: int, for Numba
import numpy as np

from transpiler_kernels.machine.failures import Unproven
from transpiler_kernels.reductions.lanes import plus


def parts_that_move(x, n):
    if n > 4611686018427387904 or n < -4611686018427387904:
        raise Unproven
    s = 0.0
    for k in range(1, n):
        x_part = x[k:]
        if x_part.shape[0] != x[:-k].shape[0]:
            raise Unproven
        total = 0.0
        for start in range(0, x_part.shape[0], 1024):
            first = np.maximum(start, 0)
            block = 0.0
            for turn in range(np.minimum(1024, x_part.shape[0] - start)):
                i = first + turn
                block = plus(block, x[i + k] * x[i])
            if not np.isfinite(block):
                block = 0.0
                for turn in range(np.minimum(1024, x_part.shape[0] - start)):
                    i = first + turn
                    block += x[i + k] * x[i]
            total += block
        s += total
    return s
