# grad of kepler (custom_examples.py:42), for e: float64[n], mean: float64[n]
import numpy as np


def kepler_grad(e, mean):
    x = mean
    change = np.inf
    while change > 1e-13:
        x_1 = mean + e * np.sin(x)
        change = np.max(np.abs(x_1 - x))
        x = x_1
    # pullback
    anomaly_bar = 2 * x              # line 45: return np.sum(anomaly * anomaly)
    # pullback of line 32: while change > 1e-13
    w = anomaly_bar
    change = np.inf
    while change > 1e-13:
        w_1 = anomaly_bar + w * e * np.cos(x)  # line 34: w = x_bar + pullback(a, x, w)[1]
        change = np.max(np.abs(w_1 - w))  # line 35: change = np.max(np.abs(w - previous))
        w = w_1
    a_bar = w * np.sin(x)            # line 44: anomaly = fixed_point(lambda a, x: a[1] + a[0] * np.sin( ...
    return a_bar
