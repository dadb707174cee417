# grad of neural_ode (custom_examples.py:80), for a: float64[n, n], y: float64[n]
import numpy as np


def neural_ode_grad(a, y):
    for _ in range(200):
        y_1 = y + 0.0025 * (np.tanh(a @ y) - y)
        y = y + 0.005 * (np.tanh(a @ y_1) - y_1)
    # pullback
    y_bar = 2 * y                    # line 81: return np.sum(integrate(lambda a, y: np.tanh(a @ y) - y, ...
    a_bar = np.zeros_like(a)         # line 66: a_bar = np.zeros_like(a)
    for _ in range(200):             # line 67: for _ in range(steps)
        tanh = np.tanh(a @ y)        # line 81: return np.sum(integrate(lambda a, y: np.tanh(a @ y) - y, ...
        middle = y - 0.0025 * (tanh - y)  # line 68: middle = y - 0.5 * h * f(a, y)
        y_bar_1 = a.T @ (y_bar * (1 - tanh * tanh)) - y_bar  # line 81: return np.sum(integrate(lambda a, ...
        middle_bar = y_bar + 0.0025 * y_bar_1  # line 69: middle_bar = y_bar + 0.5 * h * pullback(a, y, y_ ...
        # pullback of line 81: return np.sum(integrate(lambda a, y: np.tanh(a @ y) - y, ...
        tanh_1 = np.tanh(a @ middle)
        ay_bar = middle_bar * (1 - tanh_1 * tanh_1)
        y_bar += 0.005 * (a.T @ ay_bar - middle_bar)  # line 72: y_bar = y_bar + h * by_y
        y = y - 0.005 * (tanh_1 - middle)  # line 70: y = y - h * f(a, middle)
        a_bar += 0.005 * np.outer(ay_bar, middle)  # line 73: a_bar = a_bar + h * by_a
    return a_bar
