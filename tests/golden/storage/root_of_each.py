# value and grad of root_of_each (test_merging.py:18), for x: float64[n]
import numpy as np


def root_of_each_value_and_grad(x):
    # pullback
    total_bar = 1 / x.size           # line 25: return total / x.size
    x_bar = np.zeros_like(x)         # line 20: for v in x
    y_at = np.empty(6)
    total = 0.0
    for k in range(x.shape[0]):
        v = x[k]
        y = 1.0 + v * v
        y_1 = y
        for i in range(6):
            y_at[i] = y_1
            y_1 = 0.5 * (y_1 + y / y_1)
        total += np.sin(y_1)
        y_bar = total_bar * np.cos(y_1)  # line 24: total += np.sin(y)
        # pullback of line 22: for _ in range(6)
        y_bar_1 = 0.0
        for i in range(5, -1, -1):
            y_1 = y_at[i]
            # pullback of line 23: y = 0.5 * (y + (1.0 + v * v) / y)
            y_bar *= 0.5
            ratio = y_bar / y_1
            y_bar -= ratio * y / y_1
            y_bar_1 += ratio
        x_bar[k] += 2 * (y_bar_1 + y_bar) * v
    return total / x.size, (x_bar,)
