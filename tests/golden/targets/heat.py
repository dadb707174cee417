# grad of heat (targets.py:162), for u: float64[n], steps: int, k: float
import numpy as np


def heat_grad(u, steps, k):
    u = u.copy()
    for t in range(steps):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
    # pullback
    u_bar = 2 * u                    # line 165: return np.sum(u ** 2)
    for t in range(steps - 1, -1, -1):  # line 163: for t in range(steps)
        # pullback of line 164: u[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
        product = u_bar[1:-1] * k
        u_bar[:-2] += product
        u_bar[1:-1] -= 2 * product
        u_bar[2:] += product
    return u_bar
