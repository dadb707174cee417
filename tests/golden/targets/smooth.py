# grad of smooth (targets.py:55), for u: float64[n], steps: int
import numpy as np


def smooth_grad(u, steps):
    u = u.copy()
    for t in range(steps):
        for i in range(1, u.size - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
    # pullback
    u_bar = 2 * u                    # line 59: return np.sum(u ** 2)
    for t in range(steps - 1, -1, -1):  # line 56: for t in range(steps)
        for i in range(u.size - 2, 0, -1):  # line 57: for i in range(1, u.size - 1)
            # pullback of line 58: u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
            u_bar_i = u_bar[i]
            quarter = 0.25 * u_bar_i
            u_bar[i] = 0.5 * u_bar_i
            u_bar[i + 1] += quarter
            u_bar[i - 1] += quarter
    return u_bar
