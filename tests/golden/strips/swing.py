# swing (test_strips.py:17), for x: float64[n], y: float64[m, n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.vector_math import sin


def swing(x, y):
    size_x = x.size
    out = empty((size_x,), np.float64)
    lanes = empty(128, np.float64)
    for start in range(0, size_x, 64):
        left = size_x - start
        count = np.minimum(64, left)
        for lane in range(count):
            b = start + lane
            angle = x[b]
            speed = 0.0
            lanes[lane] = angle
            lanes[lane + 64] = speed
        for t in range(y.shape[0]):
            for lane in range(count):
                b = start + lane
                angle = lanes[lane]
                speed = lanes[lane + 64]
                speed = speed - 0.1 * sin(angle) + 0.01 * y[t, b]
                angle += 0.1 * speed
                lanes[lane] = angle
                lanes[lane + 64] = speed
        for lane in range(count):
            b = start + lane
            angle = lanes[lane]
            out[b] = angle
    return out
