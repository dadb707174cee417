# roots (test_strips.py:28), for x: float64[n], y: float64[m, n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty


def roots(x, y):
    size_x = x.size
    out = empty((size_x,), np.float64)
    lanes = empty(64, np.float64)
    for start in range(0, size_x, 32):
        left = size_x - start
        count = np.minimum(32, left)
        for lane in range(count):
            b = start + lane
            a = x[b]
            v = a
            lanes[lane] = v
            lanes[lane + 32] = a
        active = 1
        while active > 0:
            active = 0
            for lane in range(count):
                a = lanes[lane + 32]
                v_before = lanes[lane]
                v = v_before
                goes = np.abs(v * v - a) > 1e-12 * a
                v = 0.5 * (v + a / v)
                lanes[lane] = v if goes else v_before
                active += 1 if goes else 0
        for lane in range(count):
            b = start + lane
            v = lanes[lane]
            out[b] = v
    return out
