# grad of repulsion (targets.py:182), for x: float64[n, m]
import numpy as np


def repulsion_grad(x):
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d * d, axis=2) + 1.0
    inverse_r2 = 1.0 / r2
    # pullback
    d_bar = -2 * np.expand_dims(inverse_r2 * inverse_r2, 2) * d  # line 184: r2 = np.sum(d * d, axis=2) + 1.0
    x_bar = np.sum(d_bar, axis=1) - np.sum(d_bar, axis=0)  # line 183: d = x[:, None, :] - x[None, :, :]
    return x_bar
