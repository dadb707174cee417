# vmap of rectified_cube (test_batch.py:38), for x: float64[n]
import numpy as np


def rectified_cube_vmap(x):
    r = np.empty(x.shape[0])
    for b in range(x.shape[0]):
        x_b = x[b]
        r_b = 1.0
        if x_b < 0.0:
            for i in range(3):
                r_b *= x_b
            r_b = -r_b
        else:
            for i in range(3):
                r_b *= x_b
        r[b] = r_b
    return r
