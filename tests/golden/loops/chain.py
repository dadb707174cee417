# chain (test_fusion.py:21), for x: float64[n], y: float64[n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.vector_math import exp


def chain(x, y):
    ratio = empty((x.shape[0],), np.float64)
    for i in range(x.shape[0]):
        ratio[i] = exp(-x[i] * x[i]) / (1.0 + np.abs(y[i]))
    return ratio
