# grad of rectified_cube (targets.py:17), for x: float
import numpy as np


def rectified_cube_grad(x):
    r_at = np.empty(3)
    r = 1.0
    if x < 0.0:
        for i in range(3):
            r_at[i] = r
            r *= x
    else:
        for i in range(3):
            r_at[i] = r
            r *= x
    # pullback of line 19: if x < 0.0
    x_bar = 0.0
    if x < 0.0:
        # pullback of line 20: for i in range(3)
        r_bar = -1.0
        for i in range(2, -1, -1):
            # pullback of line 21: r *= x
            x_bar += r_bar * r_at[i]
            r_bar *= x
    else:
        # pullback of line 24: for i in range(3)
        r_bar = 1.0
        for i in range(2, -1, -1):
            # pullback of line 25: r *= x
            x_bar += r_bar * r_at[i]
            r_bar *= x
    return x_bar
